"""Free bodies that turn fast: spin by the implicit midpoint rule, momentum of the mass centre."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sesshoku as sk
from sesshoku.dynamics.tumble import spin_after

SPIN = np.array((0.6, 0.64, 0.48))
number = st.floats(-1.0, 1.0)
vector = st.tuples(number, number, number)


def thrown(
    shape: sk.Shape, turn: float, dt: float, centre: tuple[float, float, float] = (0.0, 0.0, 0.0)
) -> sk.Simulation:
    """A body without weight that turns by ``turn`` in a step, its shape off its origin."""
    scene = sk.Scene("thrown", gravity=(0.0, 0.0, 0.0))
    scene.body("body", sk.Joint("root", "free"), mass=1.0, shape=shape, shape_position=centre)
    sim = sk.Simulation(scene, dt=dt)
    sim.v[3:] = SPIN * turn / dt
    return sim


@given(vector, vector, st.floats(0.0, 3.0))
def test_the_midpoint_rule_holds(spin, torque, dt) -> None:
    """I (ω₁ − ω₀)/dt + ω × I ω = τ at the mean ω, wherever it is found: also where a step is three radians."""
    inertia = np.diag((1.0, 0.7, 0.4))
    after, found = spin_after((1.0, 0.7, 0.4, 0.0, 0.0, 0.0), spin, torque, dt)
    if np.linalg.norm(torque) * dt < 0.2:
        assert found
    if found:
        mean = (np.array(spin) + after) / 2
        left = inertia @ np.subtract(after, spin) + dt * (np.cross(mean, inertia @ mean) - torque)
        np.testing.assert_allclose(left, 0.0, atol=1e-10)


@pytest.mark.parametrize("dt", [1e-3, 1e-2])
@pytest.mark.parametrize("turn", [0.05, 0.3, 0.55, 1.0, 2.0])
@pytest.mark.parametrize("shape", [sk.Box((0.3, 0.2, 0.1)), sk.Capsule(0.004, 0.15)], ids=["box", "pencil"])
def test_energy_stays_up_to_two_radians_in_a_step(shape: sk.Shape, turn: float, dt: float) -> None:
    """It diverged from half a radian in a step on."""
    sim = thrown(shape, turn, dt)
    start = sim.energy.kinetic
    for _ in range(1000):
        sim.step()
        assert sim.energy.kinetic == pytest.approx(start, rel=1e-9)


@pytest.mark.parametrize("turn", [0.05, 0.5, 1.5])
def test_the_mass_centre_goes_on(turn: float) -> None:
    """Though the body's origin turns about it."""
    sim = thrown(sk.Box((0.3, 0.2, 0.1)), turn, 1e-3, (0.1, -0.05, 0.2))
    before = sim.momentum[:3]
    for _ in range(300):
        sim.step()
        np.testing.assert_allclose(sim.momentum[:3], before, atol=1e-9 * np.linalg.norm(before))


def test_spin_is_of_second_order() -> None:
    """Against Runge–Kutta, after a hundredth of a second."""
    errors = []
    for dt in (1e-3, 5e-4):
        sim, fine = thrown(sk.Box((0.3, 0.2, 0.1)), 100.0 * dt, dt), thrown(sk.Box((0.3, 0.2, 0.1)), 1e-3, 1e-5)
        fine = sk.Simulation(fine.scene, "none", 1e-5, integrator="rk4")
        fine.v = sim.v
        sim.step(n=round(0.01 / dt))
        fine.step(n=1000)
        errors.append(np.abs(sim.v[3:] - fine.v[3:]).max())
    assert errors[0] / errors[1] > 3.5  # 4 in the limit


@pytest.mark.parametrize("restitution", [0.0, 0.5])
def test_pencils_fall_with_large_steps(restitution: float) -> None:
    """Of 10 ms, from 1 m: several of twenty diverged."""
    for seed in range(20):
        scene, rng = sk.Scene("pencil"), np.random.default_rng(seed)
        scene.ground(static=0.5, restitution=restitution)
        scene.body("pencil", sk.Joint("root", "free"), position=(0, 0, 1), mass=0.005, shape=sk.Capsule(0.004, 0.15))
        sim = sk.Simulation(scene, dt=1e-2)
        turn = rng.normal(size=4)
        sim.q[3:7], sim.v[3:] = turn / np.linalg.norm(turn), rng.normal(size=3)
        sim.step(n=300)
        assert np.abs(sim.v).max() < 100.0


@pytest.mark.parametrize("speed", [25.0, 60.0])
def test_a_rod_that_is_pinned_keeps_its_energy(speed: float) -> None:
    """A free body whose origin is held by a loop: what is touched does not tumble by itself. It exploded."""
    scene = sk.Scene("pinned", gravity=(0.0, 0.0, 0.0))
    rod = {"mass": 1.0, "shape": sk.Box((0.4, 0.02, 0.02)), "shape_position": (0.2, 0.0, 0.0)}
    scene.body("rod", sk.Joint("root", "free"), **rod)
    scene.close("pin", None, "rod", "ball", (0.0, 0.0, 0.0))
    sim = sk.Simulation(scene)
    sim.v[5] = speed
    start = sim.energy.kinetic
    for _ in range(500):
        sim.step()
        assert sim.residual.converged
        assert sim.energy.kinetic == pytest.approx(start, rel=5e-3)


@pytest.mark.parametrize("spin", [50.0, 150.0])
def test_a_top_does_not_care_where_its_origin_is(spin: float) -> None:
    """On its tip, leaning: energy does not rise, whether its origin is there or at its mass centre (once by 7 %)."""
    leans = []
    for height in (0.0, 0.1):  # of the origin above the tip
        scene = sk.Scene("top")
        scene.ground(static=1.0)
        inertia = sk.Inertia.of(0.5, (0.0, 0.0, 0.1 - height), matrix=(2e-4, 2e-4, 4e-4))
        place = (0.0, -height * np.sin(0.3), 0.005 + height * np.cos(0.3))
        tip = {"shape": sk.Sphere(0.005), "shape_position": (0.0, 0.0, -height)}
        scene.body("top", sk.Joint("root", "free"), position=place, rpy=(0.3, 0.0, 0.0), inertia=inertia, **tip)
        sim = sk.Simulation(scene)
        sim.v[5] = spin
        energy = sim.energy.total
        for _ in range(200):
            sim.step()
            assert sim.energy.total < energy + 1e-4
        leans.append(np.degrees(np.arccos(sim.pose("top").rotation[2, 2])))
    assert leans[0] == pytest.approx(leans[1], abs=4.0)
