"""Blows must not add energy: Newton's restitution with friction may, where a body is struck off its centre (Kane).

By Newton each point that strikes leaves with e times its speed of approach, whatever friction does meanwhile. Where the
impulses of an island have then done work on it, all of its blows are weaker, by a share at a time, until they do none.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.constraint.response import slot_twist
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import dot, scale

__all__ = ["BLOWS", "WEAKER", "add_energy", "strikes", "weaken"]

BLOWS: Final = 16  # times that they are weakened at most; then they have no restitution
WEAKER: Final = 0.8
NONE: Final = 1e-4  # of what impulses take and give: work that is none


@kernel
def strikes(p: Handle, i: int) -> bool:
    """Whether a point of island i is to leave with a speed of its own. Where springs give back what they hold, none."""
    found = False
    if p.bouncing[0] == 0 or p.elastic[i] != 0:
        return found
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        found |= dot(load3(p.normal, k), load3(p.bias, k)) < 0.0
    return found


@kernel
def add_energy(s: SystemHandle, p: Handle, i: int) -> bool:
    """Whether the impulses of island i do work: half their power at the start of the step and at its end.

    By the speeds of approach that restitution knows, those of the start, whatever else acts within the step.
    """
    total = size = 0.0
    before = p.change
    for k in range(p.slot_begin[p.node_begin[i]], p.slot_begin[p.node_begin[i + 1]]):
        slot_twist(s, p, k, s.v, s.v, 0.0, before)
    for c in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        total += p.wrench[c] * (before[c] + p.twist[c])
        size += abs(p.wrench[c] * before[c]) + abs(p.wrench[c] * p.twist[c])
    return total > NONE * size


@kernel
def weaken(p: Handle, i: int, share: float) -> None:
    """Let the blows of island i have so much of their restitution."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        bias = load3(p.bias, k)
        if dot(load3(p.normal, k), bias) < 0.0:
            store3(p.bias, k, scale(share, bias))
