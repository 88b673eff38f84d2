"""A point of the problem: where two bodies act on each other."""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.island import join
from sesshoku.constraint.problem import Handle
from sesshoku.constraint.response import own_response
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3

__all__ = ["arm_from_tree", "attach", "place_point"]

LEAST: Final = 1e-20  # response that a point has at least [1/kg]: one on the axis of a hinge has none


@kernel
def place_point(p: Handle, q: int, i: int, j: int, x: Vec3, y: Vec3) -> None:
    """Let point q be at x of body i and y of body j (-1: the world), from their trees' origins; needs responses."""
    a, b = p.body_slot[i] if i >= 0 else -1, p.body_slot[j] if j >= 0 else -1
    attach(p, q, a, b, join(p, a, b) if a >= 0 and b >= 0 else -1, x, y)


@kernel
def arm_of(p: Handle, slot: int, x: Vec3) -> Vec3:
    """A point from where the motion of a slot is taken; x is from the origin of its tree."""
    return x if p.slot_width[slot] == 6 else (0.0, 0.0, 0.0)


@kernel
def arm_from_tree(p: Handle, slot: int, arm: Vec3) -> Vec3:
    """A point from the origin of the tree of a slot; ``arm`` is from where its motion is taken."""
    return arm if p.slot_width[slot] == 6 else load3(p.slot_place, slot)


@kernel
def attach(p: Handle, q: int, a: int, b: int, pair: int, x: Vec3, y: Vec3) -> None:
    """Let point q be at x of slot a and y of slot b (-1: the world), which are a pair."""
    response = 0.0
    if a >= 0:
        x = arm_of(p, a, x)
        response += own_response(p, a, x)
    if b >= 0:
        y = arm_of(p, b, y)
        response += own_response(p, b, y)
    p.ends[q, 0], p.ends[q, 1], p.pair[q] = a, b, pair
    store3(p.arm_a, q, x)
    store3(p.arm_b, q, y)
    p.scale[q], p.give[q] = 3.0 / max(response, LEAST), 0.0
