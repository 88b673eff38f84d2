"""Islands of few trees: where they begin, and begin anew, as if each step were independent."""

from __future__ import annotations

from math import inf

import numpy as np

from sesshoku.bench.runs import hand
from sesshoku.constraint.problem import at
from sesshoku.contact.fit import reference_speed
from sesshoku.contact.pattern import pattern
from sesshoku.contact.solver import attempt_anew, solve_island
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation

TOLERANCE = 1e-8


@kernel
def anew(address: int, island: int) -> tuple[int, float]:
    """Newton steps and residual, whatever the impulses were."""
    p = at(address)
    pattern(p, island)
    return attempt_anew(p, island, TOLERANCE, reference_speed(p, island, 1e-5), inf)


def test_a_grasp_is_found_from_nothing() -> None:
    """Three fingers about a box that is shaken, from impulses that mean nothing; the answer does not depend on them."""
    sim, rng = Simulation(hand()), np.random.default_rng(0)
    sim.control[:] = 0.5
    found = 0
    for step in range(400):
        sim.push("object", rng.normal(size=3))
        sim.step()
        problem = sim._problem
        assert problem is not None
        if step % 20 or problem.count[0] != 1:
            continue
        answers = []
        for _ in range(2):
            problem.impulse[: problem.point_begin[1]] = rng.normal(size=(problem.point_begin[1], 3))
            _, residual = anew(problem.address, 0)
            answers.append(problem.impulse[: problem.point_begin[1]].copy())
        found += residual <= TOLERANCE
        np.testing.assert_array_equal(*answers)
    assert found >= 15


@kernel
def solve(address: int, island: int) -> None:
    """The impulses of an island from those it has."""
    p = at(address)
    solve_island(p, island, 0, TOLERANCE, TOLERANCE, reference_speed(p, island, 1e-5))


def test_a_start_that_is_worse_than_none_is_dropped() -> None:
    """Impulses that jam bodies stay from step to step by the warm start: where bodies move they are far off, and go."""
    sim, rng = Simulation(hand()), np.random.default_rng(0)
    sim.control[:] = 0.5
    sim.step(n=300)
    problem = sim._problem
    assert problem is not None
    points, rows, answers = problem.point_begin[1], problem.row_begin[1], []
    assert points >= 3
    jam = 1e6 * rng.normal(size=(points, 3))
    for start in (jam, -jam, np.zeros_like(jam)):
        problem.impulse[:points], problem.row_impulse[:rows] = start, 0.0
        solve(problem.address, 0)
        assert problem.outcome[1] <= TOLERANCE
        answers.append(problem.impulse[:points].copy())
    np.testing.assert_array_equal(answers[0], answers[2])
    np.testing.assert_array_equal(answers[1], answers[2])
