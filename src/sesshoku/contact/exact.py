"""The exact law: Signorini and Coulomb without relaxation, by Newton's method in body space.

Phase A: see full.py. Phase B, when A cycles: see proximal.py. Phase C, when B goes in circles: see central.py.

On redundant points that slip the law has more than one solution; which one is found depends on the impulses that the
solver begins with, those of the last step. ``independent`` begins with none, and with points that yield a little: then
there is one solution, and the rigid one next to it is taken.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sesshoku.constraint.island import is_heap
from sesshoku.constraint.problem import ISLANDS, TOLERANCE, Handle
from sesshoku.contact.central import follow_path, has_path
from sesshoku.contact.fit import (
    copy_impulses,
    evaluate,
    go_back,
    least_speed,
    misfit,
    nothing_yet,
    reference_speed,
    remember,
    residual,
    settle,
    take_stock,
    tidy,
)
from sesshoku.contact.full import full_step, full_steps, keep_better, relaxed_steps, yielding_steps
from sesshoku.contact.law import Law
from sesshoku.contact.linear import newton_direction, same_factor
from sesshoku.contact.pattern import pattern
from sesshoku.contact.proximal import persist, proximal
from sesshoku.contact.relax import prepare
from sesshoku.contact.sweep import sweep
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import store3

__all__ = ["Exact", "exact", "solve_island"]

FULL_STEPS: Final = (12, 40, 40)  # of phase A in each attempt: out of a jam the way leads over large residuals
WORST: Final = (1e3, 1e30, 1e30)  # times the residual before: there they have lost their way, in each attempt
FLOORS: Final = (1e-5, 1e-7, 1e-9)  # least residual in it, in each attempt: impulses that jam grow by its inverse
ENOUGH: Final = 0.01  # share of the tolerance within which nothing is done; heaps have all of it
BUDGET: Final = 300  # Newton steps of phase B
SOFT: Final = 0.1  # κ of its first round
FEW: Final = 3  # trees up to which a second attempt comes before phase C: next to its answer the next step cycles, too
HARDER: Final = (3.0, 10.0, 30.0)  # by how much phase B softens, in each attempt: what cycles with one may not so
SWEEPS: Final = 40  # before another attempt
COMPLIANCE: Final = 1e-4  # at which solutions are unique
ANEW: Final = 24  # Newton steps with it
INDEPENDENT: Final = 1  # of `options`


@kernel
def approach(p: Handle, i: int, tol: float, reference: float, best: float) -> float:
    """Sweeps from the best point, taken back if they lead away; returns the residual."""
    for _ in range(SWEEPS):
        sweep(p, i)
    return keep_better(p, i, tol, reference, best)


@kernel
def forget_impulses(p: Handle, i: int) -> None:
    """Let the points and rows of island i bear nothing."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.impulse, k, (0.0, 0.0, 0.0))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_impulse[k] = 0.0


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
def from_nothing(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Phase C: Newton steps taken, and the best residual of all phases, whose impulses are kept."""
    copy_impulses(p, i, p.best, p.row_best, p.begun, p.row_begun)
    steps, now = follow_path(p, i, tol, reference)
    if now < best:
        return steps, now
    copy_impulses(p, i, p.begun, p.row_begun, p.best, p.row_best)
    go_back(p, i)
    return steps, best


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
def solve_island(p: Handle, i: int, independent: bool, tol: float, reference: float) -> tuple[int, float]:
    """Impulses of island i from those of its points and rows as they are, or ``independent`` of these.

    Returns Newton steps taken, and the residual.
    """
    room, steps = False, 0
    if independent:
        forget_impulses(p, i)  # before the pattern: its order decides on last digits
        room = pattern(p, i)
        if room:
            steps = begin_anew(p, i, tol, reference)
    evaluate(p, i)
    best = misfit(p, i) / reference
    heap, many = is_heap(p, i), p.node_begin[i + 1] - p.node_begin[i] > FEW
    if best <= (tol if heap else ENOUGH * tol):
        best = settle(p, i, tol, reference)
        if best <= tol:
            return steps, best
    room = room or pattern(p, i)
    remember(p, i)
    copy_impulses(p, i, p.impulse, p.row_impulse, p.begun, p.row_begun)
    if heap:
        prepare(p, i)
    for k in range(len(FULL_STEPS)):
        if k > 0 or not room:
            best = approach(p, i, tol, reference, best)
        if room:  # but for heaps also from within the tolerance: what is left over adds up from step to step
            if heap:
                more, best = relaxed_steps(p, i, tol, reference, best)
                if best > tol:
                    steps += more
                    more, best = yielding_steps(p, i, tol, reference, best)
            else:
                more, best = full_steps(p, i, FULL_STEPS[k], WORST[k], FLOORS[k], tol, reference, best)
            steps += more
            if best > tol:
                if not heap:
                    choose_start(p, i, k)
                if k == 0:
                    more, best = persist(p, i, SOFT, HARDER[k], tol, reference, best)
                else:
                    more, best = proximal(p, i, SOFT, BUDGET, HARDER[k], tol, reference, best)
                steps += more
                if k == (0 if many else 1) and best > tol and has_path(p, i):
                    more, best = from_nothing(p, i, tol, reference, best)
                    steps += more
        if best <= tol:
            return steps, best
    tidy(p, i)
    evaluate(p, i)
    return steps, residual(p, i, tol, reference)


@kernel
def exact(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> None:
    """The law: impulses of all islands, and statistics."""
    independent, tol, floor = p.options[INDEPENDENT] != 0.0, p.options[TOLERANCE], least_speed(s, dt)
    nothing_yet(p)
    for i in range(p.count[ISLANDS]):
        reference = reference_speed(p, i, floor)
        steps, off = solve_island(p, i, independent, tol, reference)
        take_stock(p, steps, off, reference)


@dataclass(frozen=True, kw_only=True)
class Exact(Law):
    """Signorini and Coulomb without relaxation: no creep below the static limit, kinetic friction above it.

    Attributes:
        independent: whether a step depends on nothing but the state of the bodies, on which contacts stuck, and on how
            far elastic ones have yielded along the surface. The law has more than one solution where redundant points
            slip; by default the one next to the last step's is taken, which is faster.
    """

    name = "exact"
    summary = "Signorini and Coulomb without relaxation, static and kinetic friction"
    kernel = exact
    stages = (newton_direction, same_factor)
    elastic = True

    independent: bool = False
