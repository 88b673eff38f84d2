"""The depth of two cores that overlap: a polyhedron grows inside their difference where the boundary is nearest."""

from __future__ import annotations

from typing import Any

from sesshoku.geometry.smooth.support import Pair, difference, perpendicular
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, cross, dot, norm, scale, subtract

__all__ = ["penetrate"]


@kernel
def penetrate(g: Handle, pair: Pair, n: Vec3, tolerance: float, size: float) -> tuple[Vec3, float]:
    """The unit vector from A to B along which their depth is least, and minus that depth.

    The nearest face of the polyhedron is a lower bound of the depth, each support an upper one: it grows until they
    meet within the tolerance. It need not hold the origin at first: the face that misses it most grows first.
    """
    point, plane, face, edge = g.work_point, g.work_plane, g.work_face, g.work_edge
    faces = first_tetrahedron(g, pair, n, point, plane, face)
    points = 4
    best, least = n, dot(n, load3(point, 0))
    for _ in range(72):
        low = 0
        for k in range(1, faces):
            if plane[k, 3] < plane[low, 3]:
                low = k
        n = load3(plane, low)
        w = difference(g, pair, n)
        reached = dot(n, w)
        if reached < least:
            best, least = n, reached
        if not least - plane[low, 3] > tolerance:
            break
        store3(point, points, w)
        faces, edges = remove_seen(w, 1e-13 * size, plane, face, edge, faces)
        if edges < 3 or faces + edges > len(plane):
            break
        for k in range(edges):
            add_face(point, plane, face, faces + k, edge[k, 0], edge[k, 1], points)
        faces += edges
        points += 1
    return best, -least


@kernel
def first_tetrahedron(g: Handle, pair: Pair, n: Vec3, point: Any, plane: Any, face: Any) -> int:
    """Four points of the difference that are well apart, as the first faces; gives their number."""
    a, b = difference(g, pair, n), difference(g, pair, scale(-1.0, n))
    along = subtract(b, a)
    side = perpendicular(along)
    c = farther(g, pair, side, a)
    out = cross(along, subtract(c, a))
    d = farther(g, pair, scale(1.0 / norm(out), out), a)
    store3(point, 0, a)
    store3(point, 1, b)
    store3(point, 2, c)
    store3(point, 3, d)
    i, j = (1, 2) if dot(out, subtract(d, a)) < 0.0 else (2, 1)
    add_face(point, plane, face, 0, 0, i, j)
    add_face(point, plane, face, 1, 3, j, i)
    add_face(point, plane, face, 2, 3, 0, j)
    add_face(point, plane, face, 3, 3, i, 0)
    return 4


@kernel
def farther(g: Handle, pair: Pair, d: Vec3, a: Vec3) -> Vec3:
    """Of the supports on both sides, the one that is farther from a along d."""
    x, y = difference(g, pair, d), difference(g, pair, scale(-1.0, d))
    return x if dot(d, subtract(x, a)) > dot(d, subtract(a, y)) else y


@kernel
def add_face(point: Any, plane: Any, face: Any, k: int, i: int, j: int, l: int) -> None:  # noqa: E741
    """Write face k with corners i, j, l, anticlockwise seen from outside, and its plane."""
    a = load3(point, i)
    n = cross(subtract(load3(point, j), a), subtract(load3(point, l), a))
    area = norm(n)
    face[k, 0], face[k, 1], face[k, 2] = i, j, l
    if area > 0.0:
        n = scale(1.0 / area, n)
        store3(plane, k, n)
        plane[k, 3] = dot(n, a)
    else:  # a face without area is never the nearest, and is seen from nowhere
        store3(plane, k, (0.0, 0.0, 0.0))
        plane[k, 3] = 1e300


@kernel
def remove_seen(w: Vec3, tolerance: float, plane: Any, face: Any, edge: Any, faces: int) -> tuple[int, int]:
    """Remove the faces seen from w; gives the number of those left, and that of the edges around the hole."""
    edges, k = 0, 0
    while k < faces:
        if dot(load3(plane, k), w) - plane[k, 3] > tolerance:
            for i in range(3):
                edges = toggle(edge, edges, face[k, i], face[k, (i + 1) % 3])
            faces -= 1
            for i in range(3):
                face[k, i] = face[faces, i]
            for i in range(4):
                plane[k, i] = plane[faces, i]
        else:
            k += 1
    return faces, edges


@kernel
def toggle(edge: Any, edges: int, i: int, j: int) -> int:
    """Add an edge to the list, or remove it if its other side is there: it lies between two faces seen."""
    for k in range(edges):
        if edge[k, 0] == j and edge[k, 1] == i:
            edge[k, 0], edge[k, 1] = edge[edges - 1, 0], edge[edges - 1, 1]
            return edges - 1
    if edges < len(edge):
        edge[edges, 0], edge[edges, 1] = i, j
        return edges + 1
    return edges
