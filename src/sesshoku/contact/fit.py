"""How well the impulses of an island fit the law, and what is done with them once they fit."""

from __future__ import annotations

from math import isnan, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import TOLERANCE, Handle
from sesshoku.contact.coulomb import off, project_cone, split
from sesshoku.contact.elastic import yield_elastically
from sesshoku.contact.flow import gather, respond, slides
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import add, dot, norm, scale, subtract

__all__ = [
    "copy_impulses",
    "evaluate",
    "forget_impulses",
    "go_back",
    "judge",
    "least_speed",
    "misfit",
    "nothing_yet",
    "reference_speed",
    "remember",
    "residual",
    "row_misfit",
    "settle",
    "take_stock",
    "tidy",
]

Array = NDArray[np.float64]
ROUNDING: Final = 1e-12  # by which an impulse may be outside of its cone
MISSED: Final = 1_000_000  # steps of what has not met the tolerance
TINY: Final = 1e-12  # [m/s]


@kernel
def evaluate(p: Handle, i: int) -> None:
    """Wrench, twist and slides of island i from its impulses, from scratch."""
    gather(p, i, p.impulse, p.row_impulse, p.wrench)
    respond(p, i, p.wrench, p.twist)
    for c in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        p.twist[c] += p.free[c]
    slides(p, i, p.twist)
    if p.elastic[i] != 0:
        yield_elastically(p, i)
    if p.compliance[0] > 0.0:
        soften(p, i, p.compliance[0])


@kernel
def soften(p: Handle, i: int, compliance: float) -> None:
    """Add to slide of the points and rows of island i what they yield by: compliance times their own response."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        more = subtract(load3(p.impulse, k), load3(p.centre, k))
        store3(p.slide, k, add(load3(p.slide, k), scale(compliance / p.scale[k], more)))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_slide[k] += compliance / p.row_scale[k] * (p.row_impulse[k] - p.row_centre[k])


@kernel
def least_speed(s: SystemHandle, dt: float) -> float:
    """What residuals are relative to at least: a thousandth of what gravity gives in a step [m/s]."""
    return 1e-3 * dt * norm((s.gravity[0], s.gravity[1], s.gravity[2])) + TINY


@kernel
def reference_speed(p: Handle, i: int, floor: float) -> float:
    """Norm of the velocities of the points and rows of island i with no impulse, what residuals are relative to."""
    count = 3 * (p.point_begin[i + 1] - p.point_begin[i]) + p.row_begin[i + 1] - p.row_begin[i]
    return max(p.free_speed[i], floor * sqrt(count))  # type: ignore[no-any-return]


@kernel
def row_misfit(p: Handle, k: int, h: float) -> float:
    """The natural residual of a row, in the units of an impulse over h."""
    y = p.row_impulse[k] - h * p.row_slide[k]
    return (p.row_impulse[k] - min(max(y, p.row_lower[k]), p.row_upper[k])) / h  # type: ignore[no-any-return]


@kernel
def misfit(p: Handle, i: int) -> float:
    """Norm of the natural residual of island i [m/s], weighted by scale."""
    total = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        total += off(load3(p.normal, k), p.friction[k], load3(p.impulse, k), load3(p.slide, k), p.scale[k])
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        total += row_misfit(p, k, p.row_scale[k]) ** 2
    return sqrt(total)


@kernel
def residual(p: Handle, i: int, tol: float, reference: float) -> float:
    """Residual of island i relative to the reference, weighted by scale.

    Once that is within the tolerance, the larger of it and of the one in the units of the impulses.
    """
    total = unit = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        n, mu, r, u = load3(p.normal, k), p.friction[k], load3(p.impulse, k), load3(p.slide, k)
        total += off(n, mu, r, u, p.scale[k])
        unit += off(n, mu, r, u, 1.0)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        total += row_misfit(p, k, p.row_scale[k]) ** 2
        unit += row_misfit(p, k, 1.0) ** 2
    total, unit = sqrt(total) / reference, sqrt(unit) / reference
    return max(total, unit) if total <= tol else total


@kernel
def copy_impulses(p: Handle, i: int, source: Array, row_source: Array, out: Array, row_out: Array) -> None:
    """Copy the impulses of the points and rows of island i from one place to another."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(out, k, load3(source, k))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        row_out[k] = row_source[k]


@kernel
def forget_impulses(p: Handle, i: int) -> None:
    """Let the points and rows of island i bear nothing."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.impulse, k, (0.0, 0.0, 0.0))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_impulse[k] = 0.0


@kernel
def remember(p: Handle, i: int) -> None:
    """Keep the impulses as the best so far."""
    copy_impulses(p, i, p.impulse, p.row_impulse, p.best, p.row_best)


@kernel
def go_back(p: Handle, i: int) -> None:
    """Take the best impulses again."""
    copy_impulses(p, i, p.best, p.row_best, p.impulse, p.row_impulse)
    evaluate(p, i)


@kernel
def tidy(p: Handle, i: int) -> bool:
    """Bring every impulse into its cone, that of a point that comes apart to zero; whether any had to be changed."""
    changed = False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        n, r, mu = load3(p.normal, k), load3(p.impulse, k), p.friction[k]
        if dot(r, r) == 0.0 or mu < 0.0:
            continue
        along, tangent = split(n, r)
        if along <= max(p.scale[k] * dot(n, load3(p.slide, k)), 0.0):
            store3(p.impulse, k, (0.0, 0.0, 0.0))
            changed = True
        elif dot(tangent, tangent) > ((1.0 + ROUNDING) * mu * along) ** 2:
            store3(p.impulse, k, project_cone(n, mu, r))
            changed = True
    return changed


@kernel
def settle(p: Handle, i: int, tol: float, reference: float) -> float:
    """Residual of island i. Once it is within the tolerance, impulses are tidied, and must still be within it."""
    now = residual(p, i, tol, reference)
    if now <= tol:
        remember(p, i)
        if tidy(p, i):
            evaluate(p, i)
            now = residual(p, i, tol, reference)
            if now > tol:
                go_back(p, i)
    return now


@kernel
def judge(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[float, float]:
    """The residual of the impulses, and the best so far, whose impulses are kept; within the tolerance the last one."""
    now = settle(p, i, tol, reference)
    if now < best or now <= tol:
        remember(p, i)
        return now, now
    return now, best  # also where it is no number


@kernel
def nothing_yet(p: Handle) -> None:
    """Statistics of a step before its first island."""
    for k in range(len(p.statistics)):
        p.statistics[k] = 0.0


@kernel
def take_stock(p: Handle, i: int, steps: float, left: float, admitted: float, reference: float) -> None:
    """Add island i to the statistics: iterations, residual, what is admitted of it and what it is relative to."""
    p.admitted[i], p.reference[i], statistics = admitted, reference, p.statistics
    p.steps[i] = int(steps) if left <= p.options[TOLERANCE] else MISSED
    if not (left <= statistics[0] or isnan(statistics[0])):  # also where it is no number, which it stays
        statistics[0] = left
    statistics[1] += steps
    statistics[2] += 0.0 if left <= admitted else 1.0
