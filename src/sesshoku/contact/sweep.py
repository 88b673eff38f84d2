"""Projected Gauss–Seidel: one point after the other, as if the others stood still.

A sweep is cheap and brings a large pile near its solution, where Newton's method takes over. Both tangential directions
share one step: with a step each, the law that is solved is not Coulomb's.
"""

from __future__ import annotations

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import project
from sesshoku.contact.flow import relative, relative_row
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, subtract

__all__ = ["sweep", "sweep_rows"]


@kernel
def nudge(p: Handle, slot: int, x: Vec3, f: Vec3, sign: float) -> None:
    """Change the twist of the node of a body by an impulse f at x."""
    node = p.slot_node[slot]
    begin, end = p.coordinate_begin[node], p.coordinate_begin[node + 1]
    n, at = end - begin, p.response_begin[node] + p.slot_coordinate[slot] - begin
    m, response, twist = cross(x, f), p.response, p.twist
    for c in range(begin, end):
        twist[c] += sign * (
            response[at] * m[0] + response[at + 1] * m[1] + response[at + 2] * m[2]
            + response[at + 3] * f[0] + response[at + 4] * f[1] + response[at + 5] * f[2]
        )  # fmt: skip
        at += n


@kernel
def nudge_joint(p: Handle, slot: int, impulse: float) -> None:
    """Change the twist of the node of a joint by an impulse on its velocity."""
    node = p.slot_node[slot]
    begin, end = p.coordinate_begin[node], p.coordinate_begin[node + 1]
    at = p.response_begin[node] + p.slot_coordinate[slot] - begin
    for c in range(begin, end):
        p.twist[c] += p.response[at] * impulse
        at += end - begin


@kernel
def sweep(p: Handle, i: int) -> None:
    """Project every point and row of island i once; keeps impulse and twist in step."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        r, u = load3(p.impulse, k), add(relative(p, k, p.twist), load3(p.bias, k))
        _, projected, _, _, _ = project(load3(p.normal, k), p.friction[k], r, u, p.scale[k])
        change = subtract(projected, r)
        store3(p.impulse, k, projected)
        if p.ends[k, 0] >= 0:
            nudge(p, p.ends[k, 0], load3(p.arm_a, k), change, -1.0)
        if p.ends[k, 1] >= 0:
            nudge(p, p.ends[k, 1], load3(p.arm_b, k), change, 1.0)
    sweep_rows(p, i)


@kernel
def sweep_rows(p: Handle, i: int) -> None:
    """Project every row of island i once; keeps impulse and twist in step."""
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        y = p.row_impulse[k] - p.row_scale[k] * (relative_row(p, k, p.twist) + p.row_bias[k])
        projected_row = min(max(y, p.row_lower[k]), p.row_upper[k])
        nudge_joint(p, p.row_slots[k, 0], projected_row - p.row_impulse[k])
        if p.row_pair[k] >= 0:
            nudge_joint(p, p.row_slots[k, 1], p.row_ratio[k] * (p.row_impulse[k] - projected_row))
        p.row_impulse[k] = projected_row
