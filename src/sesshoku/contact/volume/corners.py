"""The corners of patches as points: for islands that passes of wrenches and friction do not settle.

What a patch bears is a sum of forces in the cones at its corners, none of which pulls; what slips has friction at each
corner against its velocity. So the law is Signorini's and Coulomb's at the corners of the sections. As points they are
solved by Newton's method (contact/exact.py), with the velocities at the end of the step, where passes have to know the
direction of slip beforehand. A patch whose wrench fails its static test gets kinetic friction, and all is solved again.
"""

from __future__ import annotations

from math import inf

from sesshoku.constraint.problem import POINTS
from sesshoku.constraint.problem import Handle as Problem
from sesshoku.constraint.response import own_response
from sesshoku.contact.coulomb import SLIP, STICK
from sesshoku.contact.exact import solve_island
from sesshoku.contact.points import from_tree
from sesshoku.contact.rows import is_contact
from sesshoku.contact.volume.friction import sticks
from sesshoku.contact.volume.memory import PATCHES, VARIABLES, Handle
from sesshoku.contact.volume.share import NO_SPREAD, Axes, Even, axes_of, evenly, impulse_at, spread_by
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Wrench, add_motion
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = ["solve_corners"]


@kernel
def corner(m: Handle, j: int, c: int, axes: Axes) -> Vec3:
    """A corner of a patch from its centroid, in world axes [m]."""
    return add(scale(m.section[j, c, 0], axes[0]), scale(m.section[j, c, 1], axes[1]))


@kernel
def wrench_before(g: SpaceHandle, p: Problem, m: Handle, j: int) -> Wrench:
    """The impulse of a patch in the last step, about its centroid, by those of its points."""
    total, centroid = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)), load3(m.centroid, j)
    for k in range(m.first[j], m.last[j]):
        f = load3(p.impulse, k)
        total = add_motion(total, (cross(subtract(load3(g.point, p.source[k]), centroid), f), f))
    return total


@kernel
def even_corners(g: SpaceHandle, p: Problem, m: Handle, j: int, axes: Axes) -> Even:
    """How the corners of a patch would share its last impulse."""
    middle, spread = (0.0, 0.0, 0.0), NO_SPREAD
    for c in range(m.number[j]):
        middle = add(middle, corner(m, j, c, axes))
    middle = scale(1.0 / m.number[j], middle)
    for c in range(m.number[j]):
        spread = spread_by(spread, subtract(corner(m, j, c, axes), middle))
    return evenly(wrench_before(g, p, m, j), middle, m.number[j], spread)


@kernel
def copy_point(p: Problem, k: int, q: int) -> None:
    """Let point q be like point k, of a loop."""
    p.ends[q, 0], p.ends[q, 1], p.pair[q] = p.ends[k, 0], p.ends[k, 1], p.pair[k]
    store3(p.arm_a, q, load3(p.arm_a, k))
    store3(p.arm_b, q, load3(p.arm_b, k))
    store3(p.normal, q, load3(p.normal, k))
    store3(p.bias, q, load3(p.bias, k))
    store3(p.impulse, q, load3(p.impulse, k))
    p.friction[q], p.scale[q] = p.friction[k], p.scale[k]


@kernel
def place_corners(s: SystemHandle, g: SpaceHandle, p: Problem, m: Handle, j: int, q: int) -> None:
    """Let points from q on be the corners of a patch."""
    first, axes, centroid = m.first[j], axes_of(m, j), load3(m.centroid, j)
    k = p.source[first]
    a, b = g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]]
    slot_a, slot_b = p.ends[first, 0], p.ends[first, 1]
    even = even_corners(g, p, m, j, axes)
    for c in range(m.number[j]):
        arm = corner(m, j, c, axes)
        x, y = from_tree(s, a, add(centroid, arm)), from_tree(s, b, add(centroid, arm))
        response = 0.0
        if slot_a >= 0:
            response += own_response(p, slot_a, x)
        if slot_b >= 0:
            response += own_response(p, slot_b, y)
        p.ends[q, 0], p.ends[q, 1], p.pair[q] = slot_a, slot_b, p.pair[first]
        store3(p.arm_a, q, x)
        store3(p.arm_b, q, y)
        store3(p.normal, q, axes[2])
        store3(p.bias, q, scale(-m.target[j, 2], axes[2]))
        store3(p.impulse, q, impulse_at(even, arm))
        p.scale[q] = 3.0 / response
        p.friction[q] = m.static[j] if m.state[j] == STICK else m.kinetic[j]
        q += 1


@kernel
def place_all(s: SystemHandle, g: SpaceHandle, p: Problem, m: Handle, i: int) -> int:
    """Let the points after all others be the corners of the patches of island i, then its loops: one past the last."""
    q = p.count[POINTS]
    for j in range(m.count[PATCHES]):
        m.state[j] = m.began[j]
        place_corners(s, g, p, m, j, q)
        q += m.number[j]
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if not is_contact(p, k):
            copy_point(p, k, q)
            q += 1
    return q  # type: ignore[no-any-return]


@kernel
def take_over(p: Problem, m: Handle, i: int, q: int) -> None:
    """Impulses of the variables of island i from those of its corners and loops, points from q on, and of its rows."""
    v = 0
    for j in range(m.count[PATCHES]):
        axes, total = axes_of(m, j), ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
        for c in range(m.number[j]):
            f = load3(p.impulse, q)
            total = add_motion(total, (cross(corner(m, j, c, axes), f), f))
            q += 1
        for half in total:
            for axis in axes:
                m.impulse[v] = dot(axis, half)
                v += 1
    first_row = m.count[VARIABLES] - (p.row_begin[i + 1] - p.row_begin[i])
    while v < first_row:
        m.impulse[v], m.impulse[v + 1], m.impulse[v + 2] = load3(p.impulse, q)
        v, q = v + 3, q + 1
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        m.impulse[first_row + k - p.row_begin[i]] = p.row_impulse[k]


@kernel
def tear_off(p: Problem, m: Handle, q: int, edges: int, separated: bool) -> bool:
    """Give patches whose wrenches fail the static test kinetic friction; whether there are any. Corners begin at q."""
    torn = False
    for j in range(m.count[PATCHES]):
        if m.state[j] == STICK and not sticks(m, j, edges, separated):
            m.state[j] = SLIP
            torn = True
            for c in range(m.number[j]):
                p.friction[q + c] = m.kinetic[j]
        q += m.number[j]
    return torn


@kernel
def solve_corners(
    s: SystemHandle, g: SpaceHandle, p: Problem, m: Handle, i: int, edges: int, separated: bool, tol: float,
    reference: float,
) -> tuple[int, float]:  # fmt: skip
    """Impulses of the variables of island i by way of points at its corners: Newton steps taken, and the residual."""
    first, last = p.count[POINTS], place_all(s, g, p, m, i)
    begin, end, steps, off, torn = p.point_begin[i], p.point_begin[i + 1], 0, inf, True
    p.point_begin[i], p.point_begin[i + 1] = first, last
    while torn:
        more, off = solve_island(p, i, False, tol, reference)
        steps += more
        take_over(p, m, i, first)
        torn = tear_off(p, m, first, edges, separated)
    p.point_begin[i], p.point_begin[i + 1] = begin, end
    return steps, off
