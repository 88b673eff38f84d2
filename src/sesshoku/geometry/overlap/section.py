"""The section of an overlap by its contact plane: the polygon that the pressure acts on."""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.geometry.overlap.cut import cut, measure_heights
from sesshoku.geometry.overlap.workspace import FACES, SECTION, SIDE, VERTICES, Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, dot, subtract

__all__ = ["look_along", "section"]

STRAIGHT: Final = 1e-9  # of the size: a corner so near to the line between its neighbours is none


@kernel
def look_along(w: Handle, centroid: Vec3, e1: Vec3, e2: Vec3, n: Vec3) -> None:
    """Fill `local`: the vertices from the centroid along e1, e2 and the normal."""
    point, local, slot = w.point, w.local, w.slot
    for k in range(w.count[VERTICES]):
        x = subtract(load3(point, slot[k]), centroid)
        store3(local, slot[k], (dot(e1, x), dot(e2, x), dot(n, x)))


@kernel
def section(w: Handle, centroid: Vec3, e1: Vec3, e2: Vec3, n: Vec3, size: float) -> None:
    """Fill `section`. This cuts the overlap: of its faces only those below the plane are left."""
    start, loop, point, corner, count = w.start, w.loop, w.point, w.section, w.count
    measure_heights(w, n, dot(n, centroid))
    count[SECTION] = 0
    if cut(w, 0.0) == 0:
        return
    side, f = count[SIDE], count[FACES] - 1  # the new face
    for c in range(start[side, f], start[side, f + 1]):
        x = subtract(load3(point, loop[side, c]), centroid)
        k = count[SECTION]
        corner[k, 0], corner[k, 1] = dot(e1, x), dot(e2, x)
        count[SECTION] = k + 1
        while count[SECTION] > 2 and _is_straight(w, count[SECTION] - 2, STRAIGHT * size):
            _leave_out(w, count[SECTION] - 2)
    while count[SECTION] > 2 and _is_straight(w, count[SECTION] - 1, STRAIGHT * size):
        _leave_out(w, count[SECTION] - 1)
    while count[SECTION] > 2 and _is_straight(w, 0, STRAIGHT * size):
        _leave_out(w, 0)


@kernel
def _is_straight(w: Handle, k: int, near: float) -> bool:
    """Whether corner k is nearer than this to the line between its neighbours."""
    corner, number = w.section, w.count[SECTION]
    i, j = (k - 1 if k > 0 else number - 1), (k + 1 if k + 1 < number else 0)
    x, y = corner[k, 0] - corner[i, 0], corner[k, 1] - corner[i, 1]
    u, v = corner[j, 0] - corner[i, 0], corner[j, 1] - corner[i, 1]
    return bool(abs(x * v - y * u) <= near * sqrt(u * u + v * v))


@kernel
def _leave_out(w: Handle, k: int) -> None:
    """Take corner k out of the section."""
    corner, count = w.section, w.count
    count[SECTION] -= 1
    for i in range(k, count[SECTION]):
        corner[i, 0], corner[i, 1] = corner[i + 1, 0], corner[i + 1, 1]
