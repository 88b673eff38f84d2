"""What a set of vectors spans: a rank-revealing Cholesky factor of their Gram matrix, on flat arrays, row by row.

With S = CᵀC for the rows of C, `span` gives S = BᵀB: as many rows of B as C has independent columns. C W, with W from
`backward`, are that many orthonormal columns with C = (C W) B.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import U, kernel

__all__ = ["backward", "forward", "span"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
NOISE: Final = 1e-10  # pivot over the largest one below which nothing but rounding is left


@kernel
def span(s: Array, n: int, b: Array, order: Index, left: Array) -> int:
    """Factor the (n, n) matrix S: rows of B, each with its pivot in ``order``. Gives the rank; ``left`` is scratch."""
    most = 0.0
    for c in range(n):
        left[U(c)] = s[U(c * n + c)]
        most = max(most, left[U(c)])
    for r in range(n):
        pivot = 0
        for c in range(1, n):
            if left[U(c)] > left[U(pivot)]:
                pivot = c
        if left[U(pivot)] <= NOISE * most:
            return r
        order[U(r)] = pivot
        at, row = r * n, pivot * n
        for c in range(n):
            b[U(at + c)] = s[U(row + c)]
        for q in range(r):
            share = b[U(q * n + pivot)]
            for c in range(n):
                b[U(at + c)] -= share * b[U(q * n + c)]
        inverse = 1.0 / sqrt(left[U(pivot)])
        for c in range(n):
            b[U(at + c)] *= inverse
            left[U(c)] -= b[U(at + c)] * b[U(at + c)]
        for q in range(r + 1):
            b[U(at + order[U(q)])] = 0.0 if q < r else b[U(at + order[U(q)])]
            left[U(order[U(q)])] = -1.0
    return n


@kernel
def forward(b: Array, n: int, order: Index, rank: int, g: Array, begin: int, out: Array) -> None:
    """Wᵀ g, for g from ``begin`` on: ``rank`` numbers."""
    for r in range(rank):
        total, pivot = g[U(begin + order[U(r)])], order[U(r)]
        for q in range(r):
            total -= b[U(q * n + pivot)] * out[U(q)]
        out[U(r)] = total / b[U(r * n + pivot)]


@kernel
def backward(b: Array, n: int, order: Index, rank: int, y: Array, out: Array, begin: int) -> None:
    """W y: n numbers of ``out`` from ``begin`` on."""
    for c in range(n):
        out[U(begin + c)] = 0.0
    for r in range(rank - 1, -1, -1):
        total = y[U(r)]
        for q in range(r + 1, rank):
            total -= b[U(r * n + order[U(q)])] * out[U(begin + order[U(q)])]
        out[U(begin + order[U(r)])] = total / b[U(r * n + order[U(r)])]
