"""Projected Gauss–Seidel: one point after the other, as if the others stood still.

A sweep is cheap and brings a large pile near its solution, where Newton's method takes over. Both tangential directions
share one step: with a step each, the law that is solved is not Coulomb's.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import project
from sesshoku.contact.flow import relative_row, responding, slide_of
from sesshoku.kernel import U, kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.six import load6, plus6, scale6, store6
from sesshoku.spatial.vector import Vec3, cross, scale, subtract

__all__ = ["nudge_point", "nudge_row", "sweep", "sweep_rows"]

Array = NDArray[np.float64]


@kernel
def nudge_six(twist: Array, begin: int, response: Array, at: int, m: Vec3, f: Vec3) -> None:
    """Add Λ (m, f) of a free body to its six coordinates, in registers: Λ is symmetric, its lines are its columns."""
    turn = plus6(plus6(load6(twist, U(begin)), m[0], load6(response, U(at))), m[1], load6(response, U(at + 6)))
    turn = plus6(turn, m[2], load6(response, U(at + 12)))
    move = plus6(scale6(f[0], load6(response, U(at + 18))), f[1], load6(response, U(at + 24)))
    move = plus6(move, f[2], load6(response, U(at + 30)))
    store6(twist, U(begin), plus6(turn, 1.0, move))


@kernel
def nudge(p: Handle, twist: Array, slot: int, x: Vec3, f: Vec3, sign: float) -> None:
    """Change ``twist`` of the node of a body by an impulse f at x, or its opposite."""
    node = p.slot_node[slot]
    begin, end = p.coordinate_begin[node], p.coordinate_begin[node + 1]
    n, at = end - begin, p.response_begin[node] + p.slot_coordinate[slot] - begin
    m = cross(x, f)
    if n == 6 and p.slot_width[slot] == 6:
        nudge_six(twist, begin, p.response, at, scale(sign, m), scale(sign, f))
        return
    for c in range(begin, end):
        twist[U(c)] += sign * responding(p, at, slot, (m, f))
        at += n


@kernel
def nudge_point(p: Handle, twist: Array, k: int, f: Vec3) -> None:
    """Change ``twist`` by an impulse f at a point, on B, and its opposite on A."""
    if p.ends[k, 0] >= 0:
        nudge(p, twist, p.ends[k, 0], load3(p.arm_a, k), f, -1.0)
    if p.ends[k, 1] >= 0:
        nudge(p, twist, p.ends[k, 1], load3(p.arm_b, k), f, 1.0)


@kernel
def nudge_joint(p: Handle, twist: Array, slot: int, impulse: float) -> None:
    """Change ``twist`` of the node of a joint by an impulse on its velocity."""
    node = p.slot_node[slot]
    begin, end = p.coordinate_begin[node], p.coordinate_begin[node + 1]
    at = p.response_begin[node] + p.slot_coordinate[slot] - begin
    for c in range(begin, end):
        twist[c] += p.response[at] * impulse
        at += end - begin


@kernel
def nudge_row(p: Handle, twist: Array, k: int, impulse: float) -> None:
    """Change ``twist`` by an impulse on a row."""
    nudge_joint(p, twist, p.row_slots[k, 0], impulse)
    if p.row_pair[k] >= 0:
        nudge_joint(p, twist, p.row_slots[k, 1], -p.row_ratio[k] * impulse)


@kernel
def sweep(p: Handle, i: int) -> None:
    """Project every point and row of island i once; keeps impulse and twist in step."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        r = load3(p.impulse, k)
        _, projected, _, _, _ = project(load3(p.normal, k), p.friction[k], r, slide_of(p, k, r), p.scale[k])
        store3(p.impulse, k, projected)
        nudge_point(p, p.twist, k, subtract(projected, r))
    sweep_rows(p, i)


@kernel
def sweep_rows(p: Handle, i: int) -> None:
    """Project every row of island i once; keeps impulse and twist in step."""
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        y = p.row_impulse[k] - p.row_scale[k] * (relative_row(p, k, p.twist) + p.row_bias[k])
        projected_row = min(max(y, p.row_lower[k]), p.row_upper[k])
        nudge_row(p, p.twist, k, projected_row - p.row_impulse[k])
        p.row_impulse[k] = projected_row
