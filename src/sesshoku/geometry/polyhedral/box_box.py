"""Two boxes: the best of their fifteen axes."""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, rotate_back
from sesshoku.spatial.vector import Vec3, cross, dot, scale

__all__ = ["box_axis"]

BIAS: Final = 1e-7  # of the size: axes of a before those of b, faces before edges, when they are as good as equal
PARALLEL: Final = 1e-12  # squared sine below which two edges span no axis of their own

Axis = tuple[Vec3, float]


@kernel
def box_axis(half_a: Vec3, half_b: Vec3, r: Mat3, t: Vec3, size: float, margin: float) -> Axis:
    """Unit normal from box a to box b along which they are farthest apart or overlap least, and that distance.

    In the frame of a, where b is turned by r and moved by t. Beyond the margin, any axis that far will do.
    """
    x, y, z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)
    u, v, w = (r[0], r[3], r[6]), (r[1], r[4], r[7]), (r[2], r[5], r[8])
    bias = BIAS * size
    best = x, -1e300
    for axis in (x, y, z):
        best = _better(best, axis, half_a, half_b, r, t, 0.0)
    for axis in (u, v, w):
        best = _better(best, axis, half_a, half_b, r, t, bias)
    if best[1] < margin:
        for e in (x, y, z):
            for f in (u, v, w):
                axis = cross(e, f)
                square = dot(axis, axis)
                if square > PARALLEL:
                    best = _better(best, scale(1.0 / sqrt(square), axis), half_a, half_b, r, t, bias)
    n, distance = best
    return (n, distance) if dot(n, t) >= 0.0 else (scale(-1.0, n), distance)


@kernel
def _better(best: Axis, axis: Vec3, half_a: Vec3, half_b: Vec3, r: Mat3, t: Vec3, bias: float) -> Axis:
    """The better one of two axes; the second must win by the bias."""
    other = rotate_back(r, axis)
    distance = abs(dot(axis, t)) - _span(axis, half_a) - _span(other, half_b)
    return (axis, distance) if distance > best[1] + bias else best


@kernel
def _span(d: Vec3, half: Vec3) -> float:
    """Half the width of a box along d."""
    return abs(d[0]) * half[0] + abs(d[1]) * half[1] + abs(d[2]) * half[2]
