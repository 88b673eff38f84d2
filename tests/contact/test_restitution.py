"""Restitution with friction: blows add no energy, and are as strong as they may be."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.bench.falls import contact_work


def struck(restitution: float, friction: float, rng: np.random.Generator) -> sk.Simulation:
    """A box without weight that tumbles at the ground."""
    scene = sk.Scene("struck", gravity=(0.0, 0.0, 0.0))
    scene.ground(static=friction, restitution=restitution)
    box, turned = sk.Box(tuple(rng.uniform(0.05, 0.4, 3))), rng.uniform(-3.0, 3.0, 3)
    scene.body("box", sk.Joint("root", "free"), position=(0.0, 0.0, 0.5), rpy=turned, mass=1.0, shape=box)
    sim = sk.Simulation(scene)
    sim.v = np.concatenate((2.0 * rng.normal(size=2), [-2.0], 8.0 * rng.normal(size=3)))
    return sim


@pytest.mark.parametrize("friction", [0.2, 0.8, 1.5])
def test_blows_add_no_energy(friction: float) -> None:
    """By Newton's restitution alone one of thirty did, by up to a quarter (Kane's paradox)."""
    rng, blows = np.random.default_rng(0), 0
    for _ in range(60):
        restitution = rng.uniform(0.3, 1.0)
        sim = struck(restitution, friction, rng)
        for _ in range(400):
            sim.step()
            if sim.contacts.force.any():
                blows += 1
                assert sim.residual.converged
                assert contact_work(sim) <= 1e-6 * sim.energy.kinetic
    assert blows > 60


def test_a_blow_through_the_centre_is_newtons() -> None:
    """It does work only against the body: nothing is taken off it."""
    scene = sk.load("sphere")
    scene.ground(static=1.0, restitution=0.9)
    sim = sk.Simulation(scene)
    sim.q[2], sim.v[0], sim.v[2] = 0.1005, 2.0, -3.0
    before = sim.v[2]
    sim.step()
    assert sim.v[2] == pytest.approx(-0.9 * before, rel=1e-6)


@pytest.mark.parametrize("restitution", [0.5, 0.99, 1.0])
@pytest.mark.parametrize("speed", [0.5, 3.0])
def test_weight_against_the_approach_is_no_work_of_a_blow(restitution: float, speed: float) -> None:
    """A ball thrown at a ceiling: gravity slows it down within the step, too."""
    scene = sk.Scene("ceiling")
    smooth = sk.Material(0.0, restitution=restitution)
    scene.body("ceiling", position=(0.0, 0.0, 1.05), shape=sk.Box((1.0, 1.0, 0.1)), material=smooth)
    scene.body("ball", sk.Joint("root", "free"), position=(0.0, 0.0, 0.9495), mass=1.0, shape=sk.Sphere(0.05))
    sim = sk.Simulation(scene)
    sim.v[2] = speed
    while sim.v[2] > 0.0:
        before = sim.v[2]
        sim.step()
    assert sim.v[2] == pytest.approx(-restitution * before, rel=1e-6)
