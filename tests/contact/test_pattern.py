"""The pattern of a matrix: only pairs that bear have blocks, and what begins to bear gets them in time."""

from __future__ import annotations

import numpy as np
import pytest

from dense_island import dense_matrix, find_change
from sesshoku.bench.pile_scenes import mound
from sesshoku.constraint.problem import ENTRIES, Problem, at
from sesshoku.contact.coulomb import OPEN, STICK
from sesshoku.contact.pattern import pattern
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation

EPSILON = 1e-3


@kernel
def lay_out(address: int) -> bool:
    """Lay out the matrix of the first island; whether there is room."""
    return pattern(at(address), 0)


@pytest.fixture
def problem() -> Problem:
    """Thirty spheres that lie on each other; their neighbours in each layer are near, but do not touch."""
    sim = Simulation(mound(30), dt=1e-3)
    sim.step(n=300)
    found = sim._problem
    assert found is not None
    assert found.count[0] == 1
    return found


def blocks(p: Problem) -> int:
    """Number of blocks above the diagonal."""
    return int(p.fill_begin[p.node_begin[1]])


def test_pairs_that_bear_nothing_have_no_blocks(problem: Problem) -> None:
    last, pairs = problem.point_begin[1], problem.pair_begin[1]
    assert lay_out(problem.address)
    few, entries = blocks(problem), problem.count[ENTRIES]
    bears = np.einsum("ni,ni->n", problem.impulse[:last], problem.normal[:last]) > 0.0
    between = problem.pair[:last] >= 0
    assert problem.joined[problem.pair[:last][bears & between]].all()
    far = np.einsum("ni,ni->n", problem.bias[:last], problem.normal[:last]) > 0.5  # gaps of 0.5 mm and more
    assert (far & between).sum() > 5
    assert not problem.joined[problem.pair[:last][far & between]].any()

    problem.bias[:last] = 0.0  # now all of them may close
    assert lay_out(problem.address)
    assert problem.joined[:pairs].all()
    assert blocks(problem) > 1.3 * few
    assert problem.count[ENTRIES] > entries


def test_what_begins_to_bear_gets_blocks(problem: Problem) -> None:
    last, pairs = problem.point_begin[1], problem.pair_begin[1]
    assert lay_out(problem.address)
    before = problem.joined[:pairs].copy()
    problem.slide[:last] = -0.1 * problem.normal[:last]  # as if all of them closed
    find_change(problem.address, 0, EPSILON)
    assert set(problem.mode[:last].tolist()) == {STICK}
    assert problem.joined[:pairs].sum() > before.sum()
    here, matrix = dense_matrix(problem, 0)
    expected = np.linalg.solve(matrix, problem.parting[here])
    np.testing.assert_allclose(problem.change[here], expected, rtol=0, atol=1e-9 * np.abs(expected).max())


def test_what_no_longer_bears_keeps_its_blocks(problem: Problem) -> None:
    last, pairs = problem.point_begin[1], problem.pair_begin[1]
    assert lay_out(problem.address)
    before = problem.joined[:pairs].copy()
    problem.slide[:last] = 1e3 * problem.normal[:last]
    find_change(problem.address, 0, EPSILON)
    assert set(problem.mode[:last].tolist()) == {OPEN}
    np.testing.assert_array_equal(problem.joined[:pairs], before)


def test_room_is_for_all_pairs(problem: Problem, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whatever begins to bear later finds its place, or there is no Newton step at all."""
    assert lay_out(problem.address)
    few = int(problem.count[ENTRIES])
    problem.bias[: problem.point_begin[1]] = 0.0
    assert lay_out(problem.address)
    many = int(problem.count[ENTRIES])
    assert few < many < len(problem.matrix)
    room = (few + many) // 2
    monkeypatch.setattr("sesshoku.constraint.problem.ROOM", room)
    sim = Simulation(mound(30), dt=1e-3)
    sim.step(n=300)
    small = sim._problem
    assert small is not None
    assert len(small.matrix) == room
    assert not lay_out(small.address)
    assert small.count[ENTRIES] > room
    assert np.isfinite(sim.q).all()
    assert sim.residual.total < 1e-3  # sweeps go on
