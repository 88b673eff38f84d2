"""Phase A, and its sweeps: what they leave behind is judged and tidy, also where they lead nowhere."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.constraint.problem import POINTS, at
from sesshoku.contact.fit import evaluate, misfit, remember, residual
from sesshoku.contact.full import approach_slowly, full_steps
from sesshoku.contact.pattern import pattern
from sesshoku.kernel import kernel
from sesshoku.model import Box, Joint, Scene, Sphere
from sesshoku.sim import Simulation

TOLERANCE, REFERENCE = 1e-8, 0.1


@kernel
def after_no_step(address: int) -> tuple[float, float]:
    """Phase A of island 0 without a step, from a start that seemed good enough: its answer, and the residual."""
    p = at(address)
    pattern(p, 0)
    _, best = full_steps(p, 0, 0.5 * TOLERANCE, 0, 1e3, 1e-5, TOLERANCE, REFERENCE, 0.5 * TOLERANCE)
    return best, residual(p, 0, TOLERANCE, REFERENCE)


@kernel
def slowly(address: int, tolerance: float) -> tuple[float, float, float]:
    """Residual of the impulses of island 0 as they are, that of the answer of many sweeps, and of what they leave."""
    p = at(address)
    evaluate(p, 0)
    begin = misfit(p, 0) / REFERENCE
    remember(p, 0)
    best = approach_slowly(p, 0, tolerance, REFERENCE, begin)
    return begin, best, residual(p, 0, tolerance, REFERENCE)


@pytest.mark.parametrize(("tolerance", "met"), [(TOLERANCE, True), (1e-40, False)])
def test_many_sweeps_lead_to_the_answer_or_back_to_the_best(tolerance: float, met: bool) -> None:
    """A table on four feet that slides, from impulses that mean nothing."""
    scene, rng = Scene("table"), np.random.default_rng(0)
    scene.ground(static=0.5)
    scene.body("table", Joint("root", "free"), position=(0.0, 0.0, 0.05), mass=1.0, shape=Box((0.4, 0.4, 0.1)))
    sim = Simulation(scene)
    sim.v[:] = 0.5, 0.2, 0.0, 0.0, 0.0, 1.0
    sim.step(n=10)
    problem, count = sim._problem, sim._problem.count[POINTS]
    assert count == 4
    problem.impulse[:count] = rng.normal(size=(count, 3))
    begin, best, left = slowly(problem.address, tolerance)
    assert begin > 1e-3
    assert best == left < 1e-8
    assert (best <= tolerance) == met


def test_a_start_within_the_tolerance_is_tidied() -> None:
    """A table on four feet, a fifth one 20 µm above the ground, with an impulse that is small but not zero."""
    scene = Scene("table")
    scene.ground(static=0.5)
    scene.body("table", Joint("root", "free"), position=(0.0, 0.0, 0.05), mass=1.0, shape=Box((0.4, 0.4, 0.02)))
    for x, y, z in ((0.1, 0.1, 0.0), (0.1, -0.1, 0.0), (-0.1, 0.1, 0.0), (-0.1, -0.1, 0.0), (0.0, 0.0, 2e-5)):
        scene.collider("table", Sphere(0.02), (x, y, z - 0.03))
    sim = Simulation(scene)
    sim.step(n=10)
    problem, count = sim._problem, sim._problem.count[POINTS]
    assert count == 5
    problem.best[:count] = problem.impulse[:count]
    above = int(np.argmin(np.abs(problem.impulse[:count, 2])))
    assert problem.impulse[above, 2] == 0.0
    problem.best[above, 2] = 1e-12
    answer, found = after_no_step(problem.address)
    assert problem.impulse[above, 2] == 0.0
    assert answer == found <= TOLERANCE
