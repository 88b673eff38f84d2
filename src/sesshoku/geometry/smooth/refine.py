"""From a fair direction to the exact one: Newton's method on the direction in which two cores overlap least.

The height h(n) of the difference of two cores over the plane with normal n is smooth but for kinks: where n becomes
perpendicular to an edge, to the side line of a cylinder or to its cap. At the least height n either lies where h is
smooth, or on one kink, or on two. All that are near are tried; the lowest height is the answer, whichever way it came.
"""

from __future__ import annotations

from typing import Any

from sesshoku.geometry.kind import BOX, CAPSULE, CYLINDER, HULL
from sesshoku.geometry.polyhedral.support import farthest
from sesshoku.geometry.smooth.support import (
    Core,
    Pair,
    across,
    bend,
    difference,
    height,
    perpendicular,
    unit,
)
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, rotate, rotate_back
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["refine"]

NEAR = 0.05  # sine of the angle at which a kink is near
MOST = 10  # kinks that are tried
PASSES = 5
STEPS = 10  # of Newton's method
SETTLED = 1e-7  # length of its last step [rad]
PROBE = 1e-4  # angle at which the directions around the answer are looked at [rad]


@kernel
def refine(g: Handle, pair: Pair, n: Vec3, size: float) -> tuple[Vec3, float, bool]:
    """The direction near n in which A reaches least beyond B, minus that height, and whether it surely is one."""
    kink = g.work_point
    a, b, r, _ = pair
    best, least, slack = n, height(g, pair, n), 1e-15 * size
    for _ in range(PASSES):
        n, settled = descend(g, pair, best)
        h = height(g, pair, n)
        if h <= least + slack:
            best, least = n, h
            if settled:
                return best, -least, True
        n = best
        count = kinks(g, a, (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), n, kink, 0)
        count = kinks(g, b, r, scale(-1.0, n), kink, count)
        for i in range(count):
            u = load3(kink, i)
            way = descend_across(g, pair, unit(subtract(n, scale(dot(u, n), u))), u)
            h = height(g, pair, way)
            if h <= least + slack:
                best, least = way, h
            for j in range(i):
                corner = cross(u, load3(kink, j))
                sine = norm(corner)
                if sine > 1e-6:
                    way = scale((1.0 if dot(corner, n) > 0.0 else -1.0) / sine, corner)
                    h = height(g, pair, way)
                    if h <= least + slack:
                        best, least = way, h
        if count == 0:
            continue
        s = perpendicular(best)
        store3(kink, count, s)
        store3(kink, count + 1, cross(best, s))
        n, h = probe(g, pair, best, kink, count + 2)
        if not h < least - 1e-13 * size:
            return best, -least, True
        best, least = n, h
    return best, -least, False


