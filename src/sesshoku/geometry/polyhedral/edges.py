"""Contact of two edges, or of vertices and edges, where no face looks along the normal."""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.geometry.polyhedral.feature import SAME, crossing, vertex_of_a, vertex_of_b
from sesshoku.geometry.polyhedral.pair import Pair, report
from sesshoku.geometry.polyhedral.support import flattest_edge
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, add, dot, norm, scale, subtract

__all__ = ["touch_edges"]

PARALLEL: Final = 1e-12  # squared sine below which two edges touch along their length
ASIDE: Final = 1e-6  # of the size: witness points so far from one line along the normal are no contact

Edge = tuple[Vec3, Vec3, int, int, int]  # a vertex, the way to the other end, the numbers of both ends and the edge


@kernel
def touch_edges(g: Handle, pair: Pair, n: Vec3, v: int, w: int, bound: float) -> bool:
    """Report the contact along n of the edges at vertex v of a and w of b; none, and False, if beyond the bound.

    Edges side by side touch at both ends of the length they share.
    """
    first, second = _edge_of_a(g, pair, v, n), _edge_of_b(g, pair, w, n)
    d, e, between = first[1], second[1], subtract(second[0], first[0])
    dd, de, ee, db, eb = dot(d, d), dot(d, e), dot(e, e), dot(d, between), dot(e, between)
    squared_sine = dd * ee - de * de
    if squared_sine > PARALLEL * dd * ee:
        along = _within((db * ee - de * eb) / squared_sine)
        along = _within((db + de * _within((along * de - eb) / ee)) / dd)
        return _touch_at(g, pair, n, first, second, along, _within((along * de - eb) / ee), bound)
    # from where to where the second edge lies along the first
    begin, end = _within(db / dd), _within((db + de) / dd)
    touched = _touch_at(g, pair, n, first, second, begin, _within((begin * de - eb) / ee), bound)
    if abs(end - begin) * sqrt(dd) > 2.0 * SAME * pair.size:
        touched |= _touch_at(g, pair, n, first, second, end, _within((end * de - eb) / ee), bound)
    return touched


@kernel
def _touch_at(g: Handle, pair: Pair, n: Vec3, first: Edge, second: Edge, s: float, t: float, bound: float) -> bool:
    """Report the contact at these parts of two edges, if its witness points lie along n and within the bound."""
    x, y = add(first[0], scale(s, first[1])), add(second[0], scale(t, second[1]))
    between = subtract(y, x)
    gap = dot(n, between)
    if gap > bound or (bound < 1e300 and norm(subtract(between, scale(gap, n))) > ASIDE * pair.size):
        return False
    v, w = _end(first, s, SAME * pair.size), _end(second, t, SAME * pair.size)
    if v >= 0:
        feature = vertex_of_a(v)
    elif w >= 0:
        feature = vertex_of_b(w)
    else:
        feature = crossing(first[4], second[4], g.edge_start[pair.q + 1] - g.edge_start[pair.q])
    report(g, pair, scale(0.5, add(x, y)), n, gap, feature)
    return True


@kernel
def _edge_of_a(g: Handle, pair: Pair, v: int, n: Vec3) -> Edge:
    """The edge of a at vertex v most square to n, in the frame of a."""
    other, edge = flattest_edge(g, pair.p, v, n)
    start, x = g.vertex_start[pair.p], load3(g.vertex, v)
    return x, subtract(load3(g.vertex, other), x), v - start, other - start, edge


@kernel
def _edge_of_b(g: Handle, pair: Pair, w: int, n: Vec3) -> Edge:
    """The edge of b at vertex w most square to n, in the frame of a."""
    other, edge = flattest_edge(g, pair.q, w, rotate_back(pair.r, n))
    start, y = g.vertex_start[pair.q], load3(g.vertex, w)
    way = rotate(pair.r, subtract(load3(g.vertex, other), y))
    return add(rotate(pair.r, y), pair.t), way, w - start, other - start, edge


@kernel
def _end(edge: Edge, s: float, near: float) -> int:
    """The vertex near part s of an edge, or -1."""
    length = norm(edge[1])
    if s * length < near:
        return edge[2]
    return edge[3] if (1.0 - s) * length < near else -1


@kernel
def _within(s: float) -> float:
    """Between 0 and 1."""
    return min(1.0, max(0.0, s))
