"""Impulses of one island under the exact law, phase by phase.

Phase A: see full.py. Phase B, when A cycles: see proximal.py. Phase C, when B goes in circles: see central.py. For many
trees that lie on each other: see heap.py.
"""

from __future__ import annotations

from typing import Final

from numba import types

from sesshoku.constraint.island import is_heap
from sesshoku.constraint.problem import HANDLE, Handle
from sesshoku.contact.central import from_nothing
from sesshoku.contact.fit import (
    copy_impulses,
    evaluate,
    forget_impulses,
    misfit,
    remember,
    residual,
    settle,
    tidy,
)
from sesshoku.contact.full import approach, approach_slowly, full_step, full_steps
from sesshoku.contact.heap import solve_heap
from sesshoku.contact.pattern import pattern
from sesshoku.contact.proximal import attempt_softly
from sesshoku.contact.short import short_steps
from sesshoku.kernel import by_pointer, kernel

__all__ = ["SOLVER", "call_solver", "solve_island"]

FULL_STEPS: Final = (12, 40, 40)  # of phase A in each attempt: out of a jam the way leads over large residuals
NEVER: Final = 1e30
WORST: Final = (1e3, NEVER, NEVER)  # times the residual before: there they have lost their way, in each attempt
FLOORS: Final = (1e-5, 1e-7, 1e-9)  # least residual in it, in each attempt: impulses that jam grow by its inverse
# Share of the tolerance within which nothing is done, and that after a step in which something was; heaps have all.
# What one step leaves the next undoes, and impulses that undo it are wrong for the third: with one share, what rests
# would take a Newton step in every other one for ever.
ENOUGH: Final = (0.01, 0.0025)
FEW: Final = 3  # trees up to which a second attempt comes before phase C: next to its answer the next step cycles, too
WORSE: Final = 100.0  # times the residual of no impulses, which is one or less: so bad a start is dropped
COMPLIANCE: Final = 1e-4  # at which solutions are unique
ANEW: Final = 24  # Newton steps with it
SOLVER: Final = 2  # of `stage`
call_solver = by_pointer(HANDLE, *2 * (types.int64,), *3 * (types.float64,))  # calls `solve_island`


@kernel
def choose_start(p: Handle, i: int, attempt: int) -> None:
    """Let phase B begin with the impulses of the step before, then with none, then with the best.

    The best of phase A has a small residual but may be far from any solution. From there a hand with fingers about to
    slip missed 1e-8 in one of 100 000 steps, after 1001 Newton steps (`sesshoku bench runs`).
    """
    if attempt == 0:
        copy_impulses(p, i, p.begun, p.row_begun, p.impulse, p.row_impulse)
    elif attempt == 1:
        forget_impulses(p, i)


@kernel
def enough(p: Handle, i: int) -> float:
    """Share of the tolerance within which nothing is done in island i."""
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        if p.kept_steps[p.tree[node]] > 0:
            return ENOUGH[1]
    return ENOUGH[0]


@kernel
def begin_anew(p: Handle, i: int, tol: float, reference: float) -> int:
    """From no impulses those of the points and rows of island i if they yield; Newton steps taken."""
    copy_impulses(p, i, p.impulse, p.row_impulse, p.centre, p.row_centre)
    p.compliance[0] = COMPLIANCE
    evaluate(p, i)
    steps = 0
    while steps < ANEW and residual(p, i, tol, reference) > tol:
        full_step(p, i, COMPLIANCE)
        steps += 1
    p.compliance[0] = 0.0
    return steps


@kernel
def attempt_anew(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Phase A as if each step were independent: Newton steps taken, and the best residual, whose impulses are kept."""
    forget_impulses(p, i)
    steps = begin_anew(p, i, tol, reference)
    evaluate(p, i)
    now = residual(p, i, tol, reference)
    more, best = full_steps(p, i, now, FULL_STEPS[0], NEVER, FLOORS[0], tol, reference, best)
    return steps + more, best


@kernel
def solve_few(p: Handle, i: int, room: bool, tol: float, reference: float, best: float) -> tuple[int, float]:
    """All phases for island i of few trees: Newton steps taken, and the best residual, whose impulses are kept."""
    steps, many = 0, p.node_begin[i + 1] - p.node_begin[i] > FEW
    for k in range(len(FULL_STEPS)):
        if k > 0 or not room:
            best = approach(p, i, tol, reference, best)
        if room:  # also from within the tolerance: what is left over adds up from step to step
            more, best = full_steps(p, i, best, FULL_STEPS[k], WORST[k], FLOORS[k], tol, reference, best)
            steps += more
            if best > tol:
                choose_start(p, i, k)
                more, best = attempt_softly(p, i, k, tol, reference, best)
                steps += more
            if best > tol and k == (0 if many else 1):
                more, best = from_nothing(p, i, tol, reference, best)
                steps += more
        if best <= tol:
            return steps, best
    if room and p.row_begin[i + 1] > p.row_begin[i]:
        more, best = short_steps(p, i, tol, reference, best)
        steps += more
    if room and best > tol:  # nearly last of all: next to its answer the next step often cycles
        more, best = attempt_anew(p, i, tol, reference, best)
        steps += more
    if best > tol:
        best = approach_slowly(p, i, tol, reference, best)
    return steps, best


@kernel
def solve_island(p: Handle, i: int, independent: int, tol: float, admitted: float, reference: float) -> None:
    """Impulses of island i from those of its points and rows as they are, or ``independent`` of these.

    A heap that does not meet the tolerance soon is let be where its residual is ``admitted``; for others these are one.
    A stage of laws: Newton steps taken, and the residual, are left in outcome.
    """
    room, steps = False, 0
    if independent:
        forget_impulses(p, i)  # before the pattern: its order decides on last digits
        room = pattern(p, i)
        if room:
            steps = begin_anew(p, i, tol, reference)
    evaluate(p, i)
    best, heap = misfit(p, i) / reference, is_heap(p, i)
    if not best <= WORSE:  # points that jam, and have moved since: none are better
        forget_impulses(p, i)
        evaluate(p, i)
        best = misfit(p, i) / reference
    if best <= tol * (1.0 if heap else ENOUGH[0] if independent else enough(p, i)):
        best = settle(p, i, tol, reference)
        if best <= tol:
            p.outcome[0], p.outcome[1] = steps, best
            return
    remember(p, i)
    copy_impulses(p, i, p.impulse, p.row_impulse, p.begun, p.row_begun)
    if heap:
        more, best = solve_heap(p, i, independent, tol, admitted, reference, best)
    else:
        more, best = solve_few(p, i, room or pattern(p, i), tol, reference, best)
    if best > admitted:
        tidy(p, i)
        evaluate(p, i)
        best = residual(p, i, admitted, reference)
    p.outcome[0], p.outcome[1] = steps + more, best
