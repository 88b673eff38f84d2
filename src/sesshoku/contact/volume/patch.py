"""The pressure on a contact patch: where its centre is, and where it may be.

A patch is a convex section with its corners (x, y) along (e1, e2) [m], anticlockwise, from the centroid of the overlap;
two corners are a line and one is a point. Wrenches (moment, force) act on B at the centroid, in axes (e1, e2, n).
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Wrench
from sesshoku.spatial.vector import Vec3

__all__ = ["Point", "centre_of_pressure", "half_plane", "half_planes", "into", "lever"]

Array = NDArray[np.float64]
Point: TypeAlias = tuple[float, float]  # along e1 and e2 [m]

# Of the size, by which a centre of pressure is kept inside: the solver of the wrench may leave it outside by rounding,
# and at a corner not even the rounding of a torque would find friction to bear it.
MARGIN: Final = 1e-7


@kernel
def centre_of_pressure(wrench: Wrench) -> Point:
    """Where a normal force alone has these moments about e1 and e2 (before eq. 25): it must not be nought."""
    moment, force = wrench
    return -moment[1] / force[2], moment[0] / force[2]


@kernel
def lever(section: Array, number: int, centre: Point) -> float:
    """Distance of the farthest corner [m]."""
    most = 0.0
    for k in range(number):
        x, y = section[k, 0] - centre[0], section[k, 1] - centre[1]
        most = max(most, x * x + y * y)
    return sqrt(most)


@kernel
def half_planes(number: int) -> int:
    """How many half-planes bound a section of this many corners: one for each edge, four for a line and a point."""
    return 4 if number < 3 else number


@kernel
def half_plane(section: Array, number: int, k: int) -> Vec3:
    """(a1, a2, b) of half-plane k: points r of the section have a·r <= b, with the outward unit normal a.

    So wrenches with their centre of pressure in there have b fn + a1 t2 − a2 t1 >= 0 (eq. 25).
    """
    if number > 2:
        x, y = section[k, 0], section[k, 1]
        end = k + 1 if k + 1 < number else 0
        u, v = section[end, 0] - x, section[end, 1] - y
    else:  # two sides and two ends, a rectangle without width
        x, y = (section[number - 1, 0], section[number - 1, 1]) if k < 2 else (section[0, 0], section[0, 1])
        u, v = section[number - 1, 0] - section[0, 0], section[number - 1, 1] - section[0, 1]
        if number == 1:
            u, v = 1.0, 0.0
        for _ in range(k):
            u, v = -v, u
    size = sqrt(u * u + v * v)
    a1, a2 = v / size, -u / size
    return a1, a2, a1 * x + a2 * y


@kernel
def into(section: Array, number: int, point: Point) -> Point:
    """The point itself, or the nearest one that is inside by the margin."""
    middle = _middle(section, number)
    inside, nearest, best = number > 2, middle, inf
    a = _shrunk(section, number - 1, middle)
    for k in range(number):
        b = _shrunk(section, k, middle)
        u, v, dx, dy = b[0] - a[0], b[1] - a[1], point[0] - a[0], point[1] - a[1]
        if u * dy - v * dx < 0.0 or number < 3:
            inside = False
            length2 = u * u + v * v
            t = min(1.0, max(0.0, (u * dx + v * dy) / length2)) if length2 > 0.0 else 0.0
            x, y = a[0] + t * u, a[1] + t * v
            distance = (x - point[0]) ** 2 + (y - point[1]) ** 2
            if distance < best:
                nearest, best = (x, y), distance
        a = b
    return point if inside else nearest


@kernel
def _middle(section: Array, number: int) -> Point:
    """Mean of the corners."""
    x, y = 0.0, 0.0
    for k in range(number):
        x, y = x + section[k, 0], y + section[k, 1]
    return x / number, y / number


@kernel
def _shrunk(section: Array, k: int, middle: Point) -> Point:
    """Corner k, nearer to the middle by the margin."""
    x, y = section[k, 0], section[k, 1]
    return x + MARGIN * (middle[0] - x), y + MARGIN * (middle[1] - y)
