"""`sim.contacts` and `scene.distance`: what users see of the geometry."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk


def box_on_ground(height: float, **pose: object) -> sk.Simulation:
    scene = sk.Scene("box on ground")
    scene.ground()
    scene.body(
        "box", sk.Joint("root", "free"), position=(0.3, -0.2, height), mass=1.0, shape=sk.Box((0.4, 0.3, 0.2)), **pose
    )
    return sk.Simulation(scene)


def test_resting_box_has_four_corners() -> None:
    contacts = box_on_ground(0.1 - 1e-4).contacts
    assert len(contacts) == 4
    np.testing.assert_array_equal(contacts.bodies, [[-1, 0]] * 4)
    np.testing.assert_allclose(contacts.normal, [[0.0, 0.0, 1.0]] * 4, atol=1e-15)
    np.testing.assert_allclose(contacts.depth, 1e-4, atol=1e-12)
    corners = {(0.1, -0.35), (0.1, -0.05), (0.5, -0.35), (0.5, -0.05)}
    assert {tuple(np.round(point[:2], 9)) for point in contacts.point} == corners
    assert not contacts.force.any()
    assert (contacts.state == sk.OPEN).all()


def test_contacts_are_reported_before_they_touch() -> None:
    sim = box_on_ground(0.1 + 1e-3)
    np.testing.assert_allclose(sim.contacts.depth, -1e-3, atol=1e-12)
    sim.q[2] += 2e-3
    assert len(sim.contacts) == 0


def test_slip_is_the_velocity_of_b_against_a() -> None:
    sim = box_on_ground(0.1)
    sim.v = [0.5, 0.0, -0.3, 0.0, 0.0, 2.0]
    contacts = sim.contacts
    arm = contacts.point - sim.com
    expected = np.array([0.5, 0.0, 0.0]) + np.cross([0.0, 0.0, 2.0], arm)
    expected[:, 2] = 0.0
    np.testing.assert_allclose(contacts.slip, expected, atol=1e-12)


def test_identity_stays_while_the_box_slides() -> None:
    sim = box_on_ground(0.1 - 1e-4)
    first = sim.contacts
    sim.q[:2] += 0.37
    second = sim.contacts
    np.testing.assert_array_equal(first.feature, second.feature)
    assert len(set(first.feature.tolist())) == 4


def test_room_grows_with_the_contacts() -> None:
    scene = sk.Scene("crowd")
    for k in range(40):
        scene.body(f"b{k}", sk.Joint(f"j{k}", "free"), mass=1.0, shape=sk.Box((1, 1, 1)), position=(0.001 * k, 0, 0))
    contacts = sk.Simulation(scene).contacts
    assert len({tuple(sorted(pair)) for pair in contacts.colliders.tolist()}) == 40 * 39 // 2


def test_humanoid_stands_on_its_soles() -> None:
    scene = sk.load("hoap_class")
    scene.ground()
    sim = sk.Simulation(scene, posture="crouch")
    feet = {sim.model.body_names[b] for b in sim.contacts.bodies[:, 1]}
    assert len(sim.contacts) == 8
    assert feet == {"left_foot", "right_foot"}


def test_distance_between_bodies() -> None:
    scene = sk.Scene("two")
    scene.ground()
    scene.body("ball", sk.Joint("a", "free"), position=(0, 0, 1.0), mass=1.0, shape=sk.Sphere(0.2))
    scene.body("box", sk.Joint("b", "free"), position=(1.0, 0, 1.0), mass=1.0, shape=sk.Box((0.4, 0.4, 0.4)))
    found = scene.distance("ball", "box")
    assert found.gap == pytest.approx(0.6)
    np.testing.assert_allclose(found.normal, [1, 0, 0], atol=1e-12)
    np.testing.assert_allclose(found.on_a, [0.2, 0, 1.0], atol=1e-12)
    np.testing.assert_allclose(found.on_b, [0.8, 0, 1.0], atol=1e-12)
    back = scene.distance("box", "ball")
    np.testing.assert_allclose(back.on_a, found.on_b, atol=1e-12)
    np.testing.assert_allclose(back.normal, -found.normal, atol=1e-12)
    assert scene.distance("ground", "ball").gap == pytest.approx(0.8)
    q = scene.model.q0.copy()
    q[2] = 0.15
    assert scene.distance("ground", "ball", q).gap == pytest.approx(-0.05)


def test_distance_of_what_has_no_shape_is_an_error() -> None:
    scene = sk.load("hoap_class")
    with pytest.raises(sk.ModelError, match="no body or site 'tail'"):
        scene.distance("tail", "trunk")
    scene.body("ghost", sk.Joint("g", "free"), inertia=sk.Inertia.of(1.0, matrix=(1, 1, 1)))
    with pytest.raises(sk.ModelError, match="body 'ghost': it has no shape"):
        scene.distance("ghost", "trunk")
