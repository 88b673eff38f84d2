"""Sweeps only where something moves: what puts right the few points of a large island that a Newton step has lost.

After a Newton step on hundreds of points 1 to 10 of them, which have changed between open, stick and slip, hold nearly
all of the residual. So a round sweeps the points of restless nodes alone; a node is restless while the impulses on it
change. Steps are longer than those of a sweep (over-relaxation), which spares Newton steps.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import natural_residual, project
from sesshoku.contact.flow import relative, relative_row
from sesshoku.contact.sweep import nudge_point, nudge_row
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import add, dot, norm, subtract

__all__ = ["relax"]

ROUNDS: Final = 200
WORK: Final = 20  # sweeps over all points of the island that these may be worth: where all is restless it does not help
LONGER: Final = 1.3  # than the step of a sweep; with 1.5 it often comes to no rest
LARGE: Final = 0.01  # of the largest residual of a point: nodes of points that have more are restless
LASTING: Final = 2  # rounds that a node stays restless, the present one included


@kernel
def is_restless(p: Handle, k: int) -> bool:
    """Whether a point touches a restless node."""
    a, b = p.ends[k, 0], p.ends[k, 1]
    return bool((a >= 0 and p.restless[p.slot_node[a]] > 0) or (b >= 0 and p.restless[p.slot_node[b]] > 0))


@kernel
def stir(p: Handle, k: int) -> None:
    """Let the nodes of a point be restless."""
    for end in range(2):
        if p.ends[k, end] >= 0:
            p.restless[p.slot_node[p.ends[k, end]]] = LASTING


@kernel
def off(p: Handle, k: int) -> float:
    """The residual of a point, squared [m²/s²]."""
    r = natural_residual(load3(p.normal, k), p.friction[k], load3(p.impulse, k), load3(p.slide, k), p.scale[k])
    return dot(r, r) / (p.scale[k] * p.scale[k])  # type: ignore[no-any-return]


@kernel
def stir_the_worst(p: Handle, i: int) -> None:
    """Let the nodes of island i rest, but for those of its worst points; needs slides."""
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        p.restless[node] = 0
    worst = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        worst = max(worst, off(p, k))
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if off(p, k) > LARGE * LARGE * worst:
            stir(p, k)


@kernel
def relax_points(p: Handle, i: int, least: float) -> tuple[int, bool]:
    """One round over the points of restless nodes: their number, and whether any has changed by more than ``least``."""
    number, moved = 0, False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if is_restless(p, k):
            r, u = load3(p.impulse, k), add(relative(p, k, p.twist), load3(p.bias, k))
            _, projected, _, _, _ = project(load3(p.normal, k), p.friction[k], r, u, LONGER * p.scale[k])
            change = subtract(projected, r)
            store3(p.impulse, k, projected)
            nudge_point(p, p.twist, k, change)
            number += 1
            if norm(change) > least * p.scale[k]:
                stir(p, k)
                moved = True
    return number, moved


@kernel
def relax_rows(p: Handle, i: int, least: float) -> bool:
    """One round over all rows; whether any of them has changed by more than ``least`` [m/s, rad/s]."""
    moved = False
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        y = p.row_impulse[k] - p.row_scale[k] * (relative_row(p, k, p.twist) + p.row_bias[k])
        change = min(max(y, p.row_lower[k]), p.row_upper[k]) - p.row_impulse[k]
        nudge_row(p, p.twist, k, change)
        p.row_impulse[k] += change
        if abs(change) > least * p.row_scale[k]:
            moved = True
            for end in range(2):
                p.restless[p.slot_node[p.row_slots[k, end]]] = LASTING
    return moved


@kernel
def relax(p: Handle, i: int, least: float) -> None:
    """Rounds over what is restless in island i, until nothing changes by more than ``least`` [m/s]; needs slides."""
    stir_the_worst(p, i)
    left = WORK * (p.point_begin[i + 1] - p.point_begin[i])
    for _ in range(ROUNDS):
        number, moved = relax_points(p, i, least)
        left -= number
        moved = relax_rows(p, i, least) or moved
        if not moved or left <= 0:
            return
        for node in range(p.node_begin[i], p.node_begin[i + 1]):
            p.restless[node] = max(p.restless[node] - 1, 0)
