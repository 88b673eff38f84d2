"""Direction and distance of two polyhedra that do not touch: the point of their difference nearest to the origin.

Gilbert, Johnson and Keerthi: a simplex of vertices of the difference moves towards the origin until no vertex is
nearer. Known to be apart, so the origin is never inside.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.geometry.polyhedral.difference import farthest_of_difference
from sesshoku.geometry.polyhedral.pair import Pair
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = ["nearest"]

STEPS: Final = 64
CLOSE: Final = 1e-14  # of the squared distance: no vertex is nearer by more than rounding

Triangle = tuple[Vec3, Vec3, Vec3]  # two or all three corners may be the same


@kernel
def nearest(g: Handle, pair: Pair, n: Vec3, least: float) -> tuple[Vec3, float]:
    """Unit normal from a to b in the frame of a, and their distance; along n, a first guess, they are ``least`` apart.

    Next to the origin, by nanometres, rounding may turn a slender triangle of the simplex about; then the guess stays.
    """
    v = farthest_of_difference(g, pair, n)
    a, b, c = v, v, v
    for _ in range(STEPS):
        w = farthest_of_difference(g, pair, scale(-1.0, v))
        square = dot(v, v)
        if not square - dot(v, w) > CLOSE * square:
            break
        point, (a, b, c) = _nearer(
            _nearer(_on_triangle(a, b, w), _on_triangle(b, c, w)),
            _on_triangle(c, a, w),
        )
        if not dot(point, point) < square:
            break
        v = point
    distance = sqrt(dot(v, v))
    found = scale(-1.0 / distance, v)
    if not -dot(found, farthest_of_difference(g, pair, found)) > least:
        return n, least
    return found, distance


@kernel
def _on_triangle(a: Vec3, b: Vec3, c: Vec3) -> tuple[Vec3, Triangle]:
    """Point of a triangle nearest to the origin, and the corners it is made of."""
    n = cross(subtract(b, a), subtract(c, a))
    if dot(n, cross(a, b)) > 0.0 and dot(n, cross(b, c)) > 0.0 and dot(n, cross(c, a)) > 0.0:
        return scale(dot(n, a) / dot(n, n), n), (a, b, c)
    return _nearer(_nearer(_on_segment(a, b), _on_segment(b, c)), _on_segment(c, a))


@kernel
def _on_segment(a: Vec3, b: Vec3) -> tuple[Vec3, Triangle]:
    """Point of a segment nearest to the origin, and the ends it is made of."""
    d = subtract(b, a)
    along = -dot(a, d)
    if not along > 0.0:
        return a, (a, a, a)
    if along >= dot(d, d):
        return b, (b, b, b)
    return add(a, scale(along / dot(d, d), d)), (a, b, b)


@kernel
def _nearer(first: tuple[Vec3, Triangle], second: tuple[Vec3, Triangle]) -> tuple[Vec3, Triangle]:
    """The one whose point is nearer to the origin."""
    return second if dot(second[0], second[0]) < dot(first[0], first[0]) else first
