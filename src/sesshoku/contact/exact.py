"""The exact law: Signorini and Coulomb without relaxation, by Newton's method in body space.

Phase A: full Newton steps on the Alart–Curnier form, with a Levenberg term that vanishes with the residual. The
parameter that decides between open, stick and slip is each point's own scale and has nothing to do with that term:
so redundant points do not flip in bulk. Phase B, when A cycles: a proximal (augmented Lagrangian) Newton method on the
same equations; the impulses are only renewed when the inner problem has been solved, else its stiffness is lowered.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from numba import types

from sesshoku.constraint.problem import HANDLE, ISLANDS, Handle
from sesshoku.contact.coulomb import OPEN, STICK, Linear, linearise, natural_residual, project, project_cone, split
from sesshoku.contact.flow import gather, relative, relative_row, respond, slides, squared
from sesshoku.contact.pattern import pattern
from sesshoku.contact.sweep import sweep
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import by_pointer, kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["exact"]

FULL_STEPS: Final = 12  # of phase A
BUDGET: Final = 300  # Newton steps of phase B
TINY: Final = 1e-12  # [m/s]
EPSILON: Final = 1e-3  # Levenberg term of a full step, per residual
ENOUGH: Final = 0.01  # share of the tolerance within which nothing is done: what is left over adds up from step to step
MANY: Final = 40  # points from which sweeps come first
FEW_SWEEPS, SWEEPS = 40, 200  # before the first attempt, and before the others
ATTEMPTS: Final = 3
HUGE: Final = 1e30
ROUNDING: Final = 1e-12
INNER: Final = 8  # Newton steps on one inner problem

call_stage = by_pointer(HANDLE, types.int64)  # the first stage is newton_direction, see linear.py


@kernel
def misfit(p: Handle, i: int, unit: bool) -> float:
    """Norm of the natural residual of island i [m/s], weighted by scale; in the units of the impulses if ``unit``."""
    total = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        h = 1.0 if unit else p.scale[k]
        r = natural_residual(load3(p.normal, k), p.friction[k], load3(p.impulse, k), load3(p.slide, k), h)
        total += dot(r, r) / (h * h)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        h = 1.0 if unit else p.row_scale[k]
        y = p.row_impulse[k] - h * p.row_slide[k]
        off = (p.row_impulse[k] - min(max(y, p.row_lower[k]), p.row_upper[k])) / h
        total += off * off
    return sqrt(total)


@kernel
def residual(p: Handle, i: int, tol: float, reference: float) -> float:
    """Residual of island i relative to the reference: the larger of both, the second only where it matters."""
    first = misfit(p, i, False) / reference
    if not first <= tol:
        return first
    return max(first, misfit(p, i, True) / reference)


@kernel
def evaluate(p: Handle, i: int) -> None:
    """Twist and slides from the impulses, from scratch."""
    gather(p, i, p.impulse, p.row_impulse, p.wrench)
    move(p, i)


@kernel
def move(p: Handle, i: int) -> None:
    """Twist and slides from wrench."""
    respond(p, i, p.wrench, p.twist)
    for c in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        p.twist[c] += p.free[c]
    slides(p, i, p.twist)


@kernel
def keep(p: Handle, k: int, line: Linear) -> None:
    """Store the linearisation of a point."""
    p.mode[k] = line[0]
    store3(p.push, k, line[1])
    p.stiffness[k, 0], p.stiffness[k, 1] = line[2], line[3]
    store3(p.direction, k, line[4])


@kernel
def linearise_all(p: Handle, i: int, eps: float) -> None:
    """Linearise the points and rows of island i for a full Newton step."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        keep(
            p, k, linearise(load3(p.normal, k), p.friction[k], load3(p.impulse, k), load3(p.slide, k), p.scale[k], eps)
        )
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        r, h = p.row_impulse[k], p.row_scale[k]
        y = r - h * p.row_slide[k]
        if p.row_lower[k] < y < p.row_upper[k]:
            p.row_push[k], p.row_stiffness[k] = (y - r) / eps, h / eps
        else:
            p.row_push[k] = (min(max(y, p.row_lower[k]), p.row_upper[k]) - r) / (1.0 + eps)
            p.row_stiffness[k] = 0.0


