"""The penalty law: a spring and a damper at every point that overlaps, the baseline that others are measured against.

They are given by a natural frequency ω and a damping ratio ζ, and carry the point's own mass, 1/(nᵀ G n) along its
normal n, where G is its response to impulses at itself; N points of one body share it, each has an N-th. So they suit
all masses: the law is explicit, by depth and velocity at the start of the step, and bodies that rest on each other, by
any number of points, are stable while ω dt (ω dt + 4 ζ) < 2. Friction is a damper, too, cut off at Coulomb's limit.

It does not stick: what is under load creeps, a mass m on one point under a tangential force f at f/(2 ζ ω m), and hence
has kinetic friction. It sinks in, by g/ω² on one point. How it bounces follows from ζ, not from the materials.
"""

from __future__ import annotations

from dataclasses import dataclass

from sesshoku.constraint.problem import ISLANDS, TOLERANCE, Handle
from sesshoku.contact.coulomb import split
from sesshoku.contact.fit import least_speed, nothing_yet, reference_speed, residual, take_stock
from sesshoku.contact.law import Law
from sesshoku.contact.linear import newton_direction, wrench_at
from sesshoku.contact.points import point_velocity
from sesshoku.contact.rows import is_contact, solve_rows
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Wrench
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, norm, scale, subtract

__all__ = ["Penalty", "penalty"]

FREQUENCY, DAMPING = 1, 2  # of `options`


@kernel
def yields(p: Handle, a: int, f: Wrench, b: int, g: Wrench) -> float:
    """Fᵀ Λ g: what an impulse g on slot b of a node gives to the motion of slot a along f."""
    node = p.slot_node[a]
    first = p.coordinate_begin[node]
    n, response = p.coordinate_begin[node + 1] - first, p.response
    at = p.response_begin[node] + (p.slot_coordinate[a] - first) * n + p.slot_coordinate[b] - first
    total = 0.0
    for half in f:
        for part in half:
            total += part * (
                response[at] * g[0][0] + response[at + 1] * g[0][1] + response[at + 2] * g[0][2]
                + response[at + 3] * g[1][0] + response[at + 4] * g[1][1] + response[at + 5] * g[1][2]
            )  # fmt: skip
            at += n
    return total


@kernel
def mass_along(p: Handle, k: int, d: Vec3) -> float:
    """The mass that a point has along a direction, with nothing else touching [kg]."""
    a, b = p.ends[k, 0], p.ends[k, 1]
    f, g = wrench_at(load3(p.arm_a, k), d), wrench_at(load3(p.arm_b, k), d)
    total = 0.0
    if a >= 0:
        total += yields(p, a, f, a, f)
    if b >= 0:
        total += yields(p, b, g, b, g)
    if a >= 0 and b >= 0 and p.slot_node[a] == p.slot_node[b]:
        total -= 2.0 * yields(p, a, f, b, g)
    return 1.0 / total


@kernel
def count_points(g: SpaceHandle, p: Handle, i: int) -> None:
    """Count the contacts of each body of island i that overlap, in the first column of ``masses``."""
    for slot in range(p.slot_begin[p.node_begin[i]], p.slot_begin[p.node_begin[i + 1]]):
        p.masses[slot, 0] = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if is_contact(p, k) and g.gap[p.source[k]] < 0.0:
            for end in range(2):
                if p.ends[k, end] >= 0:
                    p.masses[p.ends[k, end], 0] += 1.0


@kernel
def share(p: Handle, k: int) -> float:
    """What a point has of the mass it would have alone: as many share that as touch its busier body."""
    a, b = p.ends[k, 0], p.ends[k, 1]
    return 1.0 / max(p.masses[a, 0] if a >= 0 else 0.0, p.masses[b, 0] if b >= 0 else 0.0)


@kernel
def spring_and_damper(p: Handle, k: int, depth: float, velocity: Vec3) -> Vec3:
    """Force on B at a point for a depth, and a velocity of B against A [N]."""
    if depth <= 0.0:
        return (0.0, 0.0, 0.0)
    frequency, loss, n = p.options[FREQUENCY], 2.0 * p.options[DAMPING] * p.options[FREQUENCY], load3(p.normal, k)
    part = share(p, k)
    along, tangent = split(n, velocity)
    press = max(part * mass_along(p, k, n) * (frequency * frequency * depth - loss * along), 0.0)  # never pulls
    force, speed = scale(press, n), norm(tangent)
    if speed == 0.0:
        return force
    against = scale(-1.0 / speed, tangent)
    drag = part * mass_along(p, k, against) * loss * speed
    return add(force, scale(min(drag, p.friction[k] * press), against))


@kernel
def penalty(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> None:
    """The law: impulses of all contacts, those of the rows that go with them, and what the exact law says to that."""
    body, shapes = g.body, g.shapes
    floor = least_speed(s, dt)
    nothing_yet(p)
    for i in range(p.count[ISLANDS]):
        count_points(g, p, i)
        for k in range(p.point_begin[i], p.point_begin[i + 1]):
            if is_contact(p, k):
                source = p.source[k]
                a, b = body[shapes[source, 0]], body[shapes[source, 1]]
                velocity = subtract(point_velocity(s, b, load3(p.arm_b, k)), point_velocity(s, a, load3(p.arm_a, k)))
                store3(p.impulse, k, scale(dt, spring_and_damper(p, k, -g.gap[source], velocity)))
        reference = reference_speed(p, i, floor)
        steps = solve_rows(p, i, p.options[TOLERANCE], reference)
        take_stock(p, i, steps, residual(p, i, p.options[TOLERANCE], reference), p.options[TOLERANCE], reference)


@dataclass(frozen=True, kw_only=True)
class Penalty(Law):
    """A spring and a damper at every point: the baseline. It sinks in and creeps, and its residual says so.

    Attributes:
        frequency: natural frequency of a point on its spring, ω [rad/s].
        damping: damping ratio ζ; 1 is critical.
    """

    name = "penalty"
    summary = "a spring and a damper at every point: sinks in and creeps"
    kernel = penalty
    stages = (newton_direction,)

    frequency: float = 500.0
    damping: float = 0.7

    @property
    def rigid(self) -> bool:
        """Depth is what presses."""
        return False
