"""The matrix of a Newton step of an island, in full."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import block_diag

from sesshoku.constraint.problem import Problem, at
from sesshoku.contact.coulomb import SLIP, STICK, WITHIN
from sesshoku.contact.flow import gather, respond
from sesshoku.contact.linear import newton_direction
from sesshoku.contact.linearised import linearise_all
from sesshoku.kernel import kernel

Array = NDArray[np.float64]


@kernel
def find_change(address: int, i: int, eps: float) -> None:
    """Fill parting with Λ Jᵀ e of island i, and change with the Newton step that follows from it; needs its pattern."""
    p = at(address)
    linearise_all(p, i, eps)
    gather(p, i, p.push, p.row_push, p.wrench)
    respond(p, i, p.wrench, p.parting)
    for c in range(len(p.parting)):
        p.change[c] = p.parting[c]
    newton_direction(p, i)


def dense_matrix(p: Problem, i: int) -> tuple[slice, Array]:
    """Its coordinates, and 1 + Λ Jᵀ A J, from the points and rows as they are linearised."""
    nodes = range(p.node_begin[i], p.node_begin[i + 1])
    begin = p.coordinate_begin[p.node_begin[i]]
    here = slice(begin, p.coordinate_begin[p.node_begin[i + 1]])
    size = here.stop - begin
    blocks = []
    for node in nodes:
        width = p.coordinate_begin[node + 1] - p.coordinate_begin[node]
        first = p.response_begin[node]
        blocks.append(p.response[first : first + width**2].reshape(width, width))
    response, h = block_diag(*blocks), np.zeros((size, size))
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        jacobian = np.zeros((3, size))
        for end, arm, sign in ((p.ends[k, 0], p.arm_a[k], -1.0), (p.ends[k, 1], p.arm_b[k], 1.0)):
            if end >= 0:
                c = p.slot_coordinate[end] - begin
                if p.slot_width[end] == 6:
                    jacobian[:, c : c + 3] += sign * np.cross(np.eye(3), arm).T
                    c += 3
                jacobian[:, c : c + 3] += sign * np.eye(3)
        n, d, (a, b, along, lean, _) = p.normal[k], p.direction[k], p.stiffness[k]
        t = np.cross(n, d)
        slope = {
            STICK: a * np.eye(3),
            SLIP: a * np.outer(n + p.friction[k] * d, n) + b * np.outer(t, t),
            WITHIN: a * np.outer(n + lean * d, n) + along * np.outer(d, d) + b * np.outer(t, t),
        }
        h += jacobian.T @ slope.get(int(p.mode[k]), np.zeros((3, 3))) @ jacobian
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        row = np.zeros(size)
        for slot, share in zip(p.row_slots[k], (1.0, -p.row_ratio[k]), strict=True):
            row[p.slot_coordinate[slot] - begin] += share
        h += p.row_stiffness[k] * np.outer(row, row)
    return here, np.eye(size) + response @ h
