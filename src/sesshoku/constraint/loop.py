"""Loops that are closed: places of two bodies that stay together, as points whose force may have any direction.

Such a point has a negative coefficient of friction, BOUND. In a step places move on curves, by J v + ½ dt J̇ v on the
average; so a loop opens by dt³ only, and that is closed again by a share in each step. Of what turns fast J̇ v may
change within the step, by a blow: there it counts only once the step is known to be smooth (dynamics/fast.py).
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.island import meet
from sesshoku.constraint.point import place_point
from sesshoku.constraint.problem import Handle
from sesshoku.dynamics.fast import is_led, turns_fast
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import velocity_at
from sesshoku.spatial.rotation import rotate
from sesshoku.spatial.row import load3, load9, load_motion, store3
from sesshoku.spatial.vector import Vec3, add, cross, norm, scale, subtract

__all__ = ["BOUND", "fill_loop", "loop_tree", "touch_loops"]

BOUND: Final = -1.0  # `friction` of a point whose force is not limited
SHARE: Final = 0.2  # of the gap that one step closes
SPEED: Final = 1.0  # at which it does so at most [m/s]
TINY: Final = 1e-300  # [m]
NOWHERE: Final = (0.0, 0.0, 0.0)


@kernel
def place_of(s: SystemHandle, i: int, place: Vec3) -> tuple[Vec3, Vec3]:
    """A place of body i from the origin of its tree, and that origin in the world."""
    if i < 0:
        return place, NOWHERE
    return add(load3(s.position, i), rotate(load9(s.rotation, i), place)), load3(s.origin, s.root[i])


@kernel
def touch_loops(s: SystemHandle, p: Handle) -> int:
    """Let the bodies of all loops take part; the number of their points."""
    body = p.loop_body
    for k in range(len(body)):
        i, j = body[k, 0], body[k, 1]
        (x, _), (y, _) = place_of(s, i, load3(p.loop_place_a, k)), place_of(s, j, load3(p.loop_place_b, k))
        meet(s, p, i, j, x, y)
    return len(body)


@kernel
def loop_tree(s: SystemHandle, p: Handle, k: int) -> int:
    """The tree, by its first body, of one body of the point."""
    return s.root[max(p.loop_body[k, 0], p.loop_body[k, 1])]  # type: ignore[no-any-return]


@kernel
def keeps_course(s: SystemHandle, i: int, dt: float) -> bool:
    """Whether the velocity of body i is not thought to change much within the step."""
    return i < 0 or not turns_fast(s, i, dt) or is_led(s, s.root[i])


@kernel
def curve(s: SystemHandle, i: int, x: Vec3) -> Vec3:
    """J̇ v: acceleration of the place x of body i, from the origin of its tree, if no velocity changes."""
    if i < 0:
        return NOWHERE
    turn, _ = load_motion(s.velocity, i)
    angular, linear = load_motion(s.bias_acceleration, i)
    along = add(add(linear, cross(angular, x)), cross(turn, velocity_at(load_motion(s.velocity, i), x)))
    return add(along, (s.gravity[0], s.gravity[1], s.gravity[2]))


@kernel
def fill_loop(s: SystemHandle, p: Handle, q: int, k: int, dt: float) -> None:
    """Fill point q of the problem with point k of the loops; needs numbers and responses."""
    i, j = p.loop_body[k, 0], p.loop_body[k, 1]
    (x, from_a), (y, from_b) = place_of(s, i, load3(p.loop_place_a, k)), place_of(s, j, load3(p.loop_place_b, k))
    place_point(p, q, i, j, x, y)
    store3(p.normal, q, NOWHERE)
    p.friction[q] = BOUND
    gap = subtract(add(from_b, y), add(from_a, x))
    rate = min(SHARE / dt, SPEED / max(norm(gap), TINY))
    closing = scale(rate, gap)
    if keeps_course(s, i, dt) and keeps_course(s, j, dt):
        closing = add(closing, scale(0.5 * dt, subtract(curve(s, j, y), curve(s, i, x))))
    store3(p.bias, q, closing)
    store3(p.impulse, q, load3(p.kept_loop, k))
