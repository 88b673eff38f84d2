"""Capsules and cylinders against a surface: their sides on ridges and peaks, the rims and ends of cylinders.

With the balls at its ends (ball.py) a capsule is exact. A cylinder is exact where its rims touch faces and where its
side touches ridges and peaks. An end that stands on a ridge touches along a chord; if it leans by more than LEAN,
where its rim crosses the ridge.
"""

from __future__ import annotations

from math import cos, pi, sin, sqrt
from typing import Final

from sesshoku.geometry.environment.ball import TINY
from sesshoku.geometry.environment.patch import PEAKS, RANKS, note
from sesshoku.geometry.environment.ridge import EXTREME, Ridge, fan, is_normal, outward, ridge
from sesshoku.geometry.environment.solid import LEAN, crossing
from sesshoku.geometry.environment.triangle import corner, corner_place, corners, normal_of, unit
from sesshoku.geometry.space import Handle
from sesshoku.geometry.surface import FLAT, PEAK, RIDGE
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["LOWEST", "RIM", "STANDING", "lowest_point", "rim_point", "touch_ends", "touch_side"]

RIM: Final = 8  # points fixed on each rim of a cylinder
STANDING: Final = 0.7  # they count where axis and normal have at least this cosine

# blocks of features after those of the balls: 2 · RIM of a cylinder
SIDE: Final = 16 * RANKS
LOWEST: Final = 17 * RANKS  # one for each rim
CHORD: Final = 19 * RANKS  # one for each end
CROSSED: Final = 21 * RANKS  # one for each rim
STEPS: Final = 12  # of Newton's method


@kernel
def rim_point(radius: float, half: float, i: int) -> Vec3:
    """Point i on the rims of a cylinder, in its own frame: even ones on the lower rim, odd ones on the upper."""
    angle = 2.0 * pi * (i >> 1) / RIM
    return (radius * cos(angle), radius * sin(angle), half if i & 1 else -half)


@kernel
def lowest_point(
    g: Handle, t: int, centre: Vec3, z: Vec3, radius: float, depth: float, margin: float
) -> tuple[bool, Vec3, Vec3]:
    """The point of a rim about z that is lowest above triangle t, and the normal of that; whether they can touch."""
    a, b, c = corners(g, t)
    n = normal_of(a, b, c)
    down = subtract(scale(dot(n, z), z), n)
    if norm(down) < FLAT:
        return False, centre, n
    x = add(centre, scale(radius, unit(down)))
    gap = dot(n, subtract(x, a))
    slack = min(gap, -TINY)  # a point below a valley can lie beside the column of a triangle
    for p, q in ((a, b), (b, c), (c, a)):
        if dot(cross(n, unit(subtract(q, p))), subtract(x, p)) < slack:
            return False, x, n
    return -depth < gap < margin, x, n


@kernel
def touch_side(g: Handle, a: int, count: int, position: Vec3, rotation: Mat3, margin: float) -> None:
    """Ridges and peaks of the first triangles in `near` against a capsule or cylinder, between its ends."""
    near, sharp, size, z = g.near, g.ground_sharp, load3(g.size, a), (rotation[2], rotation[5], rotation[8])
    start, axis = subtract(position, scale(size[1], z)), scale(2.0 * size[1], z)
    for i in range(count):
        t = near[i]
        for k in range(3):
            if sharp[t] & (PEAK << k):
                _touch_side_peak(g, t, k, start, axis, size[0], margin)
            if sharp[t] & (RIDGE << k):
                _touch_side_ridge(g, ridge(g, t, k), start, axis, size[0], margin)


@kernel
def touch_ends(g: Handle, a: int, count: int, position: Vec3, rotation: Mat3, margin: float) -> None:
    """The same against the ends of a cylinder."""
    near, sharp, radius, half = g.near, g.ground_sharp, g.size[a, 0], g.size[a, 1]
    for i in range(count):
        t = near[i]
        for end in range(2 if sharp[t] != 0 else 0):
            top = scale(2.0 * end - 1.0, (rotation[2], rotation[5], rotation[8]))
            centre = add(position, scale(half, top))
            for k in range(3):
                if sharp[t] & (PEAK << k):
                    _touch_disc_peak(g, t, k, centre, top, radius, 2.0 * half, margin)
                if sharp[t] & (RIDGE << k):
                    edge = ridge(g, t, k)
                    if abs(dot(top, unit(subtract(edge.end, edge.start)))) > LEAN:
                        _touch_rim_ridge(g, edge, centre, top, radius, 2.0 * half, margin, end)
                    else:
                        _touch_disc_ridge(g, edge, centre, top, radius, 2.0 * half, margin, end)


