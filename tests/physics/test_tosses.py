"""Real tosses of a cube, predicted with published coefficients."""

from __future__ import annotations

import numpy as np
import pytest

from recorded import TOSSES, needs_tosses
from sesshoku.bench.tosses import RATE, SIDE, errors, free_flight, read, simulation

FEW = 12


def test_flight_is_fitted_exactly_to_a_flight() -> None:
    sim = simulation(0.0)
    velocity = np.array([0.8, -0.3, 1.2, 3.0, -2.0, 1.0])
    t = np.arange(-4, 6)[:, None] / RATE
    poses = []
    for moment in t[:, 0]:
        q = sim.dynamics.integrate([0.0, 0.0, 0.3, 1.0, 0.0, 0.0, 0.0], velocity, moment)
        q[:3] = [0.0, 0.0, 0.3] + velocity[:3] * moment + sim.model.gravity * moment**2 / 2
        poses.append(q)
    np.testing.assert_allclose(free_flight(sim, np.array(poses), 4), velocity, atol=1e-9)


def test_own_prediction_has_no_error() -> None:
    sim = simulation(0.125)
    sim.q, sim.v = [0.0, 0.0, 0.2, 0.9, 0.3, 0.3, 0.1], [0.5, 0.2, 0.3, 2.0, -1.0, 0.5]
    sim.q[3:] /= np.linalg.norm(sim.q[3:])
    samples = [np.concatenate((sim.q, sim.v))]
    for _ in range(60):
        sim.step(n=10)
        samples.append(np.concatenate((sim.q, sim.v)))
    position, rotation = errors(sim, np.array(samples))
    assert samples[-1][2] < 0.6 * SIDE  # it has landed
    assert position < 1.0  # steps of flight are of first order
    assert rotation < 1.0


@needs_tosses
@pytest.mark.parametrize("restitution", [0.0, 0.125])
def test_first_tosses_are_predicted(restitution: float) -> None:
    sim = simulation(restitution)
    found = np.array([errors(sim, samples) for samples in read(TOSSES)[:FEW]])
    position, rotation = found.mean(axis=0)
    assert position < 16.0  # over all tosses MuJoCo, fitted: 25.1
    assert rotation < 21.7
