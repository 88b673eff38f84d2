"""Between wrenches of patches and forces of points: what is reported, and what the next step begins with."""

from __future__ import annotations

from typing import Final, TypeAlias

from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.coulomb import SLIP
from sesshoku.contact.flow import slides
from sesshoku.contact.rows import is_contact
from sesshoku.contact.volume.friction import fix, friction_due
from sesshoku.contact.volume.memory import PATCHES, VARIABLES, Handle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Wrench
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = [
    "NO_SPREAD",
    "Axes",
    "Even",
    "axes_of",
    "begin_with",
    "evenly",
    "impulse_at",
    "share",
    "spread_by",
    "wrench_before",
]

Axes: TypeAlias = tuple[Vec3, Vec3, Vec3]
Spread: TypeAlias = tuple[Vec3, Vec3]  # sums of xx, yy, zz and of xy, xz, yz
Even: TypeAlias = tuple[Vec3, Vec3, Vec3]  # mean impulse, by what it turns with r, middle
NO_SPREAD: Final = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
NARROW: Final = 1e-9  # determinant of the moments of points, of the cube of their trace: less is a line or a point


@kernel
def axes_of(m: Handle, j: int) -> Axes:
    """(e1, e2, n) of a patch."""
    a = m.axes
    return (a[j, 0], a[j, 1], a[j, 2]), (a[j, 3], a[j, 4], a[j, 5]), (a[j, 6], a[j, 7], a[j, 8])


@kernel
def spread_by(spread: Spread, r: Vec3) -> Spread:
    """Add a point at r from the middle."""
    squares, products = (r[0] * r[0], r[1] * r[1], r[2] * r[2]), (r[0] * r[1], r[0] * r[2], r[1] * r[2])
    return add(spread[0], squares), add(spread[1], products)


@kernel
def evenly(wrench: Wrench, middle: Vec3, number: int, spread: Spread) -> Even:
    """How so many points share a wrench by least squares, given their middle and sums about it; all from one origin."""
    (xx, yy, zz), (xy, xz, yz) = spread
    r0, r1, r2 = (yy + zz, -xy, -xz), (-xy, xx + zz, -yz), (-xz, -yz, xx + yy)
    x0, x1, x2 = cross(r1, r2), cross(r2, r0), cross(r0, r1)
    det, trace, turn = dot(r0, x0), xx + yy + zz, (0.0, 0.0, 0.0)
    moment, force = wrench
    if det > NARROW * trace * trace * trace:
        rest = subtract(moment, cross(middle, force))
        turn = scale(1.0 / det, add(scale(rest[0], x0), add(scale(rest[1], x1), scale(rest[2], x2))))
    return scale(1.0 / number, force), turn, middle


@kernel
def impulse_at(even: Even, r: Vec3) -> Vec3:
    """The impulse of a point at r, from the same origin."""
    mean, turn, middle = even
    return add(mean, cross(turn, subtract(r, middle)))


@kernel
def wrench_before(g: SpaceHandle, p: Problem, m: Handle, j: int) -> Wrench:
    """The impulse of a patch in the last step, about its centroid, by those of its points; in world axes."""
    moment, force, centroid = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0), load3(m.centroid, j)
    for k in range(m.first[j], m.last[j]):
        f = load3(p.impulse, k)
        moment = add(moment, cross(subtract(load3(g.point, p.source[k]), centroid), f))
        force = add(force, f)
    return moment, force


@kernel
def begin_with(g: SpaceHandle, p: Problem, m: Handle) -> None:
    """Let patches that slip begin with the friction of their last normal impulse."""
    for j in range(m.count[PATCHES]):
        if m.state[j] != SLIP:
            continue
        e1, e2, n = axes_of(m, j)
        moment, force = wrench_before(g, p, m, j)
        v = 6 * j
        m.impulse[v], m.impulse[v + 1], m.impulse[v + 5] = dot(e1, moment), dot(e2, moment), dot(n, force)
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
    centroid, middle, number = load3(m.centroid, j), (0.0, 0.0, 0.0), 0
    for k in range(m.first[j], m.last[j]):
        if g.gap[p.source[k]] < 0.0:
            middle = add(middle, subtract(load3(g.point, p.source[k]), centroid))
            number += 1
    middle, spread = scale(1.0 / number, middle), NO_SPREAD
    for k in range(m.first[j], m.last[j]):
        if g.gap[p.source[k]] < 0.0:
            spread = spread_by(spread, subtract(subtract(load3(g.point, p.source[k]), centroid), middle))
    even = evenly((moment, force), middle, number, spread)
    for k in range(m.first[j], m.last[j]):
        if g.gap[p.source[k]] < 0.0:
            store3(p.impulse, k, impulse_at(even, subtract(load3(g.point, p.source[k]), centroid)))
