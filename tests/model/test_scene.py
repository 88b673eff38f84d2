"""The builder: servos by name, scenes within scenes, postures that outlive additions."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import sesshoku as sk


def test_servo_on_named_joints() -> None:
    scene = sk.load("double_pendulum")
    names = [joint.name for joint in scene.model.joints]
    scene.servo(kp=10.0, kd=1.0, joints=names[:1])
    assert scene.model.actuator_names == (names[0],)
    scene.servo(kp=10.0, kd=1.0, joints=names[1])  # one name is a name, not letters
    assert scene.model.actuator_names == tuple(names)


def test_unknown_servo_joint_names_the_known_ones() -> None:
    scene = sk.load("hoap_class")
    with pytest.raises(sk.ModelError, match=r"servo of 'left_kne'.*left_knee"):
        scene.servo(kp=1.0, kd=0.1, joints=["left_kne"])


def test_free_spring_moves_with_an_included_scene() -> None:
    part = sk.Scene("part", gravity=(0.0, 0.0, 0.0))
    spring = sk.Joint("root", "free", stiffness=10.0, rest=(0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0))
    part.body("b", spring, inertia=sk.Inertia.of(1.0, matrix=(1, 1, 1)))
    whole = sk.Scene("whole", gravity=(0.0, 0.0, 0.0))
    whole.include(part, prefix="far_", position=(5.0, 0.0, 0.0), rpy=(0.3, 0.2, 0.1))
    np.testing.assert_allclose(sk.Simulation(whole).acceleration(), np.zeros(6), atol=1e-12)


def test_pairs_with_the_world_stay_with_the_world() -> None:
    part = sk.load("box")
    name = part.model.body_names[0]
    part.disabled_pairs.add(frozenset((name, "world")))
    whole = sk.Scene("whole")
    whole.include(part, prefix="a_")
    assert whole.disabled_pairs == {frozenset(("a_" + name, "world"))}


def test_postures_outlive_additions() -> None:
    scene = sk.load("hoap_class")
    crouch = scene.model.postures["crouch"].copy()
    scene.include(sk.load("box"), prefix="other_", position=(1.0, 0.0, 0.5))
    longer = scene.model.postures["crouch"]
    np.testing.assert_array_equal(longer[: len(crouch)], crouch)
    np.testing.assert_array_equal(longer[len(crouch) :], scene.model.q0[len(crouch) :])


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda scene: pickle.loads(pickle.dumps(scene))])
def test_built_scenes_can_be_copied(copied) -> None:
    scene = sk.load("hoap_class")
    _ = scene.model
    twin = copied(scene)
    assert twin.model.body_names == scene.model.body_names
    with pytest.raises(ValueError, match="read-only"):
        twin.model.q0[0] = 1.0


def test_the_ground_may_have_another_name() -> None:
    """Files have links called so."""
    scene = sk.Scene("floor")
    scene.body("ground", sk.Joint("root", "free"), position=(0.0, 0.0, 0.1), mass=1.0, shape=sk.Sphere(0.1))
    scene.ground(name="floor", static=0.5)
    sim = sk.Simulation(scene)
    sim.step(n=10)
    assert sim.wrench("floor")[2] == pytest.approx(-9.81, rel=1e-6)
