"""The penalty law: what it is off by follows from its springs and dampers; joints hold as under the exact law."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import sesshoku as sk
from law_scenes import leg
from sesshoku.contact import Penalty
from sesshoku.sim import Simulation

G, DT = 9.81, 1e-3
LAW = Penalty()


def slider(angle: float = 0.0, **coefficients: float) -> Simulation:
    """A ball of 2 kg that cannot turn, on a slope: x is its way down, z its height above the slope."""
    scene = sk.Scene("slider")
    scene.gravity = (G * np.sin(angle), 0.0, -G * np.cos(angle))
    scene.ground(**coefficients)
    slides = [sk.Joint("x", "prismatic", "x"), sk.Joint("z", "prismatic", "z")]
    scene.body("ball", slides, position=(0.0, 0.0, 0.1), mass=2.0, shape=sk.Sphere(0.1))
    return Simulation(scene, law="penalty", dt=DT)


def block(angle: float = 0.0, **coefficients: float) -> Simulation:
    scene = sk.Scene("block")
    scene.gravity = (G * np.sin(angle), 0.0, -G * np.cos(angle))
    scene.ground(**coefficients)
    scene.body("block", sk.Joint("root", "free"), position=(0, 0, 0.05), mass=3.0, shape=sk.Box((0.1, 0.1, 0.1)))
    return Simulation(scene, law="penalty", dt=DT)


@pytest.mark.parametrize("law", [LAW, Penalty(frequency=100.0, damping=0.2)])
def test_what_rests_has_sunk_in_by_its_weight_over_the_stiffness(law: Penalty) -> None:
    sim = Simulation(slider().scene, law=law, dt=DT)
    sim.step(n=1000)
    stiffness = 2.0 * law.frequency**2
    assert sim.contacts.depth[0] == pytest.approx(2.0 * G / stiffness, rel=1e-3)
    assert sim.contacts.force[0] == pytest.approx([0.0, 0.0, 2.0 * G], rel=1e-6)


@pytest.mark.parametrize("rows", [2, 6])
def test_any_number_of_points_comes_to_rest(rows: int) -> None:
    """Each with its own mass and not a share of it, 36 points would throw the plate about."""
    scene = sk.Scene("plate")
    scene.ground(static=0.5)
    scene.body("plate", sk.Joint("root", "free"), position=(0.0, 0.0, 0.01), mass=1.0, shape=sk.Box((0.2, 0.2, 0.01)))
    places = [(x, y, 0.0) for x in np.linspace(-0.1, 0.1, rows) for y in np.linspace(-0.1, 0.1, rows)]
    feet = tuple(sk.Collider(sk.Sphere(0.01), sk.Pose.at(place)) for place in places)
    scene.bodies["plate"] = replace(scene.bodies["plate"], colliders=feet)
    sim = Simulation(scene, law="penalty", dt=DT)
    sim.v[:] = [0.1, 0.0, -0.5, 0.3, 0.2, 0.0]
    sim.step(n=3000)
    assert len(sim.contacts) == rows**2
    assert np.abs(sim.v).max() < 1e-9
    assert sim.wrench("plate")[2] == pytest.approx(G, rel=1e-9)


def test_what_is_on_a_slope_creeps_by_its_load_over_the_damping() -> None:
    """Far below the angle of friction the exact law keeps it where it is."""
    angle = np.radians(20.0)
    sim = slider(angle, static=0.7)
    sim.step(n=1000)
    assert sim.v[0] == pytest.approx(G * np.sin(angle) / (2.0 * LAW.damping * LAW.frequency), rel=1e-6)
    assert sim.v[0] > 0.004
    exact = Simulation(sim.scene, dt=DT)
    exact.step(n=1000)
    assert abs(exact.v[0]) < 1e-9


def test_a_block_that_is_still_pressed_in_slides_under_kinetic_friction() -> None:
    sim = block(static=0.5, kinetic=0.3)
    sim.step(n=1000)
    sim.v[0] = 1.0
    before = sim.v[0]
    sim.step(n=100)
    loss = (before - sim.v[0]) / (100 * DT)
    assert loss == pytest.approx(0.3 * G, rel=0.02)  # it rocks a little as friction sets in
    force = sim.contacts.force
    assert np.linalg.norm(force[:, :2], axis=1) == pytest.approx(0.3 * force[:, 2], rel=1e-9)
    assert (sim.contacts.state == sk.SLIP).all()


def test_never_pulls_and_nothing_without_overlap() -> None:
    sim = block()
    sim.q[2] += 1e-4
    sim.step()
    assert (sim.contacts.force == 0.0).all()
    sim.reset()
    sim.q[2] -= 1e-3
    sim.v[2] = 5.0  # the damper alone would hold it back
    sim.step()
    assert len(sim.contacts) == 4
    assert (sim.contacts.force == 0.0).all()


def test_the_bounce_follows_from_the_damping() -> None:
    """Half a period of a damped oscillator, fast enough that the weight does not count; force from first touch on."""
    law = Penalty(frequency=100.0, damping=0.1)
    scene = slider().scene
    scene.gravity = (0.0, 0.0, 0.0)
    sim = Simulation(scene, law=law, dt=1e-5)
    sim.v[1] = -1.0
    sim.step(n=10_000)
    damped = np.sqrt(1.0 - law.damping**2)  # no pull: released when spring and damper cancel, before the depth is zero
    phase = np.arctan2(2.0 * law.damping * damped, 2.0 * law.damping**2 - 1.0)
    assert sim.v[1] == pytest.approx(np.exp(-law.damping * phase / damped), rel=1e-2)


def test_the_residual_says_how_far_that_is_from_the_exact_law() -> None:
    sim = block(np.radians(20.0), static=0.7)
    sim.step(n=1000)
    assert not sim.residual.converged
    assert sim.residual.total > 0.01
    assert sim.residual.dissipation > 1e5 * sim.law.tolerance  # friction that creeps is less than it could be
    assert sim.residual.cone < 1e-12
    sim.q[2] += 1.0
    sim.step()
    assert sim.residual.converged
    assert sim.residual.total == 0.0


def test_goes_on_from_a_state_with_the_same_bits() -> None:
    sim = leg(20.0, LAW)
    sim.step(n=30)
    state = sim.state
    sim.step(n=200)
    after = sim.state
    other = leg(20.0, LAW)
    other.reset(state)
    other.step(n=200)
    assert other.state == after


@pytest.mark.parametrize("integrator", ["rk4", "rkg"])
def test_under_every_integrator(integrator: str) -> None:
    sim = Simulation(slider().scene, law="penalty", dt=DT, integrator=integrator)
    sim.step(n=1000)
    assert sim.contacts.depth[0] == pytest.approx(G / LAW.frequency**2, rel=1e-3)


def test_loops_stay_closed() -> None:
    """A rod, pinned to the world at one end by a loop, lies with a ball at its other end on the ground."""
    scene = sk.Scene("ramp")
    scene.ground(static=0.5)
    ball = {"shape": sk.Sphere(0.02), "shape_position": (0.2, 0.0, 0.0)}
    inertia = sk.Inertia.of(2.0, matrix=(0.001, 0.03, 0.03))
    scene.body("rod", sk.Joint("root", "free"), position=(0.2, 0.0, 0.02), inertia=inertia, **ball)
    scene.close("pin", None, "rod", "hinge", (0.0, 0.0, 0.02), axis=(0.0, 1.0, 0.0))
    sim = Simulation(scene, law="penalty", dt=DT)
    sim.step(n=1000)
    end = sim.pose("rod").apply([-0.2, 0.0, 0.0])
    np.testing.assert_allclose(end, [0.0, 0.0, 0.02], atol=1e-9)
    assert sim.contacts.force[0, 2] == pytest.approx(G, rel=1e-4)  # half of its weight, at a small slope
    assert sim.loop_wrench("pin")[2] == pytest.approx(G, rel=1e-4)


def test_joints_follow_others() -> None:
    """Two weights on rails, only one of which touches the ground: it carries both."""
    scene = sk.Scene("lifts")
    scene.ground()
    for name, x, foot in (("a", 0.0, 0.1), ("b", 1.0, 0.02)):
        joint = sk.Joint(name, "prismatic", "z")
        scene.body(name, joint, position=(x, 0.0, 0.1), mass=1.0, shape=sk.Sphere(foot))
    scene.couple("b", "a", 0.0, 1.0)
    sim = Simulation(scene, law="penalty", dt=DT)
    sim.step(n=1000)
    assert sim.q[1] == pytest.approx(sim.q[0], abs=1e-9)
    assert len(sim.contacts) == 1
    assert sim.contacts.force[0, 2] == pytest.approx(2.0 * G, rel=1e-6)
