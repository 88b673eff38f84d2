"""Which points stand for a patch with many: those it would come to stand on if it were tipped to each side.

Tipped a little, so that what lies outside but higher, such as a rounding, does not stand for what touches. The
directions are fixed in a shape, so that the points stay the same from step to step.
"""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, cross, dot, norm, scale, subtract

__all__ = ["DEEPER", "DIRECTIONS", "choose", "tangents"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]

KEPT: Final = 8  # most points of a pair
TILT: Final = 0.1  # radians the patch is tipped
DEEPER: Final = 1e-6  # of the size, by which the lowest point must be below the others to be one of them, too
# an odd number of directions that do not begin on an axis: few shapes have two vertices equally far along one
DIRECTIONS: Final = tuple(
    (TILT * cos(0.3 + 2.0 * pi * k / (KEPT - 1)), TILT * sin(0.3 + 2.0 * pi * k / (KEPT - 1))) for k in range(KEPT - 1)
)


@kernel
def tangents(n: Vec3) -> tuple[Vec3, Vec3]:
    """Two unit vectors that make a right-handed frame with the unit vector n; they turn with n without a jump.

    Unless another component of n becomes the largest.
    """
    x, y, z = abs(n[0]), abs(n[1]), abs(n[2])
    axis = (0.0, 1.0, 0.0) if x >= y and x >= z else (0.0, 0.0, 1.0) if y >= z else (1.0, 0.0, 0.0)
    u = subtract(axis, scale(dot(axis, n), n))
    u = scale(1.0 / norm(u), u)
    return u, cross(n, u)


@kernel
def choose(polygon: Array, mark: Index, row: int, count: int, margin: float, size: float) -> None:
    """Mark the corners to be reported by 1, others by 0: see clip.py; their last column is the gap.

    The deepest one is among them, unless they are as good as equal: the points of a flat patch must not take turns.
    """
    near = 0
    for i in range(row, row + count):
        mark[i, 3] = 1 if polygon[i, 3] < margin else 0
        near += mark[i, 3]
    if near <= KEPT:
        return
    deepest, least = row, 1e300
    for i in range(row, row + count):
        mark[i, 3] = 0
        if polygon[i, 3] < polygon[deepest, 3]:
            deepest = i
    for c, s in DIRECTIONS:
        best, height = row, -1e300
        for i in range(row, row + count):
            z = c * polygon[i, 0] + s * polygon[i, 1] - polygon[i, 3]
            if z > height:
                best, height = i, z
        mark[best, 3] = 1 if polygon[best, 3] < margin else 0
        least = min(least, polygon[best, 3])
    if polygon[deepest, 3] < least - DEEPER * size:
        mark[deepest, 3] = 1
