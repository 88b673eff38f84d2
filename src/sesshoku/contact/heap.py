"""Many trees that lie on each other, phase by phase, and how they begin again.

While a heap of rigid bodies settles, few forces hold it, and the larger it is, the more Newton steps lead to these. So
it is let be where sweeps have brought its residual to what is admitted. What begins within that takes Newton steps
towards the tolerance, and is let be where these do not lead on: sweeps alone would let what rests creep, since each
step may add more than they take. A heap that was within the tolerance at once in the step before is first solved to
that by all phases, whatever it takes: towers, which then hardly need any.

Where they jam, no phase is sure to end, and whether one does hangs on where it begins. So a heap that all attempts have
missed begins anew from nothing, each time after more sweeps.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.central import from_nothing
from sesshoku.contact.fit import copy_impulses, evaluate, forget_impulses, remember, settle
from sesshoku.contact.pattern import pattern
from sesshoku.contact.proximal import attempt_softly
from sesshoku.contact.relax import relax, relaxed
from sesshoku.contact.yielding import IDLE, yielding_steps
from sesshoku.kernel import kernel

__all__ = ["solve_heap", "sweeps_only", "try_again"]

ATTEMPTS: Final = 3  # from the best impulses so far
LED: Final = 0.5  # of the residual: sweeps that leave more are taken back
TRIES: Final = 12  # from none, if these fail


@kernel
def was_quiet(p: Handle, i: int) -> bool:
    """Whether island i met the tolerance in so few Newton steps in the step before that it was not let be."""
    most = 0
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        most = max(most, p.kept_steps[p.tree[node]])
    return most < IDLE


@kernel
def newton_phases(
    p: Handle, i: int, k: int, tol: float, admitted: float, reference: float, best: float
) -> tuple[int, float]:
    """Attempt k from the best impulses: Newton steps taken, and the best residual. Phase C has one answer only."""
    steps, best = yielding_steps(p, i, tol, admitted, reference, best)
    if best > admitted:
        more, best = attempt_softly(p, i, k, admitted, reference, best)
        steps += more
    if best > admitted and k == 0:
        more, best = from_nothing(p, i, admitted, reference, best)
        steps += more
    return steps, best


@kernel
def try_again(p: Handle, i: int, tol: float, admitted: float, reference: float, best: float) -> tuple[int, float]:
    """Yielding steps from nothing, after ever more rounds of sweeps: Newton steps taken, and the best residual.

    Needs `find_steps`, as `relaxed` leaves them.
    """
    steps = 0
    for k in range(1, TRIES + 1):
        forget_impulses(p, i)
        evaluate(p, i)
        for _ in range(k):
            relax(p, i)
        evaluate(p, i)
        more, best = yielding_steps(p, i, tol, admitted, reference, best)
        steps += more
        if best <= admitted:
            break
    return steps, best


@kernel
def attempts(
    p: Handle, i: int, tol: float, goal: float, admitted: float, reference: float, best: float
) -> tuple[int, float]:
    """Newton's method, time and again: steps taken, and the best residual, whose impulses are kept.

    The first attempt leads to the ``goal``, others to what is ``admitted``.
    """
    steps, best = newton_phases(p, i, 0, tol, goal, reference, best)
    if best > goal:
        best = settle(p, i, admitted, reference)
    for k in range(1, ATTEMPTS):
        if best <= admitted:
            return steps, best
        best = relaxed(p, i, admitted, reference, best)
        if best > admitted:
            more, best = newton_phases(p, i, k, tol, admitted, reference, best)
            steps += more
    if best > admitted:
        more, best = try_again(p, i, tol, admitted, reference, best)
        steps += more
    return steps, best


@kernel
def sweeps_only(p: Handle, i: int, admitted: float, reference: float, best: float) -> float:
    """Sweeps where there is no room for the matrix of a Newton step; returns the residual."""
    for _ in range(ATTEMPTS):
        if best > admitted:
            best = relaxed(p, i, admitted, reference, best)
    return settle(p, i, admitted, reference)


@kernel
def solve_heap(
    p: Handle, i: int, independent: int, tol: float, admitted: float, reference: float, best: float
) -> tuple[int, float]:
    """Impulses of island i of many trees: Newton steps taken, and the best residual, whose impulses are kept."""
    goal = tol if independent != 0 or was_quiet(p, i) else admitted
    begun, best = best, relaxed(p, i, goal, reference, best)
    if best <= tol or best <= goal < begun:
        return 0, best
    if begun <= admitted and best > LED * begun:  # Newton steps lead further from where the step before has ended
        copy_impulses(p, i, p.begun, p.row_begun, p.impulse, p.row_impulse)
        evaluate(p, i)
        remember(p, i)
        best = begun
    if pattern(p, i):
        return attempts(p, i, tol, goal, admitted, reference, best)
    return 0, sweeps_only(p, i, admitted, reference, best)
