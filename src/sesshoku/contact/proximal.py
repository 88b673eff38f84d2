"""Phase B of the exact law: a proximal (augmented Lagrangian) Newton method, for when full steps cycle.

Impulses r are held while the twist is sought whose projected impulses p(r − c ρ u) are those it belongs to, by Newton
steps with a line search. Only when that inner problem has been solved r becomes p; else its stiffness c is lowered.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import copy_impulses, evaluate, go_back, remember, settle
from sesshoku.contact.flow import gather, respond, slides, squared
from sesshoku.contact.linear import find_direction
from sesshoku.contact.linearised import project_all, respond_linearly
from sesshoku.kernel import kernel

__all__ = ["proximal"]

BUDGET: Final = 300  # Newton steps in all
INNER: Final = 8  # Newton steps on one inner problem
HALVINGS: Final = 5  # of the line search


@kernel
def imbalance(p: Handle, i: int, c: float, share: float) -> float:
    """|J Λ (Jᵀ p − f)|² at a share of the inner step; fills gap with Λ (Jᵀ p − f)."""
    for a in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        p.attempt[a] = p.twist[a] + share * p.change[a]
    slides(p, i, p.attempt)
    project_all(p, i, c)
    gather(p, i, p.push, p.row_push, p.wrench)
    for a in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        p.wrench[a] -= p.held[a] + share * p.shift[a]
    respond(p, i, p.wrench, p.gap)
    return squared(p, i, p.gap)


@kernel
def inner_problem(p: Handle, i: int, c: float, target: float) -> int:
    """Solve for the twist whose projected impulses are those it belongs to; steps taken, negative if not solved."""
    begin, end = p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]
    for a in range(begin, end):
        p.held[a], p.shift[a], p.change[a] = p.wrench[a], 0.0, 0.0
    before = imbalance(p, i, c, 0.0)
    for step in range(INNER + 1):
        if step > 0 and sqrt(before) <= target:
            return step
        if step == INNER:
            break
        for a in range(begin, end):
            p.change[a] = p.gap[a]
        find_direction(p.stage[0], (p, i))
        respond_linearly(p, i)
        gather(p, i, p.push, p.row_push, p.shift)
        for a in range(begin, end):
            p.shift[a] -= p.held[a]
        share, best, least = 1.0, 1.0, 1e300
        for _ in range(HALVINGS):
            after = imbalance(p, i, c, share)
            if after < least:
                best, least = share, after
            if after <= (1.0 - 0.1 * share) * before:
                break
            share *= 0.5
        if best != share:
            least = imbalance(p, i, c, best)
        for a in range(begin, end):
            p.held[a] += best * p.shift[a]
            p.twist[a] += best * p.change[a]
            p.shift[a], p.change[a] = 0.0, 0.0
        before = least
    return -INNER


@kernel
def proximal(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Phase B from the best point: Newton steps taken, and the residual reached."""
    used, c = 0, 30.0
    while used < BUDGET:
        evaluate(p, i)
        now = settle(p, i, tol, reference)
        if now < best:
            best = now
            remember(p, i)
        if now <= tol:
            return used, now
        steps = inner_problem(p, i, c, 0.1 * max(tol, 0.1 * now) * reference)
        used += abs(steps)
        if steps > 0:
            copy_impulses(p, i, p.push, p.row_push, p.impulse, p.row_impulse)
            if steps <= 4:
                c = min(5.0 * c, 1e6)
        else:
            c = max(0.1 * c, 0.1)
    go_back(p, i)
    return used, best
