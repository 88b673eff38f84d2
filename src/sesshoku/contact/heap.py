"""Many trees that lie on each other, phase by phase, and how they begin again.

While a heap of rigid bodies settles, few forces hold it, and the larger it is, the more Newton steps lead to these. So
it is let be where its residual is admitted, once steps no longer lead on towards the tolerance. The next step goes on
from there: what rests is soon within the tolerance. A heap that was so at once in the step before is first solved to
the tolerance by all phases, whatever that takes: towers, which then hardly need any.

Where they jam, no phase is sure to end, and whether one does hangs on where it begins. So a heap that all attempts have
missed begins anew from nothing, each time after more sweeps.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.central import from_nothing
from sesshoku.contact.fit import evaluate, forget_impulses, settle
from sesshoku.contact.full import IDLE, approach, relaxed, relaxed_steps, yielding_steps
from sesshoku.contact.proximal import attempt_softly
from sesshoku.contact.relax import prepare
from sesshoku.contact.sweep import sweep
from sesshoku.kernel import kernel

__all__ = ["solve_heap", "try_again"]

ATTEMPTS: Final = 3  # from the best impulses so far
TRIES: Final = 12  # from none, if these fail
SWEEPS: Final = 7  # before the first try, and so many more before each other


@kernel
def was_quiet(p: Handle, i: int) -> bool:
    """Whether island i met the tolerance in so few Newton steps in the step before that it was not let be."""
    most = 0
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        most = max(most, p.kept_steps[p.tree[node]])
    return most < IDLE


@kernel
def all_phases(
    p: Handle, i: int, k: int, tol: float, admitted: float, reference: float, best: float
) -> tuple[int, float]:
    """Attempt k from the best impulses: Newton steps taken, and the best residual. Phase C has one answer only."""
    steps = 0
    if p.elastic[i] == 0:
        best = relaxed(p, i, tol, reference, best)
    else:
        steps, best = relaxed_steps(p, i, tol, reference, best)
    if best > tol:
        more, best = yielding_steps(p, i, tol, admitted, reference, best)
        steps += more
    if best > admitted:
        more, best = attempt_softly(p, i, k, admitted, reference, best)
        steps += more
    if best > admitted and k == 0:
        more, best = from_nothing(p, i, admitted, reference, best)
        steps += more
    return steps, best


@kernel
def try_again(p: Handle, i: int, tol: float, admitted: float, reference: float, best: float) -> tuple[int, float]:
    """Yielding steps of island i from nothing, after ever more sweeps: Newton steps taken, and the best residual."""
    steps = 0
    for k in range(1, TRIES + 1):
        forget_impulses(p, i)
        evaluate(p, i)
        for _ in range(SWEEPS * k):
            sweep(p, i)
        evaluate(p, i)
        more, best = yielding_steps(p, i, tol, admitted, reference, best)
        steps += more
        if best <= admitted:
            break
    return steps, best


@kernel
def attempts(
    p: Handle, i: int, quiet: bool, tol: float, admitted: float, reference: float, best: float
) -> tuple[int, float]:
    """All phases, time and again: Newton steps taken, and the best residual, whose impulses are kept.

    The first attempt leads to the tolerance if the heap is ``quiet``, others to what is ``admitted``.
    """
    prepare(p, i)
    most = tol if quiet else admitted
    steps, best = all_phases(p, i, 0, tol, most, reference, best)
    if most < best:
        best = settle(p, i, admitted, reference)
    for k in range(1, ATTEMPTS):
        if best <= admitted:
            return steps, best
        best = approach(p, i, admitted, reference, best)
        more, best = all_phases(p, i, k, tol, admitted, reference, best)
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
            best = approach(p, i, admitted, reference, best)
    return best


@kernel
def solve_heap(
    p: Handle, i: int, room: bool, independent: int, tol: float, admitted: float, reference: float, best: float
) -> tuple[int, float]:
    """Impulses of island i of many trees: Newton steps taken, and the best residual, whose impulses are kept."""
    if not room:
        return 0, sweeps_only(p, i, admitted, reference, best)
    return attempts(p, i, independent != 0 or was_quiet(p, i), tol, admitted, reference, best)
