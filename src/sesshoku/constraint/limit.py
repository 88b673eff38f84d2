"""Joint limits and dry friction of joints as rows: an impulse on one velocity, within bounds."""

from __future__ import annotations

from math import inf
from typing import Final

from sesshoku.constraint.island import touch_dof
from sesshoku.constraint.problem import ISLANDS, ROWS, Handle
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.kernel import kernel

__all__ = ["FRICTION", "LOWER", "UPPER", "fill_rows", "touch_rows"]

LOWER, UPPER, FRICTION = 0, 1, 2  # kinds of rows
NEAR: Final = 1e-2  # a limit takes part from this distance on [rad, m]
SHARE: Final = 0.2  # of a violated limit that one step corrects
SPEED: Final = 1.0  # at which it does so at most [rad/s, m/s]


@kernel
def near(distance: float, v: float, dt: float) -> bool:
    """Whether a limit could be reached within this step."""
    return distance < max(NEAR, 2.0 * dt * abs(v))


@kernel
def has_row(s: SystemHandle, d: int, kind: int, dt: float) -> bool:
    """Whether velocity d has a row of that kind in this step."""
    if kind == FRICTION:
        return bool(s.friction[d] > 0.0)
    if kind == LOWER:
        return s.lower[d] > -inf and near(s.q[s.dof_q[d]] - s.lower[d], s.v[d], dt)
    return s.upper[d] < inf and near(s.upper[d] - s.q[s.dof_q[d]], s.v[d], dt)


@kernel
def touch_rows(s: SystemHandle, p: Handle, dt: float) -> int:
    """Let the velocities with rows take part; their number."""
    count = 0
    for d in range(len(s.v)):
        for kind in range(3):
            if has_row(s, d, kind, dt):
                touch_dof(s, p, d)
                count += 1
    return count


@kernel
def approach(distance: float, dt: float) -> float:
    """Speed at which a limit may be approached; negative: at which it must be left."""
    return distance / dt if distance >= 0.0 else -min(-SHARE * distance / dt, SPEED)


@kernel
def fill_rows(s: SystemHandle, p: Handle, dt: float) -> None:
    """Fill the rows, by island; needs numbers and responses."""
    begins, islands = p.row_begin, p.count[ISLANDS]
    count = 0
    for i in range(islands):
        begins[i] = count
        for node in range(p.node_begin[i], p.node_begin[i + 1]):
            for k in range(p.slot_begin[node], p.slot_begin[node + 1]):
                if p.slot_width[k] == 1:
                    for kind in range(3):
                        if has_row(s, p.slot_dof[k], kind, dt):
                            fill_row(s, p, count, k, kind, dt)
                            count += 1
    begins[islands] = count
    p.count[ROWS] = count


@kernel
def fill_row(s: SystemHandle, p: Handle, row: int, slot: int, kind: int, dt: float) -> None:
    """One row of a velocity."""
    d, node = p.slot_dof[slot], p.slot_node[slot]
    begin = p.coordinate_begin[node]
    at, n = p.slot_coordinate[slot] - begin, p.coordinate_begin[node + 1] - begin
    p.row_dof[row], p.row_kind[row] = d, kind
    p.row_slot[row] = slot
    p.row_scale[row] = 1.0 / p.response[p.response_begin[node] + at * n + at]
    p.row_impulse[row] = p.kept_row[d, kind]
    if kind == FRICTION:
        p.row_bias[row] = 0.0
        p.row_lower[row], p.row_upper[row] = -dt * s.friction[d], dt * s.friction[d]
    elif kind == LOWER:
        p.row_bias[row] = approach(s.q[s.dof_q[d]] - s.lower[d], dt)
        p.row_lower[row], p.row_upper[row] = 0.0, inf
    else:
        p.row_bias[row] = -approach(s.upper[d] - s.q[s.dof_q[d]], dt)
        p.row_lower[row], p.row_upper[row] = -inf, 0.0
