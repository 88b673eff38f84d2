"""Directions of friction: angles by nothing but their numbers, axes that are orthogonal."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.contact.coulomb import SLIP, STICK
from sesshoku.contact.directions import random_angle


def test_angles_are_spread_evenly_and_do_not_follow_each_other() -> None:
    angles = np.array([[random_angle(7, step, contact) for contact in range(40)] for step in range(100)])
    assert angles.min() >= 0.0
    assert angles.max() < np.pi / 2
    counts, _ = np.histogram(angles, bins=10, range=(0.0, np.pi / 2))
    assert ((counts - 400) ** 2 / 400).sum() < 27.9  # χ² of nine degrees of freedom, exceeded once in a thousand
    for axis in (0, 1):
        ahead, behind = np.delete(angles, 0, axis).ravel(), np.delete(angles, -1, axis).ravel()
        assert abs(np.corrcoef(ahead, behind)[0, 1]) < 0.06
    assert len(np.unique(angles)) == angles.size


def test_each_number_counts() -> None:
    assert random_angle(1, 2, 3) == random_angle(1, 2, 3)
    assert len({random_angle(*numbers) for numbers in ((1, 2, 3), (2, 2, 3), (1, 3, 3), (1, 2, 4), (3, 2, 1))}) == 5


@pytest.mark.parametrize("fixed", [False, True])
def test_a_contact_that_slips_has_one_direction_against_it(fixed: bool) -> None:
    """A ball that slips at 0.2 m/s along y, and one that is slower than 1 mm/s."""
    scene = sk.Scene("balls")
    scene.ground(static=0.5, kinetic=0.3)
    for name, x in (("fast", 0.0), ("slow", 1.0)):
        scene.body(name, sk.Joint(name, "free"), position=(x, 0.0, 0.1), mass=1.0, shape=sk.Sphere(0.1))
    sim = sk.Simulation(scene, law=sk.contact.Lcp(fixed=fixed))
    sim.v[1], sim.v[7] = 0.2, 0.9e-3
    sim.step()
    p = sim._problem
    assert p is not None
    fast, slow = np.argsort(p.source[:2])
    assert (p.mode[fast], p.mode[slow]) == (SLIP, STICK)
    assert (p.friction[fast], p.friction[slow]) == (0.3, 0.5)
    axes = p.axes[:2].reshape(2, 3, 3)
    for each in axes:
        np.testing.assert_allclose(each @ each.T, np.eye(3), atol=1e-14)
    normal = np.sign(axes[fast, 0, 2])  # from A to B, the velocity is that of B
    np.testing.assert_allclose(axes[fast, 1], [0.0, -normal, 0.0], atol=1e-12)
    turned = abs(axes[slow, 1] @ [1.0, 0.0, 0.0])
    assert (turned == pytest.approx(1.0)) == fixed