@kernel
def probe(g: Handle, pair: Pair, n: Vec3, kink: Any, count: int) -> tuple[Vec3, float]:
    """The lowest of the directions around n, and its height: to both sides across each of the vectors noted.

    The last one looks away from where the supports of the others are on average: the way off the middle of a cap.
    """
    best, least = n, 1e300
    mean = (0.0, 0.0, 0.0)
    for k in range(2 * count + 1):
        t = cross(n, load3(kink, k // 2)) if k < 2 * count else subtract(scale(dot(n, mean), n), mean)
        length = norm(t)
        if length > 0.0:
            way = unit(add(n, scale((PROBE if k % 2 == 0 else -PROBE) / length, t)))
            w = difference(g, pair, way)
            mean = add(mean, w)
            h = dot(way, w)
            if h < least:
                best, least = way, h
    return best, least


@kernel
def descend(g: Handle, pair: Pair, n: Vec3) -> tuple[Vec3, bool]:
    """Newton's method on the unit sphere, from n, with steps cut to go downhill; and whether it has settled."""
    w = difference(g, pair, n)
    h = dot(n, w)
    for _ in range(STEPS):
        s = perpendicular(n)
        t = cross(n, s)
        along_s, along_t = bend_of(pair, n, s), bend_of(pair, n, t)
        ss, st, tt = dot(s, along_s) - h, dot(s, along_t), dot(t, along_t) - h
        bowl = ss > 0.0 and ss * tt > st * st
        if not bowl and h > 0.0:  # without the bend of the sphere it is one wherever both shapes are round
            ss, tt = ss + h, tt + h
        if ss * tt - st * st < 1e-9 * (ss + tt) * (ss + tt):  # flat one way, as over a sharp edge: a short step there
            ss, tt = ss + 1e-6 * (ss + tt), tt + 1e-6 * (ss + tt)
        determinant = ss * tt - st * st
        if not determinant > 0.0:
            break
        gs, gt = dot(s, w), dot(t, w)
        step = add(scale((st * gt - tt * gs) / determinant, s), scale((st * gs - ss * gt) / determinant, t))
        length = norm(step)
        if length < SETTLED:
            return unit(add(n, step)), bowl
        n, w, h, cut = downhill(g, pair, n, w, h, scale(min(1.0, 0.3 / length), step))
        if cut == 0.0:
            break
    return n, False


@kernel
def descend_across(g: Handle, pair: Pair, n: Vec3, u: Vec3) -> Vec3:
    """The same for directions perpendicular to u only."""
    w = difference(g, pair, n)
    h = dot(n, w)
    for _ in range(STEPS):
        t = cross(n, u)
        step = -dot(t, w) / (dot(t, bend_of(pair, n, t)) - h)
        if abs(step) < SETTLED:
            return unit(add(n, scale(step, t)))
        n, w, h, cut = downhill(g, pair, n, w, h, scale(max(-0.3, min(0.3, step)), t))
        if cut == 0.0:
            break
    return n


@kernel
def downhill(g: Handle, pair: Pair, n: Vec3, w: Vec3, h: float, step: Vec3) -> tuple[Vec3, Vec3, float, float]:
    """The direction after a step, or a part of it, that brings the height down; its support, height, and the part."""
    part = 1.0
    for _ in range(4):
        way = unit(add(n, scale(part, step)))
        there = difference(g, pair, way)
        if dot(way, there) < h:
            return way, there, dot(way, there), part
        part *= 0.3
    return n, w, h, 0.0


@kernel
def bend_of(pair: Pair, n: Vec3, t: Vec3) -> Vec3:
    """How fast the support of the difference moves while n turns towards t."""
    a, b, r, _ = pair
    there = bend(b, scale(-1.0, rotate_back(r, n)), rotate_back(r, t))
    return add(bend(a, n, t), rotate(r, there))


@kernel
def kinks(g: Handle, core: Core, r: Mat3, n: Vec3, kink: Any, count: int) -> int:
    """Append the unit vectors that n is nearly perpendicular to where a core has kinks; gives their new number."""
    kind, _, solid = core
    d = rotate_back(r, n)
    if kind == BOX:
        for i in range(3):
            if abs(d[i]) < NEAR:
                count = note(kink, count, (r[i], r[i + 3], r[i + 6]))
    elif kind in (CYLINDER, CAPSULE):
        if abs(d[2]) < NEAR:
            count = note(kink, count, (r[2], r[5], r[8]))
        elif kind == CYLINDER and norm(across(d)) < NEAR:
            count = note(kink, count, (r[0], r[3], r[6]))
            count = note(kink, count, (r[1], r[4], r[7]))
    elif kind == HULL:
        count = kinks_of_hull(g, solid, r, d, kink, count)
    return count


@kernel
def kinks_of_hull(g: Handle, solid: int, r: Mat3, d: Vec3, kink: Any, count: int) -> int:
    """The same for a polyhedron: edges from its farthest vertex in direction d, and on from their other ends."""
    near, first, start = g.neighbour, g.neighbour_start, g.vertex_start[solid]
    here = farthest(g, solid, d)
    for j in range(first[here], first[here + 1]):
        there = start + near[j]
        before = count
        count = note_edge(g.vertex, here, there, r, d, kink, count)
        for k in range(first[there], first[there + 1] if count > before else 0):
            count = note_edge(g.vertex, there, start + near[k], r, d, kink, count)
    return count


@kernel
def note_edge(vertex: Any, i: int, j: int, r: Mat3, d: Vec3, kink: Any, count: int) -> int:
    """Append the edge between two vertices if it is nearly perpendicular to d."""
    along = unit(subtract(load3(vertex, j), load3(vertex, i)))
    return note(kink, count, rotate(r, along)) if abs(dot(along, d)) < NEAR else count


@kernel
def note(kink: Any, count: int, u: Vec3) -> int:
    """Append a kink unless it is there already, or there is no room."""
    for k in range(count):
        if norm(cross(load3(kink, k), u)) < 1e-9:
            return count
    if count == MOST:
        return count
    store3(kink, count, u)
    return count + 1
