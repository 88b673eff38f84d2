"""Stacks and grasps under the exact law."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.bench.pile_scenes import mound

G, DT = 9.81, 1e-3


def tower(masses: list[float], side: float = 0.1, **coefficients: float) -> sk.Simulation:
    """Cubes on the ground, aligned, the first one lowest."""
    scene = sk.Scene("tower")
    scene.ground(**coefficients)
    for k, mass in enumerate(masses):
        place, cube = (0.0, 0.0, (k + 0.5) * side), sk.Box((side, side, side))
        scene.body(f"box{k}", sk.Joint(f"root{k}", "free"), position=place, mass=mass, shape=cube)
    return sk.Simulation(scene, law="exact", dt=DT)


def positions(sim: sk.Simulation) -> np.ndarray:
    """Of all bodies, each free (n, 3)."""
    return sim.q.reshape(-1, 7)[:, :3].copy()


@pytest.mark.slow
@pytest.mark.parametrize("tolerance", [1e-8, 1e-4])  # of heaps
def test_a_mound_of_spheres_comes_to_rest(tolerance: float) -> None:
    """Laid as cannonballs are: it settles, and then takes hardly a Newton step."""
    sim = sk.Simulation(mound(30), law=sk.contact.Exact(heap_tolerance=tolerance), dt=DT)
    for _ in range(3500):  # until then some mounds, by last digits, still roll at half a millimetre a second
        sim.step()
        assert sim.residual.converged
        assert sim.contacts.depth.max(initial=0.0) < 1e-5
    start, iterations = positions(sim), 0
    for _ in range(200):
        sim.step()
        iterations += sim.iterations
    assert np.sqrt(np.mean(np.sum((positions(sim) - start) ** 2, axis=1))) < 1e-4
    assert iterations < 200


@pytest.mark.slow
def test_a_mound_of_three_hundred_spheres_settles() -> None:
    """Every step is within what is admitted of heaps, in few Newton steps, and no contact is deep."""
    sim, iterations, depth = sk.Simulation(mound(300), dt=DT), 0, 0.0
    for _ in range(2500):
        sim.step()
        iterations += sim.iterations
        depth = max(depth, sim.contacts.depth.max(initial=0.0))
        assert sim.residual.converged
        assert sim.residual.total <= 1e-4
    speeds = sim.v.reshape(-1, 6)[:, :3]
    assert np.sqrt(np.mean(np.sum(speeds**2, axis=1))) < 2e-4
    assert iterations < 5 * 2500
    assert depth < 1e-5


def test_tower_of_ten_boxes_stands() -> None:
    sim = tower([1.0] * 10)
    start = positions(sim)
    for _ in range(10_000):
        sim.step()
        assert sim.residual.converged
    assert np.abs(positions(sim) - start).max() < 1e-4
    assert sim.wrench("ground")[2] == pytest.approx(-10 * G, rel=1e-6)


@pytest.mark.parametrize("masses", [[1.0, 1000.0], [1000.0, 1.0], [1.0, 1000.0, 1.0]])
def test_stack_of_large_mass_ratio_stands(masses: list[float]) -> None:
    sim = tower(masses)
    start = positions(sim)
    for _ in range(5000):
        sim.step()
        assert sim.residual.converged
    assert np.abs(positions(sim) - start).max() < 1e-4
    assert sim.wrench("ground")[2] == pytest.approx(-sum(masses) * G, rel=1e-6)


def test_stacked_boxes_that_slide_together_stay_together() -> None:
    speed, kinetic = 1.0, 0.3
    sim = tower([1.0, 0.5], static=0.4, kinetic=kinetic)
    start = positions(sim)
    sim.v[[0, 6]] = speed
    apart = 0.0
    for _ in range(500):
        sim.step()
        below, above = positions(sim) - start
        apart = max(apart, float(np.linalg.norm(above - below)))
        assert sim.residual.converged
    assert apart < 1e-8
    assert below[0] == pytest.approx(speed**2 / (2 * kinetic * G) - speed * DT / 2, abs=1e-6)
    assert np.abs(sim.v).max() < 1e-8


@pytest.mark.parametrize("rpy", [(0.0, 0.0, 0.0), (np.pi / 2, 0.0, 0.0), (0.5, 0.0, 0.0)])
def test_capsule_between_two_pads_does_not_creep(rpy: tuple[float, float, float]) -> None:
    """45 g between two pads that press with 12 N: standing, lying, and slanted."""
    scene = sk.Scene("grasp")
    radius, thickness, friction = 0.01, 0.02, sk.Material(0.7)
    pad = sk.Box((thickness, 0.1, 0.1))
    for name, side in (("left", -1.0), ("right", 1.0)):
        place, slide = (side * (radius + thickness / 2), 0.0, 0.0), sk.Joint(name + "_slide", "prismatic", "x")
        scene.body(name, slide, position=place, mass=0.1, shape=pad, material=friction)
    capsule = sk.Capsule(radius, 0.04)
    scene.body("capsule", sk.Joint("root", "free"), rpy=rpy, mass=0.045, shape=capsule, material=friction)
    sim = sk.Simulation(scene, dt=DT)
    squeeze = np.zeros(sim.model.nv)
    squeeze[:2] = 12.0, -12.0
    sim.step(squeeze, n=1000)  # settles
    start = sim.q.copy()
    sim.step(squeeze, n=5000)
    assert np.linalg.norm(sim.q[2:5] - start[2:5]) / 5.0 < 1e-9
    assert np.abs(sim.q - start).max() / 5.0 < 1e-8
    assert sim.wrench("capsule")[2] == pytest.approx(0.045 * G, rel=1e-6)
    assert sim.wrench("left")[0] == pytest.approx(-12.0, rel=1e-6)
    assert sim.residual.converged
