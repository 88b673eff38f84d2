"""Heaps that do not find their forces give way: by a micrometre at a contact, and only to changes.

A heap that comes to rest stops as soon as some forces hold it; then few others do. The next step has to find such
forces among hundreds of contacts that are about to slip, and the larger the heap, the more Newton steps that takes. So
a contact of it that bore an impulse r₀ in the step before has a spring in series with the law, known by its force,

    s = u + γ (r − c),   γ = min(κ/ρ, δ/(dt |r₀|)),

s being the velocity that the law speaks of, κ a share of the point's own response 1/ρ, and δ what a load sinks by at
most, whatever the step. c is the impulse that the spring holds: r₀ if the contact gave way in the step before. A spring
holds only what it has taken up itself: what was borne by rigid steps gives no energy back. Forces that do not change
move nothing: what rests, rests as rigid bodies do. What touches anew is rigid; so are loops and joints, and heaps of
bodies that touch on patches: towers would sway, and they find their forces more easily.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import copy_impulses, evaluate, remember, settle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import dot, norm, scale, subtract

__all__ = ["SHARE", "SINKS", "SPEED", "STEPS", "give_way", "gives_still", "held_after", "stiffen", "touches_at_points"]

STEPS: Final = 50  # that a heap gives way before it is tried again whether it finds its forces at once
SINGLE: Final = 1.5  # points of two bodies in the mean, up to which they touch at single ones
SINKS: Final = 1e-6  # what a load sinks by at most [m]
FAR: Final = 10.0  # times that: nothing is to give way by more
SHARE, SPEED = 0, 1  # of `giving`: κ, and δ/dt [m/s]


@kernel
def gives_still(p: Handle, i: int) -> int:
    """For how many steps island i, or a part of it, is still to give way."""
    left = 0
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        left = max(left, p.kept_gave[p.tree[node]])
    return left


@kernel
def touches_at_points(p: Handle, i: int) -> bool:
    """Whether bodies of island i touch each other at single points rather than on patches, which are many points."""
    points, pairs = p.point_begin[i + 1] - p.point_begin[i], 0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if k == p.point_begin[i] or p.ends[k, 0] != p.ends[k - 1, 0] or p.ends[k, 1] != p.ends[k - 1, 1]:
            pairs += 1
    return points <= SINGLE * pairs  # type: ignore[no-any-return]


@kernel
def give_by(p: Handle, k: int, give: float) -> None:
    """Let point k give way by so much per impulse, from another number or none [1/kg]."""
    more = give - p.give[k]
    p.give[k], p.scale[k] = give, 1.0 / (1.0 / p.scale[k] + more)
    store3(p.bias, k, subtract(load3(p.bias, k), scale(more, load3(p.borne, k))))


@kernel
def give_at(p: Handle, k: int) -> bool:
    """Let point k give way to changes of what it bore; false if it strikes, is new, elastic or no contact."""
    p.gives[k] = 0
    if p.give[k] > 0.0 or p.friction[k] < 0.0 or dot(load3(p.normal, k), load3(p.bias, k)) < 0.0:
        return False
    borne, held = load3(p.force, p.source[k]), p.held[p.source[k]]
    size = norm(borne)
    if size == 0.0:
        return False
    p.gives[k] = 1
    store3(p.borne, k, scale(min(held / size, 1.0), borne))
    give_by(p, k, min(p.giving[SHARE] / p.scale[k], p.giving[SPEED] / size))
    return True


@kernel
def give_way(p: Handle, i: int, steps: int, tol: float, reference: float, best: float) -> float:
    """Let island i begin anew with points that give way, in this step and so many in all; its residual.

    If there are none it stays as it is.
    """
    some = False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        some |= give_at(p, k)
    if not some:
        return best
    p.gave[i] = steps
    copy_impulses(p, i, p.begun, p.row_begun, p.impulse, p.row_impulse)
    evaluate(p, i)
    remember(p, i)
    return settle(p, i, tol, reference)


@kernel
def stiffen(p: Handle, i: int) -> bool:
    """Make springs of island i stiffer that give far more than loads should sink by: by what they bear now.

    Whether there were any: their loads grew by a shock.
    """
    found = False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        r = load3(p.impulse, k)
        if p.gives[k] != 0 and p.give[k] * norm(subtract(r, load3(p.borne, k))) > FAR * p.giving[SPEED]:
            give_by(p, k, min(p.give[k], p.giving[SPEED] / norm(r)))
            found = True
    return found


@kernel
def held_after(p: Handle, k: int, gave: bool) -> float:
    """The impulse that the spring of point k holds after a step in which its island gave way or not [N s]."""
    borne = norm(load3(p.impulse, k))
    return borne if gave and p.gives[k] != 0 else min(p.held[p.source[k]], borne)
