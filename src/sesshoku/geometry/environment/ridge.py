"""Convex edges and corners of a surface, and the normals they can have."""

from __future__ import annotations

from typing import Final, NamedTuple

from sesshoku.geometry.environment.triangle import across, corner, corner_place, numbers, unit
from sesshoku.geometry.space import Handle
from sesshoku.geometry.surface import FLAT
from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["EXTREME", "OUTSIDE", "Ridge", "fan", "is_normal", "opposite", "outward", "ridge"]

TURNS: Final = 64  # triangles around a corner that are looked at

OUTSIDE: Final = 0  # the direction is outside the cone of normals, or another triangle of the corner has a lower number
LEVEL: Final = 1  # in the cone, but what lies level in that direction goes on to both sides
EXTREME: Final = 2  # in the cone, and the end of what lies level


class Ridge(NamedTuple):
    """A convex edge or a border: where it is, and the unit vectors across it, into the triangles on its sides.

    Beyond a border the surface counts as falling off at a right angle. A direction across the edge is a normal of it
    if it has no positive component along either side.
    """

    start: Vec3
    end: Vec3
    side: Vec3
    far: Vec3


@kernel
def ridge(g: Handle, t: int, k: int) -> Ridge:
    """Edge k of triangle t as a ridge."""
    a, b, c = corner_place(g, t, k), corner_place(g, t, (k + 1) % 3), corner_place(g, t, (k + 2) % 3)
    e = unit(subtract(b, a))
    n = unit(cross(e, subtract(c, a)))
    other, far = across(g, t, k), scale(-1.0, n)
    if other >= 0:
        arm = subtract(opposite(g, other, corner(g, t, k)), a)
        far = unit(subtract(arm, scale(dot(arm, e), e)))
    return Ridge(a, b, cross(n, e), far)


@kernel
def opposite(g: Handle, t: int, v: int) -> Vec3:
    """Of a triangle, the corner after vertex v."""
    return corner_place(g, t, (corner_number(g, t, v) + 1) % 3)


@kernel
def corner_number(g: Handle, t: int, v: int) -> int:
    """Which corner of triangle t is vertex v."""
    a, b, _ = numbers(g, t)
    return 0 if a == v else (1 if b == v else 2)


@kernel
def is_normal(u: Vec3, edge: Ridge) -> bool:
    """Whether u, a unit vector across a ridge, is one of its normals."""
    return dot(u, edge.side) <= FLAT and dot(u, edge.far) <= FLAT


@kernel
def outward(u: Vec3, edge: Ridge) -> Vec3:
    """u or −u, whichever points away from the sides of a ridge."""
    return u if dot(u, edge.side) + dot(u, edge.far) < 0.0 else scale(-1.0, u)


@kernel
def fan(g: Handle, t: int, k: int, u: Vec3) -> int:
    """What corner k of triangle t is to a unit vector u: OUTSIDE, LEVEL or EXTREME.

    All triangles around the corner are visited. It is an extreme point of the surface along u if the edges level
    with it, other than those inside a level face, do not cancel: the middle of a straight ridge is not.
    """
    v = corner(g, t, k)
    here, j, border = t, k, False
    for _ in range(TURNS):  # clockwise to the border, or once around
        there = across(g, here, j)
        if 0 <= there < t:
            return OUTSIDE
        border = there < 0
        if border or there == t:
            break
        here, j = there, corner_number(g, there, v)
    if not border:
        here, j = t, k
    first, level, total, facing = here, False, (0.0, 0.0, 0.0), 0.0
    for _ in range(TURNS):
        x = corner_place(g, here, j)
        e = unit(subtract(corner_place(g, here, (j + 1) % 3), x))
        f = unit(subtract(corner_place(g, here, (j + 2) % 3), x))
        rise_e, rise_f = dot(e, u), dot(f, u)
        if rise_e > FLAT or rise_f > FLAT:
            return OUTSIDE
        side = dot(unit(cross(e, f)), u)
        facing = side if abs(side) > abs(facing) else facing
        level_e, level_f = rise_e > -FLAT, rise_f > -FLAT
        level = level or level_e or level_f
        there = across(g, here, (j + 2) % 3)
        if level_e and (not level_f or (border and here == first)):
            total = add(total, e)
        if level_f and (not level_e or there < 0):
            total = add(total, f)
        if 0 <= there < t:
            return OUTSIDE
        if there < 0 or there == first:
            break
        here, j = there, corner_number(g, there, v)
    if facing < 0.0:
        return OUTSIDE
    return EXTREME if not level or norm(total) > FLAT else LEVEL
