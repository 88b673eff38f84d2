"""Newton steps that end where the first row leaves its bounds: for limits that are redundant.

Where coupled joints come to their limits together, to nanometres, one limit too many holds them. A step then leads
along impulses that hold each other, as far as a vanishing Levenberg term lets it: beyond the place where the limit that
is too many bears nothing any more, to residuals of any size, and in a circle. One that ends there leads to the answer.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import copy_impulses, evaluate, go_back, judge, residual
from sesshoku.contact.full import EPSILON, full_step
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import add, scale, subtract

__all__ = ["short_steps"]

MOST: Final = 40  # steps
FLOOR: Final = 1e-9  # least residual in the Levenberg term
WORSE: Final = 10.0  # times the residual before: such a step is ended early


@kernel
def way(p: Handle, i: int) -> float:
    """Share of the last step, from the centre on, at which the first row of island i leaves its bounds."""
    share = 1.0
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        before, after, low, high = p.row_centre[k], p.row_impulse[k], p.row_lower[k], p.row_upper[k]
        if low <= before <= high and not low <= after <= high:
            share = min(share, ((low if after < low else high) - before) / (after - before))
    return share


@kernel
def shorten(p: Handle, i: int, share: float) -> None:
    """Take only a share of the last step from the centre."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        begin = load3(p.centre, k)
        store3(p.impulse, k, add(begin, scale(share, subtract(load3(p.impulse, k), begin))))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_impulse[k] = p.row_centre[k] + share * (p.row_impulse[k] - p.row_centre[k])
    evaluate(p, i)


@kernel
def short_steps(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Newton steps from the best impulses: how many, and the best residual, whose impulses are kept."""
    now, steps = best, 0
    while steps < MOST:
        copy_impulses(p, i, p.impulse, p.row_impulse, p.centre, p.row_centre)
        full_step(p, i, EPSILON * min(max(now, FLOOR), 1.0))
        steps += 1
        if not residual(p, i, tol, reference) < WORSE * now:
            share = way(p, i)
            if 0.0 < share < 1.0:
                shorten(p, i, share)
        now, best = judge(p, i, tol, reference, best)
        if now <= tol:
            return steps, now
    go_back(p, i)
    return steps, best
