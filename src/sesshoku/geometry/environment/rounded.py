"""Capsules and cylinders against a surface: their sides on ridges and peaks, the rims and ends of cylinders.

With the balls at its ends (ball.py) a capsule is exact. A cylinder is exact where its rims touch faces and where its
side touches ridges and peaks. An end that stands on a ridge touches along a chord, right while it leans by less than
LEAN; beyond that only the points fixed on the rims meet the ridge, and the depth is short by up to the height of
their arcs, 8 % of the radius.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import Final

from sesshoku.geometry.environment.ball import TINY
from sesshoku.geometry.environment.patch import PEAKS, RANKS, note
from sesshoku.geometry.environment.ridge import EXTREME, FLAT, Ridge, fan, is_normal, opposite, outward
from sesshoku.geometry.environment.solid import LEAN, crossing
from sesshoku.geometry.environment.triangle import Ground, across, corner, corner_place, corners, normal_of, unit
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["RIM", "keep_standing", "rim_point", "touch_disc_peak", "touch_disc_ridge", "touch_rim", "touch_side"]

RIM: Final = 8  # points fixed on each rim of a cylinder
STANDING: Final = 0.7  # they count where axis and normal have at least this cosine

# blocks of features after those of the balls: 2 · RIM of a cylinder
SIDE: Final = 16 * RANKS
LOWEST: Final = 17 * RANKS  # one for each rim
CHORD: Final = 19 * RANKS  # one for each end


@kernel
def rim_point(radius: float, half: float, i: int) -> Vec3:
    """Point i on the rims of a cylinder, in its own frame: even ones on the lower rim, odd ones on the upper."""
    angle = 2.0 * pi * (i >> 1) / RIM
    return (radius * cos(angle), radius * sin(angle), half if i & 1 else -half)


@kernel
def keep_standing(g: Handle, first: int, z: Vec3) -> None:
    """Of the contacts noted from ``first`` on, keep those on which a cylinder about z stands."""
    patch, features, kept = g.patch, g.patch_feature, first
    for i in range(first, g.patch_count[0]):
        if abs(dot((patch[i, 3], patch[i, 4], patch[i, 5]), z)) > STANDING:
            for k in range(9):
                patch[kept, k] = patch[i, k]
            features[kept] = features[i]
            kept += 1
    g.patch_count[0] = kept


@kernel
def touch_side(
    g: Handle, ground: Ground, t: int, k: int, found: bool, edge: Ridge, start: Vec3, axis: Vec3, radius: float,
    margin: float,
) -> None:  # fmt: skip
    """Edge k of triangle t, if it is a ridge, and corner k against a round body about an axis, between its ends."""
    if found:
        crosses, n, _, r = crossing(edge.start, subtract(edge.end, edge.start), start, axis)
        n, x = outward(n, edge), add(start, scale(r, axis))
        gap = dot(n, subtract(x, edge.start)) - radius
        if crosses and -2.0 * radius < gap < margin and is_normal(n, edge):
            note(g, subtract(x, scale(radius, n)), n, gap, SIDE, r)
    p = corner_place(ground, t, k)
    r = dot(subtract(p, start), axis) / dot(axis, axis)
    x = add(start, scale(r, axis))
    u = subtract(x, p)
    distance = norm(u)
    if 0.0 < r < 1.0 and TINY < distance < radius + margin:
        u = scale(1.0 / distance, u)
        if fan(ground, t, k, u) == EXTREME:
            note(g, subtract(x, scale(radius, u)), u, distance - radius, PEAKS + corner(ground, t, k), 0.0)


@kernel
def touch_rim(
    g: Handle, ground: Ground, t: int, centre: Vec3, z: Vec3, radius: float, depth: float, margin: float, end: int
) -> None:
    """The point of a rim that is lowest above triangle t, if it lies in the column of that."""
    a, b, c = corners(ground, t)
    n = normal_of(a, b, c)
    down = subtract(scale(dot(n, z), z), n)
    if norm(down) < FLAT:
        return
    x = add(centre, scale(radius, unit(down)))
    gap = dot(n, subtract(x, a))
    if -depth < gap < margin and _above(ground, t, x, n, gap):
        note(g, x, n, gap, LOWEST + end * RANKS, -n[2])


@kernel
def _above(ground: Ground, t: int, x: Vec3, n: Vec3, height: float) -> bool:
    """Whether x lies in the column of triangle t; below it, also where the column of one across a valley begins."""
    for k in range(3):
        a = corner_place(ground, t, k)
        e = unit(subtract(corner_place(ground, t, (k + 1) % 3), a))
        inside = dot(cross(n, e), subtract(x, a))
        if inside < -TINY:
            other = across(ground, t, k)
            if other < 0 or inside < height:
                return False
            if dot(n, subtract(opposite(ground, other, corner(ground, t, k)), a)) < TINY:
                return False
    return True


@kernel
def touch_disc_ridge(
    g: Handle, edge: Ridge, centre: Vec3, top: Vec3, radius: float, depth: float, margin: float, end: int
) -> None:
    """A ridge against the disc with outward normal ``top`` that ends a cylinder: both ends of the chord."""
    e, w, u = subtract(edge.end, edge.start), subtract(edge.start, centre), scale(-1.0, top)
    lean = dot(e, u)
    across_edge = subtract(u, scale(lean / dot(e, e), e))
    if abs(lean) > LEAN * norm(e) or not is_normal(unit(across_edge), edge):
        return
    e_flat, w_flat = subtract(e, scale(lean, u)), subtract(w, scale(dot(w, u), u))
    ee, ew, ww = dot(e_flat, e_flat), dot(e_flat, w_flat), dot(w_flat, w_flat) - radius * radius
    root = ew * ew - ee * ww
    if not root > 0.0:
        return
    for sign in (-1.0, 1.0):
        s = (sign * sqrt(root) - ew) / ee
        x = add(edge.start, scale(s, e))
        gap = dot(top, subtract(x, centre))
        if 0.0 <= s <= 1.0 and -depth < gap < margin:
            note(g, add(x, scale(gap, u)), u, gap, CHORD + end * RANKS, dot(e, (sign, sign, sign)))


@kernel
def touch_disc_peak(
    g: Handle, ground: Ground, t: int, k: int, centre: Vec3, top: Vec3, radius: float, depth: float, margin: float
) -> None:
    """Corner k of triangle t against the same disc, if it would not sooner leave by the side."""
    x = corner_place(ground, t, k)
    w, u = subtract(x, centre), scale(-1.0, top)
    gap = dot(top, w)
    beside = radius - norm(subtract(w, scale(gap, top)))
    if -min(depth, beside) < gap < margin and beside > 0.0 and fan(ground, t, k, u) == EXTREME:
        note(g, add(x, scale(gap, u)), u, gap, PEAKS + corner(ground, t, k), 0.0)
