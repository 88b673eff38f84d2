"""What lies deep in a box or hull although no contact found so far says so.

On steep spikes a ridge can run through a polyhedron while none of the usual features touches: the ridge is nearer to
a face it cannot leave by, or its nearest point to an edge lies just beyond a peak. It is then parted across the edge
where it is parted soonest.
"""

from __future__ import annotations

from typing import Final

from sesshoku.geometry.environment.ball import TINY
from sesshoku.geometry.environment.patch import EDGES, RANKS, note
from sesshoku.geometry.environment.ridge import Ridge, is_normal, outward, ridge
from sesshoku.geometry.environment.solid import clip, crossing, depth_at, leans, seen_ridge
from sesshoku.geometry.space import Handle
from sesshoku.geometry.surface import RIDGE
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, rotate
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, add, dot, scale, subtract

__all__ = ["touch_missed"]

BEYOND: Final = 0.5  # share of their lengths by which lines are followed beyond their ends
MISSED: Final = 2.0  # how much deeper than the deepest contact a ridge must run to count as missed


@kernel
def touch_missed(g: Handle, a: int, count: int, position: Vec3, rotation: Mat3) -> None:
    """Note the ridges among the first triangles in `near` that run deeper in shape a than any contact found."""
    near, sharp, patch, deepest = g.near, g.ground_sharp, g.patch, 0.0
    for i in range(g.patch_count[0]):
        deepest = min(deepest, patch[i, 6])
    for i in range(count):
        t = near[i]
        for k in range(3):
            if sharp[t] & (RIDGE << k):
                edge = seen_ridge(ridge(g, t, k), position, rotation)
                low, high = clip(g, a, edge.start, edge.end, 0.0)
                middle = add(edge.start, scale(0.5 * (low + high), subtract(edge.end, edge.start)))
                if low < high and depth_at(g, a, middle) < MISSED * deepest - TINY:
                    deepest = min(deepest, _part(g, a, edge, low, high, position, rotation))


@kernel
def _part(g: Handle, a: int, edge: Ridge, low: float, high: float, position: Vec3, rotation: Mat3) -> float:
    """Note the contact of a ridge, inside shape a from low to high, with the edge where it is parted soonest; its gap.

    The nearest points may lie beyond the part inside, and beyond the ends of the edge: see BEYOND.
    """
    solid, e, best, which, normal, point = g.solid[a], subtract(edge.end, edge.start), 0.0, -1, edge.side, edge.start
    vertex, edges, edge_face, normals = g.vertex, g.edge, g.edge_face, g.face_normal
    first_vertex, first_face, first_edge = g.vertex_start[solid], g.face_start[solid], g.edge_start[solid]
    start, e = stretched(add(edge.start, scale(low, e)), scale(high - low, e))
    for i in range(first_edge, g.edge_start[solid + 1]):
        a0, b0 = load3(vertex, first_vertex + edges[i, 0]), load3(vertex, first_vertex + edges[i, 1])
        d = subtract(b0, a0)
        tail, along = stretched(a0, d)
        crosses, n, _, r = crossing(start, e, tail, along)
        n, r = outward(n, edge), min(max((1.0 + 2.0 * BEYOND) * r - BEYOND, 0.0), 1.0)
        gap = dot(n, subtract(a0, start))
        if crosses and gap < 0.0 and (which < 0 or gap > best) and is_normal(n, edge):
            one, two = load3(normals, first_face + edge_face[i, 0]), load3(normals, first_face + edge_face[i, 1])
            if not leans(n, one, two) and not leans(n, two, one):
                best, which, normal, point = gap, i, n, add(a0, scale(r, d))
    if which >= 0:
        point, normal = add(position, rotate(rotation, point)), rotate(rotation, normal)
        note(g, point, normal, best, EDGES + (which - first_edge) * RANKS, 0.0)
    return best


@kernel
def stretched(start: Vec3, along: Vec3) -> tuple[Vec3, Vec3]:
    """A segment, longer at both ends."""
    return subtract(start, scale(BEYOND, along)), scale(1.0 + 2.0 * BEYOND, along)
