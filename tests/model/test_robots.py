"""The bundled robots: sizes, masses, symmetry, and feet on the ground."""

import numpy as np
import pytest

from sesshoku.model.robots import ROBOTS, describe
from sesshoku.model.robots.pendulums import three_link

SIZES = {  # coordinates, velocities, actuators, mass [kg]
    "pendulum": (1, 1, 0, 1.0),
    "double_pendulum": (2, 2, 0, 2.0),
    "three_link": (3, 3, 3, 3.0),
    "cart": (2, 2, 1, 1.1),
    "box": (7, 6, 0, 1.0),
    "sphere": (7, 6, 0, 1.0),
    "hoap_class": (27, 26, 20, 7.0),
}
MIRROR = np.diag([1.0, -1.0, 1.0])


@pytest.fixture(scope="module")
def humanoid():
    return ROBOTS["hoap_class"]().model


@pytest.mark.parametrize("name", ROBOTS)
def test_size_and_mass(name):
    model = ROBOTS[name]().model
    *counts, mass = SIZES[name]
    assert [model.nq, model.nv, model.nu] == counts
    assert model.total_mass == pytest.approx(mass, abs=1e-12)
    assert model.name == name
    assert describe(name).endswith(".")


@pytest.mark.parametrize("name", ROBOTS)
def test_inertias_are_those_of_matter(name):
    model = ROBOTS[name]().model
    for xx, yy, zz, xy, xz, yz in model.inertia:
        small, middle, large = np.linalg.eigvalsh([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        assert small + middle >= large * (1 - 1e-12)
        assert middle > 0
        thin_rod = name in ("pendulum", "double_pendulum", "three_link", "cart")
        assert small > 0 or (thin_rod and small == pytest.approx(0, abs=1e-15))


@pytest.mark.parametrize("name", ROBOTS)
def test_starts_inside_the_joint_limits(name):
    model = ROBOTS[name]().model
    for q in (model.q0, *model.postures.values()):
        for joint in model.joints:
            if isinstance(joint.q, int):
                assert model.lower[joint.v] < q[joint.q] < model.upper[joint.v]


def place(model, poses, name):
    frame = model.frame(name)
    return poses[frame.body] @ frame.pose


def test_arm_starts_with_its_tip_on_the_ground(kinematics):
    model = three_link(mass=2.0, damping=6.0).model
    np.testing.assert_allclose(model.q0, [-np.pi / 6, -np.pi / 3, -np.pi / 3], rtol=1e-15)
    for q, tip in ((model.q0, [0, 1, 0]), (np.zeros(3), [0, 0, 1.5])):
        np.testing.assert_allclose(place(model, kinematics(model, q), "tip").position, tip, atol=1e-15)
    np.testing.assert_allclose(model.damping, 6.0)
    np.testing.assert_allclose(model.mass, 2.0)
    np.testing.assert_allclose(model.inertia.max(axis=1), 2.0 * 0.5**2 / 12)


@pytest.mark.parametrize("posture", ["straight", "crouch"])
def test_humanoid_stands_on_flat_soles(humanoid, kinematics, posture):
    poses = kinematics(humanoid, humanoid.postures[posture])
    soles = [place(humanoid, poses, f"{side}_sole") for side in ("left", "right")]
    for sole in soles:
        assert abs(sole.position[2]) < 1e-12
        np.testing.assert_allclose(sole.rotation, np.eye(3), atol=1e-12)
    weighted = [m * pose.apply(com) for m, com, pose in zip(humanoid.mass, humanoid.com, poses, strict=True)]
    centre = sum(weighted) / humanoid.total_mass
    ahead, aside = (centre - (soles[0].position + soles[1].position) / 2)[:2]
    assert abs(ahead) < 0.01  # of soles 0.1 m long
    assert abs(aside) < 1e-12


def test_soles_are_the_bottom_of_the_feet(humanoid, kinematics):
    poses = kinematics(humanoid, humanoid.q0)
    for side in ("left", "right"):
        body = humanoid.body(f"{side}_sole")
        (foot,) = [placed for placed in humanoid.colliders if placed.body == body]
        centre = (poses[body] @ foot.pose).position
        bottom = centre - (0, 0, foot.shape.size[2] / 2)
        np.testing.assert_allclose(place(humanoid, poses, f"{side}_sole").position, bottom, atol=1e-12)


def test_humanoid_is_its_own_mirror_image(humanoid, kinematics):
    rng = np.random.default_rng(0)
    q, mirrored = humanoid.q0.copy(), humanoid.q0.copy()
    for joint in humanoid.joints[1:]:
        if joint.name.startswith("left"):
            other = humanoid.joint(joint.name.replace("left", "right"))
            sign = -1 if joint.name.endswith(("roll", "yaw")) else 1
            q[[joint.q, other.q]] = angle, counterpart = rng.uniform(-1, 1, 2)
            mirrored[[other.q, joint.q]] = sign * angle, sign * counterpart
            limits = sorted((sign * humanoid.lower[other.v], sign * humanoid.upper[other.v]))
            assert limits == [humanoid.lower[joint.v], humanoid.upper[joint.v]]

    here, there = kinematics(humanoid, q), kinematics(humanoid, mirrored)
    swap = {"left": "right", "right": "left"}
    for i, name in enumerate(humanoid.body_names):
        side = name.partition("_")[0]
        j = humanoid.body(name.replace(side, swap.get(side, side)))
        assert humanoid.mass[i] == humanoid.mass[j]
        centre, image = here[i].apply(humanoid.com[i]), there[j].apply(humanoid.com[j])
        np.testing.assert_allclose(MIRROR @ centre, image, atol=1e-12)
        inertia, image = world_inertia(humanoid, i, here[i]), world_inertia(humanoid, j, there[j])
        np.testing.assert_allclose(MIRROR @ inertia @ MIRROR, image, atol=1e-15)


def world_inertia(model, body, pose):
    xx, yy, zz, xy, xz, yz = model.inertia[body]
    return pose.rotation @ [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]] @ pose.rotation.T


def test_humanoid_joints_and_servos(humanoid):
    leg = [joint.name.removeprefix("left_") for joint in humanoid.joints[:7]]
    assert leg == ["root", "hip_yaw", "hip_roll", "hip_pitch", "knee", "ankle_pitch", "ankle_roll"]
    assert set(humanoid.actuator_names) == {joint.name for joint in humanoid.joints[1:]}
    assert (humanoid.effort[6:] == 9.0).all()
    np.testing.assert_array_equal(humanoid.actuator_range[:, 3], 9.0)
