"""Common parts of two outlines, seen along the normal of contact: rows of ``work_point`` in, rows out.

Outlines go anticlockwise about ``out``, so that out × edge points inwards. Labels of new corners are made of the two
edges that cross there.
"""

from __future__ import annotations

from math import sqrt
from typing import Any

from sesshoku.geometry.smooth.outline import CAP, ROOM
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["clip_face", "clip_line", "fixed_points_inside", "flat", "nearest_on_outline", "spread"]

CROSSING = 1 << 14  # labels of corners that were there before are less
EDGES = (1 << 7) - 1  # labels of edges in labels of crossings


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
        centre = scale(0.5, add(load3(point, base), load3(point, base + CAP // 2)))
        arm, along = cast(out, face, subtract(a, centre)), cast(out, face, way)
        radius = norm(subtract(load3(point, base), centre))
        middle = -dot(arm, along) / dot(along, along)
        off = add(arm, scale(middle, along))
        half = sqrt(max(0.0, radius * radius - dot(off, off)) / dot(along, along))
        if middle - half > start:
            start, first = middle - half, 1
        if middle + half < end:
            end, last = middle + half, 1
    else:
        for k in range(count):
            q = load3(point, base + k)
            inward = cross(out, subtract(load3(point, base + (k + 1) % count), q))
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
def clip_face(g: Handle, face: int, corners: int, base: int, count: int, out: Vec3) -> tuple[int, int]:
    """Cut the outline at row ``face`` to the one at row ``base``; gives the row of the result and its corners.

    ``out`` is the direction about which the second one goes anticlockwise; the first one may go either way, and its
    rows are written over.
    """
    point = g.work_point
    here, there = face, 2 * ROOM
    for k in range(count):
        q = load3(point, base + k)
        inward = cross(out, subtract(load3(point, base + (k + 1) % count), q))
        corners = cut(point, g.work_face, here, corners, there, q, inward, k)
        here, there = there, here
    return here, corners


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
            label[there + kept, 0], label[there + kept, 1] = label[row, 0], label[row, 1]
            kept += 1
        if (depth >= 0.0) != (next_depth >= 0.0) and kept < ROOM:
            store3(point, there + kept, add(a, scale(depth / (depth - next_depth), subtract(b, a))))
            side = label[row, 1]
            label[there + kept, 0] = CROSSING * (1 + edge) + side
            label[there + kept, 1] = EDGES - edge if depth >= 0.0 else side
            kept += 1
    return kept


@kernel
def fixed_points_inside(g: Handle, cap: int, base: int, count: int, rim: bool, out: Vec3, face: Vec3) -> int:
    """Copy every fourth corner of a cap to row 2 ROOM if all of them lie inside the outline at ``base``, else none."""
    point, label = g.work_point, g.work_face
    kept = 0
    for k in range(CAP):
        if label[cap + k, 0] % 4 == 0:
            x = load3(point, cap + k)
            if not inside(point, base, count, rim, out, face, x):
                return 0
            store3(point, 2 * ROOM + kept, x)
            label[2 * ROOM + kept, 0] = label[cap + k, 0]
            kept += 1
    return kept


@kernel
def inside(point: Any, base: int, count: int, rim: bool, out: Vec3, face: Vec3, x: Vec3) -> bool:
    """Whether x lies inside an outline, perhaps a rim, whose plane has the normal ``face``."""
    if rim:
        arm = subtract(load3(point, base), load3(point, base + CAP // 2))
        centre = scale(0.5, add(load3(point, base), load3(point, base + CAP // 2)))
        return norm(cast(out, face, subtract(x, centre))) <= 0.5 * norm(arm) * (1.0 + 1e-6)
    for k in range(count):
        q = load3(point, base + k)
        if dot(cross(out, subtract(load3(point, base + (k + 1) % count), q)), subtract(x, q)) < 0.0:
            return False
    return True


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
