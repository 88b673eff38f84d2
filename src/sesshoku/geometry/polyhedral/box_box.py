"""Two boxes: the best of their fifteen axes."""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3
from sesshoku.spatial.vector import Vec3, dot, scale

__all__ = ["box_axis", "graze"]

BIAS: Final = 1e-7  # of the size: axes of a before those of b, faces before edges, when they are as good as equal
PARALLEL: Final = 1e-12  # squared sine below which two edges span no axis of their own
LEVEL: Final = 1e-5  # by which the face of one box is above that of the other, at most: as depth that is left alone [m]
SQUARE: Final = 0.1  # cosine below which two directions are square to each other


@kernel
def box_axis(half_a: Vec3, half_b: Vec3, r: Mat3, t: Vec3, size: float, margin: float) -> tuple[Vec3, float]:
    """Unit normal from box a to box b along which they are farthest apart or overlap least, and that distance.

    In the frame of a, where b is turned by r and moved by t. Beyond the margin, any axis that far will do.
    """
    bias = BIAS * size
    s = (abs(r[0]), abs(r[1]), abs(r[2]), abs(r[3]), abs(r[4]), abs(r[5]), abs(r[6]), abs(r[7]), abs(r[8]))
    n, best = (1.0, 0.0, 0.0), -1e300
    for i in range(3):
        distance = abs(t[i]) - half_a[i] - dot((s[3 * i], s[3 * i + 1], s[3 * i + 2]), half_b)
        if distance > best:
            n, best = (1.0 if i == 0 else 0.0, 1.0 if i == 1 else 0.0, 1.0 if i == 2 else 0.0), distance
    for i in range(3):
        axis = (r[i], r[i + 3], r[i + 6])
        distance = abs(dot(axis, t)) - half_b[i] - dot((s[i], s[i + 3], s[i + 6]), half_a)
        if distance > best + bias:
            n, best = axis, distance
    if best < margin:
        for i in range(3):
            j, k = (i + 1) % 3, (i + 2) % 3
            for c in range(3):
                # axis i of a across axis c of b, not shortened to a unit vector unless it can win
                d, e = (c + 1) % 3, (c + 2) % 3
                u, v = r[3 * j + c], r[3 * k + c]
                width_a = half_a[j] * abs(v) + half_a[k] * abs(u)
                width_b = half_b[d] * s[3 * i + e] + half_b[e] * s[3 * i + d]
                distance, square = abs(t[k] * u - t[j] * v) - width_a - width_b, u * u + v * v
                if square > PARALLEL and (distance > 0.0 or distance > best + bias):
                    sine = sqrt(square)
                    if distance > sine * (best + bias):
                        u, v, best = u / sine, v / sine, distance / sine
                        n = (0.0, -v, u) if i == 0 else (u, 0.0, -v) if i == 1 else (-v, u, 0.0)
    return (n, best) if dot(n, t) >= 0.0 else (scale(-1.0, n), best)


@kernel
def graze(half_a: Vec3, half_b: Vec3, r: Mat3, t: Vec3, n: Vec3) -> bool:
    """Whether two boxes that are apart along n are level: the top of one is as high as the bottom of the other.

    Square to n, that is. Such boxes pass each other: one that slides on tiles must not be stopped by the sides of those
    ahead, which rounding puts in its way. In the frame of a, as in `box_axis`.
    """
    for i in range(3):
        reach = abs(r[3 * i]) * half_b[0] + abs(r[3 * i + 1]) * half_b[1] + abs(r[3 * i + 2]) * half_b[2]
        if abs(abs(t[i]) - half_a[i] - reach) < LEVEL and abs(n[i]) < SQUARE:
            return True
        axis = (r[i], r[i + 3], r[i + 6])
        reach = abs(axis[0]) * half_a[0] + abs(axis[1]) * half_a[1] + abs(axis[2]) * half_a[2]
        if abs(abs(dot(axis, t)) - half_b[i] - reach) < LEVEL and abs(dot(axis, n)) < SQUARE:
            return True
    return False
