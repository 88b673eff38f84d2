"""The corners of patches as points: for large islands, and those that passes of wrenches and friction do not settle.

What a patch bears is a sum of forces in the cones at its corners, none of which pulls; what slips has friction at each
corner against its velocity. So the law is Signorini's and Coulomb's at the corners of the sections. As points they are
solved by Newton's method (contact/exact.py), with the velocities at the end of the step, where passes have to know the
direction of slip beforehand. A patch that slips, or fails its static test, gets kinetic friction: all is solved again.
"""

from __future__ import annotations

from math import inf

from sesshoku.constraint.point import attach
from sesshoku.constraint.problem import POINTS
from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.coulomb import SLIP, STICK, split
from sesshoku.contact.points import from_tree
from sesshoku.contact.pose import slow_at
from sesshoku.contact.rows import is_contact
from sesshoku.contact.solver import SOLVER, call_solver
from sesshoku.contact.volume.friction import sticks
from sesshoku.contact.volume.memory import PATCHES, VARIABLES, Handle
from sesshoku.contact.volume.share import NO_SPREAD, Axes, Even, axes_of, evenly, impulse_at, spread_by, wrench_before
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import add_motion
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = ["solve_corners"]


@kernel
def corner(m: Handle, j: int, c: int, axes: Axes) -> Vec3:
    """A corner of a patch from its centroid, in world axes [m]."""
    return add(scale(m.section[j, c, 0], axes[0]), scale(m.section[j, c, 1], axes[1]))


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
    p.friction[q], p.scale[q], p.give[q] = p.friction[k], p.scale[k], p.give[k]


@kernel
def place_corners(s: SystemHandle, g: SpaceHandle, p: Problem, m: Handle, j: int, q: int) -> None:
    """Let points from q on be the corners of a patch."""
    first, axes, centroid = m.first[j], axes_of(m, j), load3(m.centroid, j)
    k = p.source[first]
    a, b = g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]]
    even = even_corners(g, p, m, j, axes)
    for c in range(m.number[j]):
        arm = corner(m, j, c, axes)
        x, y = from_tree(s, a, add(centroid, arm)), from_tree(s, b, add(centroid, arm))
        attach(p, q, p.ends[first, 0], p.ends[first, 1], p.pair[first], x, y)
        store3(p.normal, q, axes[2])
        store3(p.bias, q, scale(-m.target[j, 2], axes[2]))
        store3(p.impulse, q, impulse_at(even, arm))
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
def slips(p: Problem, first: int, last: int, slow: float) -> bool:
    """Whether a point that bears something is faster than ``slow`` [m/s]; needs slides."""
    for k in range(first, last):
        n = load3(p.normal, k)
        _, slip = split(n, load3(p.slide, k))
        if dot(n, load3(p.impulse, k)) > 0.0 and dot(slip, slip) > slow * slow:
            return True
    return False


@kernel
def let_slip(p: Problem, m: Handle, q: int, edges: int, separated: bool, slow: float) -> bool:
    """Let patches slip that do, or fail the static test; whether friction of any has changed. Corners begin at q."""
    changed = False
    for j in range(m.count[PATCHES]):
        last = q + m.number[j]
        if m.state[j] == STICK and (slips(p, q, last, slow) or not sticks(m, j, edges, separated)):
            m.state[j] = SLIP
            changed = changed or m.kinetic[j] != m.static[j]
            for k in range(q, last):
                p.friction[k] = m.kinetic[j]
        q = last
    return changed


@kernel
def solve_corners(
    s: SystemHandle, g: SpaceHandle, p: Problem, m: Handle, i: int, edges: int, separated: bool, tol: float,
    reference: float,
) -> tuple[int, float]:  # fmt: skip
    """Impulses of the variables of island i by way of points at its corners: Newton steps taken, and the residual."""
    first, last = p.count[POINTS], place_all(s, g, p, m, i)
    begin, end, steps, off, again = p.point_begin[i], p.point_begin[i + 1], 0, inf, True
    p.point_begin[i], p.point_begin[i + 1] = first, last
    while again:
        call_solver(p.stage[SOLVER], (p, i, 0, tol, tol, reference))
        steps, off = steps + int(p.outcome[0]), p.outcome[1]
        take_over(p, m, i, first)
        again = let_slip(p, m, first, edges, separated, slow_at(tol * reference, last - first))
    p.point_begin[i], p.point_begin[i + 1] = begin, end
    return steps, off
