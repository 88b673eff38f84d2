"""A simplex method for few rows whose columns are made only when they enter: maximise c·x, A x = b, x >= 0.

Revised, with the inverse of the basis. Whoever knows the columns finds the best one by the dual values, and lets it
enter; so there may be as many columns as a friction cone has edges. Rows are such that the first basis is the identity
(see `pressure`), so there is no first phase; what must stay nought is basic as an artificial column until it leaves.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import U, kernel

__all__ = ["ARTIFICIAL", "COLUMN", "COST", "ROWS", "SHAPE", "VALUE", "Column", "dual", "enter", "objective", "start"]

ROWS: Final = 5
VALUE, COST, COLUMN, CHANGE = 5, 6, 7, 8  # after the inverse, in the row of each basic column
SHAPE: Final = (ROWS, 9)  # of the basis, an array that the caller provides
ARTIFICIAL: Final = -1.0  # number of a column that is none: its value stays nought
PIVOT: Final = 1e-9  # a smaller change per unit is nought
TIE: Final = 1e-12  # rows that get empty so shortly after each other do so at once

Array = NDArray[np.float64]
Column: TypeAlias = tuple[float, float, float, float, float]


@kernel
def start(basis: Array) -> None:
    """Begin with the identity, of artificial columns."""
    for i in range(ROWS):
        for j in range(COLUMN):
            basis[U(i), U(j)] = 0.0
        basis[U(i), U(i)] = 1.0
        basis[U(i), COLUMN] = ARTIFICIAL


@kernel
def objective(basis: Array) -> float:
    """c·x."""
    total = 0.0
    for i in range(ROWS):
        total += basis[U(i), COST] * basis[U(i), VALUE]
    return total


@kernel
def dual(basis: Array) -> Column:
    """y = c_B B⁻¹: a column a of cost c raises the objective by c − y·a per unit."""
    y0 = y1 = y2 = y3 = y4 = 0.0
    for i in range(ROWS):
        c = basis[U(i), COST]
        y0 += c * basis[U(i), 0]
        y1 += c * basis[U(i), 1]
        y2 += c * basis[U(i), 2]
        y3 += c * basis[U(i), 3]
        y4 += c * basis[U(i), 4]
    return y0, y1, y2, y3, y4


@kernel
def enter(basis: Array, column: Column, cost: float, number: int) -> bool:
    """Raise the value of a column until another gets empty, which leaves; False if none ever does."""
    for i in range(ROWS):
        row = U(i)
        change = basis[row, 0] * column[0] + basis[row, 1] * column[1] + basis[row, 2] * column[2]
        basis[row, CHANGE] = change + basis[row, 3] * column[3] + basis[row, 4] * column[4]
    leaving = _leaving(basis)
    if leaving < 0:
        return False
    pivot = U(leaving)
    scale = 1.0 / basis[pivot, CHANGE]
    for j in range(COST):
        basis[pivot, U(j)] *= scale
    basis[pivot, COST], basis[pivot, COLUMN] = cost, number
    for i in range(ROWS):
        if i != leaving:
            change = basis[U(i), CHANGE]
            for j in range(COST):
                basis[U(i), U(j)] -= change * basis[pivot, U(j)]
            basis[U(i), VALUE] = max(0.0, basis[U(i), VALUE])  # rounding
    return True


@kernel
def _leaving(basis: Array) -> int:
    """The row that leaves: an artificial one that would change, or the first to get empty.

    Rows that get empty at once are told apart by their rows of the inverse in lexicographic order, which is as if b
    was moved by a little in general direction: so no basis comes back.
    """
    leaving, most = -1, PIVOT
    for i in range(ROWS):
        change = abs(basis[U(i), CHANGE])
        if basis[U(i), COLUMN] == ARTIFICIAL and change > most:
            leaving, most = i, change
    if leaving >= 0:
        return leaving
    for i in range(ROWS):
        empties = basis[U(i), COLUMN] != ARTIFICIAL and basis[U(i), CHANGE] > PIVOT
        if empties and (leaving < 0 or _sooner(basis, i, leaving)):
            leaving = i
    return leaving


@kernel
def _sooner(basis: Array, i: int, k: int) -> bool:
    """Whether row i gets empty before row k."""
    a, b = 1.0 / basis[U(i), CHANGE], 1.0 / basis[U(k), CHANGE]
    difference = basis[U(i), VALUE] * a - basis[U(k), VALUE] * b
    j = 0
    while abs(difference) <= TIE and j < ROWS:
        difference = basis[U(i), U(j)] * a - basis[U(k), U(j)] * b
        j += 1
    return bool(difference < 0.0)
