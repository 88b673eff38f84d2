"""Contacts of two faces: the corners of what they have in common along the normal, each with its own gap."""

from __future__ import annotations

from typing import Final

from sesshoku.geometry.polyhedral.clip import Axes, clip, project
from sesshoku.geometry.polyhedral.feature import SAME, crossing, vertex_of_a, vertex_of_b
from sesshoku.geometry.polyhedral.pair import Pair, report
from sesshoku.geometry.polyhedral.select import choose, tangents
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, add, dot, scale

__all__ = ["touch_faces"]

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
    _identify(g, pair, row, count, row_a, corners_a, row_b, corners_b)
    for i in range(row, row + count):
        if mark[i, 2] != 0:
            point = add(add(scale(polygon[i, 0], u), scale(polygon[i, 1], v)), scale(polygon[i, 2], n))
            report(g, pair, point, n, polygon[i, 3], mark[i, 0])
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
def _identify(
    g: Handle, pair: Pair, row: int, count: int, row_a: int, corners_a: int, row_b: int, corners_b: int
) -> None:
    """Turn the edges of the chosen corners into features; of two with the same feature the deeper one stays."""
    polygon, mark = g.polygon, g.polygon_mark
    edges_of_b = g.edge_start[pair.q + 1] - g.edge_start[pair.q]
    before = mark[row + count - 1, 0]
    for i in range(row, row + count):
        edges, after = before, mark[i, 0]
        before = after
        if mark[i, 2] == 0:
            continue
        v = _vertex_at(g, i, row_a, corners_a, SAME * pair.size)
        w = _vertex_at(g, i, row_b, corners_b, SAME * pair.size) if v < 0 else -1
        if v >= 0:
            mark[i, 0] = vertex_of_a(v)
        elif w >= 0:
            mark[i, 0] = vertex_of_b(w)
        else:
            clipped, clipping = max(edges, after), ~min(edges, after)
            if row_a == 0:
                mark[i, 0] = crossing(clipping, clipped, edges_of_b)
            else:
                mark[i, 0] = crossing(clipped, clipping, edges_of_b)
        for j in range(row, i):
            if mark[j, 2] != 0 and mark[j, 0] == mark[i, 0]:
                mark[i if polygon[j, 3] <= polygon[i, 3] else j, 2] = 0


@kernel
def _vertex_at(g: Handle, i: int, row: int, corners: int, near: float) -> int:
    """The vertex of a face, written from a row on, where corner i lies, or -1."""
    polygon = g.polygon
    for k in range(row, row + corners):
        du, dv = polygon[k, 0] - polygon[i, 0], polygon[k, 1] - polygon[i, 1]
        if du * du + dv * dv < near * near:
            return int(g.polygon_mark[k, 1])
    return -1
