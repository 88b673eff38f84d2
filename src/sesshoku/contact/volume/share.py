"""Between wrenches of patches and forces of points: what is reported, and what the next step begins with."""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.coulomb import SLIP
from sesshoku.contact.flow import slides
from sesshoku.contact.rows import is_contact
from sesshoku.contact.volume.friction import fix, friction_due
from sesshoku.contact.volume.memory import PATCHES, VARIABLES, Handle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = ["begin_with", "share"]

NARROW: Final = 1e-9  # determinant of the moments of points, of the cube of their trace: less is a line or a point


@kernel
def axes_of(m: Handle, j: int) -> tuple[Vec3, Vec3, Vec3]:
    """(e1, e2, n) of a patch."""
    a = m.axes
    return (a[j, 0], a[j, 1], a[j, 2]), (a[j, 3], a[j, 4], a[j, 5]), (a[j, 6], a[j, 7], a[j, 8])


@kernel
def begin_with(g: SpaceHandle, p: Problem, m: Handle) -> None:
    """Let patches that slip begin with the friction of their last normal impulse."""
    for j in range(m.count[PATCHES]):
        if m.state[j] != SLIP:
            continue
        e1, e2, n = axes_of(m, j)
        centroid, v = load3(m.centroid, j), 6 * j
        for k in range(m.first[j], m.last[j]):
            f, r = load3(p.impulse, k), subtract(load3(g.point, p.source[k]), centroid)
            moment = cross(r, f)
            m.impulse[v] += dot(e1, moment)
            m.impulse[v + 1] += dot(e2, moment)
            m.impulse[v + 5] += dot(n, f)
        fix(m, j, 1)
        if not m.impulse[v + 5] > 0.0:
            m.impulse[v] = m.impulse[v + 1] = m.impulse[v + 5] = 0.0
        m.impulse[v + 2], m.impulse[v + 3], m.impulse[v + 4] = friction_due(m, j)


@kernel
def share(g: SpaceHandle, p: Problem, m: Handle, i: int) -> None:
    """Report: impulses of points, loops and rows of island i, and slides.

    Points of a patch share its impulse by least squares; of a line and of a point its torques cannot be told.
    """
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if is_contact(p, k):
            store3(p.impulse, k, (0.0, 0.0, 0.0))
    for j in range(m.count[PATCHES]):
        share_patch(g, p, m, j)
    v = 6 * m.count[PATCHES]
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if not is_contact(p, k):
            store3(p.impulse, k, (m.impulse[v], m.impulse[v + 1], m.impulse[v + 2]))
            v += 3
    first_row = m.count[VARIABLES] - (p.row_begin[i + 1] - p.row_begin[i])
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_impulse[k] = m.impulse[first_row + k - p.row_begin[i]]
    slides(p, i, p.twist)


@kernel
def share_patch(g: SpaceHandle, p: Problem, m: Handle, j: int) -> None:
    """Impulses f = a + b × r of the points of a patch, r from their middle, that sum up to its impulse."""
    e1, e2, n = axes_of(m, j)
    x, v = m.impulse, 6 * j
    force = add(scale(x[v + 3], e1), add(scale(x[v + 4], e2), scale(x[v + 5], n)))
    moment = add(scale(x[v], e1), add(scale(x[v + 1], e2), scale(x[v + 2], n)))
    middle, number = (0.0, 0.0, 0.0), 0
    for k in range(m.first[j], m.last[j]):
        if g.gap[p.source[k]] < 0.0:
            middle = add(middle, load3(g.point, p.source[k]))
            number += 1
    middle = scale(1.0 / number, middle)
    xx = yy = zz = xy = xz = yz = 0.0
    for k in range(m.first[j], m.last[j]):
        if g.gap[p.source[k]] < 0.0:
            r = subtract(load3(g.point, p.source[k]), middle)
            xx, yy, zz = xx + r[0] * r[0], yy + r[1] * r[1], zz + r[2] * r[2]
            xy, xz, yz = xy + r[0] * r[1], xz + r[0] * r[2], yz + r[1] * r[2]
    r0, r1, r2 = (yy + zz, -xy, -xz), (-xy, xx + zz, -yz), (-xz, -yz, xx + yy)
    x0, x1, x2 = cross(r1, r2), cross(r2, r0), cross(r0, r1)
    det, trace = dot(r0, x0), xx + yy + zz
    mean, turn = scale(1.0 / number, force), (0.0, 0.0, 0.0)
    if det > NARROW * trace * trace * trace:
        rest = subtract(moment, cross(subtract(middle, load3(m.centroid, j)), force))
        turn = scale(1.0 / det, add(scale(rest[0], x0), add(scale(rest[1], x1), scale(rest[2], x2))))
    for k in range(m.first[j], m.last[j]):
        if g.gap[p.source[k]] < 0.0:
            r = subtract(load3(g.point, p.source[k]), middle)
            store3(p.impulse, k, add(mean, cross(turn, r)))