@kernel
def project_all(p: Handle, i: int, c: float) -> None:
    """Project the points and rows of island i, with derivative, at c times their scale."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        keep(p, k, project(load3(p.normal, k), p.friction[k], load3(p.impulse, k), load3(p.slide, k), c * p.scale[k]))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        h = c * p.row_scale[k]
        y = p.row_impulse[k] - h * p.row_slide[k]
        inside = p.row_lower[k] < y < p.row_upper[k]
        p.row_push[k], p.row_stiffness[k] = min(max(y, p.row_lower[k]), p.row_upper[k]), h if inside else 0.0


@kernel
def give_way(p: Handle, k: int, u: Vec3) -> Vec3:
    """A u: how the impulse of a linearised point gives way to a velocity."""
    if p.mode[k] == OPEN:
        return (0.0, 0.0, 0.0)
    if p.mode[k] == STICK:
        return scale(p.stiffness[k, 0], u)
    n, d = load3(p.normal, k), load3(p.direction, k)
    slope, t = add(n, scale(p.friction[k], d)), cross(n, d)
    return add(scale(p.stiffness[k, 0] * dot(n, u), slope), scale(p.stiffness[k, 1] * dot(t, u), t))


@kernel
def respond_linearly(p: Handle, i: int) -> None:
    """Replace push by push − A J dV, with dV in change."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.push, k, subtract(load3(p.push, k), give_way(p, k, relative(p, k, p.change))))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_push[k] -= p.row_stiffness[k] * relative_row(p, k, p.change)


@kernel
def remember(p: Handle, i: int) -> None:
    """Keep the impulses as the best so far."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.best, k, load3(p.impulse, k))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_best[k] = p.row_impulse[k]


@kernel
def go_back(p: Handle, i: int) -> None:
    """Take the best impulses again."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.impulse, k, load3(p.best, k))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_impulse[k] = p.row_best[k]
    evaluate(p, i)


@kernel
def tidy(p: Handle, i: int) -> bool:
    """Bring every impulse into its cone, that of a point that comes apart to zero; whether any had to be changed."""
    changed = False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        n, r, mu = load3(p.normal, k), load3(p.impulse, k), p.friction[k]
        if mu < 0.0 or dot(r, r) == 0.0:
            continue
        along, tangent = split(n, r)
        if along <= max(p.scale[k] * dot(n, load3(p.slide, k)), 0.0):
            store3(p.impulse, k, (0.0, 0.0, 0.0))
            changed = True
        elif norm(tangent) > (1.0 + ROUNDING) * mu * along:
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
def full_step(p: Handle, i: int, eps: float) -> None:
    """One step of phase A."""
    linearise_all(p, i, eps)
    gather(p, i, p.push, p.row_push, p.wrench)
    respond(p, i, p.wrench, p.change)
    call_stage(p.stage[0], (p, i))
    respond_linearly(p, i)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.impulse, k, add(load3(p.impulse, k), load3(p.push, k)))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_impulse[k] += p.row_push[k]
    evaluate(p, i)


@kernel
def imbalance(p: Handle, i: int, c: float, share: float) -> float:
    """|J Λ (Jᵀ p − f)|² at a share of the inner step; fills gap with Λ (Jᵀ p − f)."""
    for a in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        p.attempt[a] = p.twist[a] + share * p.change[a]
    slides(p, i, p.attempt)
    project_all(p, i, c)
    gather(p, i, p.push, p.row_push, p.wrench)
    for a in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        p.wrench[a] -= p.held[a] + share * p.shift[a]
    respond(p, i, p.wrench, p.gap)
    return squared(p, i, p.gap)


@kernel
def inner_problem(p: Handle, i: int, c: float, target: float) -> int:
    """Solve for the twist whose projected impulses are those it belongs to; steps taken, negative if not solved."""
    begin, end = p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]
    for a in range(begin, end):
        p.held[a], p.shift[a], p.change[a] = p.wrench[a], 0.0, 0.0
    before = imbalance(p, i, c, 0.0)
    for step in range(INNER + 1):
        if step > 0 and sqrt(before) <= target:
            return step
        if step == INNER:
            break
        for a in range(begin, end):
            p.change[a] = p.gap[a]
        call_stage(p.stage[0], (p, i))
        respond_linearly(p, i)
        gather(p, i, p.push, p.row_push, p.shift)
        for a in range(begin, end):
            p.shift[a] -= p.held[a]
        share, best, least = 1.0, 1.0, 1e300
        for _ in range(5):
            after = imbalance(p, i, c, share)
            if after < least:
                best, least = share, after
            if after <= (1.0 - 0.1 * share) * before:
                break
            share *= 0.5
        if best != share:
            least = imbalance(p, i, c, best)
        for a in range(begin, end):
            p.held[a] += best * p.shift[a]
            p.twist[a] += best * p.change[a]
            p.shift[a], p.change[a] = 0.0, 0.0
        before = least
    return -INNER


