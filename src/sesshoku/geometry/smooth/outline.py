"""What of a shape can lie on another one: the point, line or face that is perpendicular to a direction.

Outlines are rows of ``work_point``, in the frame of the first shape of the pair; the first column of ``work_face``
says which corner it is.
"""

from __future__ import annotations

from math import copysign, sqrt
from typing import Final

from sesshoku.geometry.kind import BOX, CAPSULE, CYLINDER, HULL
from sesshoku.geometry.polyhedral.support import farthest
from sesshoku.geometry.smooth.support import FLAT, RIM, Core, across, skin, support
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, rotate, rotate_back
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, dot, norm, scale, subtract

__all__ = ["CAP", "ROOM", "outline"]

CAP: Final = 16  # corners that stand for the rim of a cap
ROOM: Final = 128  # rows for one outline
CORNERS: Final = 60  # of a face are used at most


@kernel
def outline(g: Handle, core: Core, r: Mat3, p: Vec3, n: Vec3, base: int, faces: bool) -> tuple[int, Vec3]:
    """Write the outline of a shape at pose (r, p) that is farthest in direction n, from row ``base``.

    Without ``faces`` those of polyhedra are passed over. Gives the number of corners, anticlockwise about n, and the
    normal of the face they span (n if they span none).
    """
    d = rotate_back(r, n)
    kind, size, solid = core
    if kind in (CAPSULE, CYLINDER) and abs(d[2]) < FLAT:
        side = scale(size[0], d) if kind == CAPSULE else across(scale(size[0] / norm(across(d)), d))
        write(g, base, 0, r, p, subtract(side, (0.0, 0.0, size[1])))
        write(g, base + 1, 1, r, p, add(side, (0.0, 0.0, size[1])))
        return 2, n
    if kind == CYLINDER and norm(across(d)) < FLAT:
        z = copysign(size[1], d[2])
        for k in range(CAP):
            corner = k if z > 0.0 else CAP - 1 - k
            label = corner if z > 0.0 else CAP + corner
            write(g, base + k, label, r, p, add(scale(size[0], RIM[corner]), (0.0, 0.0, z)))
        return CAP, rotate(r, (0.0, 0.0, copysign(1.0, z)))
    if kind in (BOX, HULL):
        return outline_of_polyhedron(g, solid, r, p, n, d, base, faces)
    label = 1 if kind == CAPSULE and d[2] > 0.0 else 0
    write(g, base, label, r, p, add(support(g, core, d), scale(skin(core), d)))
    return 1, n


@kernel
def write(g: Handle, row: int, label: int, r: Mat3, p: Vec3, x: Vec3) -> None:
    """Write one corner, given in the frame of its shape."""
    store3(g.work_point, row, add(p, rotate(r, x)))
    g.work_face[row, 0] = label


@kernel
def outline_of_polyhedron(
    g: Handle, solid: int, r: Mat3, p: Vec3, n: Vec3, d: Vec3, base: int, faces: bool
) -> tuple[int, Vec3]:
    """The face, else the edge, else the vertex of a polyhedron; d is n in its frame."""
    vertex, normal, start = g.vertex, g.face_normal, g.vertex_start[solid]
    best, most = -1, sqrt(1.0 - FLAT * FLAT)
    for k in range(g.face_start[solid], g.face_start[solid + 1] if faces else 0):
        cosine = dot(load3(normal, k), d)
        if cosine > most:
            best, most = k, cosine
    if best >= 0:
        first, count, corner = g.corner_start[best], g.corner_start[best + 1] - g.corner_start[best], g.corner
        stride = (count + CORNERS - 1) // CORNERS
        count = (count + stride - 1) // stride
        for k in range(count):
            v = corner[first + k * stride]
            write(g, base + k, v, r, p, load3(vertex, start + v))
        return count, rotate(r, load3(normal, best))
    here = farthest(g, solid, d)
    there, least = -1, FLAT
    near = g.neighbour
    for j in range(g.neighbour_start[here], g.neighbour_start[here + 1]):
        edge = subtract(load3(vertex, start + near[j]), load3(vertex, here))
        sine = abs(dot(edge, d)) / norm(edge)
        if sine < least:
            there, least = start + near[j], sine
    if there < 0:
        write(g, base, here - start, r, p, load3(vertex, here))
        return 1, n
    write(g, base, min(here, there) - start, r, p, load3(vertex, min(here, there)))
    write(g, base + 1, max(here, there) - start, r, p, load3(vertex, max(here, there)))
    return 2, n
