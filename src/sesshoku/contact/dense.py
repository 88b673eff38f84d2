"""Small dense matrices inside one flat array, row by row: factors with partial pivoting, and products."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import U, kernel
from sesshoku.spatial.six import load6, plus6, scale6, store6

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
def swap_lines(x: Array, place: int, width: int, pivot: Index, first: int, n: int) -> None:
    """Swap the n lines of a block as ``pivot`` says."""
    for k in range(n):
        row = pivot[U(first + k)]
        if row != k:
            for j in range(width):
                here, there = place + k * width + j, place + row * width + j
                x[U(here)], x[U(there)] = x[U(there)], x[U(here)]


@kernel
def solve_six(m: Array, begin: int, pivot: Index, first: int, x: Array, place: int) -> None:
    """`solve_block` for a 6x6 block and six columns: its lines in registers."""
    swap_lines(x, place, 6, pivot, first, 6)
    a, b, c = load6(x, U(place)), load6(x, U(place + 6)), load6(x, U(place + 12))
    d, e, f = load6(x, U(place + 18)), load6(x, U(place + 24)), load6(x, U(place + 30))
    b = plus6(b, -m[U(begin + 6)], a)
    c = plus6(plus6(c, -m[U(begin + 12)], a), -m[U(begin + 13)], b)
    d = plus6(plus6(plus6(d, -m[U(begin + 18)], a), -m[U(begin + 19)], b), -m[U(begin + 20)], c)
    e = plus6(plus6(e, -m[U(begin + 24)], a), -m[U(begin + 25)], b)
    e = plus6(plus6(e, -m[U(begin + 26)], c), -m[U(begin + 27)], d)
    f = plus6(plus6(f, -m[U(begin + 30)], a), -m[U(begin + 31)], b)
    f = plus6(plus6(plus6(f, -m[U(begin + 32)], c), -m[U(begin + 33)], d), -m[U(begin + 34)], e)
    f = scale6(1.0 / m[U(begin + 35)], f)
    e = scale6(1.0 / m[U(begin + 28)], plus6(e, -m[U(begin + 29)], f))
    d = scale6(1.0 / m[U(begin + 21)], plus6(plus6(d, -m[U(begin + 23)], f), -m[U(begin + 22)], e))
    c = plus6(plus6(plus6(c, -m[U(begin + 17)], f), -m[U(begin + 16)], e), -m[U(begin + 15)], d)
    c = scale6(1.0 / m[U(begin + 14)], c)
    b = plus6(plus6(b, -m[U(begin + 11)], f), -m[U(begin + 10)], e)
    b = scale6(1.0 / m[U(begin + 7)], plus6(plus6(b, -m[U(begin + 9)], d), -m[U(begin + 8)], c))
    a = plus6(plus6(plus6(a, -m[U(begin + 5)], f), -m[U(begin + 4)], e), -m[U(begin + 3)], d)
    a = scale6(1.0 / m[U(begin)], plus6(plus6(a, -m[U(begin + 2)], c), -m[U(begin + 1)], b))
    store6(x, U(place), a)
    store6(x, U(place + 6), b)
    store6(x, U(place + 12), c)
    store6(x, U(place + 18), d)
    store6(x, U(place + 24), e)
    store6(x, U(place + 30), f)


@kernel
def solve_block(m: Array, begin: int, n: int, pivot: Index, first: int, x: Array, place: int, width: int) -> None:
    """Replace the (n, width) block of ``x`` that begins at ``place`` by the factored block's inverse times it."""
    if n == 6 and width == 6:
        solve_six(m, begin, pivot, first, x, place)
        return
    swap_lines(x, place, width, pivot, first, n)
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
    """The same for two free bodies, its lines in registers: nearly all that a pile has to do."""
    a, b, c = load6(m, U(right)), load6(m, U(right + 6)), load6(m, U(right + 12))
    d, e, f = load6(m, U(right + 18)), load6(m, U(right + 24)), load6(m, U(right + 30))
    for i in range(6):
        at, row = out + 6 * i, left + 6 * i
        line = plus6(plus6(load6(m, U(at)), -m[U(row)], a), -m[U(row + 1)], b)
        line = plus6(plus6(line, -m[U(row + 2)], c), -m[U(row + 3)], d)
        store6(m, U(at), plus6(plus6(line, -m[U(row + 4)], e), -m[U(row + 5)], f))


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
