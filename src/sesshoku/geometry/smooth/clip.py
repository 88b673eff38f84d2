"""Common parts of two outlines, seen along the normal of contact: rows of ``work_point`` in, rows out.

Outlines go anticlockwise about ``out``, so that out × edge points inwards. A new corner is named after the edge that
cuts there, and by which side of it the other outline leaves: a convex one does each only once.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from sesshoku.geometry.smooth.outline import CAP, ROOM
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["clip_line", "clip_rim", "clip_rims", "flat", "nearest_on_outline", "spread"]

CROSSING = 1 << 14  # labels of corners that were there before are less
FLUSH = 1e-5  # of the radius: a rim that reaches over an edge by less is inside


@kernel
def flat(out: Vec3, a: Vec3) -> Vec3:
    """a without its part along out."""
    return subtract(a, scale(dot(out, a), out))


@kernel
def cast(out: Vec3, face: Vec3, a: Vec3) -> Vec3:
    """The shadow of a on a plane with normal ``face``, along ``out``."""
    return subtract(a, scale(dot(face, a) / dot(face, out), out))


@kernel
def clip_line(g: Handle, line: int, base: int, count: int, rim: bool, out: Vec3, face: Vec3) -> int:
    """Cut the line at row ``line`` to the outline at row ``base``, perhaps a rim, whose plane has the normal ``face``.

    Both ends go to row 2 ROOM; gives their number, nought if they have no part in common.
    """
    point, label = g.work_point, g.work_face
    a = load3(point, line)
    way = subtract(load3(point, line + 1), a)
    start, end, first, last = 0.0, 1.0, 0, 0  # from where to where it is inside, and the edges that cut it there
    if rim:  # the circle itself, rather than the corners that stand for it
        centre, radius = circle(point, base)
        arm, along = cast(out, face, subtract(a, centre)), cast(out, face, way)
        middle = -dot(arm, along) / dot(along, along)
        off = add(arm, scale(middle, along))
        half = sqrt(max(0.0, radius * radius - dot(off, off)) / dot(along, along))
        if middle - half > start:
            start, first = middle - half, 1
        if middle + half < end:
            end, last = middle + half, 1
    else:
        for k in range(count):
            q, inward = side_of(point, base, count, k, out)
            depth, rate = dot(inward, subtract(a, q)), dot(inward, way)
            if rate > 0.0 and -depth > start * rate:
                start, first = -depth / rate, k + 1
            elif rate < 0.0 and -depth > end * rate:
                end, last = -depth / rate, k + 1
    if start < end:
        store3(point, 2 * ROOM, add(a, scale(start, way)))
        store3(point, 2 * ROOM + 1, add(a, scale(end, way)))
        label[2 * ROOM, 0], label[2 * ROOM + 1, 0] = 2 * first, 2 * last + 1
        return 2
    if not rim and start - end > 1e-6:
        return 0
    # they only touch, within rounding errors
    store3(point, 2 * ROOM, add(a, scale(max(0.0, min(1.0, 0.5 * (start + end))), way)))
    label[2 * ROOM, 0] = 2 * max(first, last)
    return 1


@kernel
def clip_rim(g: Handle, base: int, count: int, out: Vec3) -> tuple[int, int]:
    """Cut the rim at row 0 to the polygon at row ``base``; gives the row of the result and its number of corners.

    ``out`` is the direction about which the polygon goes anticlockwise. Of the corners that stand for the rim only
    every fourth is kept, so that the choice does not depend on how deep they are. The rows of the rim are written over.
    """
    point = g.work_point
    centre, radius = circle(point, 0)
    whole = True
    for k in range(count):
        q, inward = side_of(point, base, count, k, out)
        whole = whole and dot(inward, subtract(centre, q)) > (1.0 - FLUSH) * radius * norm(inward)
    here, there, corners = 0, 2 * ROOM, CAP
    for k in range(0 if whole else count):
        q, inward = side_of(point, base, count, k, out)
        corners = cut(point, g.work_face, here, corners, there, q, inward, k)
        here, there = there, here
    kept = copy_fixed(point, g.work_face, here, corners, there)
    return (there, kept) if kept > 2 else (here, corners)


@kernel
def circle(point: Any, cap: int) -> tuple[Vec3, float]:
    """Centre and radius of a rim."""
    start, opposite = load3(point, cap), load3(point, cap + CAP // 2)
    return scale(0.5, add(start, opposite)), 0.5 * norm(subtract(opposite, start))


@kernel
def side_of(point: Any, base: int, count: int, k: int, out: Vec3) -> tuple[Vec3, Vec3]:
    """A corner of an outline, and the direction that points inwards across the edge from there to the next one."""
    q = load3(point, base + k)
    return q, cross(out, subtract(load3(point, base + (k + 1) % count), q))


@kernel
def cut(point: Any, label: Any, here: int, corners: int, there: int, q: Vec3, inward: Vec3, edge: int) -> int:
    """Keep what lies inside the line through q; the rows from ``here`` go to ``there``. Gives their number."""
    kept = 0
    for i in range(corners):
        row, follower = here + i, here + (i + 1) % corners
        a, b = load3(point, row), load3(point, follower)
        depth, next_depth = dot(inward, subtract(a, q)), dot(inward, subtract(b, q))
        if depth >= 0.0 and kept < ROOM:
            store3(point, there + kept, a)
            label[there + kept, 0] = label[row, 0]
            kept += 1
        if (depth >= 0.0) != (next_depth >= 0.0) and kept < ROOM:
            store3(point, there + kept, add(a, scale(depth / (depth - next_depth), subtract(b, a))))
            label[there + kept, 0] = CROSSING + 2 * edge + (1 if depth >= 0.0 else 0)
            kept += 1
    return kept


@kernel
def copy_fixed(point: Any, label: Any, here: int, corners: int, there: int) -> int:
    """Copy the crossings and every fourth corner of a rim; gives their number."""
    kept = 0
    for k in range(here, here + corners):
        if label[k, 0] % 4 == 0 or label[k, 0] >= CROSSING:
            store3(point, there + kept, load3(point, k))
            label[there + kept, 0] = label[k, 0]
            kept += 1
    return kept


@kernel
def clip_rims(g: Handle, n: Vec3, face: Vec3, other: Vec3) -> int:
    """What the rims at rows 0 and ROOM share, seen along n, the normals of their planes ``face`` and ``other``.

    The fixed points of the one that is inside the other; else those of both that are, and where the circles cross.
    They go to row 2 ROOM, on the plane of the first; gives their number.
    """
    point, label = g.work_point, g.work_face
    kept = fixed_inside(point, label, 0, ROOM, n, other, 0)
    if kept < 4:
        kept = fixed_inside(point, label, ROOM, 0, n, face, 0)
    if kept < 4:
        kept = fixed_inside(point, label, 0, ROOM, n, other, 0)
        kept = fixed_inside(point, label, ROOM, 0, n, face, kept)
        kept = crossings(point, label, n, kept)
    q = load3(point, 0)
    for k in range(2 * ROOM, 2 * ROOM + kept):
        store3(point, k, add(q, cast(n, face, subtract(load3(point, k), q))))
    return kept


@kernel
def fixed_inside(point: Any, label: Any, cap: int, base: int, n: Vec3, face: Vec3, kept: int) -> int:
    """Append every fourth corner of a rim that lies inside another one, whose plane has the normal ``face``."""
    centre, radius = circle(point, base)
    for k in range(cap, cap + CAP):
        x = load3(point, k)
        if label[k, 0] % 4 == 0 and norm(cast(n, face, subtract(x, centre))) <= radius * (1.0 + FLUSH):
            store3(point, 2 * ROOM + kept, x)
            label[2 * ROOM + kept, 0] = label[k, 0] + 2 * cap
            kept += 1
    return kept


@kernel
def crossings(point: Any, label: Any, n: Vec3, kept: int) -> int:
    """Append the two points where the circle of one rim crosses that of the other, seen along n."""
    (centre, radius), (other, other_radius) = circle(point, 0), circle(point, ROOM)
    way = flat(n, subtract(other, centre))
    distance = norm(way)
    along = 0.5 * (distance * distance + radius * radius - other_radius * other_radius) / distance
    across2 = radius * radius - along * along
    if across2 > 0.0:
        middle = add(centre, scale(along / distance, way))
        arm = scale(sqrt(across2) / distance, cross(n, way))
        for k in range(2):
            store3(point, 2 * ROOM + kept + k, add(middle, scale(1.0 - 2.0 * k, arm)))
            label[2 * ROOM + kept + k, 0] = CROSSING + k
        return kept + 2
    return kept


@kernel
def nearest_on_outline(g: Handle, base: int, count: int, out: Vec3, x: Vec3) -> Vec3:
    """The point on the edges of an outline that is nearest to x, seen along ``out``."""
    point = g.work_point
    best, least = load3(point, base), 1e300
    for k in range(count):
        q = load3(point, base + k)
        way = subtract(load3(point, base + (k + 1) % count), q)
        along = flat(out, way)
        t = max(0.0, min(1.0, dot(along, subtract(x, q)) / dot(along, along)))
        candidate = add(q, scale(t, way))
        arm = flat(out, subtract(x, candidate))
        if dot(arm, arm) < least:
            best, least = candidate, dot(arm, arm)
    return best


@kernel
def spread(g: Handle, here: int, corners: int) -> int:
    """Of more than eight corners, move four to the front that span the patch; gives how many there are now.

    ``work_plane`` holds the gaps: the deepest one, the farthest from it, and the farthest to both sides of these two.
    Differences below a millionth do not count, so that the choice does not flicker.
    """
    if corners <= 8:
        return corners
    point, gap = g.work_point, g.work_plane
    span = norm(subtract(load3(point, here + corners // 2), load3(point, here)))
    best, least = 0, gap[0, 0]
    for k in range(1, corners):
        if gap[k, 0] < least - 1e-6 * span:
            best, least = k, gap[k, 0]
    swap(g, here, 0, best)
    a = load3(point, here)
    best, most = 1, 0.0
    for k in range(1, corners):
        far = norm(subtract(load3(point, here + k), a))
        if far > most + 1e-6 * span:
            best, most = k, far
    swap(g, here, 1, best)
    way = subtract(load3(point, here + 1), a)
    for side in range(2):
        best, most = 2 + side, 0.0
        for k in range(2 + side, corners):
            c = cross(way, subtract(load3(point, here + k), a))
            far = norm(c) if side == 0 else -dot(c, cross(way, subtract(load3(point, here + 2), a)))
            if far > most * (1.0 + 1e-6):
                best, most = k, far
        swap(g, here, 2 + side, best)
    return 4


@kernel
def swap(g: Handle, here: int, i: int, j: int) -> None:
    """Exchange two corners with their labels and gaps."""
    point, label, gap = g.work_point, g.work_face, g.work_plane
    a, b = load3(point, here + i), load3(point, here + j)
    store3(point, here + i, b)
    store3(point, here + j, a)
    label[here + i, 0], label[here + j, 0] = label[here + j, 0], label[here + i, 0]
    gap[i, 0], gap[j, 0] = gap[j, 0], gap[i, 0]
