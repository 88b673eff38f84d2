"""Six numbers as one value in vector registers, and the blocks that are made of them, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest
from numba.core.errors import TypingError
from numpy.typing import NDArray

from sesshoku.contact.dense import factor_block, solve_block, subtract_product
from sesshoku.kernel import U, kernel
from sesshoku.spatial.six import load6, plus6, scale6, store6

Array = NDArray[np.float64]


@kernel
def combine(m: Array, out: int, first: int, second: int, share: float) -> None:
    """Put share (first + share second) into ``out``."""
    store6(m, U(out), scale6(share, plus6(load6(m, U(first)), share, load6(m, U(second)))))


def test_lines_begin_anywhere() -> None:
    rng = np.random.default_rng(0)
    for out, first, second in ((0, 7, 13), (1, 20, 9), (5, 5, 5), (3, 5, 8)):
        m = rng.normal(size=40)
        expected = m.copy()
        expected[out : out + 6] = 0.7 * (m[first : first + 6] + 0.7 * m[second : second + 6])
        combine(m, out, first, second, 0.7)
        np.testing.assert_allclose(m, expected, rtol=1e-15, atol=1e-15)


def test_a_number_that_is_none_stays_visible() -> None:
    m = np.ones(12)
    m[8] = np.nan
    combine(m, 0, 0, 6, 2.0)
    assert np.flatnonzero(np.isnan(m[:6])).tolist() == [2]


@pytest.mark.parametrize("wrong", [np.zeros(12, dtype=np.int64), np.zeros(24)[::2]])
def test_what_is_not_an_array_of_doubles_is_refused(wrong: NDArray[np.generic]) -> None:
    with pytest.raises(TypingError, match="contiguous array of doubles"):
        combine(wrong, 0, 0, 6, 2.0)


def test_blocks_of_free_bodies() -> None:
    """Products and solutions of 6x6 blocks, rows swapped or not."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        m = rng.normal(size=(3, 6, 6))
        flat = m.reshape(-1).copy()
        subtract_product(flat, 0, 36, 72, 6, 6, 6)
        np.testing.assert_allclose(flat[:36].reshape(6, 6), m[0] - m[1] @ m[2], atol=1e-14)
        flat, pivot = m.reshape(-1).copy(), np.zeros(6, dtype=np.int64)
        factor_block(flat, 0, 6, pivot, 0)
        solve_block(flat, 0, 6, pivot, 0, flat, 36, 6)
        np.testing.assert_allclose(flat[36:72].reshape(6, 6), np.linalg.solve(m[0], m[1]), rtol=1e-9, atol=1e-11)
