"""Newton steps in which points yield where they are off."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.bench.pile_scenes import full_bin, plate
from sesshoku.constraint.problem import at
from sesshoku.contact import Exact
from sesshoku.contact.coulomb import off
from sesshoku.contact.fit import evaluate, misfit, reference_speed
from sesshoku.contact.full import full_step
from sesshoku.contact.pattern import pattern
from sesshoku.contact.yielding import find_off, yielding_step, yielding_steps
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation

TOLERANCE = 1e-8


@kernel
def fill_off(address: int, island: int) -> float:
    """Fill off of an island; what it is relative to."""
    p = at(address)
    evaluate(p, island)
    reference = reference_speed(p, island, 1e-5)
    find_off(p, island, reference)
    return reference


@kernel
def after(address: int, island: int, eps: float) -> tuple[float, float]:
    """The residual of an island, and that after a full step with a Levenberg term, or a yielding one if it is zero."""
    p = at(address)
    pattern(p, island)
    evaluate(p, island)
    reference = reference_speed(p, island, 1e-5)
    before = misfit(p, island) / reference
    if eps > 0.0:
        full_step(p, island, eps)
    else:
        yielding_step(p, island, 1.0, before, reference)
    return before, misfit(p, island) / reference


@kernel
def solved(address: int, island: int) -> tuple[int, float]:
    """Yielding steps of an island: how many, and the residual."""
    p = at(address)
    pattern(p, island)
    evaluate(p, island)
    reference = reference_speed(p, island, 1e-5)
    return yielding_steps(p, island, TOLERANCE, TOLERANCE, reference, misfit(p, island) / reference)


@pytest.fixture
def jam() -> tuple[Simulation, int]:
    """Thirty spheres in a bin that have begun to jam, solved, and their largest island."""
    sim = Simulation(full_bin(30), Exact(heap_tolerance=1e-8))
    sim.step(n=750)
    problem = sim._problem
    return sim, int(np.argmax(np.diff(problem.point_begin[: problem.count[0] + 1])))


def test_how_far_bodies_are_off(jam: tuple[Simulation, int]) -> None:
    """The largest residual of their points, and what is wrong at one point is felt by its neighbours only."""
    problem, island = jam[0]._problem, jam[1]
    first, last = problem.point_begin[island], problem.point_begin[island + 1]
    wrong = first + int(np.argmax(np.linalg.norm(problem.impulse[first:last], axis=1)))
    problem.impulse[wrong] *= 1.1
    share = np.sqrt(last - first) / fill_off(problem.address, island)
    expected = np.zeros(len(problem.off))
    for k in range(first, last):
        n, r, u = (tuple(array[k]) for array in (problem.normal, problem.impulse, problem.slide))
        size = share * np.sqrt(off(n, problem.friction[k], r, u, problem.scale[k]))
        for slot in problem.ends[k][problem.ends[k] >= 0]:
            node = problem.slot_node[slot]
            expected[node] = max(expected[node], size)
    nodes = slice(problem.node_begin[island], problem.node_begin[island + 1])
    np.testing.assert_allclose(problem.off[nodes], expected[nodes], rtol=1e-12)
    assert problem.off[nodes].max() > 1e-3
    assert (problem.off[nodes] < 1e-6).sum() >= 5


def test_steps_are_not_too_long_where_points_are_redundant() -> None:
    """A plate at rest on 32 feet, with gaps that differ by a nanometre: a full step leads away, a yielding one not."""
    sim = Simulation(plate(32))
    sim.step(n=300)
    problem, ways = sim._problem, []
    start, normal = problem.impulse[:32].copy(), problem.normal[:32]
    for seed in range(8):
        problem.bias[:32] = 1e-6 * np.random.default_rng(seed).uniform(size=(32, 1)) * normal
        for eps in (1e-8, 0.0):
            problem.impulse[:32] = start
            ways.append(after(problem.address, 0, eps))
    before, full = np.array(ways[::2]).T
    yielding = np.array(ways[1::2])[:, 1]
    assert (before < 1e-4).all()
    assert (full / before > 1e3).all()
    assert (yielding / before < 1.0).all()


def test_a_jam_is_solved(jam: tuple[Simulation, int]) -> None:
    """From impulses a tenth wrong."""
    problem, island = jam[0]._problem, jam[1]
    first, last = problem.point_begin[island], problem.point_begin[island + 1]
    start, number = problem.impulse[first:last].copy(), []
    for seed in range(8):
        problem.impulse[first:last] = start * (1.0 + 0.1 * np.random.default_rng(seed).normal(size=(last - first, 1)))
        steps, residual = solved(problem.address, island)
        assert residual <= TOLERANCE
        number.append(steps)
    assert np.median(number) < 60
