"""Two polyhedra: the axis of least overlap, from inside their difference.

A polytope of vertices of the difference grows where its boundary is nearest to the origin (or farthest beyond it),
until it cannot: then its face there is one of the difference, and the least overlap is exact (the expanding polytope
of van den Bergen, begun around any point inside, so that touching is no special case).
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.geometry.polyhedral.difference import farthest_of_difference
from sesshoku.geometry.polyhedral.pair import Pair
from sesshoku.geometry.polyhedral.select import tangents
from sesshoku.geometry.space import EXPANSIONS, Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, cross, dot, norm, scale, subtract

__all__ = ["hull_axis"]

EXACT: Final = 1e-10  # of the size: overlap left undecided
FLAT: Final = 1e-11  # of the size: a face whose plane is this near to a new vertex is replaced, too

Axis = tuple[Vec3, float]
Array = NDArray[np.float64]
Index = NDArray[np.int64]


@kernel
def hull_axis(g: Handle, pair: Pair, guess: Vec3) -> Axis:
    """Unit normal from a to b along which they overlap least, and their distance along it.

    In the frame of a; ``guess`` is a first direction. Where they are apart the axis separates them, though not always
    by their distance; beyond the margin, any axis that far will do.
    """
    point, plane, corner = g.expansion_point, g.expansion_plane, g.expansion_corner
    n = scale(1.0 / norm(guess), guess) if dot(guess, guess) > 0.0 else (1.0, 0.0, 0.0)
    first = farthest_of_difference(g, pair, n)
    if -dot(n, first) > pair.margin:
        return n, -dot(n, first)
    best = _begin(g, pair, n, first)
    faces = 4
    for vertices in range(4, EXPANSIONS):
        f = 0
        for k in range(1, faces):
            if plane[k, 3] < plane[f, 3]:
                f = k
        n = load3(plane, f)
        w = farthest_of_difference(g, pair, n)
        if -dot(n, w) > best[1]:
            best = n, -dot(n, w)
        # the overlap lies between that of the polytope and the least one seen
        if not -best[1] - plane[f, 3] > EXACT * pair.size or best[1] > pair.margin:
            break
        store3(point, vertices, w)
        faces = _grow(point, plane, corner, g.expansion_rim, faces, vertices, FLAT * pair.size)
        if faces == 0:
            break
    return best


@kernel
def _begin(g: Handle, pair: Pair, n: Vec3, a: Vec3) -> Axis:
    """A first tetrahedron from vertex a, the farthest along n, and the best axis seen on the way."""
    point = g.expansion_point
    b = farthest_of_difference(g, pair, scale(-1.0, n))
    best = _better((n, -dot(n, a)), (scale(-1.0, n), dot(n, b)))
    side = tangents(scale(1.0 / norm(subtract(b, a)), subtract(b, a)))[0]
    c, best = _farther(g, pair, side, a, best)
    square = cross(subtract(b, a), subtract(c, a))
    d, best = _farther(g, pair, scale(1.0 / norm(square), square), a, best)
    if dot(square, subtract(d, a)) > 0.0:
        b, c = c, b
    store3(point, 0, a)
    store3(point, 1, b)
    store3(point, 2, c)
    store3(point, 3, d)
    plane, corner = g.expansion_plane, g.expansion_corner
    _face(point, plane, corner, 0, 0, 1, 2)
    _face(point, plane, corner, 1, 0, 3, 1)
    _face(point, plane, corner, 2, 1, 3, 2)
    _face(point, plane, corner, 3, 2, 3, 0)
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


@kernel
def _face(point: Array, plane: Array, corner: Index, f: int, i: int, j: int, k: int) -> None:
    """Write a face with its outward plane; a sliver has none and is never chosen."""
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
def _grow(point: Array, plane: Array, corner: Index, rim: Index, faces: int, new: int, flat: float) -> int:
    """Replace the faces that see point ``new`` by those from it to their rim; number of faces, 0 if it fails."""
    w = load3(point, new)
    edges = 0
    f = 0
    while f < faces:
        if dot(load3(plane, f), w) > plane[f, 3] - flat:
            if edges + 3 > len(rim):
                return 0
            for side in range(3):
                edges = _toggle(rim, edges, corner[f, side], corner[f, (side + 1) % 3])
            faces -= 1
            store3(plane, f, load3(plane, faces))
            plane[f, 3] = plane[faces, 3]
            corner[f, 0], corner[f, 1], corner[f, 2] = corner[faces, 0], corner[faces, 1], corner[faces, 2]
        else:
            f += 1
    if edges < 3 or faces + edges > len(plane):
        return 0
    for e in range(edges):
        _face(point, plane, corner, faces + e, rim[e, 0], rim[e, 1], new)
    return faces + edges


@kernel
def _toggle(rim: Index, edges: int, i: int, j: int) -> int:
    """Add an edge to the rim, or take it away if it is there from the other side; number of edges."""
    for e in range(edges):
        if rim[e, 0] == j and rim[e, 1] == i:
            rim[e, 0], rim[e, 1] = rim[edges - 1, 0], rim[edges - 1, 1]
            return edges - 1
    rim[edges, 0], rim[edges, 1] = i, j
    return edges + 1
