"""The point of a segment, triangle or tetrahedron that is nearest to the origin, and the corners that carry it."""

from __future__ import annotations

from typing import TypeAlias

from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = ["Simplex", "nearest"]

Simplex: TypeAlias = tuple[int, Vec3, Vec3, Vec3]  # number of corners, one to three, and the corners


@kernel
def nearest(simplex: Simplex, d: Vec3) -> tuple[Vec3, Simplex]:
    """The nearest point of a simplex with one more corner d; nought corners if the origin is inside."""
    k, a, b, c = simplex
    if k == 1:
        return on_segment(a, d)
    return on_triangle(a, b, d) if k == 2 else on_tetrahedron(a, b, c, d)


@kernel
def on_segment(a: Vec3, b: Vec3) -> tuple[Vec3, Simplex]:
    """The nearest point of a segment."""
    along = subtract(b, a)
    t, length2 = -dot(a, along), dot(along, along)
    if not t > 0.0:
        return a, (1, a, a, a)
    if t >= length2:
        return b, (1, b, b, b)
    return add(a, scale(t / length2, along)), (2, a, b, b)


@kernel
def on_triangle(a: Vec3, b: Vec3, c: Vec3) -> tuple[Vec3, Simplex]:
    """The nearest point of a triangle."""
    n = cross(subtract(b, a), subtract(c, a))
    # on which side of each edge, seen along n, the origin lies
    inside_ab, inside_bc, inside_ca = dot(cross(a, b), n), dot(cross(b, c), n), dot(cross(c, a), n)
    if inside_ab > 0.0 and inside_bc > 0.0 and inside_ca > 0.0:
        return scale(dot(a, n) / dot(n, n), n), (3, a, b, c)
    best, kept = on_segment(a, b)
    point, corners = on_segment(b, c)
    if dot(point, point) < dot(best, best):
        best, kept = point, corners
    point, corners = on_segment(c, a)
    if dot(point, point) < dot(best, best):
        best, kept = point, corners
    return best, kept


@kernel
def on_tetrahedron(a: Vec3, b: Vec3, c: Vec3, d: Vec3) -> tuple[Vec3, Simplex]:
    """The nearest point of a tetrahedron; nought corners if the origin is inside."""
    best, kept = d, (0, a, b, c)
    for i in range(4):
        # the last corner is the newest: the origin was in front of the face of the others, which comes first
        p, q, r, apex = (a, b, c, d) if i == 0 else (b, c, d, a) if i == 1 else (c, d, a, b) if i == 2 else (d, a, b, c)
        n = cross(subtract(q, p), subtract(r, p))
        if dot(n, p) * dot(n, subtract(apex, p)) >= 0.0:  # beyond this face, or the tetrahedron is flat
            point, corners = on_triangle(p, q, r)
            if kept[0] == 0 or dot(point, point) < dot(best, best):
                best, kept = point, corners
    return best, kept
