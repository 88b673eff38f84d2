"""The overlap of two shapes: the polyhedron of one, clipped by all faces of the other."""

from __future__ import annotations

from typing import Final

from sesshoku.geometry.kind import PLANE
from sesshoku.geometry.overlap.cut import cut, measure_heights
from sesshoku.geometry.overlap.measure import face_area
from sesshoku.geometry.overlap.workspace import FACES, SIDE, VERTICES
from sesshoku.geometry.overlap.workspace import Handle as Work
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3, load9, store3
from sesshoku.spatial.vector import Vec3, dot, norm, subtract

__all__ = ["clip"]

SHARED: Final = 1e-9  # of the size: faces so near to one plane lie on it
PARALLEL: Final = 1.0 - 1e-6  # cosine from which on a face looks along a normal


@kernel
def clip(g: Handle, w: Work, a: int, b: int, sign: float) -> None:
    """Leave in the workspace what b, a polyhedron, has in common with a, a polyhedron or plane.

    In world axes, from the origin of b. Faces on the surface of a have this sign, those on that of b the opposite one.
    """
    _take(g, w, b, -sign)
    size = min(g.reach[a], g.reach[b])
    r = load9(g.rotation, a)
    shift = subtract(load3(g.position, a), load3(g.position, b))
    if g.kind[a] == PLANE:
        n = (r[2], r[5], r[8])
        _keep_below(w, n, dot(n, shift), sign, size)
        return
    face_normal, face_offset, face_start, p = g.face_normal, g.face_offset, g.face_start, g.solid[a]
    begin, faces = face_start[p], face_start[p + 1] - face_start[p]
    first = _facing(g, p, rotate_back(r, subtract(rotate(load9(g.rotation, b), load3(g.centre, b)), shift)))
    for k in range(faces):
        # the one that takes most away comes first, so that the others have little to do
        f = first if k == 0 else begin if begin + k == first else begin + k
        n = rotate(r, load3(face_normal, f))
        _keep_below(w, n, face_offset[f] + dot(n, shift), sign, size)
        if w.count[FACES] == 0:
            return


@kernel
def _facing(g: Handle, p: int, x: Vec3) -> int:
    """The face of polyhedron p above which a point of its frame is highest."""
    face_normal, face_offset, face_start = g.face_normal, g.face_offset, g.face_start
    best, highest = face_start[p], -1e300
    for f in range(face_start[p], face_start[p + 1]):
        height = dot(load3(face_normal, f), x) - face_offset[f]
        if height > highest:
            best, highest = f, height
    return int(best)


@kernel
def _take(g: Handle, w: Work, b: int, sign: float) -> None:
    """Copy the polyhedron of a shape, in world axes from its own origin."""
    slot, point, start, loop, signs, count = w.slot, w.point, w.start, w.loop, w.sign, w.count
    vertex, corner, corner_start, p, r = g.vertex, g.corner, g.corner_start, g.solid[b], load9(g.rotation, b)
    begin, face = g.vertex_start[p], g.face_start[p]
    count[VERTICES], count[FACES] = g.vertex_start[p + 1] - begin, g.face_start[p + 1] - face
    side, row = count[SIDE], 0
    for k in range(count[VERTICES]):
        store3(point, slot[k], rotate(r, load3(vertex, begin + k)))
    for f in range(count[FACES]):
        signs[side, f] = sign
        for c in range(corner_start[face + f], corner_start[face + f + 1]):
            loop[side, row] = slot[corner[c]]
            row += 1
        start[side, f + 1] = row


@kernel
def _keep_below(w: Work, n: Vec3, offset: float, sign: float, size: float) -> None:
    """Cut by the plane n · x = offset, a face of the other shape."""
    lowest, highest = measure_heights(w, n, offset)
    if not lowest < 0.0:
        w.count[VERTICES], w.count[FACES] = 0, 0
    elif highest > -SHARED * size:
        shared = _share(w, n, size)
        if not highest < 0.0:
            cut(w, 0.0 if shared else sign)


@kernel
def _share(w: Work, n: Vec3, size: float) -> bool:
    """Give sign 0 to faces that lie along the plane and look the same way; whether there are any.

    Both bodies have them. Rounding must not decide to which of them they count: sides of two aligned boxes would tilt
    the normal. What is left of a face that was cut down to an edge or a vertex looks nowhere, and is none of them.
    """
    start, loop, sign, height = w.start, w.loop, w.sign, w.height
    side, near, shared = w.count[SIDE], SHARED * size, False
    for f in range(w.count[FACES]):
        along = True
        for c in range(start[side, f], start[side, f + 1]):
            along = along and abs(height[loop[side, c]]) <= near
        if along:
            area = face_area(w, f)
            if dot(area, n) > max(PARALLEL * norm(area), near * size):
                sign[side, f], shared = 0.0, True
    return shared
