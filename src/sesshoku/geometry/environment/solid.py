"""Boxes and hulls against a surface: corners, peaks under their faces, and edges across ridges.

Together these are the corners of the patch where a face of the shape lies on the surface, each with its own gap. The
corners of the shape are points, treated in ball.py; here are the other two.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Final

from sesshoku.geometry.environment.ball import INSIDE, TINY, nearest_point
from sesshoku.geometry.environment.patch import EDGES, PEAKS, RANKS, note
from sesshoku.geometry.environment.ridge import EXTREME, Ridge, fan, is_normal, outward, ridge
from sesshoku.geometry.environment.triangle import Ground, corner, corner_place, corners, gather, normal_of, unit
from sesshoku.geometry.space import Handle
from sesshoku.geometry.surface import PEAK, RIDGE
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, rotate, rotate_back
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["LEAN", "clip", "crossing", "depth_at", "leans", "seen_ridge", "touch_solid"]

# An edge that bounds a face lying on a ridge counts although the face leans by up to this from the ridge [rad]:
# else, of the two ends of the line of contact, one would come and go with each rocking.
LEAN: Final = 0.1
STEEP: Final = 0.5  # cosine of the lean beyond which a face does not lie on an edge
PARALLEL: Final = 1e-6  # sine of the angle between lines that do not cross


@kernel
def touch_solid(g: Handle, a: int, ground: Ground, count: int, position: Vec3, rotation: Mat3, margin: float) -> None:
    """Ridges and peaks of the first triangles in `near` against shape a."""
    near, sharp = g.near, g.ground_sharp
    for i in range(count):
        t = near[i]
        for k in range(3):
            if sharp[t] & (PEAK << k):
                _touch_peak(g, a, t, k, position, rotation, margin)
            if sharp[t] & (RIDGE << k):
                _touch_ridge(g, a, ground, ridge(g, t, k), position, rotation, margin)


@kernel
def _touch_peak(g: Handle, a: int, t: int, k: int, position: Vec3, rotation: Mat3, margin: float) -> None:
    """A corner of the surface that pokes into a face: the one it would leave first, among those it can poke into."""
    x = corner_place(g, t, k)
    y = rotate_back(rotation, subtract(x, position))
    p = g.solid[a]
    start, end, normals, offsets = g.face_start[p], g.face_start[p + 1], g.face_normal, g.face_offset
    beyond = 0
    for f in range(start, end):
        gap = dot(load3(normals, f), y) - offsets[f]
        if gap >= margin:
            return
        beyond += gap > 0.0
    if beyond > 1:  # next to an edge of the shape, below none of its faces
        return
    best, normal = -inf, (0.0, 0.0, 0.0)
    for f in range(start, end):
        gap = dot(load3(normals, f), y) - offsets[f]
        if gap > best and (beyond == 0 or gap > 0.0):
            u = rotate(rotation, scale(-1.0, load3(normals, f)))
            if fan(g, t, k, u) == EXTREME:
                best, normal = gap, u
    if best > -inf:
        note(g, add(x, scale(best, normal)), normal, best, PEAKS + corner(g, t, k), 0.0)


@kernel
def _touch_ridge(g: Handle, a: int, ground: Ground, edge: Ridge, position: Vec3, rotation: Mat3, margin: float) -> None:
    """Edges of the shape across a ridge, where no face of either is sooner parted."""
    seen = seen_ridge(edge, position, rotation)
    p0, e, solid = seen.start, subtract(seen.end, seen.start), g.solid[a]
    low, high = clip(g, a, seen.start, seen.end, margin)
    if low > high:
        return
    vertex, edges, edge_face, normals, reach = g.vertex, g.edge, g.edge_face, g.face_normal, g.reach[a]
    first_vertex, first_face, first_edge = g.vertex_start[solid], g.face_start[solid], g.edge_start[solid]
    for i in range(first_edge, g.edge_start[solid + 1]):
        a0, b0 = load3(vertex, first_vertex + edges[i, 0]), load3(vertex, first_vertex + edges[i, 1])
        d = subtract(b0, a0)
        crosses, n, s, r = crossing(p0, e, a0, d)
        if not crosses:
            continue
        n, x, y = outward(n, seen), add(p0, scale(s, e)), add(a0, scale(r, d))
        gap = dot(n, subtract(y, x))
        if not (-reach < gap < margin) or not is_normal(n, seen):
            continue
        m, o = load3(normals, first_face + edge_face[i, 0]), load3(normals, first_face + edge_face[i, 1])
        if leans(n, m, o) or leans(n, o, m) or _leaves_sooner(g, a, x, gap, seen):
            continue
        point, d, m, o = (
            add(position, rotate(rotation, y)),
            rotate(rotation, d),
            rotate(rotation, m),
            rotate(rotation, o),
        )
        if not _enters_sooner(g, ground, point, gap, d, m, o):
            note(g, point, rotate(rotation, n), gap, EDGES + (i - first_edge) * RANKS, r)


@kernel
def seen_ridge(edge: Ridge, position: Vec3, rotation: Mat3) -> Ridge:
    """A ridge in the frame of a shape at this pose."""
    return Ridge(
        rotate_back(rotation, subtract(edge.start, position)),
        rotate_back(rotation, subtract(edge.end, position)),
        rotate_back(rotation, edge.side),
        rotate_back(rotation, edge.far),
    )


@kernel
def crossing(p: Vec3, e: Vec3, a: Vec3, d: Vec3) -> tuple[bool, Vec3, float, float]:
    """Where the lines p + s e and a + r d are nearest: whether 0 ≤ s, r ≤ 1, the unit vector across both, s, r."""
    n, w = cross(e, d), subtract(a, p)
    nn, s, r = dot(n, n), dot(cross(w, d), n), dot(cross(w, e), n)
    if not (0.0 <= s <= nn and 0.0 <= r <= nn and nn > PARALLEL * PARALLEL * dot(e, e) * dot(d, d)):
        return False, n, 0.0, 0.0
    return True, scale(1.0 / sqrt(nn), n), s / nn, r / nn


@kernel
def leans(n: Vec3, face: Vec3, other: Vec3) -> bool:
    """Whether the shape passes the plane with normal n through an edge, on the side of this face."""
    into = subtract(scale(dot(face, other), face), other)  # across the edge, in the face
    return dot(n, into) < -LEAN * norm(into)


@kernel
def clip(g: Handle, a: int, p: Vec3, q: Vec3, margin: float) -> tuple[float, float]:
    """Part of the segment from p to q, in the frame of the shape, within the margin of it; none if low > high."""
    low, high, normals, offsets = 0.0, 1.0, g.face_normal, g.face_offset
    for f in range(g.face_start[g.solid[a]], g.face_start[g.solid[a] + 1]):
        n = load3(normals, f)
        start, change = dot(n, p) - offsets[f] - margin, dot(n, subtract(q, p))
        if change > 0.0:
            high = min(high, -start / change)
        elif change < 0.0:
            low = max(low, -start / change)
        elif start > 0.0:
            low = inf
        if low > high:
            break
    return low, high


@kernel
def depth_at(g: Handle, a: int, x: Vec3) -> float:
    """Height above the nearest face of the shape of a point inside, negative."""
    height, normals, offsets = -inf, g.face_normal, g.face_offset
    for f in range(g.face_start[g.solid[a]], g.face_start[g.solid[a] + 1]):
        height = max(height, dot(load3(normals, f), x) - offsets[f])
    return height


@kernel
def _leaves_sooner(g: Handle, a: int, x: Vec3, gap: float, edge: Ridge) -> bool:
    """Whether a point of a ridge is much nearer to a face of the shape that can lie on the ridge than to its edges.

    Then the edges overlap, but are not what touches: a block that has sunk into another overlaps with all of them.
    """
    if gap >= 0.0:
        return False
    normals, offsets, e = g.face_normal, g.face_offset, unit(subtract(edge.end, edge.start))
    for f in range(g.face_start[g.solid[a]], g.face_start[g.solid[a] + 1]):
        if 2.0 * (dot(load3(normals, f), x) - offsets[f]) > gap + TINY:
            n = load3(normals, f)
            u = subtract(scale(dot(n, e), e), n)
            if norm(u) > STEEP and is_normal(unit(u), edge):
                return True
    return False


@kernel
def _enters_sooner(g: Handle, ground: Ground, x: Vec3, gap: float, d: Vec3, one: Vec3, two: Vec3) -> bool:
    """The same for a point of an edge along d, between faces with these normals, and the faces of the surface."""
    if gap >= 0.0:
        return False
    d, near = unit(d), g.nearer
    for i in range(gather(g, near, ground, x, x, -gap)):
        a, b, c = corners(g, near[i])
        n = normal_of(a, b, c)
        height = dot(n, subtract(x, a))
        if 2.0 * height > gap + TINY and height <= 0.0:
            _, where = nearest_point(subtract(a, x), subtract(b, x), subtract(c, x), n)
            u = subtract(n, scale(dot(n, d), d))
            if where == INSIDE and norm(u) > STEEP:
                u = unit(u)
                if not leans(u, one, two) and not leans(u, two, one):
                    return True
    return False
