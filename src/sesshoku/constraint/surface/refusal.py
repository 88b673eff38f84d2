"""When points have no forces that keep them on their surfaces, and what to do then."""

from __future__ import annotations

from typing import Final, NoReturn

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.surface.problem import RANK, PointProblem, held_and_acting, symmetric_inverse
from sesshoku.errors import JammingError, RankError

__all__ = ["check_normals", "jammed", "refuse"]

Array = NDArray[np.float64]
CONSISTENT: Final = 1e-7  # share of the wanted acceleration that may be missed where rows depend on each other
JAMMED: Final = 1e-6  # share of its value without friction that A must keep


def check_normals(problem: PointProblem) -> None:
    """Refuse points that no force moves along their normals, and normals that cannot all be held.

    The first is the tip of an arm stretched out along its normal. The second is no matter of points that may leave.
    """
    diagonal = problem.compliance.diagonal().reshape(-1, 3)
    stiff = np.flatnonzero(diagonal[:, 0] <= RANK * diagonal.sum(axis=1))
    if len(stiff):
        raise RankError(
            f"point {stiff[0]} cannot move along its normal",
            remedy="Start from a posture in which it can: the arm bent, not stretched along the normal",
        )
    if len(diagonal) == 1 or problem.unilateral:
        return
    normals, free = problem.compliance[::3, ::3], problem.free[:, 0]
    missed = np.abs(normals @ (symmetric_inverse(normals) @ free) - free).max()
    if missed > CONSISTENT * np.abs(free).max():
        raise RankError(
            f"no forces keep the points on their surfaces: an acceleration of {missed:.2g} m/s² is missing",
            remedy="Start from a posture in which the points can move along their normals, or remove a constraint",
        )


def refuse(problem: PointProblem) -> NoReturn:
    """Say why there are no forces: pushed or pulled, none may go with the slip."""
    none = np.zeros(len(problem.free), dtype=bool)
    for side in (1.0, -1.0):
        share = _jamming(problem, *held_and_acting(problem, none, none, np.full(len(none), side)))
        if share >= 1.0 - JAMMED:
            raise JammingError(
                f"friction jams: A is {1.0 - share:.3g} of its value without friction, and must be positive",
                remedy="Lower the friction, or change the posture or the direction of the motion",
            )
    raise JammingError(
        "no combination of stick, slip and leaving satisfies all points",
        remedy="Lower the friction, or regularise it by slip_speed",
    )


def jammed(problem: PointProblem, held: Array, acting: Array) -> bool:
    """Whether A has turned singular while friction grew to K."""
    return _jamming(problem, held, acting) >= 1.0 - JAMMED


def _jamming(problem: PointProblem, held: Array, acting: Array) -> float:
    """The share of A that friction along given slips takes away: at 1 or more A has turned singular on the way to K.

    For one point that is A <= 0 (Painlevé). Where slips are not given, forces that satisfy the law are never refused.
    """
    slips = np.flatnonzero((held != acting).any(axis=0) & ~np.repeat(problem.may_stick, 3))
    if not len(slips):
        return 0.0
    A = held.T @ problem.compliance
    drag = symmetric_inverse(A @ held) @ (A @ (held - acting)[:, slips])
    share = np.linalg.eigvals(drag[slips])
    real = share.real[np.abs(share.imag) < 1e-12 * (1.0 + np.abs(share.real))]
    return float(real.max(initial=0.0))
