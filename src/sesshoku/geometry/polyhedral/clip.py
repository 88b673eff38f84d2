"""Two faces seen along the normal: the corners of what they have in common.

A polygon is some rows of ``polygon``: u, v across the normal, height along it, and one number free for use; and of
``mark``: its vertex, the edge that leaves the corner, that edge counted within its face, and whether it is reported.
There is room for four of them: the two faces, then two that take turns while one face is clipped by the sides of the
other (Sutherland and Hodgman). A side of the clipping face is counted by its complement, ~side.
"""

from __future__ import annotations

from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, dot

__all__ = ["Axes", "clip", "project"]

Axes = tuple[Vec3, Vec3, Vec3]  # u, v and the normal: a right-handed frame
Array = NDArray[np.float64]
Index = NDArray[np.int64]


@kernel
def project(g: Handle, p: int, face: int, axes: Axes, shift: Vec3, turned: bool, row: int) -> int:
    """Write a face of polyhedron p as a polygon from a row on, anticlockwise; number of its corners.

    ``axes`` are in the frame of the polyhedron, ``shift`` is where its origin lies along them; ``turned`` if the face
    looks against the normal.
    """
    polygon, mark, corner, side, vertex = g.polygon, g.polygon_mark, g.corner, g.side, g.vertex
    start, first = g.corner_start[face], g.vertex_start[p]
    number = int(g.corner_start[face + 1] - start)
    for k in range(number):
        c = start + (number - 1 - k if turned else k)
        x = load3(vertex, first + corner[c])
        i = row + k
        polygon[i, 0] = dot(axes[0], x) + shift[0]
        polygon[i, 1] = dot(axes[1], x) + shift[1]
        polygon[i, 2] = dot(axes[2], x) + shift[2]
        mark[i, 0] = corner[c]
        mark[i, 1] = side[c] if not turned else side[c - 1] if c > start else side[start + number - 1]
        mark[i, 2] = k
    return number


@kernel
def clip(polygon: Array, mark: Index, room: int, sides: int, corners: int, slack: float) -> tuple[int, int]:
    """Clip the polygon at row ``room`` by the one at row 0; first row and number of corners of what is left.

    A corner outside by no more than the slack is left where it is.
    """
    row, free = room, 2 * room
    for k in range(sides):
        m = k + 1 if k + 1 < sides else 0
        u, v = polygon[k, 0], polygon[k, 1]
        du, dv = polygon[m, 0] - u, polygon[m, 1] - v
        length = sqrt(du * du + dv * dv)
        line = (dv / length, -du / length, (dv * u - du * v) / length)
        corners = _cut(polygon, mark, row, corners, free, line, ~k, slack)
        if corners == 0:
            break
        row, free = free, 3 * room if free == 2 * room else 2 * room
    return row, corners


@kernel
def _cut(polygon: Array, mark: Index, row: int, corners: int, free: int, line: Vec3, side: int, slack: float) -> int:
    """Copy a polygon without what lies outside a line by more than the slack; number of corners."""
    copied = free
    here = line[0] * polygon[row, 0] + line[1] * polygon[row, 1] - line[2]
    for i in range(row, row + corners):
        j = i + 1 if i + 1 < row + corners else row
        there = line[0] * polygon[j, 0] + line[1] * polygon[j, 1] - line[2]
        if copied + 2 > free + len(polygon) // 4:
            break  # two crossings at most, but for rounding: never beyond the room
        if not here > slack:
            polygon[copied, 0], polygon[copied, 1], polygon[copied, 2] = load3(polygon, i)
            mark[copied, 2] = mark[i, 2]
            copied += 1
        if (here > slack) != (there > slack):
            s = min(1.0, max(0.0, here / (here - there)))
            for axis in range(3):
                polygon[copied, axis] = polygon[i, axis] + s * (polygon[j, axis] - polygon[i, axis])
            mark[copied, 2] = side if there > slack else mark[i, 2]
            copied += 1
        here = there
    return copied - free
