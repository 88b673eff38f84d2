"""Newton steps of an island of many trees, in which points yield where they are off: a Levenberg term of their own.

Where points are redundant a step without that term may be of any length: on gaps that differ by a nanometre it makes a
residual of 1e-4 thousands of times larger (tests/contact/test_yielding.py). So the term of a point grows with the root
of the largest residual about it, that of the points of its own two bodies. It hardly depends on what happens elsewhere
in a large pile. Residuals may rise at times: only steps that lead far away are taken back.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import off
from sesshoku.contact.fit import copy_impulses, evaluate, go_back, judge, residual, row_misfit, settle
from sesshoku.contact.linearised import linearise_point, linearise_row
from sesshoku.contact.newton import newton_step
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3

__all__ = ["IDLE", "find_off", "yielding_step", "yielding_steps"]

YIELD: Final = 0.3  # Levenberg term over the root of the largest residual about a point
ALL: Final = 0.01  # of the residual of the island: points yield at least as if they had so much
MOST: Final = 300  # steps
AHEAD: Final = 0.3  # of the residual: a step that makes it so small leads on
IDLE: Final = 3  # steps in a row that do not: then a heap is let be, if it may
FAR: Final = 10.0  # times the residual before: there a step has led away
SOFTER, HARDER = 4.0, 0.5  # times the terms after such a step, and after others
SOFTEST: Final = 60.0  # beyond, steps are not taken back
LOST: Final = 1e6  # residual at which they have failed


@kernel
def find_off(p: Handle, i: int, reference: float) -> None:
    """Fill off of the nodes of island i; needs slides."""
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        p.off[node] = 0.0
    count = p.point_begin[i + 1] - p.point_begin[i] + p.row_begin[i + 1] - p.row_begin[i]
    share = sqrt(1.0 * count) / reference
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        n, mu, h = load3(p.normal, k), p.friction[k], p.scale[k]
        size = share * sqrt(off(n, mu, load3(p.impulse, k), load3(p.slide, k), h))
        for end in range(2):
            if p.ends[k, end] >= 0:
                node = p.slot_node[p.ends[k, end]]
                p.off[node] = max(p.off[node], size)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        size = share * abs(row_misfit(p, k, p.row_scale[k]))
        for end in range(2):
            node = p.slot_node[p.row_slots[k, end]]
            p.off[node] = max(p.off[node], size)


@kernel
def term(soft: float, largest: float, least: float) -> float:
    """The Levenberg term where a residual is the largest."""
    return min(soft * YIELD * sqrt(max(largest, least)), 1.0)


@kernel
def yielding_step(p: Handle, i: int, soft: float, now: float, reference: float) -> None:
    """One step, from impulses whose residual is ``now``; terms are ``soft`` times as large as usual."""
    find_off(p, i, reference)
    least = ALL * now
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        largest = 0.0
        for end in range(2):
            if p.ends[k, end] >= 0:
                largest = max(largest, p.off[p.slot_node[p.ends[k, end]]])
        linearise_point(p, k, term(soft, largest, least))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        a, b = p.slot_node[p.row_slots[k, 0]], p.slot_node[p.row_slots[k, 1]]
        linearise_row(p, k, term(soft, max(p.off[a], p.off[b]), least))
    newton_step(p, i)


@kernel
def yielding_steps(p: Handle, i: int, tol: float, admitted: float, reference: float, best: float) -> tuple[int, float]:
    """Newton steps of many trees: how many, and the best residual, whose impulses are kept. Needs slides.

    A step that leads far away is taken back, and the next ones are softer. Where the residual is ``admitted`` they end
    when some in a row have not led on.
    """
    now, steps, soft = residual(p, i, tol, reference), 0, 1.0
    mark, idle = now, 0
    while steps < MOST and now < LOST:
        copy_impulses(p, i, p.impulse, p.row_impulse, p.centre, p.row_centre)
        before = now
        yielding_step(p, i, soft, before, reference)
        steps += 1
        now, best = judge(p, i, tol, reference, best)
        if now <= tol:
            return steps, now
        if now < AHEAD * mark:
            mark, idle = now, 0
        else:
            idle += 1
        if idle >= IDLE and best <= admitted:
            break
        if soft < SOFTEST and not now < FAR * before:
            copy_impulses(p, i, p.centre, p.row_centre, p.impulse, p.row_impulse)
            evaluate(p, i)
            now, soft = before, SOFTER * soft
        else:
            soft = max(HARDER * soft, 1.0)
    go_back(p, i)
    return steps, settle(p, i, admitted, reference)
