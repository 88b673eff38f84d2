"""A patch with its pressure: three corners around the centre of pressure, with which a linear program begins.

Their loads are the barycentric coordinates of the centre. With the barycentric coordinates of every corner as its rows,
instead of force and moments, the columns of these three are the identity: a first basis without a search.
"""

from __future__ import annotations

from math import inf
from typing import Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact.volume.patch import Point, centre_of_pressure, into, lever
from sesshoku.contact.volume.simplex import COLUMN, VALUE, start
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Wrench
from sesshoku.spatial.vector import Vec3

__all__ = ["Pressure", "coordinates", "press"]

Array = NDArray[np.float64]
# corner a, and the rows that turn r − a into the coordinates of b and of c
Triangle: TypeAlias = tuple[Point, Point, Point]
ROUNDING: Final = 1e-12  # of a triangle's area, that a point on its boundary may be outside by


class Pressure(NamedTuple):
    """A section, its centre of pressure, how far the farthest corner is from there, and three corners around it."""

    section: Array
    number: int
    centre: Point
    lever: float
    triangle: Triangle


@kernel
def press(section: Array, number: int, basis: Array, wrench: Wrench) -> Pressure:
    """The pressure of a wrench, its centre moved into the section; begins a basis with loads that sum up to 1."""
    centre = into(section, number, centre_of_pressure(wrench))
    size = lever(section, number, centre) if number > 1 else 1.0
    return Pressure(section, number, centre, size, _surround(section, number, basis, centre))


@kernel
def coordinates(triangle: Triangle, point: Point) -> Vec3:
    """Barycentric coordinates of a point: their sum is 1."""
    a, p, q = triangle
    x, y = point[0] - a[0], point[1] - a[1]
    s, t = p[0] * x + p[1] * y, q[0] * x + q[1] * y
    return 1.0 - s - t, s, t


@kernel
def _surround(section: Array, number: int, basis: Array, centre: Point) -> Triangle:
    """Three corners around the centre, basic with their loads.

    A line lacks one corner and a point two: artificial ones stand there, without a load.
    """
    start(basis)
    i, j, k = _widest(section, number, centre) if number > 2 else (0, number - 1, number - 1)
    a, b, c = _corner(section, i), _corner(section, j), _corner(section, k)
    if number == 1:
        b = (a[0] + 1.0, a[1])
    if number < 3:
        c = (a[0] + a[1] - b[1], a[1] + b[0] - a[0])
    u, v = (b[0] - a[0], b[1] - a[1]), (c[0] - a[0], c[1] - a[1])
    scale = 1.0 / (u[0] * v[1] - u[1] * v[0])
    triangle = (a, (scale * v[1], -scale * v[0]), (-scale * u[1], scale * u[0]))
    load, corner = coordinates(triangle, centre), (i, j, k)
    for row in range(min(number, 3)):
        basis[row, VALUE], basis[row, COLUMN] = max(0.0, load[row]), corner[row]
    return triangle


@kernel
def _widest(section: Array, number: int, centre: Point) -> tuple[int, int, int]:
    """Of fans of triangles around three corners, the widest one that the centre is in: a narrow one costs digits."""
    chosen, best = (0, 1, 2), -inf
    for i in range(0, number, (number + 2) // 3):
        a = _corner(section, i)
        x, y = centre[0] - a[0], centre[1] - a[1]
        for step in range(1, number - 1):
            j, k = (i + step) % number, (i + step + 1) % number
            b, c = _corner(section, j), _corner(section, k)
            u, v = (b[0] - a[0], b[1] - a[1]), (c[0] - a[0], c[1] - a[1])
            area, beside_b, beside_c = u[0] * v[1] - u[1] * v[0], x * v[1] - y * v[0], u[0] * y - u[1] * x
            least = min(beside_b, beside_c, area - beside_b - beside_c)
            score = area if least >= -ROUNDING * area else least
            if score > best:
                chosen, best = (i, j, k), score
    return chosen


@kernel
def _corner(section: Array, k: int) -> Point:
    """Corner k."""
    return section[k, 0], section[k, 1]
