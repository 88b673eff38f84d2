"""Which contacts take part in a step: those that bore, touch or may do so by its end. The others are only looked at.

Around the feet of a robot many points are a fraction of a millimetre off the ground, more than it moves in a step. As
points of the problem they would bear nothing, cost as much as those that do, and their gaps would count in what
residuals are relative to. A contact that was left out, and would be passed all the same, takes part after all: the step
is solved again.

All contacts take part where depth is to be taken back (separate.py): what is moved away from one must not be moved into
another. So they do in models of many trees: in heaps what bears changes from step to step.
"""

from __future__ import annotations

from math import inf
from typing import Final

from sesshoku.constraint.island import HEAP, meet
from sesshoku.constraint.problem import Handle
from sesshoku.constraint.row import LOWER, UPPER, distance
from sesshoku.contact.coulomb import OPEN, split
from sesshoku.contact.points import SLOP, from_tree, point_velocity
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import add_motion, scale_motion, velocity_at
from sesshoku.spatial.row import load3, load_motion, store3
from sesshoku.spatial.vector import Vec3, norm, subtract

__all__ = ["passed", "take_part", "want_all", "want_near"]

WAYS: Final = 2.0  # times what bodies move against each other in a step: gaps beyond are too far


@kernel
def want_all(g: SpaceHandle, p: Handle) -> None:
    """Begin a step in which all contacts take part."""
    for k in range(g.count[0]):
        p.wanted[k] = 1


@kernel
def want_near(s: SystemHandle, g: SpaceHandle, p: Handle) -> None:
    """Begin a step in which contacts that are too far do not take part, unless there is depth, or are many trees."""
    least, most, trees = 0.0, 0.0, 0
    for k in range(g.count[0]):
        least, most = min(least, g.gap[k]), max(most, g.gap[k])
        p.wanted[k] = 0
    if most <= SLOP:  # all touch
        return
    for d in range(len(s.v)):
        if s.lower[d] > -inf or s.upper[d] < inf:
            least = min(least, distance(s, d, LOWER), distance(s, d, UPPER))
    for i in range(len(s.parent)):
        trees += s.parent[i] < 0
    if trees > HEAP or least < -SLOP:
        want_all(g, p)


@kernel
def may_touch(s: SystemHandle, g: SpaceHandle, k: int, dt: float) -> bool:
    """Whether a contact touches, or may do so within the step: by the speeds at its start, and its gravity."""
    gap = g.gap[k]
    if gap <= SLOP:
        return True
    i, j, point = g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]], load3(g.point, k)
    before = subtract(point_velocity(s, j, from_tree(s, j, point)), point_velocity(s, i, from_tree(s, i, point)))
    gravity = norm((s.gravity[0], s.gravity[1], s.gravity[2]))
    return gap <= SLOP + WAYS * dt * (norm(before) + dt * gravity)  # type: ignore[no-any-return]


@kernel
def take_part(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> int:
    """Fill taken, and let the bodies of those contacts take part; their number. Needs states of the last step."""
    count = 0
    for k in range(g.count[0]):
        taken = p.wanted[k] != 0 or p.state[k] != OPEN or may_touch(s, g, k, dt)
        p.taken[k] = taken
        if taken:
            meet(s, p, g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]])
            count += 1
    return count


@kernel
def velocity_after(s: SystemHandle, i: int, point: Vec3, dt: float) -> Vec3:
    """Velocity of body i at a point of the world at the end of the step; the world (-1) rests."""
    motion, d = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), s.v_end[i] - 1 if i >= 0 else -1
    while d >= 0:
        motion = add_motion(motion, scale_motion(s.v[d] + dt * s.acceleration[d], load_motion(s.freedom, d)))
        d = s.dof_parent[d]
    return velocity_at(motion, from_tree(s, i, point))


@kernel
def passed(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> bool:
    """Want contacts that were left out and whose gap is less than what closes; whether there are any. Fills slip."""
    found = False
    for k in range(g.count[0]):
        if p.taken[k] == 0:
            i, j, point = g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]], load3(g.point, k)
            u = subtract(velocity_after(s, j, point, dt), velocity_after(s, i, point, dt))
            along, slip = split(load3(g.normal, k), u)
            store3(p.slip, k, slip)
            if g.gap[k] + dt * along < 0.0:
                p.wanted[k] = 1
                found = True
    return found
