"""Two polyhedra: the axis of least overlap, from inside their difference.

A polytope of vertices of the difference grows until its face nearest to the origin is one of the difference: then the
least overlap is exact. It begins around any point inside, so that touching is no special case.
"""

from __future__ import annotations

from typing import Final

from sesshoku.geometry.polyhedral.difference import farthest_of_difference
from sesshoku.geometry.polyhedral.pair import Pair
from sesshoku.geometry.polyhedral.select import tangents
from sesshoku.geometry.polytope import POINTS, grow, nearest_face, tetrahedron
from sesshoku.geometry.space import Handle, polytope_of
from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, cross, dot, norm, scale, subtract

__all__ = ["hull_axis"]

EXACT: Final = 1e-10  # of the size: overlap left undecided
FLAT: Final = 1e-11  # of the size: a face whose plane is this near to a new vertex is replaced, too

Axis = tuple[Vec3, float]


@kernel
def hull_axis(g: Handle, pair: Pair, guess: Vec3) -> Axis:
    """Unit normal from a to b along which they overlap least, and their distance along it.

    In the frame of a; ``guess`` is a first direction. Where they are apart the axis separates them, though not always
    by their distance; beyond the margin, any axis that far will do.
    """
    n = scale(1.0 / norm(guess), guess) if dot(guess, guess) > 0.0 else (1.0, 0.0, 0.0)
    a = farthest_of_difference(g, pair, n)
    if -dot(n, a) > pair.margin:
        return n, -dot(n, a)
    polytope = polytope_of(g)
    b = farthest_of_difference(g, pair, scale(-1.0, n))
    best = _better((n, -dot(n, a)), (scale(-1.0, n), dot(n, b)))
    side = tangents(scale(1.0 / norm(subtract(b, a)), subtract(b, a)))[0]
    c, best = _farther(g, pair, side, a, best)
    square = cross(subtract(b, a), subtract(c, a))
    d, best = _farther(g, pair, scale(1.0 / norm(square), square), a, best)
    faces = tetrahedron(polytope, a, b, c, d)
    for points in range(4, POINTS):
        n, inside = nearest_face(polytope, faces)
        w = farthest_of_difference(g, pair, n)
        best = _better(best, (n, -dot(n, w)))
        # the overlap lies between that of the polytope and the least one seen
        if not -best[1] - inside > EXACT * pair.size or best[1] > pair.margin:
            break
        faces = grow(polytope, faces, points, w, -FLAT * pair.size)
        if faces == 0:
            break
    return best


@kernel
def _farther(g: Handle, pair: Pair, n: Vec3, a: Vec3, best: Axis) -> tuple[Vec3, Axis]:
    """The vertex farthest from a along n or against it, and the best axis so far."""
    back = scale(-1.0, n)
    v, w = farthest_of_difference(g, pair, n), farthest_of_difference(g, pair, back)
    best = _better(best, _better((n, -dot(n, v)), (back, dot(n, w))))
    return (v if dot(n, subtract(v, a)) > dot(n, subtract(a, w)) else w), best


@kernel
def _better(first: Axis, second: Axis) -> Axis:
    """The axis with the larger distance."""
    return second if second[1] > first[1] else first
