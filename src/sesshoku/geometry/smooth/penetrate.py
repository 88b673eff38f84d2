"""The depth of two cores that overlap: a polytope grows inside their difference where the boundary is nearest."""

from __future__ import annotations

from typing import Final

from sesshoku.geometry.polytope import grow, nearest_face, tetrahedron
from sesshoku.geometry.smooth.support import Pair, difference, perpendicular
from sesshoku.geometry.space import Handle, polytope_of
from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, cross, dot, norm, scale, subtract

__all__ = ["penetrate"]

MOST: Final = 76  # points of the polytope
ABOVE: Final = 1e-13  # of the size: a point this little above a face does not see it


@kernel
def penetrate(g: Handle, pair: Pair, n: Vec3, tolerance: float, size: float) -> tuple[Vec3, float]:
    """The unit vector from A to B along which their depth is least, and minus that depth.

    The nearest face of the polytope is a lower bound of the depth, each support an upper one: it grows until they
    meet within the tolerance.
    """
    polytope = polytope_of(g)
    a, b = difference(g, pair, n), difference(g, pair, scale(-1.0, n))
    along = subtract(b, a)
    c = farther(g, pair, perpendicular(along), a)
    out = cross(along, subtract(c, a))
    faces = tetrahedron(polytope, a, b, c, farther(g, pair, scale(1.0 / norm(out), out), a))
    best, least = n, dot(n, a)
    for points in range(4, MOST):
        n, inside = nearest_face(polytope, faces)
        w = difference(g, pair, n)
        reached = dot(n, w)
        if reached < least:
            best, least = n, reached
        if not least - inside > tolerance:
            break
        faces = grow(polytope, faces, points, w, ABOVE * size)
        if faces == 0:
            break
    return best, -least


@kernel
def farther(g: Handle, pair: Pair, d: Vec3, a: Vec3) -> Vec3:
    """Of the supports on both sides, the one that is farther from a along d."""
    x, y = difference(g, pair, d), difference(g, pair, scale(-1.0, d))
    return x if dot(d, subtract(x, a)) > dot(d, subtract(a, y)) else y
