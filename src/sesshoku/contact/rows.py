"""What holds under every law, whatever it does about contacts: joint limits, joint friction and loop closures.

Impulses of contacts are given. Rows, and the points of loops, are solved with them: Newton steps with the contacts left
out of the linearisation, and sweeps over the rows before another attempt, should the steps cycle.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import OPEN
from sesshoku.contact.fit import evaluate
from sesshoku.contact.linearised import linearise_all
from sesshoku.contact.newton import newton_step
from sesshoku.contact.pattern import pattern
from sesshoku.contact.sweep import sweep_rows
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import dot

__all__ = ["is_contact", "solve_rows"]

STEPS: Final = 20  # of one attempt
SWEEPS: Final = 50  # before another
ATTEMPTS: Final = 5
EPSILON: Final = 1e-6  # Levenberg term: a limit and the friction of one joint share a velocity
ENOUGH: Final = 0.01  # share of the tolerance that is sought: rows are not to be what a law misses it by


@kernel
def is_contact(p: Handle, k: int) -> bool:
    """Whether a point is a contact, and not part of a loop."""
    return p.friction[k] >= 0.0  # type: ignore[no-any-return]


@kernel
def rows_misfit(p: Handle, i: int) -> float:
    """Norm of what the rows and loops of island i miss [m/s, rad/s]."""
    total = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if not is_contact(p, k):
            total += dot(load3(p.slide, k), load3(p.slide, k))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        h, r = p.row_scale[k], p.row_impulse[k]
        off = (r - min(max(r - h * p.row_slide[k], p.row_lower[k]), p.row_upper[k])) / h
        total += off * off
    return sqrt(total)


@kernel
def linearise_rows(p: Handle, i: int) -> None:
    """Linearise the rows and loops of island i; contacts keep their impulses."""
    linearise_all(p, i, EPSILON)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if is_contact(p, k):
            p.mode[k] = OPEN
            store3(p.push, k, (0.0, 0.0, 0.0))


@kernel
def solve_rows(p: Handle, i: int, tol: float, reference: float) -> int:
    """Impulses of the rows and loops of island i for those of its contacts as they are; Newton steps taken."""
    evaluate(p, i)
    enough, steps = ENOUGH * tol * reference, 0
    if rows_misfit(p, i) <= enough or not pattern(p, i):
        return 0
    for attempt in range(ATTEMPTS):
        for _ in range(SWEEPS if attempt > 0 else 0):
            sweep_rows(p, i)
        for _ in range(STEPS):
            linearise_rows(p, i)
            newton_step(p, i)
            steps += 1
            if rows_misfit(p, i) <= enough:
                return steps
    return steps
