"""A polytope of triangles that grows point by point inside the difference of two shapes, to find how they overlap.

Its face nearest to the origin bounds their depth from below, and tells where to look for the next point (the
expanding polytope of van den Bergen). It need not hold the origin at first: the face that misses it most comes first.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, cross, dot, norm, scale, subtract

__all__ = ["POINTS", "Polytope", "grow", "nearest_face", "tetrahedron"]

POINTS: Final = 128  # most points; twice as many faces

Array = NDArray[np.float64]
Index = NDArray[np.int64]
Polytope = tuple[Array, Array, Index, Index]  # points; planes, corners of the faces; memory for the rim of a hole


@kernel
def tetrahedron(polytope: Polytope, a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> int:
    """Begin with four points, in any order; number of faces."""
    point = polytope[0]
    if dot(cross(subtract(b, a), subtract(c, a)), subtract(d, a)) > 0.0:
        b, c = c, b
    store3(point, 0, a)
    store3(point, 1, b)
    store3(point, 2, c)
    store3(point, 3, d)
    _face(polytope, 0, 0, 1, 2)
    _face(polytope, 1, 0, 3, 1)
    _face(polytope, 2, 1, 3, 2)
    _face(polytope, 3, 2, 3, 0)
    return 4


@kernel
def nearest_face(polytope: Polytope, faces: int) -> tuple[Vec3, float]:
    """Outward unit normal of the face nearest to the origin, or farthest beyond it, and its distance."""
    plane, nearest = polytope[1], 0
    for f in range(1, faces):
        if plane[f, 3] < plane[nearest, 3]:
            nearest = f
    return load3(plane, nearest), plane[nearest, 3]


@kernel
def grow(polytope: Polytope, faces: int, new: int, w: Vec3, above: float) -> int:
    """Make w its next point: faces that w is this far above are replaced; number of faces, 0 if it fails."""
    point, plane, corner, rim = polytope
    store3(point, new, w)
    edges, f = 0, 0
    while f < faces:
        if dot(load3(plane, f), w) - plane[f, 3] > above:
            if edges + 3 > len(rim):
                return 0
            i, j, k = corner[f, 0], corner[f, 1], corner[f, 2]
            edges = _toggle(rim, _toggle(rim, _toggle(rim, edges, i, j), j, k), k, i)
            faces -= 1
            store3(plane, f, load3(plane, faces))
            plane[f, 3] = plane[faces, 3]
            corner[f, 0], corner[f, 1], corner[f, 2] = corner[faces, 0], corner[faces, 1], corner[faces, 2]
        else:
            f += 1
    if edges < 3 or faces + edges > len(plane):
        return 0
    for e in range(edges):
        _face(polytope, faces + e, rim[e, 0], rim[e, 1], new)
    return faces + edges


@kernel
def _face(polytope: Polytope, f: int, i: int, j: int, k: int) -> None:
    """Write a face with its outward plane; one without area has none and is never chosen."""
    point, plane, corner, _ = polytope
    a = load3(point, i)
    n = cross(subtract(load3(point, j), a), subtract(load3(point, k), a))
    length = norm(n)
    if length > 0.0:
        n = scale(1.0 / length, n)
        plane[f, 3] = dot(n, a)
    else:
        plane[f, 3] = 1e300
    store3(plane, f, n)
    corner[f, 0], corner[f, 1], corner[f, 2] = i, j, k


@kernel
def _toggle(rim: Index, edges: int, i: int, j: int) -> int:
    """Add an edge to the rim, or take it away if it is there from the other side; number of edges."""
    for e in range(edges):
        if rim[e, 0] == j and rim[e, 1] == i:
            rim[e, 0], rim[e, 1] = rim[edges - 1, 0], rim[edges - 1, 1]
            return edges - 1
    rim[edges, 0], rim[edges, 1] = i, j
    return edges + 1
