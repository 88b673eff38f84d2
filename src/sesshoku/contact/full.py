"""Phase A of the exact law: Newton steps on the Alart–Curnier form, with a Levenberg term that vanishes with them.

The parameter that decides between open, stick and slip is a share of each point's own scale and has nothing to do with
that term: so redundant points do not flip in bulk. Few trees take full steps, their term is small. Among many that lie
on each other such steps are too long: see yielding.py.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import evaluate, go_back, judge, settle
from sesshoku.contact.linearised import linearise_all
from sesshoku.contact.newton import newton_step
from sesshoku.contact.sweep import sweep
from sesshoku.kernel import kernel

__all__ = ["EPSILON", "approach", "approach_slowly", "full_step", "full_steps"]

EPSILON: Final = 1e-3  # Levenberg term of a full step, per residual
SWEEPS: Final = 40  # before another attempt
ROUNDS: Final = 8  # of them, each of twice as many, where nothing else is left


@kernel
def full_step(p: Handle, i: int, eps: float) -> None:
    """One Newton step, all points with the Levenberg term ``eps``."""
    linearise_all(p, i, eps)
    newton_step(p, i)


@kernel
def approach(p: Handle, i: int, tol: float, reference: float, best: float) -> float:
    """Sweeps from the best point, taken back if they lead away; returns the residual."""
    for _ in range(SWEEPS):
        sweep(p, i)
    evaluate(p, i)
    now, best = judge(p, i, tol, reference, best)
    if not now <= best:
        go_back(p, i)
    return best


@kernel
def approach_slowly(p: Handle, i: int, tol: float, reference: float, best: float) -> float:
    """Thousands of sweeps from the best point; returns the best residual, whose impulses are kept.

    Next to a point that hardly yields Newton steps go to and fro between open and closed, and sweeps lead far away
    before they lead to the answer.
    """
    go_back(p, i)
    for k in range(ROUNDS):
        for _ in range(SWEEPS << k):
            sweep(p, i)
        evaluate(p, i)
        now, best = judge(p, i, tol, reference, best)
        if now <= tol:
            return now
    go_back(p, i)
    return best


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