@kernel
def proximal(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Phase B from the best point: Newton steps taken, and the residual reached."""
    used, c = 0, 30.0
    while used < BUDGET:
        evaluate(p, i)
        now = settle(p, i, tol, reference)
        if now < best:
            best = now
            remember(p, i)
        if now <= tol:
            return used, now
        steps = inner_problem(p, i, c, 0.1 * max(tol, 0.1 * now) * reference)
        used += abs(steps)
        if steps > 0:
            for k in range(p.point_begin[i], p.point_begin[i + 1]):
                store3(p.impulse, k, load3(p.push, k))
            for k in range(p.row_begin[i], p.row_begin[i + 1]):
                p.row_impulse[k] = p.row_push[k]
            if steps <= 4:
                c = min(5.0 * c, 1e6)
        else:
            c = max(0.1 * c, 0.1)
    go_back(p, i)
    return used, best


@kernel
def approach(p: Handle, i: int, sweeps: int, tol: float, reference: float, best: float) -> float:
    """Sweeps from the best point, taken back if they lead away; returns the residual."""
    for _ in range(sweeps):
        sweep(p, i)
    evaluate(p, i)
    now = settle(p, i, tol, reference)
    if now < best:
        remember(p, i)
        return now
    go_back(p, i)
    return best


@kernel
def newton(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Phase A, then phase B from its best point: Newton steps taken, and the residual reached."""
    now = best
    for step in range(FULL_STEPS):
        full_step(p, i, EPSILON * min(max(now, 1e-5), 1.0))
        now = settle(p, i, tol, reference)
        if now <= tol:
            return step + 1, now
        if now < best:
            best = now
            remember(p, i)
        if not now < HUGE:
            break
    go_back(p, i)
    steps, now = proximal(p, i, tol, reference, best)
    return FULL_STEPS + steps, now


@kernel
def solve_island(p: Handle, i: int, tol: float, reference: float) -> tuple[int, float]:
    """Impulses of island i from those of its points and rows as they are; Newton steps taken, and the residual."""
    evaluate(p, i)
    best = settle(p, i, tol, reference)
    if best <= ENOUGH * tol or not pattern(p, i):
        return 0, best
    remember(p, i)
    steps = 0
    for attempt in range(ATTEMPTS):
        sweeps = SWEEPS if attempt > 0 else FEW_SWEEPS if p.point_begin[i + 1] - p.point_begin[i] > MANY else 0
        if sweeps > 0:
            best = approach(p, i, sweeps, tol, reference, best)
        more, best = newton(p, i, tol, reference, best)
        steps += more
        if best <= tol:
            return steps, best
    tidy(p, i)
    evaluate(p, i)
    return steps, residual(p, i, tol, reference)


@kernel
def reference_speed(p: Handle, i: int, floor: float) -> float:
    """Norm of the velocities of the points and rows of island i with no impulse, what residuals are relative to."""
    slides(p, i, p.free)
    total, count = 0.0, 0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        total += dot(load3(p.slide, k), load3(p.slide, k))
        count += 3
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        total += p.row_slide[k] * p.row_slide[k]
        count += 1
    return max(sqrt(total), floor * sqrt(count))


@kernel
def exact(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> None:
    """The law: impulses of all islands, and statistics.

    Residuals are relative to the velocities with no impulse, but not to less than a thousandth of gravity's in a step.
    """
    tol, statistics = p.tolerance[0], p.statistics
    floor = 1e-3 * dt * norm((s.gravity[0], s.gravity[1], s.gravity[2])) + TINY
    statistics[0] = statistics[1] = statistics[2] = statistics[3] = 0.0
    for i in range(p.count[ISLANDS]):
        reference = reference_speed(p, i, floor)
        steps, off = solve_island(p, i, tol, reference)
        statistics[0] = max(statistics[0], off)
        statistics[1] += steps
        statistics[2] += 0.0 if off <= tol else 1.0
        statistics[3] = max(statistics[3], reference)
