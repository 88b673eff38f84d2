"""Sweeps where something moves: they put right what is wrong in one place, and leave the rest as it was."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.bench.piles import pile
from sesshoku.constraint.problem import at
from sesshoku.contact.fit import evaluate, misfit
from sesshoku.contact.relax import relax
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation


@kernel
def off(address: int, island: int) -> float:
    """Residual of an island [m/s]."""
    p = at(address)
    evaluate(p, island)
    return misfit(p, island, False)


@kernel
def relaxed(address: int, island: int, least: float) -> float:
    """The same after relaxation."""
    p = at(address)
    evaluate(p, island)
    relax(p, island, least)
    evaluate(p, island)
    return misfit(p, island, False)


@pytest.fixture
def heap() -> tuple[Simulation, int]:
    """A hundred spheres on each other, solved, and their largest island."""
    sim = Simulation(pile(100))
    sim.step(n=150)
    problem = sim._problem
    return sim, int(np.argmax(np.diff(problem.point_begin[: problem.count[0] + 1])))


def test_what_is_wrong_in_one_place_is_put_right(heap) -> None:
    sim, island = heap
    problem = sim._problem
    first, last = problem.point_begin[island], problem.point_begin[island + 1]
    assert last - first > 50
    solved = problem.impulse.copy()
    before = off(problem.address, island)
    worst = first + int(np.argmax(np.linalg.norm(solved[first:last], axis=1)))
    problem.impulse[worst] *= 1.1
    wrong = off(problem.address, island)
    assert wrong > 1e3 * before
    assert relaxed(problem.address, island, 1e-6 * wrong) < 0.05 * wrong
    changed = np.any(problem.impulse != solved, axis=1)
    assert 1 <= changed[first:last].sum() < last - first
    assert not changed[:first].any()
    assert not changed[last:].any()


def test_what_is_right_stays_so(heap) -> None:
    """The worst points are swept at least once; where nothing is wrong, that changes nothing."""
    sim, island = heap
    problem = sim._problem
    solved, before = problem.impulse.copy(), off(problem.address, island)
    assert relaxed(problem.address, island, 1e-12) <= max(before, 1e-9)
    np.testing.assert_allclose(problem.impulse, solved, atol=1e-9)
