"""Small dense matrices inside one flat array, row by row: factors with partial pivoting, and products."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import U, kernel

__all__ = ["factor_block", "solve_block", "subtract_product", "subtract_times"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@kernel
def factor_block(m: Array, begin: int, n: int, pivot: Index, first: int) -> None:
    """Factor the (n, n) block that begins at ``begin`` in place, L with unit diagonal; its rows swap as ``pivot``."""
    for k in range(n):
        best, row = abs(m[U(begin + k * n + k)]), k
        for i in range(k + 1, n):
            size = abs(m[U(begin + i * n + k)])
            if size > best:
                best, row = size, i
        pivot[U(first + k)] = row
        top = begin + k * n
        if row != k:
            other = begin + row * n
            for j in range(n):
                m[U(top + j)], m[U(other + j)] = m[U(other + j)], m[U(top + j)]
        inverse = 1.0 / m[U(top + k)]
        for i in range(k + 1, n):
            line = begin + i * n
            share = m[U(line + k)] * inverse
            m[U(line + k)] = share
            for j in range(k + 1, n):
                m[U(line + j)] -= share * m[U(top + j)]


@kernel
def solve_block(m: Array, begin: int, n: int, pivot: Index, first: int, x: Array, place: int, width: int) -> None:
    """Replace the (n, width) block of ``x`` that begins at ``place`` by the factored block's inverse times it."""
    for k in range(n):
        row = pivot[U(first + k)]
        if row != k:
            for j in range(width):
                here, there = place + k * width + j, place + row * width + j
                x[U(here)], x[U(there)] = x[U(there)], x[U(here)]
    for k in range(n):
        for i in range(k + 1, n):
            share = m[U(begin + i * n + k)]
            for j in range(width):
                x[U(place + i * width + j)] -= share * x[U(place + k * width + j)]
    for k in range(n - 1, -1, -1):
        inverse = 1.0 / m[U(begin + k * n + k)]
        for j in range(width):
            x[U(place + k * width + j)] *= inverse
        for i in range(k):
            share = m[U(begin + i * n + k)]
            for j in range(width):
                x[U(place + i * width + j)] -= share * x[U(place + k * width + j)]


@kernel
def subtract_product_of_six(m: Array, out: int, left: int, right: int) -> None:
    """The same for two free bodies, in registers: three times as fast, and nearly all that a pile has to do."""
    for i in range(6):
        at, row = out + 6 * i, left + 6 * i
        a, b, c, d, e, f = m[U(at)], m[U(at + 1)], m[U(at + 2)], m[U(at + 3)], m[U(at + 4)], m[U(at + 5)]
        for k in range(6):
            share, line = m[U(row + k)], right + 6 * k
            a -= share * m[U(line)]
            b -= share * m[U(line + 1)]
            c -= share * m[U(line + 2)]
            d -= share * m[U(line + 3)]
            e -= share * m[U(line + 4)]
            f -= share * m[U(line + 5)]
        m[U(at)], m[U(at + 1)], m[U(at + 2)], m[U(at + 3)], m[U(at + 4)], m[U(at + 5)] = a, b, c, d, e, f


@kernel
def subtract_product(m: Array, out: int, left: int, right: int, rows: int, inner: int, columns: int) -> None:
    """Subtract block ``left`` (rows, inner) times block ``right`` (inner, columns) from block ``out``."""
    if rows == 6 and inner == 6 and columns == 6:
        subtract_product_of_six(m, out, left, right)
        return
    for i in range(rows):
        for k in range(inner):
            share = m[U(left + i * inner + k)]
            for j in range(columns):
                m[U(out + i * columns + j)] -= share * m[U(right + k * columns + j)]


@kernel
def subtract_times(m: Array, begin: int, rows: int, columns: int, x: Array, place: int, out: int) -> None:
    """Subtract the block (rows, columns) of ``m`` times x[place:] from x[out:]."""
    for i in range(rows):
        total = 0.0
        for j in range(columns):
            total += m[U(begin + i * columns + j)] * x[U(place + j)]
        x[U(out + i)] -= total
