"""Projected Gauss–Seidel on a full matrix, section 4 of paper 1: O(m²) for each sweep."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import U, kernel

__all__ = ["projected_gauss_seidel"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@kernel
def projected_gauss_seidel(
    K: Array, b: Array, owner: Index, friction: Array, sweeps: int, change: float, x: Array
) -> int:
    """Solve z = K x + b with 0 ≤ x_i, and x_i ≤ μ_i x_owner for friction, from x on; the sweeps taken.

    Normal unknowns, whose owner is -1, come before those of friction. K is symmetric. Ends when x changes by less than
    ``change`` relative to its norm. An unknown that does not yield (K_ii = 0) keeps its value.
    """
    n = len(b)
    z = b.copy()
    for i in range(n):
        for j in range(n):
            z[j] += K[i, j] * x[i]
    for taken in range(sweeps):
        changed = total = 0.0
        for i in range(n):
            if K[i, i] <= 0.0:
                continue
            y = max(x[i] - z[i] / K[i, i], 0.0)
            if owner[i] >= 0:
                y = min(y, friction[i] * x[owner[i]])
            d = y - x[i]
            if d != 0.0:
                for j in range(n):  # z kept up to date, not summed anew: the same work, but on whole vectors
                    z[U(j)] += K[U(i), U(j)] * d
            changed, total = changed + d * d, total + y * y
            x[i] = y
        if changed <= change * change * total:
            return taken + 1
    return sweeps
