"""Redundant points that slip: the law has more than one solution, and an option that picks the same one always."""

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.bench.pile_scenes import mound
from sesshoku.contact import Exact

DT = 1e-3


def sled(law: Exact) -> sk.Simulation:
    """A slab on nine feet of equal friction."""
    scene = sk.Scene("sled")
    scene.ground(static=0.5, kinetic=0.4)
    scene.body("sled", sk.Joint("root", "free"), position=(0.0, 0.0, 0.06), mass=2.0, shape=sk.Box((0.4, 0.3, 0.04)))
    for x in (-0.15, 0.0, 0.15):
        for y in (-0.1, 0.0, 0.1):
            scene.collider("sled", sk.Sphere(0.02), (x, y, -0.04))
    return sk.Simulation(scene, law, DT)


def sliding(law: Exact, push: float) -> sk.Simulation:
    """The sled at 1 m/s, turning, after a push to one side that has left its load uneven."""
    sim = sled(law)
    sim.step(n=20)
    sim.push("sled", (0.0, 0.0, 0.0), (push, -push, 0.0))
    sim.step(n=3)
    sim.push("sled", (0.0, 0.0, 0.0))
    start = sled(law).state
    sim.q, sim.v = start.q, (1.0, 0.3, 0.0, 0.0, 0.0, 0.8)
    sim.q[2] = 0.06
    return sim


def test_the_past_shows_in_the_forces_of_the_default() -> None:
    """The reason for the option: same state of the body, other forces, other spin; both satisfy the law."""
    forces, spins = [], []
    for push in (0.5, -1.0):
        sim = sliding(Exact(), push)
        sim.step()
        assert sim.residual.converged
        forces.append(sim.contacts.force)
        spins.append(sim.v[5])
        np.testing.assert_allclose(forces[-1].sum(axis=0)[2], 2.0 * 9.81, rtol=1e-6)
    assert np.abs(forces[0] - forces[1]).max() > 1e-3
    assert abs(spins[0] - spins[1]) > 1e-5


@pytest.mark.parametrize("steps", [1, 50])
def test_independent_steps_are_the_same_bits_whatever_was_before(steps: int) -> None:
    law, found = Exact(independent=True), []
    for push in (0.0, 0.5, -1.0):
        sim = sliding(law, push)
        for _ in range(steps):
            sim.step()
            assert sim.residual.converged
        found.append((sim.q.copy(), sim.v.copy(), sim.contacts.force))
    for other in found[1:]:
        for a, b in zip(found[0], other, strict=True):
            np.testing.assert_array_equal(a, b)


@pytest.mark.slow
def test_independent_steps_of_a_mound_are_the_same_bits_whatever_was_before() -> None:
    """Thirty spheres moved by 0.1 mm: what bore in the last step and what did not is in other places now."""
    law = Exact(independent=True)
    known, new = (sk.Simulation(mound(30), law, DT) for _ in range(2))
    known.step(n=300)
    borne = (known.contacts.force != 0.0).any(axis=1)
    q = known.q.copy()
    q.reshape(-1, 7)[:, :3] += 1e-4 * np.random.default_rng(0).normal(size=(30, 3))
    for sim in (known, new):
        sim.q, sim.v = q, np.zeros(len(sim.v))
        sim.step()
    assert borne.sum() > 30
    assert (known.contacts.force != 0.0).any(axis=1).sum() > 10
    np.testing.assert_array_equal(known.v, new.v)
    np.testing.assert_array_equal(known.contacts.force, new.contacts.force)


def test_independent_steps_share_the_load_evenly() -> None:
    """Where points yield alike, the nine feet of a slab at rest on all carry alike, whatever was before."""
    sim = sled(Exact(independent=True))
    sim.push("sled", (0.0, 0.0, 0.0), (0.5, -0.5, 0.0))
    sim.step(n=20)
    sim.push("sled", (0.0, 0.0, 0.0))
    sim.step(n=20)
    load = sim.contacts.force[:, 2]
    assert len(load) == 9
    assert load.sum() == pytest.approx(2.0 * 9.81, abs=1e-6)
    by_place = np.round(sim.contacts.point[:, :2], 3)
    for x, y in by_place:
        mirrored = np.flatnonzero((by_place == (-x, y)).all(axis=1))
        assert load[mirrored[0]] == pytest.approx(load[np.flatnonzero((by_place == (x, y)).all(axis=1))[0]], rel=1e-3)


def test_independent_law_converges_on_a_heap() -> None:
    rng = np.random.default_rng(0)
    scene = sk.Scene("heap")
    scene.ground(static=0.5, kinetic=0.4)
    for k in range(12):
        place = (*rng.uniform(-0.15, 0.15, 2), 0.1 + 0.12 * k)
        scene.body(f"box{k}", sk.Joint(f"box{k}", "free"), position=place, mass=1.0, shape=sk.Box((0.1, 0.12, 0.08)))
    sim = sk.Simulation(scene, Exact(independent=True), DT)
    for _ in range(600):
        sim.step()
        assert sim.residual.converged
