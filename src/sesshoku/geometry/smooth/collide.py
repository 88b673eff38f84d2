"""Pairs with a smooth shape that have no closed form: the search for the least height, then the patch across it."""

from __future__ import annotations

from sesshoku.geometry.kind import BOX, CAPSULE, ELLIPSOID, HULL, SPHERE
from sesshoku.geometry.smooth.patch import touch_pair
from sesshoku.geometry.smooth.penetrate import penetrate
from sesshoku.geometry.smooth.refine import refine
from sesshoku.geometry.smooth.separate import separate
from sesshoku.geometry.smooth.support import Pair, height, pair_of, roundness, skin, unit
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, add, norm

__all__ = ["convex_convex"]


@kernel
def convex_convex(g: Handle, a: int, b: int, margin: float) -> None:
    """Two convex shapes: the shortest way between their cores, or out of each other, then the patch across it."""
    pair = pair_of(g, a, b)
    first, second, r, p = pair
    half, other_half = load3(g.half, a), load3(g.half, b)
    size = norm(half) + norm(other_half)
    thin = min(half[0], half[1], half[2], other_half[0], other_half[1], other_half[2])
    way = add(p, rotate(r, load3(g.centre, b)))
    n = unit(way) if norm(way) > 1e-9 * size else (0.0, 0.0, 1.0)
    limit = margin + skin(first)
    if -height(g, pair, n) > limit:
        return
    if first[0] in (SPHERE, CAPSULE) and second[0] in (BOX, HULL):
        n, gap = between_flat(g, pair, n, limit, size)
    else:
        n, gap = between_smooth(g, pair, n, limit, size, thin)
    if gap < limit:
        touch_pair(g, a, b, margin, pair, n, gap - skin(first))


@kernel
def between_flat(g: Handle, pair: Pair, n: Vec3, limit: float, size: float) -> tuple[Vec3, float]:
    """Direction and distance of two cores with corners only, for which the searches are exact."""
    n, gap, found = separate(g, pair, n, limit, 1e-14 * size, size)
    return (n, gap) if found else penetrate(g, pair, n, 1e-13 * size, size)


@kernel
def between_smooth(g: Handle, pair: Pair, n: Vec3, limit: float, size: float, thin: float) -> tuple[Vec3, float]:
    """Direction and distance of two cores, of which one is curved: a coarse search, then a fine one.

    Two ellipsoids have no kinks, so the fine search alone finds a least height. There is no lower one if they are
    apart, or if they overlap less than the radius of a ball that can roll inside their difference.
    """
    if pair[0][0] == ELLIPSOID and pair[1][0] == ELLIPSOID:
        way, gap, sure = refine(g, pair, n, size)
        if sure and gap > -roundness(pair[0]) - roundness(pair[1]):
            return way, gap
    n, gap, found = separate(g, pair, n, limit, 1e-5 * thin, size)
    if gap > limit:
        return n, gap
    if not found:
        n, gap = penetrate(g, pair, n, 1e-5 * thin, size)
    n, gap, _ = refine(g, pair, n, size)
    return n, gap
