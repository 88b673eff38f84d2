"""The bundled scenes, and scenes that begin in motion."""

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.model.robots import ROBOTS, describe
from sesshoku.model.scenes import SCENES


@pytest.mark.parametrize("name", SCENES)
def test_begins_in_touch_with_the_ground_and_at_no_depth(name):
    scene = sk.load(name)
    assert scene.model.name == name
    assert describe(SCENES[name]).endswith(".")
    contacts = sk.Simulation(scene).contacts
    assert len(contacts) >= 4
    assert contacts.depth == pytest.approx(0.0, abs=1e-12)


def test_names_are_unique():
    assert not set(SCENES) & set(ROBOTS)


def test_motion_at_the_start():
    scene = sk.load("sphere")
    scene.velocity = (1.0, 0.0, 2.0, 0.0, 0.5, 0.0)
    sim = sk.Simulation(scene, "none")
    assert sim.v.tolist() == list(scene.velocity)
    sim.step(n=10)
    assert sim.q[0] == pytest.approx(0.01)
    sim.reset()
    assert sim.v.tolist() == list(scene.velocity)
    scene.velocity = ()
    assert not sk.Simulation(scene, "none").v.any()


@pytest.mark.parametrize("velocity", [(1.0,), np.zeros((6, 1)), (np.nan, 0, 0, 0, 0, 0)])
def test_motion_that_does_not_fit_is_refused(velocity):
    scene = sk.load("sphere")
    scene.velocity = velocity
    with pytest.raises(sk.ModelError, match="6 finite numbers"):
        _ = scene.model
