"""Many trees that lie on each other, phase by phase, and how they begin again.

Where they jam, no phase is sure to end, and whether one does hangs on where it begins. So a heap that all phases have
missed begins anew from nothing, each time after more sweeps.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.central import from_nothing
from sesshoku.contact.fit import evaluate, forget_impulses
from sesshoku.contact.full import approach, relaxed_steps, yielding_steps
from sesshoku.contact.proximal import persist
from sesshoku.contact.relax import prepare
from sesshoku.contact.sweep import sweep
from sesshoku.kernel import kernel

__all__ = ["solve_heap", "try_again"]

SOFT, HARDER = 0.1, 3.0  # κ of the first round of phase B, and by how much it softens
TRIES: Final = 12
SWEEPS: Final = 7  # before the first try, and so many more before each other
WITHOUT: Final = 3  # times `approach` where there is no room for Newton steps


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
        more, best = yielding_steps(p, i, tol, reference, best)
        steps += more
        if best <= tol:
            break
    return steps, best


@kernel
def solve_heap(p: Handle, i: int, room: bool, tol: float, reference: float, best: float) -> tuple[int, float]:
    """All phases for island i of many trees: Newton steps taken, and the best residual, whose impulses are kept."""
    if not room:
        for _ in range(WITHOUT):
            best = approach(p, i, tol, reference, best)
        return 0, best
    prepare(p, i)
    steps, best = relaxed_steps(p, i, tol, reference, best)
    if best > tol:
        more, best = yielding_steps(p, i, tol, reference, best)
        steps += more
    if best > tol:
        more, best = persist(p, i, SOFT, HARDER, tol, reference, best)
        steps += more
    if best > tol:
        more, best = from_nothing(p, i, tol, reference, best)
        steps += more
    if best > tol:
        more, best = try_again(p, i, tol, reference, best)
        steps += more
    return steps, best
