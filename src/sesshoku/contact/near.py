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

from sesshoku.constraint.island import meet
from sesshoku.constraint.problem import Handle
from sesshoku.constraint.row import LOWER, UPPER, distance
from sesshoku.contact.coulomb import OPEN, split
from sesshoku.contact.points import SLOP, from_tree, point_velocity
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Motion, add_motion, scale_motion, velocity_at
from sesshoku.spatial.row import load3, load_motion, store3
from sesshoku.spatial.vector import Vec3, norm, subtract

__all__ = ["passed", "take_part", "want_all", "want_near"]

REST: Final = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
WAYS: Final = 2.0  # times what bodies move against each other in a step: gaps beyond are too far


@kernel
def want_all(g: SpaceHandle, p: Handle) -> None:
    """Begin a step in which all contacts take part."""
    for k in range(g.count[0]):
        p.wanted[k] = 1


@kernel
def want_near(s: SystemHandle, g: SpaceHandle, p: Handle) -> None:
    """Begin a step in which contacts that are too far do not take part, unless there is depth, or are many trees."""
    least, most = 0.0, 0.0
    for k in range(g.count[0]):
        least, most = min(least, g.gap[k]), max(most, g.gap[k])
        p.wanted[k] = 0
    if most <= SLOP:  # all touch
        return
    for d in range(len(s.v)):
        if s.lower[d] > -inf or s.upper[d] < inf:
            least = min(least, distance(s, d, LOWER), distance(s, d, UPPER))
    if p.crowd[0] != 0 or least < -SLOP:
        want_all(g, p)


@kernel
def may_touch(s: SystemHandle, i: int, j: int, x: Vec3, y: Vec3, gap: float, fall: float, dt: float) -> bool:
    """Whether bodies i and j touch at x and y, or may do so within the step: by their speeds at its start.

    And by ``fall``, the speed that gravity gives in a step.
    """
    if gap <= SLOP:
        return True
    before = subtract(point_velocity(s, j, y), point_velocity(s, i, x))
    return gap <= SLOP + WAYS * dt * (norm(before) + fall)


@kernel
def take_part(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> int:
    """Fill taken, and let the bodies of those contacts take part; their number. Needs states of the last step."""
    count, fall = 0, dt * norm((s.gravity[0], s.gravity[1], s.gravity[2]))
    for k in range(g.count[0]):
        i, j, point = g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]], load3(g.point, k)
        x, y = from_tree(s, i, point), from_tree(s, j, point)
        taken = p.wanted[k] != 0 or p.state[k] != OPEN or may_touch(s, i, j, x, y, g.gap[k], fall, dt)
        p.taken[k] = taken
        if taken:
            meet(s, p, i, j, x, y)
            count += 1
    return count


@kernel
def motion_after(s: SystemHandle, i: int, dt: float) -> Motion:
    """Motion of body i about the origin of its tree at the end of the step; the world (-1) rests."""
    motion, d = REST, s.v_end[i] - 1 if i >= 0 else -1
    while d >= 0:
        motion = add_motion(motion, scale_motion(s.v[d] + dt * s.acceleration[d], load_motion(s.freedom, d)))
        d = s.dof_parent[d]
    return motion


@kernel
def passed(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> bool:
    """Want contacts that were left out and whose gap is less than what closes; whether there are any. Fills slip."""
    found = False
    a = b = -1  # contacts of two bodies follow each other: their motions are found once
    of_a = of_b = REST
    for k in range(g.count[0]):
        if p.taken[k] == 0:
            i, j, point = g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]], load3(g.point, k)
            if i != a:
                a, of_a = i, motion_after(s, i, dt)
            if j != b:
                b, of_b = j, motion_after(s, j, dt)
            u = subtract(velocity_at(of_b, from_tree(s, j, point)), velocity_at(of_a, from_tree(s, i, point)))
            along, slip = split(load3(g.normal, k), u)
            store3(p.slip, k, slip)
            if g.gap[k] + dt * along < 0.0:
                p.wanted[k] = 1
                found = True
    return found
