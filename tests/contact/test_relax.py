"""Sweeps where something moves: they put right what is wrong in one place, and leave the rest as it was."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.bench.piles import pile
from sesshoku.constraint.problem import at
from sesshoku.contact import Exact, coulomb
from sesshoku.contact.fit import evaluate, misfit
from sesshoku.contact.relax import prepare, project_apart, relax
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation


@kernel
def off(address: int, island: int) -> float:
    """Residual of an island [m/s]."""
    p = at(address)
    evaluate(p, island)
    return misfit(p, island)


@kernel
def relaxed(address: int, island: int, least: float) -> float:
    """The same after relaxation."""
    p = at(address)
    evaluate(p, island)
    prepare(p, island)
    relax(p, island, least)
    evaluate(p, island)
    return misfit(p, island)


@pytest.fixture
def heap() -> tuple[Simulation, int]:
    """A hundred spheres on each other, solved, and their largest island."""
    sim = Simulation(pile(100), Exact(tolerance=1e-10))
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


@pytest.mark.parametrize("steps", [(1.0, 1.0), (0.3, 2.0), (5.0, 0.1)])
def test_steps_of_their_own_along_and_across_keep_the_law(steps: tuple[float, float]) -> None:
    """What obeys Signorini and Coulomb stays as it is, whatever the two steps are; what does not is changed."""
    rng, n, mu = np.random.default_rng(0), (0.0, 0.0, 1.0), 0.5
    for _ in range(200):
        direction = rng.uniform(0.0, 2.0 * np.pi)
        d = np.array((np.cos(direction), np.sin(direction), 0.0))
        force, speed = rng.uniform(0.1, 2.0, 2)
        lawful = (
            ((0.0, 0.0, 0.0), (*rng.normal(size=2), speed)),  # open
            (tuple(force * (np.array(n) + rng.uniform(0.0, 0.99) * mu * d)), (0.0, 0.0, 0.0)),  # sticks
            (tuple(force * (np.array(n) + mu * d)), tuple(-speed * d)),  # slips
        )
        for r, u in lawful:
            np.testing.assert_allclose(project_apart(n, mu, r, u, *steps), r, atol=1e-14)
        r, u = tuple(rng.normal(size=3)), tuple(rng.normal(size=3))
        changed = np.linalg.norm(np.subtract(project_apart(n, mu, r, u, *steps), r))
        assert (changed < 1e-12) == (coulomb.off(n, mu, r, u, 1.0) < 1e-24)
