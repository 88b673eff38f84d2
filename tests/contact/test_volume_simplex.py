"""The simplex method, against SciPy's HiGHS and on the problems that are known to cycle."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from patches import basis, highs
from sesshoku.contact.volume.simplex import ARTIFICIAL, COLUMN, ROWS, VALUE, dual, enter, objective, start


def begin(b: np.ndarray, artificial: int = 0) -> np.ndarray:
    """The identity as basis of values b; the last rows, which must be nought, by artificial columns."""
    work = basis()
    start(work)
    for i in range(ROWS - artificial):
        work[i, VALUE], work[i, COLUMN] = b[i], 1000.0 + i
    return work


def maximise(cost: np.ndarray, a: np.ndarray, work: np.ndarray) -> float:
    """Let the steepest column enter until none is left; infinity if nothing bounds one."""
    for _ in range(1000):
        gain = cost - np.array(dual(work)) @ a
        best = int(np.argmax(gain))
        if gain[best] <= 1e-10:
            return objective(work)
        if not enter(work, tuple(a[:, best]), cost[best], best):
            return np.inf
    raise AssertionError("it cycles")


def padded(a: list[list[float]]) -> np.ndarray:
    """Rows of noughts below."""
    return np.vstack([a, np.zeros((ROWS - len(a), len(a[0])))])


def both(cost: np.ndarray, a: np.ndarray, b: np.ndarray, artificial: int = 0) -> tuple[float, float]:
    """The largest cost·x by this method and by HiGHS; the columns of the identity belong to the problem."""
    own = ROWS - artificial
    cost, a = np.append(cost, np.zeros(own)), np.column_stack([a, np.eye(ROWS)[:, :own]])
    return maximise(cost, a, begin(b, artificial)), highs(cost, a, b)


@pytest.mark.parametrize("artificial", [0, 2])
@pytest.mark.parametrize("grid", [False, True], ids=["general", "on a grid, with many ties"])
def test_random_problems_have_the_optimum_of_highs(artificial: int, grid: bool) -> None:
    rng = np.random.default_rng(2 * artificial + grid)
    for _ in range(400):
        number = int(rng.integers(1, 60))
        a = rng.integers(-2, 3, size=(ROWS, number)) if grid else rng.normal(size=(ROWS, number))
        a = a.astype(float)
        a[0] = np.abs(a[0]) + 1.0  # bounds all of them
        b = (rng.integers(0, 3, ROWS) if grid else rng.uniform(0.0, 1.0, ROWS)) * (rng.random(ROWS) < 0.6)
        b[ROWS - artificial :] = 0.0
        cost = rng.integers(-3, 4, number).astype(float) if grid else rng.normal(size=number)
        found, reference = both(cost, a, b, artificial)
        assert found == pytest.approx(reference, abs=1e-9)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.tuples(*[st.integers(-2, 2)] * 5), min_size=1, max_size=12), st.tuples(*[st.integers(0, 1)] * 4))
def test_degenerate_problems_have_the_optimum_of_highs(columns: list[tuple[int, ...]], b: tuple[int, ...]) -> None:
    """Whole numbers, four rows of which most have nothing on their right side, and one that bounds the sum."""
    a = np.vstack([np.ones(len(columns)), np.array(columns, dtype=float)[:, 1:].T])
    found, reference = both(np.array(columns, dtype=float)[:, 0], a, np.array([1.0, *b]))
    assert found == pytest.approx(reference, abs=1e-9)


def test_beale_does_not_cycle() -> None:
    """The steepest column with ties broken by the first row comes back to the same basis after six pivots."""
    a = padded([[0.25, -8.0, -1.0, 9.0], [0.5, -12.0, -0.5, 3.0], [0.0, 0.0, 1.0, 0.0]])
    cost = np.array([0.75, -20.0, 0.5, -6.0])
    assert maximise(cost, a, begin(np.array([0.0, 0.0, 1.0, 0.0, 0.0]))) == pytest.approx(1.25)


def test_what_nothing_bounds_is_refused() -> None:
    work = begin(np.ones(ROWS))
    before = work[:, : COLUMN + 1].copy()
    assert not enter(work, (-1.0, 0.0, -2.0, 0.0, 0.0), 1.0, 0)
    np.testing.assert_array_equal(work[:, : COLUMN + 1], before)


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_artificial_column_leaves_whichever_way_it_would_change(sign: float) -> None:
    work = begin(np.array([1.0, 1.0, 1.0, 1.0, 0.0]), artificial=1)
    assert enter(work, (0.5, 0.0, 0.0, 0.0, sign), 1.0, 0)
    assert ARTIFICIAL not in work[:, COLUMN]
    np.testing.assert_allclose(work[:, VALUE], [1.0, 1.0, 1.0, 1.0, 0.0])


def test_inverse_stays_the_inverse() -> None:
    """After many pivots on random columns the inverse is that of the basic columns."""
    rng = np.random.default_rng(7)
    a = np.abs(rng.normal(size=(ROWS, 200)))
    work = begin(np.ones(ROWS))
    for k in range(200):
        assert enter(work, tuple(a[:, k]), 0.0, k)
    basic = np.column_stack([np.eye(ROWS)[:, int(k) - 1000] if k >= 1000 else a[:, int(k)] for k in work[:, COLUMN]])
    np.testing.assert_allclose(work[:, :ROWS] @ basic, np.eye(ROWS), atol=1e-8)
    np.testing.assert_allclose(basic @ work[:, VALUE], np.ones(ROWS), atol=1e-8)
