"""Boxes and hulls on a plane: vertices, each with its own gap."""

from __future__ import annotations

from sesshoku.geometry.polyhedral.feature import vertex_of_b
from sesshoku.geometry.polyhedral.select import DEEPER, DIRECTIONS, tangents
from sesshoku.geometry.polyhedral.support import climb, farthest
from sesshoku.geometry.space import Handle, append
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, dot, scale, subtract

__all__ = ["collide_plane_box", "collide_plane_hull"]


@kernel
def collide_plane_box(g: Handle, a: int, b: int, margin: float) -> None:
    """The corners of the lowest face of box b that are near plane a."""
    n, height = _above(g, a, b)
    r, half = load9(g.rotation, b), load3(g.size, b)
    m = rotate_back(r, n)
    x, y, z = half[0] * m[0], half[1] * m[1], half[2] * m[2]
    if not height - abs(x) - abs(y) - abs(z) < margin:
        return
    centre = load3(g.position, b)
    # bits of the axis most square to the plane, and of its lower end; see box_polyhedron
    steepest = max(abs(m[0]), abs(m[1]), abs(m[2]))
    if abs(m[0]) == steepest:
        axis, lower = 1, 0 if m[0] > 0.0 else 1
    elif abs(m[1]) == steepest:
        axis, lower = 2, 0 if m[1] > 0.0 else 2
    else:
        axis, lower = 4, 0 if m[2] > 0.0 else 4
    for v in range(8):
        if v & axis == lower:
            i = 1.0 if v & 1 else -1.0
            j = 1.0 if v & 2 else -1.0
            k = 1.0 if v & 4 else -1.0
            gap = height + i * x + j * y + k * z
            if gap < margin:
                corner = add(centre, rotate(r, (i * half[0], j * half[1], k * half[2])))
                append(g, a, b, subtract(corner, scale(0.5 * gap, n)), n, gap, vertex_of_b(v))


@kernel
def collide_plane_hull(g: Handle, a: int, b: int, margin: float) -> None:
    """The vertices hull b would stand on if it were tipped to each side, and its lowest, where near plane a."""
    n, height = _above(g, a, b)
    p, r = g.solid[b], load9(g.rotation, b)
    down = scale(-1.0, rotate_back(r, n))
    lowest = farthest(g, p, down)
    depth = dot(down, load3(g.vertex, lowest)) - height
    if not -depth < margin:
        return
    u, w = tangents(down)
    begin, highest, v = g.count[0], -margin, lowest
    for c, s in DIRECTIONS:
        v = climb(g, p, add(down, add(scale(c, u), scale(s, w))), v)
        fall = dot(down, load3(g.vertex, v)) - height
        highest = max(highest, fall)
        if -fall < margin and not _reported(g, begin, vertex_of_b(v - g.vertex_start[p])):
            _report(g, a, b, v, n, -fall)
    if depth > highest + DEEPER * g.reach[b]:
        _report(g, a, b, lowest, n, -depth)


@kernel
def _report(g: Handle, a: int, b: int, v: int, n: Vec3, gap: float) -> None:
    """Append the contact of vertex v."""
    place = add(load3(g.position, b), rotate(load9(g.rotation, b), load3(g.vertex, v)))
    number = v - g.vertex_start[g.solid[b]]
    append(g, a, b, subtract(place, scale(0.5 * gap, n)), n, gap, vertex_of_b(number))


@kernel
def _reported(g: Handle, begin: int, feature: int) -> bool:
    """Whether a feature is among the contacts since ``begin``."""
    found = False
    for k in range(begin, min(g.count[0], len(g.feature))):
        found |= g.feature[k] == feature
    return found


@kernel
def _above(g: Handle, a: int, b: int) -> tuple[Vec3, float]:
    """Normal of plane a in the world, and the height of the frame of b above it."""
    r = load9(g.rotation, a)
    n = (r[2], r[5], r[8])
    return n, dot(n, subtract(load3(g.position, b), load3(g.position, a)))
