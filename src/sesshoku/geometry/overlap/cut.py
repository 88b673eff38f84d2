"""A convex polyhedron, and what is left of it below a plane.

Vertices are only asked on which side of the plane they are, each once: whatever rounding answers, every edge that
goes from one side to the other gets one new vertex, which both of its faces share, so the surface stays closed. A
vertex that lies on the plane, or a face along it, is no special case: at worst some new edges have no length.
"""

from __future__ import annotations

from sesshoku.geometry.overlap.workspace import FACES, SIDE, VERTICES, Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, dot, scale, subtract

__all__ = ["cut", "measure_heights"]


@kernel
def measure_heights(w: Handle, n: Vec3, offset: float) -> tuple[float, float]:
    """Heights of all vertices above the plane n · x = offset; the lowest and the highest [m]."""
    point, height, slot = w.point, w.height, w.slot
    lowest, highest = 1e300, -1e300
    for k in range(w.count[VERTICES]):
        i = slot[k]
        h = dot(n, load3(point, i)) - offset
        height[i] = h
        lowest, highest = min(lowest, h), max(highest, h)
    return lowest, highest


@kernel
def cut(w: Handle, sign: float) -> int:
    """Take away what is on or above the plane of `measure_heights`, and close the hole; number of new faces.

    They are the last ones, and one, but for rounding: there can be more where a face lies along the plane, and then
    there may be too little room. Such a cut is left out: what it would have taken away is as thin as rounding.
    """
    start, loop, signs, count = w.start, w.loop, w.sign, w.count
    here, there = count[SIDE], 1 - count[SIDE]
    old, new = count[VERTICES], _crossings(w)
    corners = start[here, count[FACES]] + 3 * new
    if old + new > len(w.slot) or corners > loop.shape[1] or count[FACES] + new // 2 > signs.shape[1]:
        return 0
    faces = 0
    for f in range(count[FACES]):
        end = _cut_face(w, old, f, start[there, faces])
        if end > start[there, faces]:
            signs[there, faces] = signs[here, f]
            faces += 1
            start[there, faces] = end
    closed = _close(w, old, faces, sign)
    count[FACES], count[SIDE] = faces + closed, there
    _sort_out(w)
    return closed


@kernel
def _crossings(w: Handle) -> int:
    """How many edges go from below the plane to above it: each is seen so by one of its faces."""
    start, loop, height, count = w.start, w.loop, w.height, w.count
    side, number = count[SIDE], 0
    for f in range(count[FACES]):
        below = height[loop[side, start[side, f + 1] - 1]] < 0.0
        for c in range(start[side, f], start[side, f + 1]):
            before, below = below, height[loop[side, c]] < 0.0
            number += before and not below
    return number


@kernel
def _cut_face(w: Handle, old: int, f: int, row: int) -> int:
    """Write what is left of a face to the other set from a row on, and link its new vertices; the row after it."""
    start, loop, height, link = w.start, w.loop, w.height, w.link
    here = w.count[SIDE]
    there, first, last = 1 - here, -1, -1
    i = loop[here, start[here, f + 1] - 1]
    for c in range(start[here, f], start[here, f + 1]):
        j = loop[here, c]
        if height[i] < 0.0 and not height[j] < 0.0:
            last = _vertex_between(w, old, i, j)
            loop[there, row] = last
            row += 1
        elif height[j] < 0.0 and not height[i] < 0.0:
            v = _vertex_between(w, old, j, i)
            loop[there, row] = v
            row += 1
            # the face goes from where it leaves to where it returns, the new one beside it the other way
            if last >= 0:
                link[v] = last
            else:
                first = v
        if height[j] < 0.0:
            loop[there, row] = j
            row += 1
        i = j
    if first >= 0:
        link[first] = last
    return row


@kernel
def _vertex_between(w: Handle, old: int, below: int, above: int) -> int:
    """The vertex where an edge meets the plane: made for the first of its two faces, found for the second."""
    slot, edge, point, height, count = w.slot, w.edge, w.point, w.height, w.count
    for k in range(old, count[VERTICES]):
        v = slot[k]
        if edge[v, 0] == below and edge[v, 1] == above:
            return int(v)
    v = slot[count[VERTICES]]
    count[VERTICES] += 1
    edge[v, 0], edge[v, 1] = below, above
    height[v] = -1.0  # it stays
    a, b = load3(point, below), load3(point, above)
    part = height[below] / (height[below] - height[above])
    store3(point, v, add(a, scale(part, subtract(b, a))))
    return int(v)


@kernel
def _close(w: Handle, old: int, faces: int, sign: float) -> int:
    """Add the faces that the new vertices are linked to; their number."""
    start, loop, signs, slot, link, count = w.start, w.loop, w.sign, w.slot, w.link, w.count
    there, first = 1 - count[SIDE], faces
    for k in range(old, count[VERTICES]):
        v, row = slot[k], start[there, faces]
        while link[v] >= 0:
            loop[there, row] = v
            row += 1
            following = link[v]
            link[v] = -1
            v = following
        if row > start[there, faces]:
            signs[there, faces] = sign
            faces += 1
            start[there, faces] = row
    return faces - first


@kernel
def _sort_out(w: Handle) -> None:
    """Bring the rows of the vertices that stay before those that are free again."""
    slot, height, count = w.slot, w.height, w.count
    kept = 0
    for k in range(count[VERTICES]):
        i = slot[k]
        if height[i] < 0.0:
            slot[k], slot[kept] = slot[kept], i
            kept += 1
    count[VERTICES] = kept
