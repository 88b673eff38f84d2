"""From contacts to points: which gaps may close."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk

RADIUS, MASS, G, DT = 0.05, 0.1, 9.81, 1e-3
HEIGHT = 0.1  # of the plate that all balls of a heap lie on
BALLS = 24


def ball(gap: float, speed: float = 0.0, **material: float) -> sk.Simulation:
    """A ball above the ground, with a vertical speed."""
    scene = sk.Scene("ball")
    scene.ground(static=0.5, **material)
    shape, place = sk.Sphere(RADIUS), (0.0, 0.0, RADIUS + gap)
    scene.body("ball", sk.Joint("root", "free"), position=place, mass=MASS, shape=shape)
    sim = sk.Simulation(scene, dt=DT)
    sim.v[2] = speed
    return sim


def heap(gap: float, speed: float = 0.0, **material: float) -> sk.Simulation:
    """Many balls above a plate that lies on the ground: one island."""
    scene = sk.Scene("heap")
    scene.ground(static=0.5)
    surface = sk.Material(static=0.5, **material)
    shape, place = sk.Box((2.0, 2.0, HEIGHT)), (0.0, 0.0, 0.5 * HEIGHT)
    scene.body("plate", sk.Joint("plate", "free"), position=place, mass=10.0, shape=shape)
    for k in range(BALLS):
        name, place = f"ball{k}", (0.2 * (k % 6) - 0.5, 0.2 * (k // 6) - 0.3, HEIGHT + RADIUS + gap)
        shape = sk.Sphere(RADIUS)
        scene.body(name, sk.Joint(name, "free"), position=place, mass=MASS, shape=shape, material=surface)
    sim = sk.Simulation(scene, dt=DT)
    sim.v.reshape(-1, 6)[1:, 2] = speed
    return sim


def heights(sim: sk.Simulation) -> np.ndarray:
    """Gaps between the balls of a heap and the plate [m]."""
    z = sim.q.reshape(-1, 7)[:, 2]
    return z[1:] - z[0] - 0.5 * HEIGHT - RADIUS


@pytest.mark.parametrize("gap", [1e-9, 5e-6, 1e-4])
def test_one_body_lands_exactly(gap: float) -> None:
    sim = ball(gap)
    sim.step(n=100)
    assert sim.q[2] == pytest.approx(RADIUS, abs=1e-12)
    assert sim.contacts.force[0, 2] == pytest.approx(MASS * G, rel=1e-9)


@pytest.mark.parametrize("gap", [0.0, 1e-9, 5e-6, 9e-6])
def test_bodies_of_a_heap_touch_when_nearer_than_ten_micrometres(gap: float) -> None:
    sim = heap(gap)
    sim.step(n=100)
    np.testing.assert_allclose(heights(sim), gap, atol=1e-9)
    weights = [sim.wrench(f"ball{k}")[2] for k in range(BALLS)]
    np.testing.assert_allclose(weights, MASS * G, rtol=1e-6)


@pytest.mark.parametrize("gap", [1.1e-5, 1e-4, 1e-3])
def test_what_is_farther_falls_and_lands(gap: float) -> None:
    """On the plate, or within what counts as touching."""
    sim = heap(gap)
    sim.step(n=200)
    assert (heights(sim) > -1e-9).all()
    assert (heights(sim) < 1e-5).all()
    assert np.abs(sim.v).max() < 1e-8


@pytest.mark.parametrize("speed", [-1e-3, -1.0])
def test_restitution_does_not_ask_how_near_a_body_was(speed: float) -> None:
    """Slow balls, too, that would not reach the plate in this step but for their weight."""
    sim = heap(9e-6, speed, restitution=0.5)
    sim.step()
    np.testing.assert_allclose(sim.v.reshape(-1, 6)[1:, 2], -0.5 * speed, rtol=0.02)


def test_a_gap_does_not_pull() -> None:
    """Balls that leave are let go, at whatever gap."""
    sim = heap(2e-6, speed=0.1)
    sim.step()
    np.testing.assert_allclose(sim.v.reshape(-1, 6)[1:, 2], 0.1 - G * DT, rtol=1e-12)
    assert all(not sim.wrench(f"ball{k}").any() for k in range(BALLS))
