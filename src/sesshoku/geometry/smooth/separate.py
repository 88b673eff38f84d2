"""The distance of two cores that are apart: Gilbert, Johnson and Keerthi's walk over simplices in their difference."""

from __future__ import annotations

from sesshoku.geometry.smooth.simplex import nearest
from sesshoku.geometry.smooth.support import Pair, difference
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, dot, norm, scale

__all__ = ["separate"]


@kernel
def separate(g: Handle, pair: Pair, n: Vec3, limit: float, tolerance: float, size: float) -> tuple[Vec3, float, bool]:
    """The unit vector from A to B along their shortest distance, that distance, and whether they are near or apart.

    n is where to look first. Every direction gives a lower bound of the distance, every point of the difference an
    upper one: the walk ends when they meet within the tolerance, or when the lower one exceeds ``limit``. If they
    overlap by more than the tolerance there is no such direction.
    """
    v = difference(g, pair, n)
    best, bound = n, -dot(n, v)
    simplex = (1, v, v, v)
    for _ in range(64):
        distance = norm(v)
        if not distance > 1e-10 * size:
            break
        n = scale(-1.0 / distance, v)
        w = difference(g, pair, n)
        reached = -dot(n, w)
        if reached > bound:
            best, bound = n, reached
        if bound > limit or distance - bound <= tolerance:
            return best, bound, True
        closer, simplex = nearest(simplex, w)
        if simplex[0] == 0 or not norm(closer) < distance:
            break  # the origin is inside, or nothing but rounding errors is left
        v = closer
    return best, bound, bound > 0.0
