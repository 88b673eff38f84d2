"""Dry friction and limits of joints under the exact law."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk

G, DT = 9.81, 1e-3


def arm(**joint: float) -> sk.Simulation:
    """A horizontal arm on a hinge: 2 kg at 0.5 m, and an inertia of 0.1 kg m² of its own. It falls to positive q."""
    scene = sk.Scene("arm")
    load = sk.Inertia.of(2.0, (0.5, 0.0, 0.0), (0.1, 0.1, 0.1))
    scene.body("arm", sk.Joint("hinge", "revolute", "y", **joint), inertia=load)
    return sk.Simulation(scene, law="exact", dt=DT)


LOAD, INERTIA = 2.0 * G * 0.5, 2.0 * 0.5**2 + 0.1


def lift(**joint: float) -> sk.Simulation:
    """A mass of 2 kg on a vertical slide."""
    scene = sk.Scene("lift")
    scene.body("mass", sk.Joint("slide", "prismatic", "z", **joint), inertia=sk.Inertia.of(2.0, matrix=(1, 1, 1)))
    return sk.Simulation(scene, dt=DT)


@pytest.mark.parametrize("sim", [arm(friction=1.001 * LOAD), lift(friction=1.001 * 2.0 * G)], ids=["hinge", "slide"])
def test_joint_with_friction_holds_its_load(sim: sk.Simulation) -> None:
    sim.step(n=10_000)
    assert abs(sim.q[0]) < 1e-9
    assert sim.residual.converged


def test_joint_with_friction_slips_under_a_larger_load() -> None:
    sim = lift(friction=0.75 * 2.0 * G)
    sim.step(n=500)
    assert sim.v[0] == pytest.approx(-0.25 * G * 0.5, rel=1e-8)
    hinge = arm(friction=0.75 * LOAD)
    hinge.step()
    free = LOAD / INERTIA * DT  # what the solver's tolerance is relative to
    assert hinge.v[0] == pytest.approx(0.25 * free, abs=hinge.law.tolerance * free)


def test_joint_friction_brakes_to_a_stop() -> None:
    sim = lift(friction=1.5 * 2.0 * G)
    sim.v[0] = -1.0
    sim.step(n=1000)
    brake = 0.5 * G
    assert sim.q[0] == pytest.approx(-(1.0 / (2 * brake) - DT / 2), abs=1e-6)
    assert abs(sim.v[0]) < 1e-9


def test_motor_must_overcome_joint_friction() -> None:
    sim = lift(friction=5.0)
    sim.step([2.0 * G + 4.99], n=1000)
    assert abs(sim.q[0]) < 1e-9
    sim.step([2.0 * G + 6.0], n=1000)
    assert sim.v[0] == pytest.approx(0.5, rel=1e-8)


@pytest.mark.parametrize("speed", [0.0, 1.0, 30.0])
def test_joint_limits_hold(speed: float) -> None:
    upper, lower = 0.3, -0.2
    hinge = arm(lower=lower, upper=upper)
    hinge.v[0] = speed
    slide = lift(lower=lower, upper=upper)
    slide.v[0] = -speed
    for sim, end in ((hinge, upper), (slide, lower)):
        found = []
        for _ in range(1000):
            sim.step()
            found.append(sim.q[0])
        assert max(found) < upper + 1e-9
        assert min(found) > lower - 1e-9
        assert sim.q[0] == pytest.approx(end, abs=1e-9)
        assert abs(sim.v[0]) < 1e-9
        assert sim.residual.converged


def test_limit_carries_what_presses_on_it_and_lets_go_at_once() -> None:
    sim = lift(lower=0.0)
    sim.step([-50.0], n=200)
    assert sim.q[0] == pytest.approx(0.0, abs=1e-9)
    sim.step([2.0 * G + 4.0], n=100)
    assert sim.v[0] == pytest.approx(0.2, rel=1e-9)


def test_chain_with_friction_holds_every_posture() -> None:
    """Five links in space: no joint slips as long as each friction exceeds its share of the weight."""
    scene = sk.Scene("chain")
    link = sk.Inertia.of(0.3, (0.05, 0.0, 0.0), (1e-3, 1e-3, 1e-3))
    for k, axis in enumerate("yzyzy"):
        joint = sk.Joint(f"j{k}", "revolute", axis, friction=5.0)
        parent, place = (f"b{k - 1}", (0.1, 0.0, 0.0)) if k else (None, (0.0, 0.0, 0.0))
        scene.body(f"b{k}", joint, parent=parent, position=place, inertia=link)
    sim = sk.Simulation(scene, dt=DT)
    start = np.random.default_rng(1).uniform(-1.0, 1.0, 5)
    sim.q = start
    assert np.abs(sim.dynamics.inverse(start, np.zeros(5), np.zeros(5))).max() < 5.0
    sim.step(n=5000)
    np.testing.assert_allclose(sim.q, start, atol=1e-9)
    assert sim.residual.converged
