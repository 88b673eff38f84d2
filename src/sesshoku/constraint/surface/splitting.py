"""Forces at points on surfaces by operator splitting (ADMM), for where changing one point at a time finds none."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.surface.problem import PointProblem, symmetric_inverse

__all__ = ["split_forces"]

Array = NDArray[np.float64]
ITERATIONS: Final = 10000
NEAR: Final = 1e-11  # change of the forces at which it ends, relative
RELAXED: Final = 1.6  # over-relaxation


def split_forces(problem: PointProblem) -> tuple[Array, float]:
    """Forces (k, 3) for which the energy of the motion is least within discs of radius K |f_n|, and their residual.

    It alternates between the motion, which is linear, and the law, which is a matter of each point. The residual is the
    acceleration by which the law is missed, relative to those without forces.
    """
    size = problem.compliance.diagonal().reshape(-1, 3).max(axis=1)
    weight = np.repeat(size, 3)  # each point by its own compliance
    inverse = np.linalg.inv(problem.compliance + np.diag(weight))
    # what no forces change, a trace of the step where feet of one body stick, would make them grow without end
    free = problem.compliance @ (symmetric_inverse(problem.compliance) @ problem.free.reshape(-1))
    inside, shift = np.zeros_like(free), np.zeros_like(free)
    for _ in range(ITERATIONS):
        force = inverse @ (weight * (inside - shift) - free)
        relaxed = RELAXED * force + (1.0 - RELAXED) * inside + shift
        before, inside = inside, _project(problem, relaxed.reshape(-1, 3)).reshape(-1)
        shift = relaxed - inside
        if np.abs(inside - before).max() + np.abs(force - inside).max() <= NEAR * np.abs(force).max():
            break
    ends = problem.compliance @ inside + free
    moved = _project(problem, (inside - ends / weight).reshape(-1, 3)).reshape(-1)
    residual = np.abs(weight * (inside - moved)).max() / max(np.abs(free).max(), np.finfo(float).tiny)
    return inside.reshape(-1, 3), float(residual)


def _project(problem: PointProblem, force: Array) -> Array:
    """Normal forces that only push if they must, and friction cut down to its disc."""
    normal = np.maximum(force[:, 0], 0.0) if problem.unilateral else force[:, 0]
    limit, size = problem.friction * np.abs(normal), np.hypot(force[:, 1], force[:, 2])
    cut = np.divide(limit, size, out=np.ones_like(size), where=size > limit)
    return np.column_stack([normal, cut[:, None] * force[:, 1:]])
