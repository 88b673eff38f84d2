"""Points on surfaces as a problem: what is held, and what acts for it, while they stick, slip or are apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

__all__ = ["Flags", "PointProblem", "PointSolution", "held_and_acting", "symmetric_inverse"]

Array = NDArray[np.float64]
Flags = NDArray[np.bool_]
RANK: Final = 1e-11  # singular values below this share of the largest count as zero
MOVABLE: Final = 1e-9  # share of its compliance that a point must keep along a tangent to be moved along it


@dataclass(frozen=True)
class PointProblem:
    """k points in coordinates along their axes, the normal first: relative acceleration = compliance @ force + free.

    Attributes:
        compliance: J M⁻¹ Jᵀ [1/kg], (3k, 3k).
        free: acceleration without forces, less the one wanted [m/s²], (k, 3): zero at the end where a point is held.
        friction: K, (k,).
        slip: direction of the slip, along the two tangents, (k, 2); shorter than one if regularised.
        may_stick: points whose friction may hold them, (k,); if it does not, they slip as they then move.
        unilateral: normal forces only push.
    """

    compliance: Array
    free: Array
    friction: Array
    slip: Array
    may_stick: Flags
    unilateral: bool


@dataclass(frozen=True)
class PointSolution:
    """Forces (k, 3) along the axes of the points, on them [N]; which stick, and which have left, (k,)."""

    force: Array
    sticks: Flags
    apart: Flags


def held_and_acting(problem: PointProblem, sticks: Flags, apart: Flags, sign: Array) -> tuple[Array, Array]:
    """What is held (columns: normals, and tangents where points stick), and the forces that act for each, (3k, 3k).

    The two differ by the friction −K t that goes with the normal force of a point that slips.
    """
    held = np.zeros((len(sticks), 3, 3))
    held[:, 0, 0] = ~apart
    if sticks.any():
        held[:, 1:, 1:] = sticks[:, None, None] * _movable(problem.compliance, apart)
    acting = held.copy()
    acting[:, 1:, 0] = -np.where(~sticks & ~apart, sign * problem.friction, 0.0)[:, None] * problem.slip
    return _diagonal(held), _diagonal(acting)


def _movable(compliance: Array, apart: Flags) -> Array:
    """Projectors (k, 2, 2) on the tangents along which points can move while all normals are held.

    In a corner one surface holds a point along the tangents of the other: friction has nothing to hold there.
    """
    normal = 3 * np.flatnonzero(~apart)
    across = compliance[:, normal]
    left = compliance - across @ symmetric_inverse(compliance[np.ix_(normal, normal)]) @ across.T
    each = np.arange(len(apart))
    size, direction = np.linalg.eigh(left.reshape(len(apart), 3, -1, 3)[each, 1:, each, 1:])
    whole = compliance.diagonal().reshape(-1, 3).sum(axis=1)
    direction *= (size > MOVABLE * whole[:, None])[:, None, :]
    movable: Array = direction @ direction.transpose(0, 2, 1)
    return movable


def symmetric_inverse(matrix: Array, least: float = 0.0) -> Array:
    """The pseudoinverse of a symmetric positive semidefinite matrix; eigenvalues up to ``least`` count as zero."""
    size, direction = np.linalg.eigh(matrix)
    keep = size > max(least, RANK * size.max(initial=0.0))
    inverse: Array = (direction[:, keep] / size[keep]) @ direction[:, keep].T
    return inverse


def _diagonal(blocks: Array) -> Array:
    """(3k, 3k) with blocks (k, 3, 3) on its diagonal."""
    k = len(blocks)
    whole = np.zeros((k, 3, k, 3))
    whole[range(k), :, range(k)] = blocks
    return whole.reshape(3 * k, 3 * k)
