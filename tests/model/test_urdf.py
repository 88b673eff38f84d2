from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

from sesshoku.errors import FileFormatError, MasslessBodyError, ModelError
from sesshoku.model.loop import Coupling
from sesshoku.model.package import find_file
from sesshoku.model.urdf import load_urdf

ROBOTS = Path(pin.__file__).parents[4] / "share" / "example-robot-data" / "robots"
MASSLESS = {"romeo.urdf", "romeo_laas_small.urdf"}
EMPTY = {"ur3.urdf"}  # a <robot> without links
URDFS = [path for path in sorted(ROBOTS.rglob("*.urdf")) if path.name not in EMPTY]
INERTIAL = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"


def robot(joints: str, *, root: str = "", extra: str = "") -> str:
    return (
        f"<robot name='r'><link name='root'>{root}</link><link name='arm'>{INERTIAL}</link>"
        f"<link name='tip'>{INERTIAL}</link>{joints}{extra}</robot>"
    )


def joint(name: str, kind: str, parent: str, child: str, inside: str = "") -> str:
    limit = "<limit lower='-1' upper='2' effort='3' velocity='4'/>"
    return (
        f"<joint name='{name}' type='{kind}'><parent link='{parent}'/><child link='{child}'/>"
        f"<origin xyz='0 0 1' rpy='0.1 0.2 0.3'/>{limit}{inside}</joint>"
    )


TIP = joint("wrist", "fixed", "arm", "tip")


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("path", URDFS, ids=lambda path: path.stem)
def test_every_link_lies_where_pinocchio_has_it(path, floating, kinematics):
    scene = load_urdf(path, floating=floating, armature=1e-3 if path.name in MASSLESS else 0.0)
    root = (pin.JointModelFreeFlyer(),) if floating else ()
    model = pin.buildModelFromUrdf(path, *root)
    data = model.createData()
    pin.framesForwardKinematics(model, data, pin.neutral(model))
    poses = kinematics(scene.model, scene.model.q0)
    for frame, expected in zip(model.frames, data.oMf, strict=True):
        if frame.type == pin.FrameType.BODY and frame.name != "world":
            place = scene.model.frame(frame.name)
            pose = poses[place.body] @ place.pose if place.body >= 0 else place.pose
            np.testing.assert_allclose(pose.position, expected.translation, atol=1e-9)
            np.testing.assert_allclose(pose.rotation, expected.rotation, atol=1e-9)
    assert scene.model.nv == model.nv
    np.testing.assert_allclose(scene.model.total_mass, sum(i.mass for i in list(model.inertias)[1:]))


@pytest.mark.parametrize("name", sorted(MASSLESS))
def test_massless_bodies_are_named(name):
    with pytest.raises(MasslessBodyError, match="armature"):
        _ = load_urdf(next(ROBOTS.rglob(name))).model


def test_properties_of_joints():
    dynamics = "<axis xyz='0 2 0'/><dynamics damping='0.1' friction='0.2'/>"
    model = load_urdf(robot(joint("elbow", "revolute", "root", "arm", dynamics) + TIP), armature=0.5).model
    assert (model.lower[0], model.upper[0], model.effort[0], model.speed[0]) == (-1, 2, 3, 4)
    assert (model.damping[0], model.friction[0], model.armature[0]) == (0.1, 0.2, 0.5)


def test_continuous_joint_has_one_coordinate_and_no_limit():
    model = load_urdf(robot(joint("wheel", "continuous", "root", "arm", "<axis xyz='0 1 1'/>") + TIP)).model
    assert (model.nq, model.nv, model.lower[0], model.effort[0]) == (1, 1, -np.inf, 3)


def test_planar_joint_moves_across_its_axis(frame_pose):
    model = load_urdf(robot(joint("floor", "planar", "root", "arm", "<axis xyz='1 0 0'/>") + TIP)).model
    home = frame_pose(model, model.q0, "arm")
    moved = frame_pose(model, np.array([1.0, 2.0, 0.3]), "arm")
    normal = home.rotation[:, 0]
    assert abs(normal @ (moved.position - home.position)) < 1e-12
    np.testing.assert_allclose(moved.rotation[:, 0], normal, atol=1e-12)


@pytest.mark.parametrize("floating", [False, True])
def test_floating_joint_of_the_file(floating):
    model = load_urdf(robot(joint("base", "floating", "root", "arm") + TIP), floating=floating).model
    assert [j.name for j in model.joints] == ["base"]
    np.testing.assert_allclose(model.q0[:3], [0, 0, 1])


def test_floating_joint_elsewhere_is_refused():
    with pytest.raises(ModelError, match="free joint"):
        _ = load_urdf(robot(joint("base", "floating", "root", "arm") + TIP, root=INERTIAL), floating=True).model


def test_floating_root():
    model = load_urdf(robot(joint("elbow", "revolute", "root", "arm") + TIP, root=INERTIAL), floating=True).model
    assert [j.name for j in model.joints] == ["root_joint", "elbow"]


