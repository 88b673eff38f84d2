"""Contacts that are too far to touch within a step do not take part in it, and are reported all the same."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.constraint.problem import POINTS

G, DT = 9.81, 1e-3


def table(*feet: tuple[float, float, float], law: str = "exact") -> sk.Simulation:
    """A table on four feet, and on others that begin at some heights above the ground."""
    scene = sk.Scene("table")
    scene.ground(static=0.5, kinetic=0.3)
    scene.body("table", sk.Joint("root", "free"), position=(0.0, 0.0, 0.05), mass=1.0, shape=sk.Box((0.4, 0.4, 0.02)))
    for x, y, z in ((0.1, 0.1, 0.0), (0.1, -0.1, 0.0), (-0.1, 0.1, 0.0), (-0.1, -0.1, 0.0), *feet):
        scene.collider("table", sk.Sphere(0.02), (x, y, z - 0.03))
    return sk.Simulation(scene, law, DT)


@pytest.mark.parametrize("law", ["exact", "lcp", "multipoint"])
def test_a_foot_that_is_too_far_is_reported_and_changes_nothing(law: str) -> None:
    """The same bits as without it, at rest and while the table slides and turns."""
    alone, both = table(law=law), table((0.05, 0.0, 5e-4), law=law)
    for sim in (alone, both):
        sim.step(n=20)
        sim.v[:2], sim.v[5] = (0.2, 0.1), 0.3
        sim.step(n=20)
    np.testing.assert_array_equal(alone.q, both.q)
    np.testing.assert_array_equal(alone.v, both.v)
    assert both.residual == alone.residual
    assert (len(both.contacts), int(both._problem.count[POINTS])) == (5, 4)
    far = int(np.argmin(both.contacts.depth))
    assert both.contacts.depth[far] == pytest.approx(-5e-4, abs=1e-9)
    assert both.contacts.state[far] == sk.OPEN
    assert not both.contacts.force[far].any()
    arm = both.contacts.point[far] - (both.q[:3] - DT * both.v[:3])
    np.testing.assert_allclose(both.contacts.slip[far], both.v[:3] + np.cross((0, 0, both.v[5]), arm), atol=1e-8)


def test_a_foot_that_comes_near_takes_part_in_time() -> None:
    """A table that lands on its fifth foot first, at 0.3 m/s, stops there exactly."""
    sim = table((0.0, 0.0, -5e-3))
    sim.q[2], sim.v[2] = 0.05 + 8e-3, -0.3
    least = np.inf
    for _ in range(40):
        sim.step()
        least = min(least, sim.q[2] - 0.055)
        assert sim.residual.converged
    assert least == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("height", [1e-4, 5e-4, 9e-4])
def test_what_a_sudden_force_drives_down_lands_all_the_same(height: float) -> None:
    """At rest it seemed too far; in one step it would go ten times as far."""
    scene = sk.load("sphere")
    scene.ground(static=0.5)
    sim = sk.Simulation(scene, dt=DT)
    radius = sim.q[2]
    sim.q[2] = radius + height
    sim.push("sphere", (0.0, 0.0, -10.0 * height / DT**2))
    sim.step()
    assert sim.q[2] == pytest.approx(radius, abs=1e-10)
    assert sim.contacts.force[0, 2] == pytest.approx(9.0 * height / DT**2 + G, rel=1e-6)
    assert sim.residual.converged


@pytest.mark.parametrize("gap", [5e-5, 3e-4, 9e-4])
def test_what_is_moved_back_to_its_limit_is_not_moved_into_others(gap: float) -> None:
    """A slider 5 cm beyond its limit, a free block in its way."""
    scene = sk.Scene("slider", gravity=(0.0, 0.0, 0.0))
    scene.body("block", sk.Joint("root", "free"), mass=1.0, shape=sk.Box((0.1, 1.0, 1.0)))
    rail = sk.Joint("rail", "prismatic", "x", lower=-5.0, upper=-0.45 + gap)
    scene.body("slider", rail, position=(0.5, 0.0, 0.0), mass=1.0, shape=sk.Box((0.1, 0.1, 0.1)))
    sim, depth = sk.Simulation(scene, dt=DT), 0.0
    sim.q[-1] = -0.4 + gap
    for _ in range(60):
        sim.step()
        depth = max(depth, sim.q[0] - sim.q[-1] - 0.4)
    assert depth < 1e-5
