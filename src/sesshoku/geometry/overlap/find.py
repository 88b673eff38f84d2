"""The contact volume of two shapes: their overlap with its centroid, its normal and its section."""

from __future__ import annotations

from typing import Final, NamedTuple

from sesshoku.geometry.kind import PLANE
from sesshoku.geometry.overlap.clip import clip
from sesshoku.geometry.overlap.depth import Moments, integrate_depth
from sesshoku.geometry.overlap.measure import measure, steady_normal
from sesshoku.geometry.overlap.section import look_along, section
from sesshoku.geometry.overlap.workspace import SECTION
from sesshoku.geometry.overlap.workspace import Handle as Work
from sesshoku.geometry.polyhedral.select import tangents
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, add, dot

__all__ = ["ContactVolume", "find_overlap"]

THIN: Final = 1e-14  # of the size: what is not thicker is rounding


class ContactVolume(NamedTuple):
    """The overlap of shapes A and B, in the world.

    Attributes:
        volume: [m³]; 0 if they do not overlap, or only touch.
        centroid: p_g [m].
        normal: unit vector n from A to B; zero if there is no direction, as where one lies inside the other.
        e1, e2: tangents, (e1, e2, n) right-handed; the section is given along them.
        moments: integrals over the contact plane; all zero without a normal.
    """

    volume: float
    centroid: Vec3
    normal: Vec3
    e1: Vec3
    e2: Vec3
    moments: Moments


@kernel
def find_overlap(g: Handle, w: Work, a: int, b: int, steady: bool) -> ContactVolume:
    """The contact volume of two shapes, polyhedra or one of them a plane, where they are.

    ``steady``: with the normal that sides of thin overlaps do not tilt.

    Fills `section`, too. Its faces are cut there: of the overlap as a whole only these results are left.
    """
    # a plane has no polyhedron to be clipped
    if g.kind[b] == PLANE:
        clipped, size = a, g.reach[a]
        clip(g, w, b, a, -1.0)
    else:
        clipped, size = b, g.reach[b]
        clip(g, w, a, b, 1.0)
    w.count[SECTION] = 0
    volume, centroid, n = measure(w, THIN * size)
    e1, e2 = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    moments = Moments(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if dot(n, n) > 0.0:
        if steady:
            n = steady_normal(w, n)
        e1, e2 = tangents(n)
        look_along(w, centroid, e1, e2, n)
        moments = integrate_depth(w)
        section(w, centroid, e1, e2, n, size)
    if volume > 0.0:
        centroid = add(load3(g.position, clipped), centroid)
    return ContactVolume(volume, centroid, n, e1, e2, moments)
