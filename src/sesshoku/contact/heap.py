"""Many trees that lie on each other, phase by phase, and how they begin again.

They give way unless they find their forces at once (giving.py), and take far fewer Newton steps then.
Where they jam, no phase is sure to end, and whether one does hangs on where it begins. So a heap that all attempts have
missed begins anew from nothing, each time after more sweeps.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.central import from_nothing
from sesshoku.contact.fit import evaluate, forget_impulses, remember, settle
from sesshoku.contact.full import approach, relaxed, relaxed_steps, yielding_steps
from sesshoku.contact.giving import SHARE, STEPS, give_way, gives_still, stiffen
from sesshoku.contact.proximal import attempt_softly
from sesshoku.contact.relax import prepare
from sesshoku.contact.sweep import sweep
from sesshoku.kernel import kernel

__all__ = ["solve_heap", "try_again"]

AT_ONCE: Final = 6  # yielding steps in which a heap finds its forces, or gives way
YIELDING: Final = 300  # of each attempt
STIFFER: Final = 4  # times that springs of contacts are made stiffer which give way far
ATTEMPTS: Final = 3  # from the best impulses so far
TRIES: Final = 12  # from none, if these fail
SWEEPS: Final = 7  # before the first try, and so many more before each other


@kernel
def all_phases(p: Handle, i: int, k: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Attempt k from the best impulses: Newton steps taken, and the best residual. Phase C has one answer only."""
    steps = 0
    if p.elastic[i] == 0 and p.gave[i] == 0:
        best = relaxed(p, i, tol, reference, best)
    else:
        steps, best = relaxed_steps(p, i, tol, reference, best)
    if best > tol:
        more, best = yielding_steps(p, i, YIELDING, tol, reference, best)
        steps += more
    if best > tol:
        more, best = attempt_softly(p, i, k, tol, reference, best)
        steps += more
    if best > tol and k == 0:
        more, best = from_nothing(p, i, tol, reference, best)
        steps += more
    return steps, best


@kernel
def try_again(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Yielding steps of island i from nothing, after ever more sweeps: Newton steps taken, and the best residual."""
    steps = 0
    for k in range(1, TRIES + 1):
        forget_impulses(p, i)
        evaluate(p, i)
        for _ in range(SWEEPS * k):
            sweep(p, i)
        evaluate(p, i)
        more, best = yielding_steps(p, i, YIELDING, tol, reference, best)
        steps += more
        if best <= tol:
            break
    return steps, best


@kernel
def find_at_once(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Sweeps and few Newton steps of a rigid heap: how many, and the best residual, whose impulses are kept."""
    prepare(p, i)
    best = relaxed(p, i, tol, reference, best)
    if best <= tol:
        return 0, best
    return yielding_steps(p, i, AT_ONCE, tol, reference, best)


@kernel
def begin(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Let island i give way, if it may and does not find its forces at once: Newton steps taken, and the residual."""
    steps = 0
    if p.giving[SHARE] > 0.0 and p.gave[i] == 0:
        left = gives_still(p, i)
        if left <= 1 and p.elastic[i] == 0:
            steps, best = find_at_once(p, i, tol, reference, best)
            left = STEPS
            if best <= tol:
                return steps, best
        best = give_way(p, i, max(left, 1), tol, reference, best)
    prepare(p, i)
    return steps, best


@kernel
def attempts(p: Handle, i: int, room: bool, tol: float, reference: float, best: float) -> tuple[int, float]:
    """All phases, time and again: Newton steps taken, and the best residual, whose impulses are kept."""
    steps = 0
    for k in range(ATTEMPTS):
        if best <= tol:
            return steps, best
        if k > 0 or not room:
            best = approach(p, i, tol, reference, best)
        if room and best > tol:
            more, best = all_phases(p, i, k, tol, reference, best)
            steps += more
    if room and best > tol:
        more, best = try_again(p, i, tol, reference, best)
        steps += more
    return steps, best


@kernel
def solve_heap(p: Handle, i: int, room: bool, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Impulses of island i of many trees: Newton steps taken, and the best residual, whose impulses are kept."""
    if not room:
        return attempts(p, i, room, tol, reference, best)
    steps, best = begin(p, i, tol, reference, best)
    more, best = attempts(p, i, room, tol, reference, best)
    steps += more
    for _ in range(STIFFER):
        if p.gave[i] == 0 or best > tol or not stiffen(p, i):
            break
        prepare(p, i)
        evaluate(p, i)
        remember(p, i)
        more, best = attempts(p, i, room, tol, reference, settle(p, i, tol, reference))
        steps += more
    return steps, best
