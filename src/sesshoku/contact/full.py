"""Phase A of the exact law: Newton steps on the Alart–Curnier form, with a Levenberg term that vanishes with them.

The parameter that decides between open, stick and slip is a share of each point's own scale and has nothing to do with
that term: so redundant points do not flip in bulk. Few trees take full steps, their term is small. Among many that lie
on each other such steps are too long: there sweeps come first (relax.py), or a few steps with a larger term and sweeps
between them if surfaces are elastic, and then steps in which points yield where they are off (yielding.py).
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import copy_impulses, evaluate, go_back, remember, residual, settle
from sesshoku.contact.linearised import linearise_all
from sesshoku.contact.newton import newton_step
from sesshoku.contact.relax import relax
from sesshoku.contact.sweep import sweep
from sesshoku.contact.yielding import yielding_step
from sesshoku.kernel import kernel

__all__ = ["IDLE", "approach", "full_step", "full_steps", "relaxed", "relaxed_steps", "yielding_steps"]

EPSILON: Final = 1e-3  # Levenberg term of a full step, per residual
TERM: Final = (0.1, 1e-3)  # of a relaxed step, per root of the residual: of the first one, and at least
LEAST_OFF: Final = 1e-10  # residual in it, at least
LARGEST: Final = 0.3  # the term at most: a step that fails with it is the last
SHORTER: Final = (10.0, 0.1)  # times it, after a step that was taken back, and others
MOST_RELAXED: Final = 4  # steps
ASTRAY: Final = 1e3  # times the residual before: more is not relaxed
CALM: Final = (1e-4, 0.03)  # of the residual: smaller changes end relaxing; before all steps, after a relaxed one
LEAST: Final = 0.1  # of the tolerance: the same
MOST_YIELDING: Final = 300  # steps
AHEAD: Final = 0.3  # of the residual: a step that makes it so small leads on
IDLE: Final = 3  # steps in a row that do not: then a heap is let be, if it may
FAR: Final = 10.0  # times the residual before: there a step has led away
SOFTER, HARDER = 4.0, 0.5  # times the terms after such a step, and after others
SOFTEST: Final = 60.0  # beyond, steps are not taken back
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
    p: Handle, i: int, now: float, most: int, worst: float, floor: float, tol: float, reference: float, best: float
) -> tuple[int, float]:
    """Full steps of few trees: Newton steps taken, and the best residual, whose impulses are kept.

    They begin where the residual is ``now``, and end where it is ``worst`` times as large.
    """
    steps, lost = 0, worst * now
    while steps < most and now < lost:
        full_step(p, i, EPSILON * min(max(now, floor), 1.0))
        steps += 1
        now, best = judge(p, i, tol, reference, best)
        if now <= tol:
            return steps, now
    go_back(p, i)
    return steps, settle(p, i, tol, reference) if best <= tol else best  # where it began it may not be tidy


@kernel
def relaxed(p: Handle, i: int, tol: float, reference: float, best: float) -> float:
    """Sweeps where many trees move, taken back if they lead away; returns the residual. Needs `prepare`."""
    relax(p, i, max(CALM[0] * best, LEAST * tol) * reference)
    return keep_better(p, i, tol, reference, best)


@kernel
def relaxed_steps(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Full steps of many elastic trees, relaxed after each: Newton steps taken, and the best residual, which is kept.

    A step that leads away all the same is taken back, and the next one is shorter: its Levenberg term grows, while it
    can. One step is mostly enough. Needs `prepare`.
    """
    steps, term = 0, TERM[0]
    while best > tol and steps < MOST_RELAXED:
        eps = min(term * sqrt(max(best, LEAST_OFF)), LARGEST)
        full_step(p, i, eps)
        steps += 1
        now = settle(p, i, tol, reference)
        if tol < now < ASTRAY * best:
            relax(p, i, max(CALM[1] * now, LEAST * tol) * reference)
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
            if eps == LARGEST:
                break
            term *= SHORTER[0]
    return steps, best


@kernel
def yielding_steps(p: Handle, i: int, tol: float, admitted: float, reference: float, best: float) -> tuple[int, float]:
    """Newton steps of many trees: how many, and the best residual, whose impulses are kept. Needs slides.

    A step that leads far away is taken back, and the next ones are softer. Where the residual is ``admitted`` they end
    when some in a row have not led on.
    """
    now, steps, soft = residual(p, i, tol, reference), 0, 1.0
    mark, idle = now, 0
    while steps < MOST_YIELDING and now < LOST:
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
