import numpy as np
import pinocchio as pin
import pytest

from sesshoku.errors import UnsupportedError
from sesshoku.model.joint import common_value
from sesshoku.model.pinocchio import from_pinocchio

AXIS = np.array([0.6, 0.0, 0.8])
ONE_DEGREE = [
    (pin.JointModelRX(), "revolute"),
    (pin.JointModelRZ(), "revolute"),
    (pin.JointModelRevoluteUnaligned(AXIS), "revolute"),
    (pin.JointModelRUBY(), "continuous"),
    (pin.JointModelPY(), "prismatic"),
    (pin.JointModelPrismaticUnaligned(AXIS), "prismatic"),
]


def placement(seed: int) -> pin.SE3:
    pin.seed(seed)
    return pin.SE3.Random()


def chain(*joints: pin.JointModel) -> pin.Model:
    model = pin.Model()
    parent = 0
    for k, joint in enumerate(joints):
        parent = model.addJoint(parent, joint, placement(k), f"joint{k}")
        model.appendBodyToJoint(parent, pin.Inertia.Random(), pin.SE3.Identity())
        model.addJointFrame(parent)
        model.addBodyFrame(f"link{k}", parent, pin.SE3.Identity(), -1)
        model.addBodyFrame(f"fixed{k}", parent, placement(100 + k), -1)
    return model


def assert_same_poses(model, ours, pin_q, q, frame_pose):
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin_q)
    for frame, expected in zip(model.frames, data.oMf, strict=True):
        if frame.type in (pin.FrameType.BODY, pin.FrameType.OP_FRAME):
            pose = frame_pose(ours, q, frame.name)
            np.testing.assert_allclose(pose.position, expected.translation, atol=1e-12)
            np.testing.assert_allclose(pose.rotation, expected.rotation, atol=1e-12)


@pytest.mark.parametrize(("joint", "kind"), ONE_DEGREE)
def test_one_degree_joints(joint, kind, frame_pose):
    model = chain(joint, pin.JointModelRX())
    ours = from_pinocchio(model).model
    assert [j.kind for j in ours.joints] == [kind, "revolute"]
    angle = 0.7
    pin_q = np.array([np.cos(angle), np.sin(angle), 0.3] if joint.nq == 2 else [angle, 0.3])
    assert_same_poses(model, ours, pin_q, np.array([angle, 0.3]), frame_pose)


def test_chains_and_quaternions(frame_pose):
    composite = pin.JointModelComposite()
    composite.addJoint(pin.JointModelRX(), placement(7))
    composite.addJoint(pin.JointModelSphericalZYX(), placement(8))
    model = chain(
        pin.JointModelFreeFlyer(),
        pin.JointModelSphericalZYX(),
        pin.JointModelTranslation(),
        pin.JointModelUniversal(np.array([1.0, 0.0, 0.0]), np.array([0.0, 1.0, 0.0])),
        composite,
        pin.JointModelSpherical(),
        pin.JointModelPlanar(),
    )
    model.addFrame(pin.Frame("tool", 3, placement(9), pin.FrameType.OP_FRAME))
    rng = np.random.default_rng(0)
    pin_q = pin.integrate(model, pin.neutral(model), rng.uniform(-1, 1, model.nv))
    model.referenceConfigurations["random"] = pin_q
    scene = from_pinocchio(model)
    assert scene.model.nv == model.nv
    assert [joint.name for joint in scene.model.joints][1:4] == ["joint1_z", "joint1_y", "joint1_x"]
    assert_same_poses(model, scene.model, pin_q, scene.model.postures["random"], frame_pose)


def test_bodies_carry_mass_and_link_names():
    model = chain(pin.JointModelRX(), pin.JointModelRY())
    ours = from_pinocchio(model).model
    assert ours.body_names == ("link0", "link1")
    np.testing.assert_allclose(ours.mass, [inertia.mass for inertia in list(model.inertias)[1:]])


def test_forces_and_limits():
    model = chain(pin.JointModelRX(), pin.JointModelPZ())
    model.damping = np.array([0.1, 0.2])
    model.upperDryFrictionLimit = np.array([0.3, 0.4])
    model.armature = np.array([0.5, 0.0])
    model.lowerPositionLimit = np.array([-1.0, -np.inf])
    model.upperPositionLimit = np.array([2.0, np.finfo(float).max])
    model.upperEffortLimit = np.array([5.0, 6.0])
    model.upperVelocityLimit = np.array([7.0, 8.0])
    model.gravity.linear = np.array([0.0, -9.0, 0.0])
    scene = from_pinocchio(model, armature=0.01)
    ours = scene.model
    np.testing.assert_allclose(ours.damping, [0.1, 0.2])
    np.testing.assert_allclose(ours.friction, [0.3, 0.4])
    np.testing.assert_allclose(ours.armature, [0.5, 0.01])  # given only to the joint that has none
    np.testing.assert_allclose(ours.lower, [-1.0, -np.inf])
    np.testing.assert_allclose(ours.upper, [2.0, np.inf])
    np.testing.assert_allclose(ours.effort, [5.0, 6.0])
    np.testing.assert_allclose(ours.speed, [7.0, 8.0])
    assert scene.gravity == (0.0, -9.0, 0.0)


@pytest.mark.parametrize("joint", [pin.JointModelHX(0.1), pin.JointModelEllipsoid(1.0, 2.0, 3.0)])
def test_other_joints_are_refused_by_name(joint):
    with pytest.raises(UnsupportedError, match="joint 'joint0'"):
        from_pinocchio(chain(joint))


def test_names_that_clash():
    model = chain(pin.JointModelFreeFlyer())
    model.addBodyFrame("world", 1, pin.SE3.Identity(), -1)
    model.addFrame(pin.Frame("link0", 1, placement(3), pin.FrameType.OP_FRAME))
    scene = from_pinocchio(model)
    assert {"link0", "link_world"} < scene.bodies.keys()
    assert set(scene.sites) == {"frame_link0"}


def test_directions_with_different_values_are_refused():
    assert common_value(np.array([2.0, 2.0]), "damping", "ball") == 2.0
    with pytest.raises(UnsupportedError, match="damping differs"):
        common_value(np.array([1.0, 2.0]), "damping", "ball")