def test_mimic_of_a_fixed_joint_is_a_constant():
    text = robot(joint("elbow", "revolute", "root", "arm", "<mimic joint='wrist' offset='0.3' multiplier='2'/>") + TIP)
    scene = load_urdf(text)
    assert scene.couplings["elbow"] == Coupling("elbow", "elbow", None, (0.3, 2.0))
    assert scene.model.nv == 1


def test_mimic_of_a_joint_that_is_not_there_is_named():
    scene = load_urdf(robot(joint("elbow", "revolute", "root", "arm", "<mimic joint='ghost'/>") + TIP))
    assert scene.unsimulated == ["mimic of joint 'elbow', whose leader 'ghost' is not there"]
    assert not scene.couplings


def test_transmissions_gazebo_and_bad_comments_are_passed_over():
    extra = "<!-- -- a -- --><transmission><joint name='x'/></transmission><gazebo><plugin/></gazebo>"
    assert not load_urdf(robot(joint("elbow", "revolute", "root", "arm") + TIP, extra=extra)).unsimulated


def test_srdf_beside_the_urdf():
    scene = load_urdf(ROBOTS / "solo_description" / "robots" / "solo.urdf", floating=True)
    q = scene.model.postures["standing"]
    np.testing.assert_allclose(q[:7], [0, 0, 0.235, 1, 0, 0, 0])
    assert q[scene.joint("FL_KFE").q] == -1.6
    assert frozenset(("FL_LOWER_LEG", "FL_UPPER_LEG")) in scene.disabled_pairs
    fixed = load_urdf(ROBOTS / "solo_description" / "robots" / "solo.urdf")
    assert fixed.model.postures["standing"].shape == (8,)


def test_srdf_of_pinocchio_agrees():
    folder = ROBOTS / "talos_data"
    scene = load_urdf(folder / "robots" / "talos_reduced.urdf", floating=True, srdf=folder / "srdf" / "talos.srdf")
    model = pin.buildModelFromUrdf(folder / "robots" / "talos_reduced.urdf", pin.JointModelFreeFlyer())
    pin.loadReferenceConfigurations(model, str(folder / "srdf" / "talos.srdf"), False)
    half_sitting = np.array(model.referenceConfigurations["half_sitting"])
    half_sitting[3:7] = half_sitting[[6, 3, 4, 5]]
    np.testing.assert_allclose(scene.model.postures["half_sitting"], half_sitting, atol=1e-12)


def test_srdf_with_a_wrong_value():
    srdf = "<robot><group_state name='home'><joint name='elbow' value='1 2 3'/></group_state></robot>"
    with pytest.raises(FileFormatError, match="group_state 'home'"):
        load_urdf(robot(joint("elbow", "revolute", "root", "arm") + TIP), srdf=srdf)


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A package ``arm`` with a mesh, and a description that lies elsewhere."""
    mesh = tmp_path / "share" / "arm" / "meshes" / "a.stl"
    mesh.parent.mkdir(parents=True)
    mesh.write_text("solid\nvertex 0 0 0 vertex 1 0 0 vertex 0 1 0 vertex 0 0 1 vertex 1 0 0 vertex 0 1 0\n")
    (tmp_path / "elsewhere").mkdir()
    return tmp_path


def test_packages_are_found_by_argument_environment_and_place(package, monkeypatch):
    mesh, uri = package / "share" / "arm" / "meshes" / "a.stl", "package://arm/meshes/a.stl"
    elsewhere = package / "elsewhere"
    assert find_file(uri, elsewhere) is None
    assert find_file(uri, elsewhere, [package / "share"]) == mesh
    assert find_file(uri, elsewhere, [package / "share" / "arm"]) == mesh
    assert find_file(uri, package / "share" / "arm" / "urdf") == mesh
    assert find_file(uri, package / "share" / "other" / "urdf") == mesh
    assert find_file("../share/arm/meshes/a.stl", elsewhere) is not None
    assert find_file(f"file://{mesh}", elsewhere) == mesh
    assert find_file("http://example.org/a.stl", elsewhere) is None
    monkeypatch.setenv("ROS_PACKAGE_PATH", f"{elsewhere}:{package / 'share'}")
    assert find_file(uri, elsewhere) == mesh
    monkeypatch.delenv("ROS_PACKAGE_PATH")
    monkeypatch.setenv("AMENT_PREFIX_PATH", str(package))
    assert find_file(uri, elsewhere) == mesh


def test_missing_meshes(package):
    geometry = "<geometry><mesh filename='package://arm/meshes/a.stl'/></geometry>"
    joints = joint("elbow", "revolute", "root", "arm") + TIP
    file = package / "elsewhere" / "r.urdf"
    file.write_text(robot(joints, root=f"<visual>{geometry}</visual>"))
    load_urdf(file)
    file.write_text(robot(joints, root=f"<collision>{geometry}</collision>"))
    with pytest.raises(FileFormatError, match=r"link 'root': .*a\.stl.*package_dirs"):
        load_urdf(file)
    load_urdf(file, package_dirs=[package / "share"])
    load_urdf(file, package_dirs=str(package / "share"))
