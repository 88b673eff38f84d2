"""Motions with a closed form."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk


def oscillator(**joint: float) -> sk.Scene:
    """A mass of 2 kg on a horizontal slide."""
    scene = sk.Scene("oscillator", gravity=(0.0, 0.0, 0.0))
    scene.body("mass", sk.Joint("slide", "prismatic", "x", **joint), inertia=sk.Inertia.of(2.0, matrix=(1, 1, 1)))
    return scene


def test_spring_swings_with_its_period() -> None:
    sim = sk.Simulation(oscillator(stiffness=50.0), dt=1e-3, integrator="rk4")
    sim.q = [0.1]
    sim.run(2 * np.pi * np.sqrt(2.0 / 50.0))
    assert sim.q[0] == pytest.approx(0.1, abs=1e-6)


def test_damper_slows_exponentially() -> None:
    sim = sk.Simulation(oscillator(damping=4.0), dt=1e-3, integrator="rkg")
    sim.v = [1.0]
    sim.step(n=500)
    assert sim.v[0] == pytest.approx(np.exp(-4.0 / 2.0 * 0.5), rel=1e-9)


@pytest.mark.parametrize("stiffness", [0.0, 1e4, 1e12])
@pytest.mark.parametrize("damping", [0.0, 1e3, 1e12])
def test_implicit_springs_and_dampers_never_limit_the_step(stiffness: float, damping: float) -> None:
    sim = sk.Simulation(oscillator(stiffness=stiffness, damping=damping), dt=0.01)
    sim.q, sim.v = [0.1], [1.0]
    start = sim.energy.total
    sim.step(n=2000)
    # a step of semi-implicit Euler keeps energy within O(dt ω); backward Euler, as here, only loses it
    assert sim.energy.total <= start * (1 + 1e-9)


def test_armature_is_inertia() -> None:
    sim = sk.Simulation(oscillator(armature=3.0))
    np.testing.assert_allclose(sim.acceleration([10.0]), [2.0], rtol=1e-12)


def test_position_servo_holds_a_load_where_spring_and_weight_balance() -> None:
    scene = sk.Scene("lift")
    scene.body("mass", sk.Joint("lift", "prismatic", "z"), inertia=sk.Inertia.of(2.0, matrix=(1, 1, 1)))
    scene.actuator(sk.Actuator.position("lift", kp=1000.0, kd=100.0))
    sim = sk.Simulation(scene)
    sim.control = [0.5]
    sim.run(3.0)
    assert sim.q[0] == pytest.approx(0.5 - 2.0 * 9.81 / 1000.0, abs=1e-9)


def test_velocity_servo_reaches_its_speed() -> None:
    scene = oscillator()
    scene.actuator(sk.Actuator.velocity("slide", kd=20.0))
    sim = sk.Simulation(scene)
    sim.control = [0.7]
    sim.run(2.0)
    assert sim.v[0] == pytest.approx(0.7, rel=1e-6)


@pytest.mark.parametrize("kp", [1e3, 1e9])
def test_servo_never_exceeds_its_limit(kp: float) -> None:
    """A stiff servo far from its goal pushes with its limit, exactly, and is still stable when it arrives."""
    scene = oscillator()
    scene.actuator(sk.Actuator.position("slide", kp=kp, kd=0.5 * kp, limit=6.0))
    sim = sk.Simulation(scene)
    sim.control = [1.0]
    sim.step(n=100)
    assert sim.v[0] == pytest.approx(6.0 / 2.0 * 0.1, rel=1e-12)
    speeds = sim.run(8.0).joint_v("slide")
    assert np.abs(np.diff(speeds)).max() <= 6.0 / 2.0 * sim.dt * (1 + 1e-9)
    assert sim.q[0] == pytest.approx(1.0, abs=1e-3)


def test_gear_multiplies_force_and_divides_speed() -> None:
    scene = oscillator()
    scene.actuator(sk.Actuator.torque("slide", gear=5.0, limit=3.0))
    sim = sk.Simulation(scene)
    sim.control = [100.0]
    np.testing.assert_allclose(sim.acceleration(), [5.0 * 3.0 / 2.0])


def test_push_at_a_point_turns_a_free_body() -> None:
    scene = sk.Scene("rod", gravity=(0.0, 0.0, 0.0))
    rod = sk.Inertia.of(1.0, matrix=(0.1, 0.1, 0.01))
    scene.body("rod", sk.Joint("root", "free"), position=(0.3, 0.0, 1.0), rpy=(0.0, np.pi / 2, 0.0), inertia=rod)
    sim = sk.Simulation(scene)
    sim.push("rod", (0.0, 0.0, 2.0), point=(0.8, 0.0, 1.0))  # half a metre ahead of the centre, upwards
    a = sim.acceleration()
    np.testing.assert_allclose(a[:3], [0.0, 0.0, 2.0], atol=1e-12)
    np.testing.assert_allclose(sim.pose("rod").rotation @ a[3:], [0.0, -0.5 * 2.0 / 0.1, 0.0], atol=1e-12)
    sim.push("rod", (0.0, 0.0, 0.0))
    np.testing.assert_allclose(sim.acceleration(), np.zeros(6), atol=1e-15)


def test_free_spin_about_a_principal_axis_is_steady() -> None:
    sim = sk.Simulation(sk.load("box"), integrator="rk4")
    sim.v = [0, 0, 0, 0, 0, 3.0]
    sim.step(n=1000)
    np.testing.assert_allclose(sim.v[3:], [0, 0, 3.0], atol=1e-12)


def test_planar_joint_is_two_slides_and_a_turn() -> None:
    scene = sk.Scene("puck", gravity=(0.0, 0.0, 0.0))
    puck = sk.Inertia.of(2.0, (0.1, 0.0, 0.0), (0.1, 0.1, 0.3))
    scene.body("puck", sk.Joint("table", "planar", "z"), inertia=puck)
    sim = sk.Simulation(scene, integrator="rk4")
    sim.v = [1.0, 0.5, 2.0]
    start, speed = sim.com, sim.momentum[:3] / 2.0
    sim.step(n=1000)
    np.testing.assert_allclose(sim.com, start + speed, atol=1e-8)
    np.testing.assert_allclose(sim.pose("puck").position[:2], sim.q[:2], atol=1e-12)
