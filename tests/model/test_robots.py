"""The bundled robots: sizes, masses, symmetry, and feet on the ground."""

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.model.robots import ROBOTS, describe, hrp2_class
from sesshoku.model.robots.pendulums import three_link

SIZES = {  # coordinates, velocities, actuators, mass [kg]
    "pendulum": (1, 1, 0, 1.0),
    "double_pendulum": (2, 2, 0, 2.0),
    "three_link": (3, 3, 3, 3.0),
    "cart": (2, 2, 1, 1.1),
    "box": (7, 6, 0, 1.0),
    "sphere": (7, 6, 0, 1.0),
    "hoap_class": (27, 26, 20, 7.0),
    "hrp2_class": (37, 36, 30, 58.0),
}
MIRROR = np.diag([1.0, -1.0, 1.0])


HUMANOIDS = {**ROBOTS, "hrp2_class on bushes": lambda: hrp2_class(bush=True)}


@pytest.fixture(scope="module", params=["hoap_class", "hrp2_class", "hrp2_class on bushes"])
def humanoid(request):
    return HUMANOIDS[request.param]().model


@pytest.mark.parametrize("name", ROBOTS)
def test_size_and_mass(name):
    model = ROBOTS[name]().model
    *counts, mass = SIZES[name]
    assert [model.nq, model.nv, model.nu] == counts
    assert model.total_mass == pytest.approx(mass, abs=1e-12)
    assert model.name == name
    assert describe(ROBOTS[name]).endswith(".")


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
    assert abs(ahead) < sole_box(humanoid, "left").shape.size[0] / 10
    assert abs(aside) < 1e-12


def sole_box(model, side):
    (foot,) = [placed for placed in model.colliders if placed.owner == f"{side}_foot"]
    return foot


def test_soles_are_the_bottom_of_the_feet(humanoid, kinematics):
    poses = kinematics(humanoid, humanoid.q0)
    for side in ("left", "right"):
        body = humanoid.body(f"{side}_sole")
        foot = sole_box(humanoid, side)
        centre = (poses[body] @ foot.pose).position
        bottom = centre - (0, 0, foot.shape.size[2] / 2)
        np.testing.assert_allclose(place(humanoid, poses, f"{side}_sole").position, bottom, atol=1e-12)


def test_humanoid_is_its_own_mirror_image(humanoid, kinematics):
    rng = np.random.default_rng(0)
    q, mirrored = humanoid.q0.copy(), humanoid.q0.copy()
    for joint in humanoid.joints[1:]:
        sign = -1 if joint.name.endswith(("roll", "yaw")) else 1
        if not joint.name.startswith(("left", "right")):
            q[joint.q] = angle = rng.uniform(-1, 1)
            mirrored[joint.q] = sign * angle
        elif joint.name.startswith("left"):
            other = humanoid.joint(joint.name.replace("left", "right"))
            q[[joint.q, other.q]] = angle, counterpart = rng.uniform(-1, 1, 2)
            mirrored[[other.q, joint.q]] = sign * angle, sign * counterpart
            limits = sorted((sign * humanoid.lower[other.v], sign * humanoid.upper[other.v]))
            assert limits == [humanoid.lower[joint.v], humanoid.upper[joint.v]]

    here, there = kinematics(humanoid, q), kinematics(humanoid, mirrored)
    swap = {"left": "right", "right": "left"}
    for i, name in enumerate(humanoid.body_names):
        side = name.partition("_")[0]
        j = humanoid.body_names.index(name.replace(side, swap.get(side, side)))
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
    assert set(humanoid.actuator_names) == {joint.name for joint in humanoid.joints[1:] if "bush" not in joint.name}
    efforts = humanoid.effort[humanoid.actuator_dof]
    np.testing.assert_array_equal(efforts, 9.0 if humanoid.name == "hoap_class" else [300.0] * 12 + [100.0] * 18)
    np.testing.assert_array_equal(humanoid.actuator_range[:, 3], efforts)


def test_bushes_add_three_joints_for_each_foot():
    bare, on_bushes = hrp2_class().model, hrp2_class(bush=True).model
    assert (len(bare.joints) - 1, len(on_bushes.joints) - 1) == (30, 36)
    assert (bare.nv, on_bushes.nv) == (36, 42)


@pytest.mark.parametrize("posture", ["straight", "crouch"])
@pytest.mark.parametrize("name", ["hoap_class", "hrp2_class", "hrp2_class on bushes"])
def test_parts_that_are_no_neighbours_stay_apart(name, posture):
    assert len(sk.Simulation(HUMANOIDS[name](), law="none", posture=posture).contacts) == 0
