"""Simulations with contact: memory that grows, copies, reports."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import sesshoku as sk


def dropped(n: int) -> sk.Scene:
    """Boxes in a row above the ground."""
    scene = sk.Scene("row")
    scene.ground(static=0.5)
    for k in range(n):
        place = (0.2 * k, 0.0, 0.06)
        scene.body(f"box{k}", sk.Joint(f"joint{k}", "free"), position=place, mass=1.0, shape=sk.Box((0.1, 0.1, 0.1)))
    return scene


def test_room_for_contacts_grows_and_nothing_else_changes() -> None:
    roomy, tight = (sk.Simulation(dropped(6)) for _ in range(2))
    tight._make_room(2)
    for sim in (roomy, tight):
        sim.step(n=200)
    assert len(tight.contacts) == 24
    np.testing.assert_array_equal(tight.q, roomy.q)
    np.testing.assert_array_equal(tight.contacts.force, roomy.contacts.force)


@pytest.mark.parametrize("clone", [copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
def test_a_copy_goes_on_with_the_same_bits(clone) -> None:
    sim = sk.Simulation(dropped(2))
    sim.v[0] = 1.0
    sim.step(n=120)
    other = clone(sim)
    assert other.state == sim.state
    for each in (sim, other):
        each.step(n=50)
    assert other.state == sim.state


def test_links_that_overlap_in_the_file_are_named_and_left_alone() -> None:
    scene = sk.Scene("arm")
    parent = None
    for k in range(3):
        joint = sk.Joint(f"joint{k}", "revolute", axis="y")
        scene.body(f"link{k}", joint, parent=parent, position=(0.05, 0, 0), mass=1.0, shape=sk.Box((0.2, 0.1, 0.1)))
        parent = f"link{k}"
    with pytest.warns(sk.UnsimulatedWarning, match="'link0' and 'link2'"):
        sim = sk.Simulation(scene)
    sim.step()
    assert len(sim.contacts) == 0


def test_before_the_first_step_contacts_have_no_force() -> None:
    sim = sk.Simulation(dropped(1))
    sim.q[2] = 0.05
    assert len(sim.contacts) == 4
    assert not sim.contacts.force.any()
    assert sim.residual.total == 0.0
    sim.step()
    assert sim.contacts.force[:, 2].sum() == pytest.approx(9.81)
    sim.reset()
    assert not sim.contacts.force.any()


@pytest.mark.parametrize("integrator", ["semi_implicit", "rk4", "rkg"])
def test_every_integrator_stands(integrator: str) -> None:
    sim = sk.Simulation(dropped(1), integrator=integrator)
    sim.step(n=500)
    assert np.abs(sim.v).max() < 1e-6
    assert sim.q[2] == pytest.approx(0.05, abs=1e-4)
    np.testing.assert_allclose(sim.wrench("box0")[:3], [0.0, 0.0, 9.81], atol=1e-6)
