"""Fast motion: a step is of second order where joints turn fast, and contact holds meanwhile."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.bench.peers import robot_file
from sesshoku.dynamics.fast import BEYOND, FAST

NUMBER = 4


def chain(base: str) -> sk.Scene:
    """Rods about axes in turn, on a base that is fixed or free."""
    scene = sk.Scene("chain")
    parent = None
    if base == "free":
        scene.body("trunk", sk.Joint("float", "free"), inertia=sk.Inertia.of(2.0, matrix=(0.04, 0.03, 0.02)))
        parent = "trunk"
    for k in range(NUMBER):
        joint = sk.Joint(f"joint{k}", "revolute", "xyz"[k % 3], armature=0.001)
        scene.body(f"rod{k}", joint, parent=parent, position=(0, 0, 0.3), inertia=sk.Inertia.rod(0.5, (0.1, 0, 0.3)))
        parent = f"rod{k}"
    return scene


def step_error(scene: sk.Scene, dt: float, speed: float, seed: int) -> tuple[float, float]:
    """Errors of velocity and place after one step, against Runge–Kutta with a hundredth of it."""
    sim = sk.Simulation(scene, law="none", dt=dt)
    fine = sk.Simulation(scene, law="none", dt=dt / 100, integrator="rk4")
    rng = np.random.default_rng(seed)
    q = sim.dynamics.integrate(sim.model.q0, rng.normal(size=sim.model.nv))
    v = rng.normal(size=sim.model.nv)
    v *= speed / np.abs(v[-NUMBER:]).max()  # of the joints
    sim.q, sim.v, fine.q, fine.v = q, v, q, v
    sim.step()
    fine.step(n=100)
    place = sim.dynamics.difference(sim.q, fine.q)
    return float(np.abs(sim.v - fine.v).max()), float(np.abs(place).max())


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("seed", range(4))
def test_a_step_is_of_second_order(base: str, seed: int) -> None:
    scene = chain(base)
    for coarse, fine in zip(*(step_error(scene, dt, 100.0, seed) for dt in (5e-4, 2.5e-4)), strict=True):
        assert coarse / fine > 7.0  # 8 in the limit; 4 of a first-order step


@pytest.mark.parametrize("seed", range(4))
def test_slow_motion_is_left_alone(seed: int) -> None:
    """Below the threshold the error is that of the first order, just above it much smaller."""
    scene, dt = chain("fixed"), 1e-3
    fast = np.sqrt(FAST / dt)
    below = step_error(scene, dt, 0.99 * fast, seed)
    above = step_error(scene, dt, 1.01 * fast, seed)
    assert above[0] < 0.2 * below[0]
    assert above[1] < 0.2 * below[1]


@pytest.mark.parametrize("base", ["fixed", "free"])
@pytest.mark.parametrize("seed", range(4))
def test_energy_is_kept(base: str, seed: int) -> None:
    """Rods that fly, or turn about a fixed place, at tens of radians a second: once it rose by up to 8 %."""
    scene = chain(base)
    sim, rng = sk.Simulation(scene), np.random.default_rng(seed)
    sim.q = sim.dynamics.integrate(sim.model.q0, rng.normal(size=sim.model.nv))
    sim.v = 30.0 * rng.uniform(-1.0, 1.0, sim.model.nv)
    start, energies = sim.energy, []
    for _ in range(300):
        sim.step()
        energies.append(sim.energy.total)
    assert sim._system.lead.any()
    assert np.abs(np.array(energies) - start.total).max() < 5e-3 * start.kinetic


@pytest.mark.parametrize("spin", [0.0, 30.0, 60.0])
@pytest.mark.parametrize("stop", ["ground", "limit"])
def test_what_carries_something_fast_is_stopped_in_place(stop: str, spin: float) -> None:
    """By the mean velocity of the step in which it is stopped it would go half a millimetre too far."""
    scene, gap = sk.Scene("lander"), 4.5e-4
    slide = sk.Joint("slide", "prismatic", "z", lower=-gap if stop == "limit" else -np.inf)
    if stop == "ground":
        scene.ground(static=0.5)
    place = {"position": (0.0, 0.0, 0.05 + gap), "shape": sk.Box((0.1, 0.1, 0.1))}
    scene.body("block", slide, mass=1.0, **place)
    rod = sk.Inertia.rod(0.2, (0.2, 0.0, 0.0))
    scene.body("rod", sk.Joint("hinge", "revolute", "y"), parent="block", position=(0.0, 0.0, 0.5), inertia=rod)
    sim, low = sk.Simulation(scene), []
    sim.v = np.array([-1.0, spin])
    for _ in range(300):
        sim.step()
        low.append(sim.q[0])
    assert sim._system.lead.any() == (spin > 0.0)
    assert min(low) == pytest.approx(-gap, abs=1e-9)


def test_a_foot_stays_while_an_arm_turns_fast() -> None:
    """Of a body that stands on the ground, a wheel on it at 50 rad/s, out of balance: no creep."""
    scene = sk.Scene("stand")
    scene.ground(static=0.8)
    scene.body("block", sk.Joint("root", "free"), position=(0, 0, 0.05), mass=5.0, shape=sk.Box((0.3, 0.3, 0.1)))
    rod = sk.Inertia.rod(0.1, (0.05, 0.0, 0.0))
    scene.body("rod", sk.Joint("hinge", "revolute", "y"), parent="block", position=(0.0, 0.0, 0.1), inertia=rod)
    sim = sk.Simulation(scene)
    sim.step()
    place = sim.pose("block").position.copy()
    sim.v[6] = 50.0
    for _ in range(1000):
        sim.step()
        assert np.abs(sim.pose("block").position - place).max() < 1e-8
    assert sim._system.lead.any()


@pytest.mark.parametrize("mass", [1e-6, 1e-3])
def test_something_light_that_goes_along_costs_the_mean(mass: float) -> None:
    """Rods that turn fast, a cube against a plate on the first one: energy rises by 2 % in 3 s, without it by 1e-5."""
    scene, rough = sk.Scene("carousel", gravity=(0.0, 0.0, 0.0)), sk.Material(1.0)
    for name, parent, axis, place, m, end in (
        ("first", None, "z", (0.0, 0.0, 0.0), 1.0, (0.4, 0.0, 0.02)),
        ("second", "first", "y", (0.4, 0.0, 0.0), 0.5, (0.3, 0.0, 0.02)),
        ("third", "first", "x", (0.2, 0.0, 0.1), 0.2, (0.0, 0.1, 0.1)),
    ):
        rod = {"parent": parent, "position": place, "inertia": sk.Inertia.rod(m, end)}
        scene.body(name, sk.Joint(name, "revolute", axis), **rod)
    plate = {"mass": 0.05, "shape": sk.Box((0.02, 0.3, 0.3)), "material": rough}
    joint = sk.Joint("plate", "revolute", "y", lower=-1e-3, upper=1e-3)
    scene.body("plate", joint, parent="first", position=(0.4, 0.0, -0.3), **plate)
    cube = {"mass": mass, "shape": sk.Box((0.06, 0.06, 0.06)), "material": rough}
    scene.body("cube", sk.Joint("root", "free"), position=(0.36, 0.0, -0.3), **cube)
    sim, speed = sk.Simulation(scene), 30.0
    sim.v[:3] = speed, 0.5 * speed, 0.4 * speed
    sim.v[-6:-3], sim.v[-1] = (0.0, 0.36 * speed, 0.0), speed
    start, touching = sim.energy.total, 0
    for _ in range(3000):
        sim.step()
        touching += len(sim.contacts) > 0
        assert sim.residual.converged
        assert sim.energy.total < 1.03 * start
    assert touching > 2900


def test_beyond_what_can_be_followed() -> None:
    """A joint that turns by more than half a radian in a step stays with the plain step: q and v stay numbers."""
    scene, dt = chain("free"), 1e-3
    sim = sk.Simulation(scene, law="none", dt=dt)
    sim.v[6:] = 1.5 * BEYOND / dt
    q, v = sim.q.copy(), sim.v.copy()
    sim.step()
    force = sim.dynamics.inverse(q, v, (sim.v - v) / dt)  # of the plain step: none
    np.testing.assert_allclose(force, 0.0, atol=1e-6 * np.abs(sim.v).max())


def test_many_joints_none_of_which_is_beyond() -> None:
    """Six rods, each coupled to the one before, at up to 400 rad/s: the last turns by the sum of all.

    Energy rose to 42 times as much.
    """
    scene, parent = sk.Scene("fan", gravity=(0.0, 0.0, 0.0)), None
    for k in range(6):
        joint, rod = sk.Joint(f"j{k}", "revolute", "yz"[k % 2]), sk.Inertia.rod(0.5, (0.2, 0.0, 0.02))
        scene.body(f"rod{k}", joint, parent=parent, position=(0.2 if k else 0.0, 0.0, 0.0), inertia=rod)
        parent = f"rod{k}"
        if k:
            scene.couple(f"j{k}", f"j{k - 1}", 0.0, 1.0)
    sim = sk.Simulation(scene)
    sim.q, sim.v = np.full(6, 0.1), np.full(6, 40.0)
    start = sim.energy.total
    for _ in range(500):
        sim.step()
        assert sim.residual.converged
        assert sim.energy.total < 1.01 * start


@pytest.mark.parametrize("torque", [0.1, 1.0, 5.0])
def test_what_a_limit_stops_is_not_thought_to_move_on(torque: float) -> None:
    """A wheel turns fast; a light finger is pressed on its limit: nothing from outside acts, momentum must not grow."""
    scene = sk.Scene("satellite", gravity=(0.0, 0.0, 0.0))
    scene.body("base", sk.Joint("root", "free"), mass=1.0, shape=sk.Box((0.2, 0.2, 0.2)))
    wheel = sk.Joint("wheel", "revolute", "z")
    scene.body("wheel", wheel, parent="base", position=(0.0, 0.0, 0.3), mass=0.5, shape=sk.Cylinder(0.05, 0.02))
    finger = sk.Joint("finger", "revolute", "y", lower=-0.1, upper=0.1)
    rod = {"shape": sk.Box((0.1, 0.01, 0.01)), "shape_position": (0.06, 0.0, 0.0)}
    scene.body("finger", finger, parent="base", position=(0.3, 0.0, 0.0), mass=0.01, **rod)
    sim = sk.Simulation(scene)
    sim.v[6] = 25.0
    moments = []
    for _ in range(2000):
        sim.step([0.0, torque])
        moments.append(sim.dynamics.momentum(sim.q, sim.v, (0.0, 0.0, 0.0)))
    assert sim._system.lead.any()
    assert np.abs(moments[-1] - moments[99]).max() < 2e-5  # it grew by 0.06 with 1 N m
    assert sim.q[8] == pytest.approx(0.1, abs=1e-6)


@pytest.mark.parametrize("torque", [0.1, 1.0, 5.0])
@pytest.mark.parametrize("lever", [5e-4, 2e-3, 0.05])
def test_what_jams_next_to_its_hinge_does_not_push_the_robot_on(lever: float, torque: float) -> None:
    """A finger pressed on its own base, by up to 20 kN at so short a lever: momentum and energy must stay."""
    scene = sk.Scene("satellite", gravity=(0.0, 0.0, 0.0))
    scene.body("base", sk.Joint("root", "free"), mass=1.0, shape=sk.Box((0.2, 0.2, 0.2)))
    wheel = sk.Joint("wheel", "revolute", "z")
    scene.body("wheel", wheel, parent="base", position=(0.0, 0.0, 0.3), mass=0.5, shape=sk.Cylinder(0.05, 0.02))
    post, rod = sk.Joint("post", "revolute", "z", friction=1.0), sk.Inertia.rod(0.1, (0.0, 0.0, 0.2))
    scene.body("post", post, parent="base", position=(0.2, 0.0, 0.0), inertia=rod)
    finger, place = sk.Joint("finger", "revolute", "y"), {"parent": "post", "position": (0.0, 0.0, 0.05)}
    tip = {"shape": sk.Sphere(0.02), "shape_position": (1e-6 - 0.08, 0.0, -lever), "material": sk.Material(0.0)}
    scene.body("finger", finger, mass=0.05, **place, **tip)
    sim = sk.Simulation(scene)
    sim.v[3:7] = 3.0, 2.0, 1.0, 25.0
    found = []
    for _ in range(1000):
        sim.step([*[0.0] * 8, torque])
        found.append([*sim.dynamics.momentum(sim.q, sim.v, (0.0, 0.0, 0.0)), sim.energy.kinetic])
    assert sim._system.lead.any()
    assert np.linalg.norm(sim.contacts.force) > 0.9 * torque / 0.08
    # of half a kilogram metre a second, and joule; it went by up to 0.036 and 0.06
    assert np.abs(np.subtract(found[-1], found[99])).max() < 2e-6


def test_limbs_with_hardly_any_inertia_gain_nothing() -> None:
    """ICub, whose inertia matrix is nearly singular: its energy doubled in one step of a fall."""
    scene = sk.load(robot_file("icub_description/robots/icub.urdf"), floating=True)
    scene.ground(static=0.8, kinetic=0.6)
    sim = sk.Simulation(scene)
    turn = np.random.default_rng(0).normal(size=4)
    sim.q[3:7], sim.q[2] = turn / np.linalg.norm(turn), 2.0
    energies = [sim.energy.total]
    for _ in range(900):
        sim.step()
        assert sim.residual.converged
        energies.append(sim.energy.total)
    assert np.diff(energies).max() < 0.1
    assert energies[-1] < 0.2 * energies[0]
