"""How far shapes move in a step: what could touch before it ends is found before it does.

A fast body would else be first seen inside of what it strikes. Two shapes that fly side by side move, but not nearer to
each other: pairs are judged by their relative motion.
"""

from __future__ import annotations

from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import velocity_at
from sesshoku.spatial.row import load3, load_motion
from sesshoku.spatial.vector import Vec3, norm, subtract

__all__ = ["foresee", "nearer"]

STILL = (0.0, 0.0, 0.0)


@kernel
def motion_at(s: SystemHandle, i: int, x: Vec3) -> tuple[Vec3, Vec3]:
    """Angular velocity of body i, and its velocity at x of the world; the world rests."""
    if i < 0:
        return STILL, STILL
    motion = load_motion(s.velocity, i)
    return motion[0], velocity_at(motion, subtract(x, load3(s.origin, s.root[i])))


@kernel
def bound(a: Vec3) -> float:
    """At least the length of a vector, without a root."""
    return abs(a[0]) + abs(a[1]) + abs(a[2])


@kernel
def foresee(s: SystemHandle, g: Handle) -> None:
    """Fill ahead: how far around a shape to look, its margin or its way in a step; needs places and kinematics."""
    dt, body, ahead, margin = s.clock[1], g.body, g.ahead, g.margin
    for k in range(len(body)):
        if body[k] >= 0:
            turn, velocity = motion_at(s, body[k], load3(g.position, k))
            ahead[k] = max(margin[k], dt * (bound(velocity) + bound(turn) * g.reach[k]))


@kernel
def nearer(s: SystemHandle, g: Handle, a: int, b: int) -> float:
    """How much nearer to each other two shapes can come in a step [m]; 0 where their margins are more in any case."""
    if g.ahead[a] == g.margin[a] and g.ahead[b] == g.margin[b]:
        return 0.0
    if g.reach[a] < g.reach[b]:
        a, b = b, a
    x = load3(g.position, b)
    turn, velocity = motion_at(s, g.body[b], x)
    other_turn, other_velocity = motion_at(s, g.body[a], x)
    closing = norm(subtract(velocity, other_velocity)) + norm(subtract(turn, other_turn)) * g.reach[b]
    return closing * s.clock[1]  # type: ignore[no-any-return]
