"""Two boxes, or two other polyhedra: the axis, then what touches along it."""

from __future__ import annotations

from typing import Final

from sesshoku.geometry.polyhedral.box_box import box_axis, graze
from sesshoku.geometry.polyhedral.edges import touch_edges
from sesshoku.geometry.polyhedral.expand import hull_axis
from sesshoku.geometry.polyhedral.faces import touch_faces
from sesshoku.geometry.polyhedral.nearest import nearest
from sesshoku.geometry.polyhedral.pair import Pair
from sesshoku.geometry.polyhedral.support import farthest, flattest_face
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import multiply, rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, norm, scale, subtract

__all__ = ["collide_boxes", "collide_polyhedra"]

STEEP: Final = 0.99  # cosine to the normal below which a face does not look along it
FLATTER: Final = 1e-3  # cosine by which the second face must look better to clip the first
EQUAL: Final = 1e-9  # of the size: vertices whose heights along the normal differ less are equally far
EXACT: Final = 1e-8  # of the size: a gap this much above the distance along the axis still is the distance


@kernel
def collide_boxes(g: Handle, a: int, b: int, margin: float) -> None:
    """Report the contacts of two boxes."""
    pair = _pair_of(g, a, b, margin)
    half_a, half_b = load3(g.half, a), load3(g.half, b)
    n, distance = box_axis(half_a, half_b, pair.r, pair.t, pair.size, margin)
    if distance <= 0.0 or not graze(half_a, half_b, pair.r, pair.t, n):
        _report_along(g, pair, n, distance)


@kernel
def collide_polyhedra(g: Handle, a: int, b: int, margin: float) -> None:
    """Report the contacts of two polyhedra."""
    pair = _pair_of(g, a, b, margin)
    guess = subtract(add(rotate(pair.r, load3(g.centre, b)), pair.t), load3(g.centre, a))
    n, distance = hull_axis(g, pair, guess)
    _report_along(g, pair, n, distance)


@kernel
def _report_along(g: Handle, pair: Pair, n: Vec3, distance: float) -> None:
    """Report the contacts of two polyhedra that are this far apart along n, and along no axis farther."""
    if not distance < pair.margin or _touch(g, pair, n, distance + EXACT * pair.size):
        return
    if distance > 0.0:
        # apart, and nothing meets along this axis: along the shortest way between them something does
        n, distance = nearest(g, pair, n, distance)
        if not distance < pair.margin or _touch(g, pair, n, distance + EXACT * pair.size):
            return
    _touch(g, pair, n, 1e300)


@kernel
def _touch(g: Handle, pair: Pair, n: Vec3, bound: float) -> bool:
    """Report the contacts along n; none, and False, if none has a gap up to the bound."""
    m = rotate_back(pair.r, scale(-1.0, n))
    v, w = farthest(g, pair.p, n), farthest(g, pair.q, m)
    face_a, cosine_a = flattest_face(g, pair.p, v, n, EQUAL * pair.size)
    face_b, cosine_b = flattest_face(g, pair.q, w, m, EQUAL * pair.size)
    if max(cosine_a, cosine_b) > STEEP:
        a_is_flatter = cosine_a > cosine_b - FLATTER
        if touch_faces(g, pair, n, face_a, face_b, a_is_flatter, bound):
            return True
    return touch_edges(g, pair, n, v, w, bound)


@kernel
def _pair_of(g: Handle, a: int, b: int, margin: float) -> Pair:
    """Shapes a and b, seen from a."""
    ra, rb = load9(g.rotation, a), load9(g.rotation, b)
    back = (ra[0], ra[3], ra[6], ra[1], ra[4], ra[7], ra[2], ra[5], ra[8])
    t = rotate(back, subtract(load3(g.position, b), load3(g.position, a)))
    size = min(norm(load3(g.half, a)), norm(load3(g.half, b)))
    return Pair(a, b, g.solid[a], g.solid[b], multiply(back, rb), t, size, margin)
