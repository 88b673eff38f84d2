"""The joint-space inertia matrix by composite rigid bodies, its sparse factor M = Lᵀ D L, and solves with it.

Only entries between a velocity and its ancestors can differ from zero (branch-induced sparsity, Featherstone). Row d
holds them side by side, root first and d itself last, so the row of an ancestor lines up with the beginning of row d.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.inertia import apply_inertia
from sesshoku.spatial.motion import power
from sesshoku.spatial.row import load_motion

__all__ = ["factor_matrix", "inertia_matrix", "solve_matrix"]

Array = NDArray[np.float64]


@kernel
def inertia_matrix(s: Handle) -> None:
    """Fill matrix from moments, freedom and diagonal; needs body_wrenches."""
    composite, parent, freedom, matrix, row = s.composite, s.parent, s.freedom, s.matrix, s.row
    dof_body, dof_parent, dof_depth, diagonal = s.dof_body, s.dof_parent, s.dof_depth, s.diagonal
    n = len(parent)
    for i in range(n):
        composite[i, 0] = s.mass[i]
        for k in range(3):
            composite[i, 1 + k] = s.first_moment[i, k]
        for k in range(6):
            composite[i, 4 + k] = s.moments[i, k]
    for i in range(n - 1, -1, -1):
        if parent[i] >= 0:
            for k in range(10):
                composite[parent[i], k] += composite[i, k]
    for d in range(len(dof_body)):
        i = dof_body[d]
        first = (composite[i, 1], composite[i, 2], composite[i, 3])
        about = (
            composite[i, 4], composite[i, 5], composite[i, 6], composite[i, 7], composite[i, 8], composite[i, 9]
        )  # fmt: skip
        momentum = apply_inertia(composite[i, 0], first, about, load_motion(freedom, d))
        entry, e = row[d] + dof_depth[d], d
        while e >= 0:
            matrix[entry] = power(load_motion(freedom, e), momentum)
            entry, e = entry - 1, dof_parent[e]
        matrix[row[d] + dof_depth[d]] += diagonal[d]


@kernel
def factor_matrix(s: Handle) -> None:
    """Fill factor with L (unit diagonal, not stored) and, in its place, D; from the leaves to the root."""
    factor, matrix, row, depth, dof_parent = s.factor, s.matrix, s.row, s.dof_depth, s.dof_parent
    for k in range(len(matrix)):
        factor[k] = matrix[k]
    for d in range(len(row) - 1, -1, -1):
        begin = row[d]
        inverse = 1.0 / factor[begin + depth[d]]
        e = dof_parent[d]
        while e >= 0:
            length = factor[begin + depth[e]] * inverse
            target = row[e]
            for k in range(depth[e] + 1):
                factor[target + k] -= length * factor[begin + k]
            e = dof_parent[e]
        for k in range(depth[d]):
            factor[begin + k] *= inverse


@kernel
def solve_matrix(s: Handle, x: Array) -> None:
    """Replace x by M⁻¹ x, with the factor."""
    factor, row, depth, dof_parent = s.factor, s.row, s.dof_depth, s.dof_parent
    for d in range(len(row) - 1, -1, -1):
        e = dof_parent[d]
        while e >= 0:
            x[e] -= factor[row[d] + depth[e]] * x[d]
            e = dof_parent[e]
    for d in range(len(row)):
        x[d] /= factor[row[d] + depth[d]]
        e = dof_parent[d]
        while e >= 0:
            x[d] -= factor[row[d] + depth[e]] * x[e]
            e = dof_parent[e]
