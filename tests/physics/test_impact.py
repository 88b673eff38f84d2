"""Closed forms of impacts under the exact law."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.contact import Exact

G, DT = 9.81, 1e-3


def falling_ball(height: float, restitution: float, dt: float = DT) -> sk.Simulation:
    """A ball of 1 kg whose lowest point is at a height [m] above the ground."""
    scene = sk.load("sphere")
    scene.ground(restitution=restitution)
    sim = sk.Simulation(scene, law="exact", dt=dt)
    sim.q[2] += height
    return sim


@pytest.mark.parametrize("restitution", [0.0, 0.3, 0.5, 0.8, 1.0])
@pytest.mark.parametrize("height", [0.1, 1.0, 3.0])
@pytest.mark.parametrize("dt", [DT, 0.1 * DT])
def test_bounce_reaches_the_square_of_the_restitution(restitution: float, height: float, dt: float) -> None:
    """To the distance that the ball falls in one step: it turns where the step finds it."""
    sim = falling_ball(height, restitution, dt)
    while sim.v[2] <= 0.0 and sim.time < 2.0:
        sim.step()
        if restitution == 0.0 and sim.contacts.force.any():
            break
    top = 0.0
    while sim.v[2] > 0.0:
        sim.step()
        top = max(top, sim.q[2] - 0.1)
    assert top == pytest.approx(restitution**2 * height, abs=np.sqrt(2 * G * height) * dt)


def test_elastic_ball_keeps_its_energy() -> None:
    sim = falling_ball(1.0, 1.0)
    level = G * 0.1  # potential energy of a ball that lies on the ground
    start, bounces = sim.energy.total - level, 0
    while bounces < 20:
        falling = sim.v[2] < 0.0
        sim.step()
        bounces += falling and sim.v[2] > 0.0
        assert sim.energy.total - level == pytest.approx(start, rel=1e-2)
    assert sim.time == pytest.approx((2 * 20 - 1) * np.sqrt(2 / G), rel=1e-2)


def rocking_block(width: float, height: float, gravity: float) -> sk.Simulation:
    scene = sk.Scene("rocking block", gravity=(0.0, 0.0, -gravity))
    scene.ground(static=3.0)
    box = sk.Box((width, 0.3, height))
    scene.body("block", sk.Joint("root", "free"), position=(0.0, 0.0, height / 2), mass=1.0, shape=box)
    return sk.Simulation(scene, dt=DT)


@pytest.mark.parametrize(("width", "height"), [(0.1, 0.5), (0.2, 0.5), (0.3, 0.45)])
def test_rocking_block_loses_spin_as_housner_says(width: float, height: float) -> None:
    """A block that lands from one edge on the other goes on with 1 − 1.5 sin² of its spin, tan of the angle b/h."""
    kept = 1.0 - 1.5 * width**2 / (width**2 + height**2)

    landing = rocking_block(width, height, 0.0)  # the instant it lands, without weight
    spin = 0.7
    landing.v = [spin * height / 2, 0.0, -spin * width / 2, 0.0, spin, 0.0]  # about the edge at −x
    np.testing.assert_allclose(landing.velocity("block")[3:], [0.0, spin, 0.0], atol=1e-12)
    landing.step()
    np.testing.assert_allclose(landing.v[3:], [0.0, kept * spin, 0.0], atol=1e-8)
    np.testing.assert_allclose(landing.v[:3], kept * spin * np.array([height / 2, 0.0, width / 2]), atol=1e-8)

    rocking = rocking_block(width, height, G)  # falls from a tilt, rocks over, falls again
    tilt = 0.5 * np.arctan2(width, height)
    corner = np.array([width / 2, 0.0, -height / 2])
    turn = sk.Pose.at(rpy=(0.0, tilt, 0.0))
    rocking.q[:3] = corner * [1, 1, 0] - turn.apply(corner)
    rocking.q[3:] = [np.cos(tilt / 2), 0.0, np.sin(tilt / 2), 0.0]
    inertia = (width**2 + height**2) / 3  # about an edge
    before = np.sqrt(2 * (rocking.energy.total - G * height / 2) / inertia)
    while rocking.pose("block").rotation[0, 2] > 0.0:
        rocking.step()
    rocking.step(n=30)
    # the spin at the landing follows from the energy; first order in the step, 0.2 % at dt = 1e-4
    after = np.sqrt(2 * (rocking.energy.total - G * height / 2) / inertia)
    assert after == pytest.approx(kept * before, rel=2e-2)


LENGTH, RADIUS = 0.4, 0.01


def tilted_rod(angle: float, gravity: float = 0.0, **coefficients: float) -> tuple[sk.Simulation, np.ndarray]:
    """A rod in the x-z plane whose lower end touches the ground, and the arm from its centre to there."""
    scene = sk.Scene("rod", gravity=(0.0, 0.0, -gravity))
    scene.ground(**coefficients)
    arm = np.array([-LENGTH / 2 * np.cos(angle), 0.0, -LENGTH / 2 * np.sin(angle) - RADIUS])
    rod = sk.Capsule(RADIUS, LENGTH)
    scene.body("rod", sk.Joint("root", "free"), position=-arm, rpy=(0.0, np.pi / 2 - angle, 0.0), mass=1.3, shape=rod)
    # One impulse is compared with its closed form to 1e-8, which is the default tolerance itself.
    return sk.Simulation(scene, Exact(tolerance=1e-11), DT), arm


@pytest.mark.parametrize("restitution", [0.0, 0.6])
@pytest.mark.parametrize("friction", [0.0, 0.15, 0.5, 1.5])
@pytest.mark.parametrize("angle", np.radians([20.0, 45.0, 70.0]))
@pytest.mark.parametrize("velocity", [(0.0, 0.0, -1.0), (1.5, 0.0, -1.0), (-0.8, 0.0, -1.0)])
def test_rod_struck_at_an_angle_gets_the_textbook_impulse(
    velocity: tuple[float, float, float], angle: float, friction: float, restitution: float
) -> None:
    """Sticking, if the impulse that stops the tip lies in the cone; else sliding, with friction against the slip."""
    sim, arm = tilted_rod(angle, static=friction, restitution=restitution)
    mass, inertia = 1.3, sk.Capsule(RADIUS, LENGTH).inertia(1.3).matrix[0, 0]
    x, z = arm[0], arm[2]
    response = np.array([[z * z, -x * z], [-x * z, x * x]]) / inertia + np.eye(2) / mass  # of the tip, along x and z
    spin = 0.4
    tip = np.array([velocity[0] + spin * z, velocity[2] - spin * x])
    sim.v[:3], sim.v[3:] = velocity, (0.0, spin, 0.0)
    assert tip[1] < 0.0

    rebound = np.array([0.0, -restitution * tip[1]])
    impulse = np.linalg.solve(response, rebound - tip)
    if abs(impulse[0]) > friction * impulse[1]:
        for slip in (-1.0, 1.0):
            slope = np.array([-slip * friction, 1.0])
            impulse = slope * (rebound[1] - tip[1]) / (response[1] @ slope)
            if slip * (tip + response @ impulse)[0] >= 0.0:
                break
    sim.step()
    np.testing.assert_allclose(sim.contacts.force[0] * DT, [impulse[0], 0.0, impulse[1]], atol=1e-8)
    np.testing.assert_allclose(sim.v[[0, 2]], np.array(velocity)[[0, 2]] + impulse / mass, atol=1e-8)
    np.testing.assert_allclose(sim.v[4], spin + (z * impulse[0] - x * impulse[1]) / inertia, atol=1e-7)
    np.testing.assert_allclose(sim.v[[1, 3, 5]], 0.0, atol=1e-9)


STEEP, ROUGH = (40.0, 55.0, 65.0, 75.0), (0.6, 1.5, 3.0)


def test_half_of_the_rods_below_have_no_finite_force() -> None:
    """Painlevé: friction of a rod that slides tip first presses the tip down more than the normal force lifts it."""
    inertia, paradox = sk.Capsule(RADIUS, LENGTH).inertia(1.3).matrix[0, 0], 0
    for degrees in STEEP:
        _, (x, _, z) = tilted_rod(np.radians(degrees))
        for friction in ROUGH:
            paradox += 1 / 1.3 + x * x / inertia < friction * x * z / inertia
    assert paradox == 6


@pytest.mark.parametrize("degrees", STEEP)
@pytest.mark.parametrize("friction", ROUGH)
@pytest.mark.parametrize("speed", [-5.0, -1.0, 1.0])
def test_painleve_rod_neither_explodes_nor_stops(speed: float, friction: float, degrees: float) -> None:
    """A rod that slides tip first may have no finite contact force: the impulse of the law jams it instead."""
    angle = np.radians(degrees)
    sim, _ = tilted_rod(angle, gravity=G, static=friction)
    sim.v[0] = speed
    energy, deepest = [sim.energy.total], 0.0
    for _ in range(1000):
        sim.step()
        energy.append(sim.energy.total)
        deepest = max(deepest, sim.contacts.depth.max(initial=0.0))
        assert sim.residual.converged
    assert max(energy) == energy[0]
    # depth of the other end, when it lands, is corrected: that lifts the rod
    assert (energy - np.minimum.accumulate(energy)).max() < 1.3 * G * deepest + 1e-9
    assert deepest < (abs(speed) + np.sqrt(3 * G * LENGTH)) * DT  # one step of a rod that has tipped over
    assert sim.contacts.depth.max(initial=0.0) < 1e-4
