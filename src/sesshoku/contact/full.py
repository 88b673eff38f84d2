"""Phase A of the exact law: Newton steps on the Alart–Curnier form, with a Levenberg term that vanishes with them.

The parameter that decides between open, stick and slip is a share of each point's own scale and has nothing to do with
that term: so redundant points do not flip in bulk. Few trees take full steps, their term is small. Among many that lie
on each other such steps are too long: there a few with a larger term come first, sweeps between them (relax.py), and
then more of those in which points yield where they are off (yielding.py).
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import evaluate, go_back, remember, residual, settle
from sesshoku.contact.linearised import linearise_all
from sesshoku.contact.newton import newton_step
from sesshoku.contact.relax import relax
from sesshoku.contact.sweep import sweep
from sesshoku.contact.yielding import yielding_step
from sesshoku.kernel import kernel

__all__ = ["approach", "full_step", "full_steps", "relaxed_steps", "yielding_steps"]

EPSILON: Final = 1e-3  # Levenberg term of a full step, per residual
TERM: Final = (0.1, 1e-3)  # of a relaxed step, per root of the residual: of the first one, and at least
LEAST_OFF: Final = 1e-10  # residual in it, at least
SOFTEST: Final = 0.3  # the term at most: a step that fails with it is the last
SHORTER: Final = (10.0, 0.1)  # times it, after a step that was taken back, and others
MOST_RELAXED: Final = 4  # steps
ASTRAY: Final = 1e3  # times the residual before: more is not relaxed
CALM: Final = (1e-4, 1e-3, 0.03)  # of the residual: smaller changes end relaxing; before, after, after if elastic
LEAST: Final = 0.1  # of the tolerance: the same
MOST_YIELDING: Final = 300  # steps
SOFTER: Final = (24, 20, 4.0)  # of so many of them those after so many yield more, by the factor: they end what drifts
LOST: Final = 1e6  # residual at which they have failed
SWEEPS: Final = 40  # before another attempt


@kernel
def full_step(p: Handle, i: int, eps: float) -> None:
    """One Newton step, all points with the Levenberg term ``eps``."""
    linearise_all(p, i, eps)
    newton_step(p, i)


@kernel
def judge(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[float, float]:
    """The residual of the impulses, and the best so far, whose impulses are kept."""
    now = settle(p, i, tol, reference)
    if now < best:
        remember(p, i)
        return now, now
    return now, best  # also where it is no number


@kernel
def keep_better(p: Handle, i: int, tol: float, reference: float, best: float) -> float:
    """Keep the impulses if they are better than the best so far, else take those again; returns the residual."""
    evaluate(p, i)
    now = settle(p, i, tol, reference)
    if now < best:
        remember(p, i)
        return now
    go_back(p, i)
    return best


@kernel
def approach(p: Handle, i: int, tol: float, reference: float, best: float) -> float:
    """Sweeps from the best point, taken back if they lead away; returns the residual."""
    for _ in range(SWEEPS):
        sweep(p, i)
    return keep_better(p, i, tol, reference, best)


@kernel
def full_steps(
    p: Handle, i: int, most: int, worst: float, floor: float, tol: float, reference: float, best: float
) -> tuple[int, float]:
    """Full steps of few trees: Newton steps taken, and the best residual, whose impulses are kept.

    It ends where the residual is ``worst`` times that at its start.
    """
    now, steps, lost = best, 0, worst * best
    while steps < most and now < lost:
        full_step(p, i, EPSILON * min(max(now, floor), 1.0))
        steps += 1
        now, best = judge(p, i, tol, reference, best)
        if now <= tol:
            return steps, now
    go_back(p, i)
    return steps, settle(p, i, tol, reference) if best <= tol else best  # where it began it may not be tidy


@kernel
def relaxed_steps(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """The same for many trees, relaxed before the first step and after each.

    A step that leads away all the same is taken back, and the next one is shorter: its Levenberg term grows, while it
    can. Where points are elastic one step is mostly enough, and sweeps before it would cost more. Needs `prepare`.
    """
    steps, term = 0, TERM[0]
    if p.elastic[i] == 0:
        relax(p, i, max(CALM[0] * best, LEAST * tol) * reference)
        best = keep_better(p, i, tol, reference, best)
    while best > tol and steps < MOST_RELAXED:
        eps = min(term * sqrt(max(best, LEAST_OFF)), SOFTEST)
        full_step(p, i, eps)
        steps += 1
        now = settle(p, i, tol, reference)
        if tol < now < ASTRAY * best:
            relax(p, i, max((CALM[1] if p.elastic[i] == 0 else CALM[2]) * now, LEAST * tol) * reference)
            evaluate(p, i)
            now = settle(p, i, tol, reference)
        if now <= tol:
            return steps, now
        if now < best:
            best = now
            remember(p, i)
            term = max(SHORTER[1] * term, TERM[1])
        else:
            go_back(p, i)
            if eps == SOFTEST:
                break
            term *= SHORTER[0]
    return steps, best


@kernel
def yielding_steps(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """What follows if these fail: Newton steps taken, and the best residual, whose impulses are kept. Needs slides."""
    now, steps = residual(p, i, tol, reference), 0
    while steps < MOST_YIELDING and now < LOST:
        yielding_step(p, i, SOFTER[2] if steps % SOFTER[0] >= SOFTER[1] else 1.0, now, reference)
        steps += 1
        now, best = judge(p, i, tol, reference, best)
        if now <= tol:
            return steps, now
    go_back(p, i)
    return steps, best
