"""The narrow phase of polyhedra."""

from __future__ import annotations

from typing import Final

from sesshoku.geometry.kind import BOX, PLANE
from sesshoku.geometry.polyhedral.box_box import box_axis
from sesshoku.geometry.polyhedral.edges import touch_edges
from sesshoku.geometry.polyhedral.expand import hull_axis
from sesshoku.geometry.polyhedral.faces import touch_faces
from sesshoku.geometry.polyhedral.nearest import nearest
from sesshoku.geometry.polyhedral.pair import Pair
from sesshoku.geometry.polyhedral.plane import collide_plane_box, collide_plane_hull
from sesshoku.geometry.polyhedral.support import farthest, flattest_face
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, multiply, rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, norm, scale, subtract

__all__ = ["collide_polyhedra"]

STEEP: Final = 0.99  # cosine to the normal below which a face does not look along it
FLATTER: Final = 1e-3  # cosine by which the second face must look better to clip the first
EXACT: Final = 1e-8  # of the size: a gap this much above the distance along the axis still is the distance


@kernel
def collide_polyhedra(g: Handle, a: int, b: int, margin: float) -> None:
    """Report the contacts of a plane, box or hull a with a box or hull b, of the same kind or a later one."""
    if g.kind[a] == PLANE:
        if g.kind[b] == BOX:
            collide_plane_box(g, a, b, margin)
        else:
            collide_plane_hull(g, a, b, margin)
        return
    r, t = _seen_from(g, a, b)
    half_a, half_b = load3(g.half, a), load3(g.half, b)
    size = min(norm(half_a), norm(half_b))
    pair = Pair(a, b, g.solid[a], g.solid[b], r, t, size, margin)
    if g.kind[b] == BOX:
        n, distance = box_axis(half_a, half_b, r, t, size, margin)
    else:
        guess = subtract(add(rotate(r, load3(g.centre, b)), t), load3(g.centre, a))
        n, distance = hull_axis(g, pair, guess)
    if not distance < margin or _touch(g, pair, n, distance + EXACT * size):
        return
    if distance > 0.0:
        # apart, and nothing meets along this axis: along the shortest way between them something does
        n, distance = nearest(g, pair, n)
        if not distance < margin or _touch(g, pair, n, distance + EXACT * size):
            return
    _touch(g, pair, n, 1e300)


@kernel
def _touch(g: Handle, pair: Pair, n: Vec3, bound: float) -> bool:
    """Report the contacts along n; none, and False, if none has a gap up to the bound."""
    m = rotate_back(pair.r, scale(-1.0, n))
    v, w = farthest(g, pair.p, n), farthest(g, pair.q, m)
    face_a, cosine_a = flattest_face(g, pair.p, v, n)
    face_b, cosine_b = flattest_face(g, pair.q, w, m)
    if max(cosine_a, cosine_b) > STEEP:
        a_is_flatter = cosine_a > cosine_b - FLATTER
        if touch_faces(g, pair, n, face_a, face_b, a_is_flatter, bound):
            return True
    return touch_edges(g, pair, n, v, w, bound)


@kernel
def _seen_from(g: Handle, a: int, b: int) -> tuple[Mat3, Vec3]:
    """Rotation and position of shape b in the frame of shape a."""
    ra, rb = load9(g.rotation, a), load9(g.rotation, b)
    back = (ra[0], ra[3], ra[6], ra[1], ra[4], ra[7], ra[2], ra[5], ra[8])
    return multiply(back, rb), rotate(back, subtract(load3(g.position, b), load3(g.position, a)))
