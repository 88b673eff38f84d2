"""Volume, centroid and normal of an overlap, from its faces by the theorem of Gauss."""

from __future__ import annotations

from typing import Final

from sesshoku.geometry.overlap.workspace import FACES, SIDE, Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["face_area", "measure", "steady_normal"]

BALANCED: Final = 1e-9  # of the surface: less than this, left over of the faces, gives no direction


@kernel
def face_area(w: Handle, f: int) -> Vec3:
    """Area of a face times its outward unit normal [m²]."""
    start, loop, point = w.start, w.loop, w.point
    side, total = w.count[SIDE], (0.0, 0.0, 0.0)
    first = load3(point, loop[side, start[side, f]])
    for c in range(start[side, f] + 1, start[side, f + 1] - 1):
        a, b = load3(point, loop[side, c]), load3(point, loop[side, c + 1])
        total = add(total, cross(subtract(a, first), subtract(b, first)))
    return scale(0.5, total)


@kernel
def steady_normal(w: Handle, n: Vec3) -> Vec3:
    """The same normal with each face weighed by how well its own agrees with it; needs it as `measure` gives it.

    Of two boxes stacked on each other the sides of the overlap tilt the normal by depth over width, this way or that,
    as one or the other protrudes; weighed like this by the square of it.
    """
    side, total = w.count[SIDE], (0.0, 0.0, 0.0)
    for f in range(w.count[FACES]):
        area = scale(w.sign[side, f], face_area(w, f))
        size = norm(area)
        if size > 0.0:
            total = add(total, scale(max(dot(area, n), 0.0) / size, area))
    length = norm(total)
    return scale(1.0 / length, total) if length > 0.0 else n


@kernel
def measure(w: Handle, thin: float) -> tuple[float, Vec3, Vec3]:
    """Volume [m³], centroid [m] and unit normal from A to B of the overlap; all zero if it is not thicker than given.

    The normal is that of sum sgn_j S_j n_j over the faces, sgn_j = 1 on the surface of A and -1 on that of B. It is
    zero where they are in balance, as where one body lies inside the other. The mean thickness is twice the volume
    over the surface.
    """
    start, loop, sign, point = w.start, w.loop, w.sign, w.point
    side, faces = w.count[SIDE], w.count[FACES]
    nothing = (0.0, 0.0, 0.0)
    if faces == 0:
        return 0.0, nothing, nothing
    # about a point of the overlap: then little cancels
    origin = load3(point, loop[side, 0])
    volume, surface, moment, normal = 0.0, 0.0, nothing, nothing
    for f in range(faces):
        first = subtract(load3(point, loop[side, start[side, f]]), origin)
        total = nothing
        last = subtract(load3(point, loop[side, start[side, f] + 1]), origin)
        for c in range(start[side, f] + 2, start[side, f + 1]):
            here = subtract(load3(point, loop[side, c]), origin)
            # the tetrahedron from the origin to a triangle of the face
            double = cross(subtract(last, first), subtract(here, first))
            part = dot(first, double) / 6.0
            volume += part
            moment = add(moment, scale(0.25 * part, add(first, add(last, here))))
            total = add(total, double)
            last = here
        surface += 0.5 * norm(total)
        normal = add(normal, scale(0.5 * sign[side, f], total))
    if not 2.0 * volume > thin * surface:
        return 0.0, nothing, nothing
    length = norm(normal)
    normal = scale(1.0 / length, normal) if length > BALANCED * surface else nothing
    return volume, add(origin, scale(1.0 / volume, moment)), normal
