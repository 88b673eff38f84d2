"""Phase B of the exact law: the proximal point method, for when full steps cycle.

Each round solves a problem that is softer than the rigid one: points and rows yield to what their impulses differ by
from those at its start, its centre, by a share κ of their own response. So redundant points have one answer; and as the
centre follows, nothing of the compliance is left in the end. Rounds are solved by the full steps of phase A: what
decides between open, stick and slip is still each point's own scale, whatever κ is. A round that is easy makes the next
one stiffer, one that fails makes it softer.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import copy_impulses, evaluate, go_back, remember, residual, settle
from sesshoku.contact.linearised import linearise_all
from sesshoku.contact.newton import newton_step
from sesshoku.kernel import kernel

__all__ = ["attempt_softly", "persist", "proximal"]

BUDGET: Final = 300  # Newton steps in later attempts
SOFT: Final = 0.1  # κ of the first round
HARDER: Final = (3.0, 10.0, 30.0)  # by how much a round softens, in each attempt: what cycles with one may not so
INNER: Final = 8  # Newton steps of one round
SOFTEST: Final = 10.0  # κ at most
EASY, EASIER = (2, 0.3), (5, 0.5)  # up to so many steps a round was easy; times κ
PROGRESS: Final = 0.1  # residual of a round over that at its start
ENOUGH: Final = 0.3  # share of the tolerance within which a round need not be
PATIENCE, WORTH = 30, 0.3  # Newton steps, and the residual after so many over that before for which it goes on
EPSILON, FLOOR = 1e-3, 1e-5  # Levenberg term as in phase A
LOST: Final = 1e6  # residual at which a round has failed


@kernel
def solve_softly(p: Handle, i: int, kappa: float, goal: float, reference: float) -> tuple[int, bool]:
    """One round about the impulses as they are: Newton steps taken, and whether the goal was reached."""
    copy_impulses(p, i, p.impulse, p.row_impulse, p.centre, p.row_centre)
    p.compliance[0] = kappa
    evaluate(p, i)
    now, steps = residual(p, i, goal, reference), 0
    while steps < INNER and now < LOST:
        linearise_all(p, i, kappa + EPSILON * min(max(now, FLOOR), 1.0))
        newton_step(p, i)
        steps += 1
        now = residual(p, i, goal, reference)
        if now <= goal:
            break
    p.compliance[0] = 0.0
    evaluate(p, i)
    return steps, now <= goal


@kernel
def proximal(
    p: Handle, i: int, soft: float, budget: int, harder: float, tol: float, reference: float, best: float
) -> tuple[int, float]:
    """Phase B from the impulses as they are: Newton steps taken, and the best residual so far, whose impulses are kept.

    κ of the first round is ``soft``; after a round that failed the next one is softer by the factor ``harder``. No
    round begins after ``budget`` Newton steps.
    """
    evaluate(p, i)
    used, kappa, start = 0, soft, residual(p, i, tol, reference)
    while used < budget and best > tol:
        steps, solved = solve_softly(p, i, kappa, max(ENOUGH * tol, PROGRESS * start), reference)
        used += max(steps, 1)  # of a round that is lost at its start there are none
        now = settle(p, i, tol, reference)
        if now < best:
            best = now
            remember(p, i)
        if solved:
            start = now
            kappa *= EASY[1] if steps <= EASY[0] else EASIER[1] if steps <= EASIER[0] else 1.0
        else:
            kappa = min(harder * kappa, SOFTEST)
            copy_impulses(p, i, p.centre, p.row_centre, p.impulse, p.row_impulse)
    go_back(p, i)
    return used, best


@kernel
def persist(
    p: Handle, i: int, soft: float, harder: float, tol: float, reference: float, best: float
) -> tuple[int, float]:
    """Phase B, PATIENCE Newton steps at a time while these lower the residual: steps taken, and the best residual."""
    used = 0
    while True:
        before = best
        steps, best = proximal(p, i, soft, PATIENCE, harder, tol, reference, best)
        used += steps
        if best <= tol or not best < WORTH * before:  # also where both are infinite, or no numbers
            return used, best


@kernel
def attempt_softly(p: Handle, i: int, k: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Phase B in attempt k, 0 first, from the impulses as they are: Newton steps taken, and the best residual."""
    if k == 0:
        return persist(p, i, SOFT, HARDER[0], tol, reference, best)
    return proximal(p, i, SOFT, BUDGET, HARDER[k], tol, reference, best)
