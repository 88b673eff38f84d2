"""What of a polyhedron lies farthest along a direction: a vertex, and the face and edge there most square to it.

Vertices, faces and edges are rows of the arrays of the space; directions are in the frame of the shape.
"""

from __future__ import annotations

from typing import Final

from sesshoku.geometry.compass import cell_of
from sesshoku.geometry.space import Handle
from sesshoku.kernel import U, kernel
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, dot, subtract

__all__ = ["climb", "farthest", "flattest_edge", "flattest_face"]

SQUARE: Final = 1.0 - 1e-9  # cosine to a direction beyond which no other face is nearer to it
SCANNED: Final = 24  # vertices up to which looking at all is faster than climbing


@kernel
def farthest(g: Handle, p: int, d: Vec3) -> int:
    """The vertex of polyhedron p farthest along d."""
    vertex, start, end = g.vertex, g.vertex_start[p], g.vertex_start[p + 1]
    if end - start > SCANNED:
        return climb(g, p, d, int(start + g.seed[p, cell_of(d)]))
    best, height = int(start), dot(d, load3(vertex, start))
    for v in range(start + 1, end):
        z = dot(d, load3(vertex, v))
        if z > height:
            best, height = v, z
    return best


@kernel
def climb(g: Handle, p: int, d: Vec3, v: int) -> int:
    """The vertex of polyhedron p farthest along d, sought uphill from vertex v."""
    vertex, neighbour, ring, first = g.vertex, g.neighbour, g.neighbour_start, g.vertex_start[p]
    height = dot(d, load3(vertex, v))
    for _ in range(g.vertex_start[p + 1] - first):
        here = v
        for k in range(ring[U(here)], ring[U(here + 1)]):
            other = first + neighbour[U(k)]
            z = dot(d, load3(vertex, other))
            if z > height:
                v, height = other, z
        if v == here:
            break
    return v


@kernel
def flattest_face(g: Handle, p: int, v: int, d: Vec3, level: float) -> tuple[int, float]:
    """The face of polyhedron p whose normal is nearest to d, and the cosine between them.

    Of those around vertex v, the farthest along d, and around its neighbours that are as far but for ``level`` [m]:
    along the axis of two edges both ends are, and rounding decides which of them is v.
    """
    vertex, neighbour, ring, first = g.vertex, g.neighbour, g.neighbour_start, g.vertex_start[p]
    least = dot(d, load3(vertex, v)) - level
    best, cosine = _flattest_around(g, p, v, d)
    if cosine > SQUARE:
        return best, cosine
    for k in range(ring[v], ring[v + 1]):
        other = first + neighbour[k]
        if dot(d, load3(vertex, other)) > least:
            f, c = _flattest_around(g, p, other, d)
            if c > cosine:
                best, cosine = f, c
    return best, cosine


@kernel
def _flattest_around(g: Handle, p: int, v: int, d: Vec3) -> tuple[int, float]:
    """The same, of the faces around vertex v only."""
    fan, normal, first = g.fan, g.face_normal, g.face_start[p]
    best, cosine = first, -2.0
    for k in range(g.neighbour_start[v], g.neighbour_start[v + 1]):
        f = first + fan[k]
        c = dot(d, load3(normal, f))
        if c > cosine:
            best, cosine = f, c
    return best, cosine


@kernel
def flattest_edge(g: Handle, p: int, v: int, d: Vec3) -> tuple[int, int]:
    """The vertex at the other end of the edge at v that falls least along d, and that edge's number."""
    vertex, neighbour, first = g.vertex, g.neighbour, g.vertex_start[p]
    here = load3(vertex, v)
    best, slope = g.neighbour_start[v], 2.0
    for k in range(g.neighbour_start[v], g.neighbour_start[v + 1]):
        arm = subtract(load3(vertex, first + neighbour[k]), here)
        fall = dot(d, arm)
        fall = fall * fall / dot(arm, arm)
        if fall < slope:
            best, slope = k, fall
    return first + neighbour[best], g.spoke[best]
