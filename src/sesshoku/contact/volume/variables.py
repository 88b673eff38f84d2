"""The unknown impulses of an island: six for each patch, three for each point of a loop, one for each row.

A variable sees the motion of one or two slots by its row of the Jacobian, and acts on them by the same numbers.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.flow import respond
from sesshoku.contact.rows import is_contact
from sesshoku.contact.volume.memory import VARIABLES, Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Wrench
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, cross

__all__ = [
    "act_all",
    "add_loops",
    "add_rows",
    "add_variable",
    "clear",
    "own_response",
    "see",
    "spread",
]

Array = NDArray[np.float64]
STIFF: Final = 1e-3  # of a row's response: limits and couplings are to hold better than patches
NOTHING = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
AXES = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@kernel
def store_row(m: Handle, v: int, end: int, slot: int, sign: float, row: Wrench) -> None:
    """Let variable v see a slot by this row of the Jacobian."""
    m.slots[v, end] = slot
    c = 6 * end
    for half in row:
        for part in half:
            m.jacobian[v, c] = sign * part
            c += 1


@kernel
def add_variable(m: Handle, a: int, first: Wrench, b: int, second: Wrench, offset: float, typical: float) -> None:
    """A variable that sees slot b by one row of the Jacobian, less slot a by another (-1: none)."""
    v = m.count[VARIABLES]
    store_row(m, v, 0, a, -1.0, first)
    store_row(m, v, 1, b, 1.0, second)
    m.offset[v], m.impulse[v], m.fixed[v] = offset, 0.0, 0
    m.typical[v] = typical
    m.count[VARIABLES] = v + 1


@kernel
def along(x: Vec3, e: Vec3) -> Wrench:
    """The row of the Jacobian of the velocity of a point x along e."""
    return cross(x, e), e


@kernel
def add_loops(p: Problem, m: Handle, i: int) -> None:
    """Three variables for each point of a loop of island i."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if is_contact(p, k):
            continue
        x, y, bias = load3(p.arm_a, k), load3(p.arm_b, k), load3(p.bias, k)
        for axis in range(3):
            e, typical = AXES[axis], 1.0 / p.scale[k]
            add_variable(m, p.ends[k, 0], along(x, e), p.ends[k, 1], along(y, e), bias[axis], typical)


@kernel
def add_rows(p: Problem, m: Handle, i: int) -> None:
    """One variable for each row of island i."""
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        first, second = ((p.row_ratio[k], 0.0, 0.0), NOTHING[1]), ((1.0, 0.0, 0.0), NOTHING[1])
        second_slot = p.row_slots[k, 1] if p.row_pair[k] >= 0 else -1
        typical = STIFF / p.row_scale[k]
        add_variable(m, second_slot, first, p.row_slots[k, 0], second, p.row_bias[k], typical)


@kernel
def see(p: Problem, m: Handle, v: int, motion: Array) -> float:
    """Velocity of a variable under a motion of the coordinates, without offset."""
    total = 0.0
    for end in range(2):
        slot = m.slots[v, end]
        if slot >= 0:
            c = p.slot_coordinate[slot]
            for j in range(p.slot_width[slot]):
                total += m.jacobian[v, 6 * end + j] * motion[c + j]
    return total


@kernel
def act(p: Problem, m: Handle, v: int, impulse: float) -> None:
    """Add an impulse of a variable to wrench."""
    for end in range(2):
        slot = m.slots[v, end]
        if slot >= 0:
            c = p.slot_coordinate[slot]
            for j in range(p.slot_width[slot]):
                p.wrench[c + j] += impulse * m.jacobian[v, 6 * end + j]


@kernel
def act_all(p: Problem, m: Handle, i: int) -> None:
    """Fill wrench and twist of island i from the impulses of its variables."""
    begin, end = p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]
    for c in range(begin, end):
        p.wrench[c] = 0.0
    for v in range(m.count[VARIABLES]):
        act(p, m, v, m.impulse[v])
    respond(p, i, p.wrench, p.twist)
    for c in range(begin, end):
        p.twist[c] += p.free[c]


@kernel
def spread(p: Problem, m: Handle, v: int, impulse: float, out: Array) -> None:
    """Add what an impulse of variable v gives to the motions of its nodes."""
    for end in range(2):
        slot = m.slots[v, end]
        if slot < 0:
            continue
        node = p.slot_node[slot]
        first, last = p.coordinate_begin[node], p.coordinate_begin[node + 1]
        at, width = p.response_begin[node] + p.slot_coordinate[slot] - first, p.slot_width[slot]
        for c in range(first, last):
            total = 0.0
            for j in range(width):
                total += p.response[at + j] * m.jacobian[v, 6 * end + j]
            out[c] += impulse * total
            at += last - first


@kernel
def clear(p: Problem, m: Handle, v: int) -> None:
    """Zero change on the nodes of variable v."""
    for end in range(2):
        if m.slots[v, end] >= 0:
            node = p.slot_node[m.slots[v, end]]
            for c in range(p.coordinate_begin[node], p.coordinate_begin[node + 1]):
                p.change[c] = 0.0


@kernel
def own_response(p: Problem, m: Handle, v: int) -> float:
    """Velocity of a variable per impulse of itself; change is zero before and after."""
    spread(p, m, v, 1.0, p.change)
    response = see(p, m, v, p.change)
    clear(p, m, v)
    return response
