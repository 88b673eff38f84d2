"""Robots that fall in random poses under the exact law, each twenty times, as in `sesshoku bench falls`."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.bench.falls import FALLS, ROBOTS, STEPS, Fall, beyond_limits, fall, fallen_robot, pose

GAINS = {"g1": 0.1, "talos": 0.05, "go2": 0.05, "anymal": 0.1}  # rise of energy, of 116 to 1368 J at the start [J]


def check(found: Fall) -> None:
    """Contact and limits take energy out of the motion; depth and limits hold."""
    assert found.unconverged == 0
    assert found.work < 1e-9
    assert found.above < 0.0
    assert found.depth < 5e-3
    assert found.beyond < 1e-2


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_robots_fall_in_random_poses(name: str) -> None:
    """From 0.5 m, at random orientations, with self-collision and limits, without servos.

    Joints are random within their limits, moved towards the middle of them as far as links would overlap by more than
    1 mm. What contact adds to the motion in a step is at most rounding. The total energy may rise besides by weight
    that is lifted where depth is taken back, and by what the integrator does to limbs that are struck.
    """
    sim = fallen_robot(name)
    for seed in range(FALLS):
        pose(sim, np.random.default_rng(seed))
        start = sim.energy.total
        found = fall(sim, STEPS)
        check(found)
        assert found.gain < GAINS[name]
        assert sim.energy.total < 0.8 * start  # it has struck the ground


@pytest.mark.slow
@pytest.mark.parametrize("seed", [50, 63, 81])
def test_limbs_that_are_struck_gain_nothing(seed: int) -> None:
    """G1 in falls in which limbs at tens of radians a second are struck: energy rose by 0.4 to 1.5 J."""
    sim = fallen_robot("g1")
    pose(sim, np.random.default_rng(seed))
    found = fall(sim, STEPS)
    check(found)
    assert found.gain < 0.02


@pytest.mark.slow
@pytest.mark.parametrize("name", ROBOTS)
def test_robots_fall_with_servos(name: str) -> None:
    """Servos hold the posture of the start: energy rises by no more than their work, at the velocities they act at.

    From whatever it was at its least: what an impact has taken must not come back.
    """
    kp, kd, limit = 60.0, 2.0, 40.0
    scene = fallen_robot(name).scene
    one_degree = [j for j in scene.model.joints if isinstance(j.q, int)]
    for joint in one_degree:
        scene.actuator(sk.Actuator.position(joint.name, kp=kp, kd=kd, limit=limit))
    sim = sk.Simulation(scene)
    pose(sim, np.random.default_rng(0))
    q, v = np.array([(j.q, j.v) for j in one_degree]).T
    sim.control = hold = sim.q[q].copy()
    start, work, worst, depth = sim.energy.total, 0.0, 0.0, 0.0
    least = start
    for _ in range(1000):
        sim.step()
        torque = np.clip(kp * (hold - sim.q[q]) - kd * sim.v[v], -limit, limit)
        work += sim.dt * torque @ sim.v[v]
        own = sim.energy.total - work
        worst, least = max(worst, own - least), min(least, own)
        if sim.time > 0.45:  # 0.1 s after it has struck the ground
            depth = max(depth, float(sim.contacts.depth.max(initial=0.0)))
        assert sim.residual.converged
        assert beyond_limits(sim) < 1e-2
    assert worst < GAINS[name]
    assert depth < 5e-3
    assert sim.energy.total < 0.8 * start


@pytest.mark.parametrize("integrator", ["semi_implicit", "rk4"])
@pytest.mark.parametrize("other", ["ground", "box", "walls"])
def test_what_begins_inside_comes_apart_gently(integrator: str, other: str) -> None:
    """A box 5 cm inside of something gets no speed: its energy rises by its lifting only. What walls squeeze stays."""
    scene = sk.Scene(other)
    scene.ground(static=0.8)
    cube = sk.Box((0.1, 0.1, 0.1))
    scene.body("box", sk.Joint("root", "free"), position=(0.0, 0.0, 0.0), mass=1.0, shape=cube)
    if other == "box":
        scene.body("above", sk.Joint("second", "free"), position=(0.01, 0.02, 0.05), mass=2.0, shape=cube)
    if other == "walls":
        for name, x in (("left", -0.14), ("right", 0.14)):
            scene.body(name, position=(x, 0.0, 0.1), shape=sk.Box((0.2, 1.0, 0.4)))
    sim = sk.Simulation(scene, integrator=integrator)
    fastest, depths = 0.0, []
    for _ in range(400):
        sim.step()
        fastest = max(fastest, float(np.abs(sim.v).max()))
        depths.append(float(sim.contacts.depth.max()))
        assert sim.residual.converged
    assert fastest < 0.02
    place = sim.pose("box").position
    if other == "walls":
        assert np.abs(place - (0.0, 0.0, 0.05)).max() < 0.025
    else:
        assert place[2] == pytest.approx(0.05, abs=1e-4)
        assert np.diff(depths).max() < 1e-6  # never deeper
        assert depths[-1] < 2e-5


def test_links_that_begin_inside_each_other_gain_no_energy() -> None:
    """G1 with its links deep in each other: once this threw it up with 800 J."""
    sim = fallen_robot("g1")
    rng = np.random.default_rng(0)
    for joint in sim.model.joints:
        if isinstance(joint.q, int):
            sim.q[joint.q] = rng.uniform(sim.model.lower[joint.v], sim.model.upper[joint.v])
    sim.q[2] = 2.0
    assert sim.contacts.depth.max() > 0.03
    start = sim.energy.total
    for _ in range(300):
        sim.step()
        assert sim.energy.total < 1.01 * start


def test_an_impact_does_not_drive_a_joint_through_a_far_limit() -> None:
    """A ball at 40 m/s would turn the flap by 0.2 rad in the step in which it strikes."""
    scene = sk.Scene("flap")
    hinge = sk.Joint("hinge", "revolute", axis="y", lower=-0.05, upper=0.05)
    scene.body("flap", hinge, mass=0.01, shape=sk.Box((0.02, 0.02, 0.2)), shape_position=(0.0, 0.0, 0.1))
    scene.body("ball", sk.Joint("root", "free"), position=(-0.041, 0.0, 0.19), mass=1.0, shape=sk.Sphere(0.03))
    sim = sk.Simulation(scene)
    sim.v[1] = 40.0
    for _ in range(50):
        sim.step()
        assert abs(sim.q[0]) < 0.05 + 1e-6
        assert sim.residual.converged
    assert sim.v[1] < 0.0 or sim.q[1] < 0.0


def test_a_force_does_not_drive_a_joint_through_a_far_limit() -> None:
    """From rest, by 1 m in one step, were there no limit; nothing touches."""
    scene = sk.Scene("slider")
    joint = sk.Joint("rail", "prismatic", axis="x", lower=-0.5, upper=0.5)
    scene.body("slider", joint, mass=1e-3, shape=sk.Box((0.02, 0.02, 0.02)))
    sim = sk.Simulation(scene)
    for _ in range(3):
        sim.step([1e3])
        assert sim.q[0] == pytest.approx(0.5, abs=1e-6)
        assert sim.residual.converged