@kernel
def _touch_side_ridge(g: Handle, edge: Ridge, start: Vec3, axis: Vec3, radius: float, margin: float) -> None:
    """A ridge against a round body about an axis, between its ends."""
    crosses, n, _, r = crossing(edge.start, subtract(edge.end, edge.start), start, axis)
    n, x = outward(n, edge), add(start, scale(r, axis))
    gap = dot(n, subtract(x, edge.start)) - radius
    if crosses and -2.0 * radius < gap < margin and is_normal(n, edge):
        note(g, subtract(x, scale(radius, n)), n, gap, SIDE, r)


@kernel
def _touch_side_peak(g: Handle, t: int, k: int, start: Vec3, axis: Vec3, radius: float, margin: float) -> None:
    """Corner k of triangle t against the same."""
    p = corner_place(g, t, k)
    r = dot(subtract(p, start), axis) / dot(axis, axis)
    x = add(start, scale(r, axis))
    u = subtract(x, p)
    distance = norm(u)
    if 0.0 < r < 1.0 and TINY < distance < radius + margin:
        u = scale(1.0 / distance, u)
        if fan(g, t, k, u) == EXTREME:
            note(g, subtract(x, scale(radius, u)), u, distance - radius, PEAKS + corner(g, t, k), 0.0)


@kernel
def _touch_disc_ridge(
    g: Handle, edge: Ridge, centre: Vec3, top: Vec3, radius: float, depth: float, margin: float, end: int
) -> None:
    """A ridge against the disc with outward normal ``top`` that ends a cylinder: both ends of the chord."""
    e, w, u = subtract(edge.end, edge.start), subtract(edge.start, centre), scale(-1.0, top)
    lean = dot(e, u)
    across_edge = subtract(u, scale(lean / dot(e, e), e))
    if not is_normal(unit(across_edge), edge):
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
def _touch_rim_ridge(
    g: Handle, edge: Ridge, centre: Vec3, top: Vec3, radius: float, depth: float, margin: float, end: int
) -> None:
    """A ridge that leans against the same disc: the rim crosses it.

    Across the ridge, the normals are n = (a + x b) / √(1 + x²), with a the one nearest to the axis of the cylinder.
    The disc reaches r √(1 − (n·u)²) against n, and its gap n·w − r √(1 − (n·u)²) is greatest where
    b·w − a·w x = r (1 − l²) x / √(l² + x²), with l the sine of the lean. For x of the sign of b·w the difference is
    convex and begins positive: Newton's method finds its first root.
    """
    e, w, u = unit(subtract(edge.end, edge.start)), subtract(centre, edge.start), scale(-1.0, top)
    lean = dot(e, u)
    ll, r = lean * lean, radius * (1.0 - lean * lean)
    if r < FLAT * radius:  # parallel to the axis: the side touches
        return
    a = unit(subtract(u, scale(lean, e)))
    b = cross(e, a)
    rise, sway = dot(a, w), dot(b, w)
    b, sway = (scale(-1.0, b), -sway) if sway < 0.0 else (b, sway)
    if sway < r:
        x = sway * sqrt(ll / (r * r - sway * sway))
    elif rise > 0.0:
        x = (sway - r) / rise
    else:
        return
    for _ in range(STEPS):
        root = sqrt(ll + x * x)
        slope = -rise - r * ll / (root * root * root)
        if slope >= 0.0:
            return
        x = max(x - (sway - rise * x - r * x / root) / slope, 0.0)
    n = unit(add(a, scale(x, b)))
    point = subtract(centre, scale(radius, unit(subtract(n, scale(dot(n, u), u)))))
    arm = subtract(point, edge.start)
    gap, along = dot(n, arm), dot(arm, e)
    if 0.0 <= along <= norm(subtract(edge.end, edge.start)) and -depth < gap < margin and is_normal(n, edge):
        note(g, point, n, gap, CROSSED + end * RANKS, along)


@kernel
def _touch_disc_peak(
    g: Handle, t: int, k: int, centre: Vec3, top: Vec3, radius: float, depth: float, margin: float
) -> None:
    """Corner k of triangle t against the same disc, if it would not sooner leave by the side."""
    x = corner_place(g, t, k)
    w, u = subtract(x, centre), scale(-1.0, top)
    gap = dot(top, w)
    beside = radius - norm(subtract(w, scale(gap, top)))
    if -min(depth, beside) < gap < margin and beside > 0.0 and fan(g, t, k, u) == EXTREME:
        note(g, add(x, scale(gap, u)), u, gap, PEAKS + corner(g, t, k), 0.0)
