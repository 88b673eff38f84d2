"""Joint limits, dry friction of joints, and joints that follow others as rows: impulses on velocities, bounded."""

from __future__ import annotations

from math import inf
from typing import Final

from sesshoku.constraint.island import join, link, touch_dof
from sesshoku.constraint.problem import ROWS, Handle
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.kernel import kernel

__all__ = [
    "COUPLED",
    "FRICTION",
    "KINDS",
    "LOWER",
    "UPPER",
    "distance",
    "fill_rows",
    "forget_reached",
    "overrun",
    "touch_rows",
]

LOWER, UPPER, FRICTION, COUPLED = 0, 1, 2, 3  # kinds of rows
KINDS: Final = 4
NEAR: Final = 1e-2  # a limit takes part from this distance on [rad, m]
SHARE: Final = 0.2  # of a violated coupling that one step corrects
SPEED: Final = 1.0  # at which it does so at most [rad/s, m/s]


@kernel
def near(left: float, v: float, dt: float) -> bool:
    """Whether a limit could be reached within this step."""
    return left < max(NEAR, 2.0 * dt * abs(v))


@kernel
def distance(s: SystemHandle, d: int, kind: int) -> float:
    """How far a joint is from its lower or upper limit, negative beyond it [rad, m]."""
    q = s.q[s.dof_q[d]]
    return q - s.lower[d] if kind == LOWER else s.upper[d] - q  # type: ignore[no-any-return]


@kernel
def has_row(s: SystemHandle, p: Handle, d: int, kind: int, dt: float) -> bool:
    """Whether velocity d has a row of that kind in this step."""
    if kind == COUPLED:
        return p.leader[d] >= 0  # type: ignore[no-any-return]
    if kind == FRICTION:
        return bool(s.friction[d] > 0.0)
    limited = s.lower[d] > -inf if kind == LOWER else s.upper[d] < inf
    return limited and (p.reached[d] != 0 or near(distance(s, d, kind), s.v[d], dt))


@kernel
def touch_rows(s: SystemHandle, p: Handle, dt: float) -> int:
    """Let the velocities with rows take part; their number."""
    count = 0
    for d in range(len(s.v)):
        for kind in range(KINDS):
            if has_row(s, p, d, kind, dt):
                touch_dof(s, p, d)
                count += 1
        if p.leader[d] >= 0:
            touch_dof(s, p, p.leader[d])
            link(s, p, s.dof_body[d], s.dof_body[p.leader[d]])
    return count


@kernel
def forget_reached(p: Handle) -> None:
    """Begin a step."""
    for d in range(len(p.reached)):
        p.reached[d] = 0


@kernel
def overrun(s: SystemHandle, p: Handle, dt: float) -> bool:
    """Mark joints that an impact drives beyond a limit that seemed far; whether there are any."""
    found = False
    for d in range(len(s.v)):
        q = s.q[s.dof_q[d]] + dt * (s.v[d] + dt * s.acceleration[d])
        beyond = q < s.lower[d] or q > s.upper[d]  # and not where q is no number
        if beyond and not has_row(s, p, d, LOWER if q < s.lower[d] else UPPER, dt):
            p.reached[d] = 1
            found = True
    return found


@kernel
def fill_rows(s: SystemHandle, p: Handle, i: int, dt: float) -> None:
    """Fill the rows of island i; needs numbers and responses."""
    p.row_begin[i] = p.count[ROWS]
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        for k in range(p.slot_begin[node], p.slot_begin[node + 1]):
            if p.slot_width[k] == 1:
                for kind in range(KINDS):
                    if has_row(s, p, p.slot_dof[k], kind, dt):
                        fill_row(s, p, p.count[ROWS], k, kind, dt)
                        p.count[ROWS] += 1
    p.row_begin[i + 1] = p.count[ROWS]


@kernel
def entry(p: Handle, a: int, b: int) -> float:
    """Response of the velocity of slot a to an impulse on that of slot b."""
    node = p.slot_node[a]
    if p.slot_node[b] != node:
        return 0.0
    begin = p.coordinate_begin[node]
    row, column, n = p.slot_coordinate[a] - begin, p.slot_coordinate[b] - begin, p.coordinate_begin[node + 1] - begin
    return p.response[p.response_begin[node] + row * n + column]  # type: ignore[no-any-return]


@kernel
def fill_row(s: SystemHandle, p: Handle, row: int, slot: int, kind: int, dt: float) -> None:
    """One row of a velocity."""
    d = p.slot_dof[slot]
    p.row_dof[row], p.row_kind[row] = d, kind
    p.row_slots[row, 0] = p.row_slots[row, 1] = slot
    p.row_ratio[row], p.row_pair[row] = 0.0, -1
    p.row_scale[row] = 1.0 / entry(p, slot, slot)
    p.row_impulse[row] = p.kept_row[d, kind]
    if kind == COUPLED:
        p.row_lower[row], p.row_upper[row] = -inf, inf
        fill_coupling(s, p, row, slot, dt)
    elif kind == FRICTION:
        p.row_bias[row] = 0.0
        p.row_lower[row], p.row_upper[row] = -dt * s.friction[d], dt * s.friction[d]
    elif kind == LOWER:
        p.row_bias[row] = max(distance(s, d, kind), 0.0) / dt
        p.row_lower[row], p.row_upper[row] = 0.0, inf
    else:
        p.row_bias[row] = -max(distance(s, d, kind), 0.0) / dt
        p.row_lower[row], p.row_upper[row] = -inf, 0.0


@kernel
def fill_coupling(s: SystemHandle, p: Handle, row: int, slot: int, dt: float) -> None:
    """The row of a velocity that follows another: its rate is the slope of the polynomial times the leader's."""
    d = p.slot_dof[slot]
    leader = p.leader[d]
    value, slope, bend, x = 0.0, 0.0, 0.0, s.q[s.dof_q[leader]]
    for k in range(4, -1, -1):
        bend = bend * x + 2.0 * slope
        slope = slope * x + value
        value = value * x + p.polynomial[d, k]
    off = s.q[s.dof_q[d]] - value
    p.row_bias[row] = min(max(SHARE * off / dt, -SPEED), SPEED) - 0.5 * dt * bend * s.v[leader] ** 2
    if leader != d:
        other = p.dof_slot[leader]
        p.row_slots[row, 1], p.row_ratio[row], p.row_pair[row] = other, slope, join(p, slot, other)
        p.row_scale[row] = 1.0 / (
            entry(p, slot, slot) - 2.0 * slope * entry(p, slot, other) + slope * slope * entry(p, other, other)
        )
