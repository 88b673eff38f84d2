"""Elastic points: a spring along the normal and one along the surface, both of stiffness k, in series with the law.

With gap φ, negative where surfaces overlap, and elongation e of the spring along the surface, its rate ė what the point
moves but does not slip, the force is

    r/dt = −k (d + τ ḋ),   d = φ n + e,

both at the end of the step. So the law, as it is for rigid points, speaks of the velocity

    s = u + d/(dt + τ) + γ r,   γ = 1/(k dt (dt + τ)),   with d at the start.

A gap that is still open has no spring: there φ/dt takes the place of φ/(dt + τ), and nothing pushes before it touches.

A point that sticks moves only as far as its spring gives, and comes back; one that rests has u = 0. τ damps the motion
of the point along its normal critically; where it strikes with restitution it is rigid in that step. Where more
contacts bear than it takes, rigid forces are one choice of many; those of springs are not.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import OPEN, split
from sesshoku.contact.flow import answer
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["carry", "elongate", "make_elastic", "spin_about", "yield_elastically"]

YIELDING: Final = 1e-3  # of a point's mean response: where it yields less along its normal this is taken


@kernel
def spin_about(s: SystemHandle, i: int, j: int, n: Vec3) -> float:
    """Mean spin of two bodies about an axis [rad/s]; the world (-1) does not turn."""
    total = 0.0
    for body in (i, j):
        if body >= 0:
            total += dot(n, (s.velocity[body, 0], s.velocity[body, 1], s.velocity[body, 2]))
    return 0.5 * total


@kernel
def carry(e: Vec3, n: Vec3, turn: float) -> Vec3:
    """An elongation carried with the surface: into the plane of its new normal, turned about that [rad]."""
    size, flat = norm(e), subtract(e, scale(dot(n, e), n))
    flat = add(flat, scale(turn, cross(n, flat)))
    left = norm(flat)
    return scale(size / left, flat) if left > 0.5 * size else (0.0, 0.0, 0.0)


@kernel
def make_elastic(p: Handle, q: int, compliance: float, gap: float, e: Vec3, dt: float) -> None:
    """Let point q yield [m/N], from a gap [m] and an elongation along the surface [m]."""
    n = load3(p.normal, q)
    inertia = 1.0 / max(answer(p, q, n, n), YIELDING / p.scale[q])
    time = dt + 2.0 * sqrt(compliance * inertia)
    p.give[q] = compliance / (dt * time)
    p.scale[q] = 1.0 / (1.0 / p.scale[q] + p.give[q])
    store3(p.bias, q, add(scale(gap / (dt if gap > 0.0 else time), n), scale(1.0 / time, e)))


@kernel
def yield_elastically(p: Handle, i: int) -> None:
    """Add to slide of the points of island i what they yield by."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.slide, k, add(load3(p.slide, k), scale(p.give[k], load3(p.impulse, k))))


@kernel
def elongate(p: Handle, q: int, e: Vec3, state: int, dt: float) -> Vec3:
    """The elongation along the surface at the end of a step, from that at its start; none where a point is open."""
    if state == OPEN:
        return (0.0, 0.0, 0.0)
    _, rate = split(load3(p.normal, q), add(load3(p.bias, q), scale(p.give[q], load3(p.impulse, q))))
    return subtract(e, scale(dt, rate))
