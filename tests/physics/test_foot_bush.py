"""Feet on rubber: a tilting mass against its closed form, and a humanoid that stands, steps off and blows up."""

from __future__ import annotations

import warnings
from contextlib import suppress

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.model.robots import hrp2_class

G = 9.81
SIDES = ("left", "right")
FEET = [f"{side}_foot" for side in SIDES]


def block_on_two_feet(bush: sk.Bush, mass: float, height: float, moment: float) -> sk.Scene:
    """A mass at a height above two feet side by side, held by their bushes alone; its origin is between the bushes."""
    scene = sk.Scene("block")
    load = sk.Inertia.of(mass, (0.0, 0.0, height), (moment, moment, moment))
    scene.body("block", sk.Joint("root", "free"), position=(0, 0, 0.02), inertia=load)
    for foot, y in zip(FEET, (0.1, -0.1), strict=True):
        plate = sk.Box((0.24, 0.14, 0.02))
        scene.body(foot, parent="block", position=(0, y, 0), mass=0.65, shape=plate, shape_position=(0, 0, -0.01))
        scene.bush(foot, bush)
    scene.ground(static=0.1)  # rolling, the feet spread by w θ²/2 and rub
    return scene


def downward_crossings(time: np.ndarray, angle: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Samples before which, and times at which, an angle falls through zero."""
    (before,) = np.nonzero((angle[:-1] > 0) & (angle[1:] <= 0))
    share = angle[before] / (angle[before] - angle[before + 1])
    return before, time[before] + share * (time[before + 1] - time[before])


@pytest.mark.parametrize(("k", "d"), [(1e3, 25.0), (1e3, 8.0), (1.5e3, 15.0)])
@pytest.mark.parametrize("axis", ["roll", "pitch"])
def test_tilt_oscillation(axis: str, k: float, d: float) -> None:
    """Period and decay of notes R1, about the common axis of two bushes: stiffness 2k − m g h.

    In roll the slides act as well, 0.1 m to the left and the right: k_z w²/2 with w = 0.2 m.
    """
    mass, height, moment, w = 57.0, 0.8, 5.0, 0.2 if axis == "roll" else 0.0
    bush = sk.Bush(stiffness=(5e5, k, k), damping=(1e2, d, d))
    sim = sk.Simulation(block_on_two_feet(bush, mass, height, moment), dt=1e-4)
    sag = mass * G / 2 / 5e5
    sim.q[2] -= sag
    for foot in FEET:
        sim.q[sim.model.joint(f"{foot}_bush_z").q] = sag
    sim.step()
    turn = 0 if axis == "roll" else 1
    sim.v[3 + turn] = 0.02
    recording = sim.run(0.8 if axis == "roll" else 3.0)
    angle = 2 * np.arcsin(recording.joint_q("root")[:, 4 + turn])
    arm = height - sag  # it turns about the feet, which are so much closer
    inertia = moment + mass * arm**2 + 2 * bush.rotor[1] + bush.rotor[0] * w**2 / 2
    springs, dampers = 2 * k + 5e5 * w**2 / 2, 2 * d + 1e2 * w**2 / 2
    rate = (dampers + sim.dt * springs) / (2 * inertia)  # implicit springs damp by k dt
    period = 2 * np.pi / np.sqrt((springs - mass * G * arm) / inertia - rate**2)
    before, crossings = downward_crossings(recording.time, angle)
    np.testing.assert_allclose(np.diff(crossings), period, rtol=3e-4)
    lowest = [angle[a : a + round(period / sim.dt)].min() for a in before[:2]]
    assert lowest[1] / lowest[0] == pytest.approx(np.exp(-rate * period), rel=2e-3)


@pytest.mark.parametrize("posture", ["straight", "crouch"])
@pytest.mark.parametrize("bush", [False, True])
def test_humanoid_stands(bush: bool, posture: str) -> None:
    scene = hrp2_class(bush=bush)
    scene.ground(static=0.6)
    sim = sk.Simulation(scene, posture=posture)
    soles = [sim.dynamics.pose(f"{side}_sole", sim.q).position for side in SIDES]
    sim.step(n=5000)
    m, weight = sim.model, sim.model.total_mass * G
    assert sim.residual.converged
    assert len(sim.contacts) == 8
    force = sim.contacts.force.sum(axis=0)
    # on bushes the tilt still swings after 5 s: half of it is left after each period of a second
    np.testing.assert_allclose(force[:2], 0.0, atol=1.0 if bush else 1e-6)
    assert force[2] == pytest.approx(weight, abs=0.05 if bush else 1e-6)
    for side, sole in zip(SIDES, soles, strict=True):
        np.testing.assert_allclose(sim.dynamics.pose(f"{side}_sole", sim.q).position, sole, atol=1e-7)
    if bush:
        for foot in FEET:
            load = sim.wrench(foot)[2] - 0.65 * G
            assert sim.q[m.joint(f"{foot}_bush_z").q] == pytest.approx(load / 5e5, rel=1e-3)
            assert load == pytest.approx(weight / 2 - 0.65 * G, rel=1e-3)
    tilt = 2 * np.linalg.norm(sim.q[4:7])
    assert tilt < (0.02 if bush else 0.002)


@pytest.mark.parametrize("integrator", ["semi_implicit", "rk4"])
def test_rotor_inertia_makes_the_explicit_bush_stable(integrator: str) -> None:
    """Notes, section 6: 0.014 kg m² is just enough for (1e3, 25) and a light foot; the paper holds it over rk4."""
    scene = hrp2_class()
    for foot in FEET:
        scene.bush(foot, sk.Bush(explicit=True))
    scene.ground(static=0.6)
    with warnings.catch_warnings():
        warnings.simplefilter("error", sk.UnstableWarning)
        sim = sk.Simulation(scene, integrator=integrator)
    sim.step(n=500)
    sim.push("pelvis", (0.0, 0.0, 1.2 * sim.model.total_mass * G))
    sim.step(n=300)
    assert len(sim.contacts) == 0
    assert np.abs([sim.v[scene.joint(f"{foot}_bush_roll").v] for foot in FEET]).max() < 0.1
    bare = hrp2_class()
    bare.bush("left_foot", sk.Bush(rotor=(0.1, 0.0, 0.0), explicit=True))
    with pytest.warns(sk.UnstableWarning, match="left_foot_bush_pitch"):
        sk.Simulation(bare, integrator=integrator)


@pytest.mark.parametrize("explicit", [True, False])
def test_blow_up_at_lift_off(explicit: bool) -> None:
    """Notes, section 6: 40 N m s/rad on a foot of 0.65 kg is held by the floor and blows up in the air if explicit."""
    scene = hrp2_class()
    bush = sk.Bush(damping=(1e3, 40.0, 40.0), explicit=explicit)
    for foot in FEET:
        scene.bush(foot, bush)
    scene.ground(static=0.6)
    if explicit:
        with pytest.warns(
            sk.UnstableWarning, match=r"'left_foot_bush_roll' moves an inertia of 0.015\d and needs 0.0203"
        ):
            sim = sk.Simulation(scene)
    else:
        sim = sk.Simulation(scene)
    sim.step(n=500)
    assert abs(sim.v).max() < 0.1, "standing, the floor holds the feet"
    sim.push("pelvis", (0.0, 0.0, 1.2 * sim.model.total_mass * G))
    if explicit:
        fastest = 0.0
        with suppress(sk.DivergedError):
            for _ in range(500):
                sim.step()
                fastest = max(fastest, abs(sim.v).max())
        assert fastest > 1e3
    else:
        sim.step(n=500)
        assert len(sim.contacts) == 0
        feet = [sim.v[scene.joint(f"{foot}_bush_roll").v] for foot in FEET]
        assert np.abs(feet).max() < 0.1
