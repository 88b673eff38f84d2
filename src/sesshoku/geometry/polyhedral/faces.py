"""Contacts of two faces: the corners of what they have in common along the normal, each with its own gap."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.geometry.polyhedral.clip import Axes, clip, project
from sesshoku.geometry.polyhedral.feature import SAME, crossing, vertex_of_a, vertex_of_b
from sesshoku.geometry.polyhedral.pair import Pair
from sesshoku.geometry.polyhedral.select import choose, tangents
from sesshoku.geometry.space import Handle, append
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, dot, scale

__all__ = ["touch_faces"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]

SLACK: Final = 1e-6  # of the size: a corner so far outside still lies on the face


@kernel
def touch_faces(g: Handle, pair: Pair, n: Vec3, face_a: int, face_b: int, a_is_flatter: bool, bound: float) -> bool:
    """Report the contacts of two faces along n; none, and False, if none has a gap up to the bound."""
    polygon, mark = g.polygon, g.polygon_mark
    room = len(polygon) // 4
    m = rotate_back(pair.r, n)
    # directions fixed in the shape with more corners: of a disc that spins on a box, in the disc
    if g.corner_start[face_a + 1] - g.corner_start[face_a] >= g.corner_start[face_b + 1] - g.corner_start[face_b]:
        u, v = tangents(n)
        x, y = rotate_back(pair.r, u), rotate_back(pair.r, v)
    else:
        x, y = tangents(m)
        u, v = rotate(pair.r, x), rotate(pair.r, y)
    here, there = (u, v, n), (x, y, m)
    origin, shift = (0.0, 0.0, 0.0), (dot(u, pair.t), dot(v, pair.t), dot(n, pair.t))
    # the flatter face clips: heights above it are well defined
    row_a, row_b = (0, room) if a_is_flatter else (room, 0)
    corners_a = project(g, pair.p, face_a, here, origin, False, row_a)
    corners_b = project(g, pair.q, face_b, there, shift, True, row_b)
    if a_is_flatter:
        row, count = clip(polygon, mark, room, corners_a, corners_b, SLACK * pair.size)
        least = _gaps(g, face_a, here, origin, row, count, 1.0)
    else:
        row, count = clip(polygon, mark, room, corners_b, corners_a, SLACK * pair.size)
        least = _gaps(g, face_b, there, shift, row, count, -1.0)
    if count == 0 or not least <= bound:
        return False
    choose(polygon, mark, row, count, pair.margin, pair.size)
    _identify(g, pair, row, count, a_is_flatter, corners_a, corners_b)
    r, origin = load9(g.rotation, pair.a), load3(g.position, pair.a)
    u, v, n = rotate(r, u), rotate(r, v), rotate(r, n)
    for i in range(row, row + count):
        if mark[i, 3] != 0:
            across = add(scale(polygon[i, 0], u), scale(polygon[i, 1], v))
            point = add(origin, add(across, scale(polygon[i, 2], n)))
            append(g, pair.a, pair.b, point, n, polygon[i, 3], mark[i, 1])
    return True


@kernel
def _gaps(g: Handle, face: int, axes: Axes, shift: Vec3, row: int, count: int, sign: float) -> float:
    """Turn heights of corners into the height halfway to a face and the gap between; the least gap.

    The sign is that of a corner's height above the face where there is a gap.
    """
    polygon, normal = g.polygon, load3(g.face_normal, face)
    x, y, z = dot(normal, axes[0]), dot(normal, axes[1]), dot(normal, axes[2])
    offset = g.face_offset[face] + x * shift[0] + y * shift[1] + z * shift[2]
    least = 1e300
    for i in range(row, row + count):
        height = (offset - x * polygon[i, 0] - y * polygon[i, 1]) / z
        polygon[i, 3] = sign * (polygon[i, 2] - height)
        polygon[i, 2] = 0.5 * (polygon[i, 2] + height)
        least = min(least, polygon[i, 3])
    return least


@kernel
def _identify(g: Handle, pair: Pair, row: int, count: int, a_clips: bool, corners_a: int, corners_b: int) -> None:
    """Write the features of the chosen corners over their edges; of two with the same feature the deeper one stays."""
    polygon, mark = g.polygon, g.polygon_mark
    room, near = len(polygon) // 4, SAME * pair.size
    row_a, row_b = (0, room) if a_clips else (room, 0)
    edges_of_b = g.edge_start[pair.q + 1] - g.edge_start[pair.q]
    before = mark[row + count - 1, 2]
    for i in range(row, row + count):
        arriving, leaving = before, mark[i, 2]
        before = leaving
        if mark[i, 3] == 0:
            continue
        if (arriving < 0) == (leaving < 0):  # a vertex of the one or the other face
            vertex = mark[~leaving if leaving < 0 else room + leaving, 0]
            of_a = (leaving < 0) == a_clips
            v = vertex if of_a else _vertex_at(polygon, mark, i, row_a, row_a + corners_a, near)
            mark[i, 1] = vertex_of_a(v) if v >= 0 else vertex_of_b(vertex)
        else:
            clipped, clipping = max(arriving, leaving), ~min(arriving, leaving)
            side_a, side_b = (clipping, clipped) if a_clips else (clipped, clipping)
            v = _end_at(polygon, mark, i, row_a, side_a, corners_a, near)
            w = _end_at(polygon, mark, i, row_b, side_b, corners_b, near)
            if v < 0 and w < 0:  # two edges cross only once
                mark[i, 1] = crossing(mark[row_a + side_a, 1], mark[row_b + side_b, 1], edges_of_b)
                continue
            mark[i, 1] = vertex_of_a(v) if v >= 0 else vertex_of_b(w)
        for j in range(row, i):
            if mark[j, 1] == mark[i, 1] and mark[j, 3] != 0:
                mark[i if polygon[j, 3] <= polygon[i, 3] else j, 3] = 0


@kernel
def _end_at(polygon: Array, mark: Index, i: int, row: int, side: int, corners: int, near: float) -> int:
    """The vertex at that end of a side of a face, written from a row on, where corner i lies, or -1."""
    end = row + (side + 1 if side + 1 < corners else 0)
    return max(
        _vertex_at(polygon, mark, i, row + side, row + side + 1, near),
        _vertex_at(polygon, mark, i, end, end + 1, near),
    )


@kernel
def _vertex_at(polygon: Array, mark: Index, i: int, begin: int, end: int, near: float) -> int:
    """The vertex in these rows where corner i lies, or -1."""
    for k in range(begin, end):
        du, dv = polygon[k, 0] - polygon[i, 0], polygon[k, 1] - polygon[i, 1]
        if du * du + dv * dv < near * near:
            return int(mark[k, 0])
    return -1
