"""Forces at points on surfaces: normal forces that keep them there, and Coulomb's friction, which sticks or slips.

For one sliding point this is the paper's A f_n = a − dᵀτ. For several the scalar A is a matrix; where forces are not
determined by the motion (four legs), those of least norm are taken, or if these ask too much of friction, others.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.surface.problem import RANK, Flags, PointProblem, PointSolution, held_and_acting
from sesshoku.constraint.surface.refusal import check_normals, jammed, refuse
from sesshoku.constraint.surface.splitting import split_forces

__all__ = ["solve_points"]

Array = NDArray[np.float64]
DIRECTION: Final = 1e-10  # change of the direction of slip at which it is found
BOUNDARY: Final = 1e-6  # share of the friction disc next to its boundary that is left free where forces can be chosen
SHARES: Final = 100  # rounds in which points that stick share friction
SPLIT: Final = 1e-3  # accuracy of splitting with which points are told to stick or slip
ACCEPTED: Final = 1e-5  # residual of splitting, in postures where feet would need huge forces to stand quite still
CHANGES: Final = 200  # of stick, slip, leaving and directions, at most


def solve_points(problem: PointProblem) -> PointSolution:
    """Find which points stick, slip or leave, and their forces.

    A point sticks if friction up to K |f_n| can hold it, and leaves if it would have to be pulled (unilateral). A
    bilateral point may be pulled; friction then still opposes the slip. First those of least norm are tried, then those
    next to where splitting leads.
    """
    check_normals(problem)
    k = len(problem.free)
    found = _change(problem, np.zeros((k, 3)), problem.may_stick, np.zeros(k, dtype=bool), np.ones(k))
    slip_is_given = ~problem.may_stick & (problem.friction > 0.0)
    if found is None and not slip_is_given.any():
        found = _next_to_splitting(problem)
    return found or refuse(problem)


def _next_to_splitting(problem: PointProblem) -> PointSolution | None:
    """The exact solution next to what splitting gives, or that itself if the law is nearly satisfied."""
    near, residual = split_forces(problem)
    ends = (problem.compliance @ near.reshape(-1)).reshape(-1, 3) + problem.free
    # a point that slips would go out of its disc if it gave way to its motion
    given = near[:, 1:] - ends[:, 1:] / problem.compliance.diagonal().reshape(-1, 3).max(axis=1)[:, None]
    inside = np.hypot(given[:, 0], given[:, 1]) <= problem.friction * np.abs(near[:, 0]) * (1.0 + SPLIT)
    apart = problem.unilateral & (near[:, 0] <= 0.0)
    sticks = problem.may_stick & inside & ~apart
    found = _change(problem, near, sticks, apart, np.where(near[:, 0] < 0.0, -1.0, 1.0))
    return found or (PointSolution(near, sticks, apart) if residual < ACCEPTED else None)


def _change(problem: PointProblem, near: Array, sticks: Flags, apart: Flags, sign: Array) -> PointSolution | None:
    """Forces next to those that are near, while one point at a time begins to stick, slip or leave; None: no end."""
    problem = replace(problem, slip=problem.slip.copy())  # directions are found on the way
    sticks, apart, sign = sticks.copy(), apart.copy(), sign.copy()
    for i in np.flatnonzero(problem.may_stick & ~sticks & near[:, 1:].any(axis=1)):
        problem.slip[i] = -near[i, 1:] / np.linalg.norm(near[i, 1:])
    for _ in range(CHANGES + 4 * len(sticks)):
        held, acting = held_and_acting(problem, sticks, apart, sign)
        force = _forces(problem, sticks, held, acting, near)
        ends = (problem.compliance @ force.reshape(-1)).reshape(-1, 3) + problem.free
        limit = problem.friction * np.abs(force[:, 0])
        excess = np.where(sticks, np.hypot(force[:, 1], force[:, 2]) - limit, 0.0)
        pulled = ~sticks & ~apart & (problem.friction > 0.0) & (sign * force[:, 0] < 0.0)
        again = apart & (ends[:, 0] < -1e-9 * (1.0 + np.abs(problem.free[:, 0])))
        if problem.unilateral and force[:, 0].min() < 0.0:
            apart[force[:, 0].argmin()] = True
            sticks &= ~apart
        elif excess.max() > 1e-12 * np.abs(force).max():
            worst = int(excess.argmax())
            sticks[worst] = False
            problem.slip[worst] = -force[worst, 1:] / np.linalg.norm(force[worst, 1:])
        elif pulled.any():
            sign[pulled] *= -1.0
        elif again.any():
            apart &= ~again
        elif not _turn(problem, problem.may_stick & ~sticks & ~apart, sticks, limit, ends[:, 1:]):
            return None if jammed(problem, held, acting) else PointSolution(force, sticks, apart)
    return None


def _turn(problem: PointProblem, slipping: Flags, sticks: Flags, limit: Array, ends: Array) -> bool:
    """Turn slips towards where points end up moving; those friction would stop stick again. Whether any changed.

    A step of projection: the force −K f_n t goes against the motion by what the compliance makes of it, and back onto
    the circle of radius K f_n; its fixed point opposes the motion.
    """
    changed = False
    for i in np.flatnonzero(slipping):
        own = problem.compliance[3 * i + 1 : 3 * i + 3, 3 * i + 1 : 3 * i + 3]
        aim = limit[i] * problem.slip[i] + ends[i] / np.linalg.norm(own, 2)
        size = float(np.linalg.norm(aim))
        if size < limit[i] * (1.0 - DIRECTION):
            sticks[i] = changed = True
        elif size > 0.0:
            before = problem.slip[i].copy()
            problem.slip[i] = aim / size
            changed |= bool(np.abs(problem.slip[i] - before).max() > DIRECTION)
    return changed


def _forces(problem: PointProblem, sticks: Flags, held: Array, acting: Array, near: Array) -> Array:
    """Forces (k, 3) that keep what is held; where the motion does not determine them, those next to ``near``.

    Friction of points that stick may then go beyond its disc while others have some left: it is cut down to the disc,
    and what is missing spread over all again (alternating projections), until all are inside.
    """
    A = held.T @ problem.compliance @ acting
    wanted = -held.T @ problem.free.reshape(-1)
    x = held @ near.reshape(-1)
    for _ in range(SHARES):
        missing, _, rank, _ = np.linalg.lstsq(A, wanted - A @ x, rcond=RANK)
        x = x + missing
        force: Array = (acting @ x).reshape(-1, 3)
        size, limit = np.hypot(force[:, 1], force[:, 2]), problem.friction * np.abs(force[:, 0])
        beyond = sticks & (size > limit)
        if not beyond.any() or rank == round(held.trace()):
            break
        x.reshape(-1, 3)[beyond, 1:] *= ((1.0 - BOUNDARY) * limit[beyond] / size[beyond])[:, None]
    return force
