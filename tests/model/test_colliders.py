"""What can touch lies where Pinocchio and MuJoCo have it, with their sizes and bits."""

import coal
import mujoco
import numpy as np
import pinocchio as pin
import pytest

from peers import NEEDS_ARMATURE, Coordinates, mjcf_files, urdf_files
from sesshoku.errors import ModelError
from sesshoku.model import (
    Box,
    Capsule,
    Cylinder,
    Ellipsoid,
    HeightField,
    Hull,
    Joint,
    Plane,
    Scene,
    Sphere,
    Terrain,
    load,
)
from sesshoku.model.mjcf import load_mjcf
from sesshoku.model.urdf import load_urdf
from sesshoku.spatial.pose import Pose

pytestmark = pytest.mark.slow


def in_world(model, placed, poses):
    return placed.pose if placed.body < 0 else poses[placed.body] @ placed.pose


def bounds(points):
    return np.array([points.min(axis=0), points.max(axis=0)])


@pytest.mark.parametrize("floating", [False, True])
@pytest.mark.parametrize("path", urdf_files(), ids=lambda path: path.stem)
def test_every_collision_element_as_pinocchio_has_it(path, floating, kinematics):
    scene = load_urdf(path, floating=floating, armature=1e-3 if path.name in NEEDS_ARMATURE else 0.0)
    model = pin.buildModelFromUrdf(path, *((pin.JointModelFreeFlyer(),) if floating else ()))
    folders = [str(folder) for folder in path.parents]
    geometry = pin.buildGeomFromUrdf(model, str(path), pin.GeometryType.COLLISION, package_dirs=folders)
    coordinates = Coordinates(model)
    coordinates.random(np.random.default_rng(0))
    data, placements = model.createData(), geometry.createData()
    pin.updateGeometryPlacements(model, data, geometry, placements, coordinates.q)
    poses = kinematics(scene.model, coordinates.q_ours)
    ours: dict[str, list] = {}
    for placed in scene.model.colliders:
        ours.setdefault(placed.owner, []).append(placed)
    assert len(scene.model.colliders) == len(geometry.geometryObjects)
    for theirs, expected in zip(geometry.geometryObjects, placements.oMg, strict=True):
        link, _, number = theirs.name.rpartition("_")
        placed = ours[link][int(number)]
        assert model.frames[theirs.parentFrame].name == link
        pose = in_world(scene.model, placed, poses)
        np.testing.assert_allclose(pose.position, expected.translation, atol=1e-9)
        np.testing.assert_allclose(pose.rotation, expected.rotation, atol=1e-9)
        assert_same_shape(placed.collider.shape, theirs.geometry)


def assert_same_shape(ours, theirs):
    if isinstance(theirs, coal.Box):
        np.testing.assert_allclose(ours.size, 2 * theirs.halfSide)
    elif isinstance(theirs, coal.Sphere):
        assert ours == Sphere(theirs.radius)
    elif isinstance(theirs, coal.Cylinder):
        assert ours == Cylinder(theirs.radius, 2 * theirs.halfLength)
    elif isinstance(theirs, coal.Capsule):
        assert ours == Capsule(theirs.radius, 2 * theirs.halfLength)
    else:
        assert isinstance(ours, Hull)
        vertices = theirs.vertices() if isinstance(theirs, coal.BVHModelBase) else theirs.points()
        np.testing.assert_allclose(bounds(ours.points), bounds(vertices), atol=1e-6 * np.ptp(vertices, axis=0).max())


def test_disabled_pairs_name_owners():
    path = next(path for path in urdf_files() if path.name == "talos_reduced.urdf")
    model = load(path, srdf=path.parents[1] / "srdf" / "talos.srdf").model
    owners = {placed.owner for placed in model.colliders}
    assert len([pair for pair in model.disabled_pairs if pair <= owners]) > 300


GEOMS = {
    mujoco.mjtGeom.mjGEOM_PLANE: lambda size: Plane(),
    mujoco.mjtGeom.mjGEOM_SPHERE: lambda size: Sphere(size[0]),
    mujoco.mjtGeom.mjGEOM_CAPSULE: lambda size: Capsule(size[0], 2 * size[1]),
    mujoco.mjtGeom.mjGEOM_CYLINDER: lambda size: Cylinder(size[0], 2 * size[1]),
    mujoco.mjtGeom.mjGEOM_ELLIPSOID: lambda size: Ellipsoid(tuple(size)),
    mujoco.mjtGeom.mjGEOM_BOX: lambda size: Box(tuple(2 * size)),
}


def assert_same_geoms(reference, ours, kinematics):
    data = mujoco.MjData(reference)
    mujoco.mj_integratePos(reference, data.qpos, np.random.default_rng(0).uniform(-1, 1, reference.nv), 1.0)
    q = data.qpos.copy()
    mujoco.mj_kinematics(reference, data)
    poses = kinematics(ours, q)
    placed = {entry.collider.name: entry for entry in ours.colliders}
    bits = (reference.geom_contype != 0) | (reference.geom_conaffinity != 0)
    expected = set(np.flatnonzero(bits)) | {*reference.pair_geom1, *reference.pair_geom2}
    assert set(placed) == {reference.geom(g).name or f"geom{g}" for g in expected}
    for g in expected:
        entry = placed[reference.geom(g).name or f"geom{g}"]
        pose = in_world(ours, entry, poses)
        np.testing.assert_allclose(pose.position, data.geom_xpos[g], atol=1e-9)
        np.testing.assert_allclose(pose.rotation.ravel(), data.geom_xmat[g], atol=1e-9)
        assert entry.collider.group == reference.geom_contype[g]
        assert entry.collider.mask == reference.geom_conaffinity[g]
        assert entry.collider.margin >= reference.geom_margin[g]
        owner = reference.geom_bodyid[g]
        assert entry.owner == (reference.body(owner).name or f"body{owner}")
        if reference.geom_type[g] in GEOMS:
            assert entry.collider.shape == GEOMS[reference.geom_type[g]](reference.geom_size[g])
        elif reference.geom_type[g] == mujoco.mjtGeom.mjGEOM_MESH:
            mesh = reference.mesh(reference.geom_dataid[g])
            start = mesh.vertadr[0]
            vertices = reference.mesh_vert[start : start + mesh.vertnum[0]]
            np.testing.assert_allclose(bounds(entry.collider.shape.points), bounds(vertices), atol=1e-7)


@pytest.mark.parametrize("path", mjcf_files(), ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore:.*settotalmass")
def test_every_geom_as_mujoco_has_it(path, kinematics, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo logs its warnings where it runs
    assert_same_geoms(mujoco.MjModel.from_xml_path(str(path)), load_mjcf(path).model, kinematics)


MJCF = """
<mujoco>
  <asset>
    <mesh name="cube" vertex="0 0 0  1 0 0  0 1 0  0 0 1  1 1 0  1 0 1  0 1 1  1 1 1  0.5 0.5 0.5" scale="0.1 0.2 0.3"/>
    <hfield name="hills" nrow="2" ncol="3" size="3 1 0.5 0.1" elevation="0 0.2 0.4  0.6 0.8 1"/>
  </asset>
  <worldbody>
    <geom type="plane" size="1 1 1" euler="10 0 0" margin="0.01"/>
    <geom name="field" type="hfield" hfield="hills" pos="0 0 1" euler="0 0 90"/>
    <geom name="ghost" size="0.1" contype="0" conaffinity="0"/>
    <body name="shelf" pos="1 0 0"><geom name="board" type="box" size="0.1 0.2 0.3"/></body>
    <body name="a" pos="0 0 2"><freejoint/>
      <geom name="ball" size="0.1" contype="6" conaffinity="9"/>
      <geom name="egg" type="ellipsoid" size="0.1 0.2 0.3" pos="0.1 0 0" contype="0" conaffinity="0"/>
      <geom type="mesh" mesh="cube" pos="0 0.1 0" euler="20 30 40"/>
      <body name="b"><joint name="hinge" axis="1 0 0"/>
        <geom name="tube" type="cylinder" size="0.1 0.2" euler="0 90 0" margin="0.002"/>
        <geom name="pill" type="capsule" fromto="0 0 0 1 1 1" size="0.05"/></body>
    </body>
  </worldbody>
  <contact>
    <pair geom1="egg" geom2="board" margin="0.03"/>
    <pair geom1="ball" geom2="tube"/>
    <exclude body1="world" body2="a"/>
  </contact>
</mujoco>
"""


def test_every_kind_of_geom(kinematics):
    reference, scene = mujoco.MjModel.from_xml_string(MJCF), load_mjcf(MJCF)
    assert_same_geoms(reference, scene.model, kinematics)
    assert scene.touching_pairs == {frozenset(("egg", "board")), frozenset(("ball", "tube"))}
    assert scene.disabled_pairs == {frozenset(("world", "a"))}
    owners = {placed.collider.name: placed.owner for placed in scene.model.colliders}
    assert owners["geom0"] == owners["field"] == "world"
    margins = {placed.collider.name: placed.collider.margin for placed in scene.model.colliders}
    assert margins == pytest.approx(
        {"geom0": 0.01, "field": 0, "board": 0.03, "ball": 0, "egg": 0.03, "geom6": 0, "tube": 0.002, "pill": 0}
    )
    (cube,) = [placed.collider.shape for placed in scene.model.colliders if isinstance(placed.collider.shape, Hull)]
    assert len(cube.points) == 8  # without the point inside


def test_height_field_stands_as_mujocos():
    field = load_mjcf(MJCF).environment[1].shape
    reference = mujoco.MjModel.from_xml_string(MJCF)
    data = mujoco.MjData(reference)
    mujoco.mj_forward(reference, data)
    columns, rows = field.heights.shape
    seen = np.empty((columns, rows))
    turned = data.geom("field").xmat.reshape(3, 3)
    inside = 1 - 1e-9  # a ray along the rim misses
    for i, x in enumerate(np.linspace(-field.size[0], field.size[0], columns) / 2 * inside):
        for j, y in enumerate(np.linspace(-field.size[1], field.size[1], rows) / 2 * inside):
            start = data.geom("field").xpos + turned @ (x, y, 5)
            geom = mujoco.mj_name2id(reference, mujoco.mjtObj.mjOBJ_GEOM, "field")
            seen[i, j] = 5 - mujoco.mj_rayHfield(reference, data, geom, start, -turned[:, 2])
    np.testing.assert_allclose(field.heights, seen, atol=1e-6)
    np.testing.assert_allclose(field.heights[:, 1], [0, 0.1, 0.2], atol=1e-7)  # a file begins with the highest y


def test_contact_that_the_file_switches_off():
    model = load_mjcf(MJCF.replace("<asset>", '<option><flag contact="disable"/></option><asset>')).model
    assert len(model.colliders) == 8
    assert not any(placed.collider.group | placed.collider.mask for placed in model.colliders)
    assert not model.touching_pairs
    scene = load_mjcf(MJCF.replace("<asset>", '<option><flag filterparent="disable"/></option><asset>'))
    assert scene.unsimulated == ["contact between parent and child bodies"]


def urdf(collision: str, *, link: str = "a") -> str:
    inertial = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
    return f"<robot name='r'><link name='{link}'>{inertial}{collision}</link></robot>"


def collision(inside: str) -> str:
    return f"<collision>{inside}</collision>"


def test_collision_elements_of_a_link():
    text = urdf(
        collision("<origin xyz='1 2 3' rpy='0 0 1'/><geometry><capsule radius='0.1' length='0.5'/></geometry>")
        + "<collision name='tip'><geometry><sphere radius='0.2'/></geometry></collision>"
        + collision("<geometry><cone radius='1' length='2'/></geometry>")
    )
    scene = load_urdf(text)
    capsule, sphere = scene.bodies["a"].colliders
    assert (capsule.shape, capsule.name, sphere.shape, sphere.name) == (Capsule(0.1, 0.5), None, Sphere(0.2), "tip")
    np.testing.assert_allclose(capsule.pose.position, [1, 2, 3])
    np.testing.assert_allclose(capsule.pose.rotation, Pose.at(rpy=(0, 0, 1)).rotation)
    assert scene.unsimulated == ["collision <cone> of link 'a'"]


@pytest.mark.parametrize("floating", [False, True])
def test_link_called_world(floating):
    scene = load_urdf(urdf(collision("<geometry><sphere radius='1'/></geometry>"), link="world"), floating=floating)
    (placed,) = scene.model.colliders
    assert (placed.body, placed.owner) == ((0, "link_world") if floating else (-1, "world"))


@pytest.mark.parametrize(
    ("inside", "message"),
    [
        ("", "link 'a': <collision> has no <geometry>"),
        ("<geometry/>", "link 'a': the <geometry> of its <collision> is empty"),
        ("<geometry><box size='1 1'/></geometry>", "link 'a': <box size='1 1'> is not 3 finite numbers"),
        ("<geometry><sphere/></geometry>", "link 'a': <sphere> has no radius"),
        ("<geometry><sphere radius='0'/></geometry>", r"body 'a': its sphere has size \(0.0,\)"),
        ("<geometry><cylinder radius='1' length='-1'/></geometry>", "body 'a': its cylinder has size"),
        ("<geometry><mesh filename='a.stl' scale='1 0 1'/></geometry>", "link 'a': the scale .* is zero"),
        ("<origin xyz='nan 0 0'/><geometry><sphere radius='1'/></geometry>", "link 'a': <origin xyz='nan 0 0'>"),
    ],
)
def test_wrong_collision_elements(inside, message):
    with pytest.raises(ModelError, match=message):
        _ = load_urdf(urdf(collision(inside))).model


def test_colliders_of_the_builder():
    scene = Scene()
    scene.ground(0.5)
    scene.body("a", Joint("root", "free"), mass=1.0, shape=Sphere(0.1))
    first = scene.model
    scene.collider("a", Box((1, 2, 3)), (0, 0, 1), rpy=(0, 0, 1), name="lid", group=2, mask=4, margin=0.01)
    scene.collider(None, Sphere(1.0))
    assert len(first.colliders) == 2
    rock, ground, ball, lid = scene.model.colliders
    assert [entry.owner for entry in (rock, ground, ball, lid)] == ["world", "ground", "a", "a"]
    assert [entry.body for entry in (rock, ground, ball, lid)] == [-1, -1, 0, 0]
    np.testing.assert_allclose(ground.pose.position, [0, 0, 0.5])
    np.testing.assert_allclose(lid.pose.position, [0, 0, 1])
    assert (lid.collider.group, lid.collider.mask, lid.collider.margin) == (2, 4, 0.01)
    with pytest.raises(ModelError, match="its body 'b' is not there"):
        scene.collider("b", Sphere(1.0))


def test_included_colliders_keep_their_pairs():
    scene = Scene()
    scene.include(load_mjcf(MJCF), prefix="x_", position=(0, 0, 1))
    assert frozenset(("x_egg", "x_board")) in scene.model.touching_pairs
    assert frozenset(("world", "x_a")) in scene.model.disabled_pairs
    plane = scene.model.colliders[0]
    assert (plane.owner, plane.collider.name, plane.pose.position[2]) == ("world", "x_geom0", 1.0)


TRIANGLE = np.eye(3), np.array([[0, 1, 2]])


@pytest.mark.parametrize("shape", [Plane(), Terrain(*TRIANGLE), HeightField(np.zeros((2, 2)), (1.0, 1.0))])
def test_environment_does_not_move(shape):
    scene = Scene()
    scene.body("fixed", shape=shape)
    assert len(scene.model.colliders) == 1
    scene.body("a", Joint("root", "free"), mass=1.0, shape=Sphere(0.1))
    scene.collider("a", shape)
    with pytest.raises(ModelError, match=r"body 'a': its .* cannot move\. Put it on the world"):
        _ = scene.model


@pytest.mark.parametrize(
    ("shape", "message"),
    [
        (Box((1.0, 0.0, 1.0)), "its box has size"),
        (Ellipsoid((1.0, np.nan, 1.0)), "its ellipsoid has size"),
        (Capsule(1.0, np.inf), "its capsule has size"),
    ],
)
def test_sizes_that_are_none(shape, message):
    scene = Scene()
    scene.collider(None, shape)
    with pytest.raises(ModelError, match=f"body 'world': {message}"):
        _ = scene.model


def test_pose_margin_and_names_are_checked():
    for problem, options in (
        ("finite pose", {"position": (np.nan, 0, 0)}),
        ("has margin -1", {"margin": -1.0}),
    ):
        scene = Scene()
        scene.collider(None, Sphere(1.0), name="s", **options)
        with pytest.raises(ModelError, match=f"its sphere 's' .*{problem}"):
            _ = scene.model
    scene = Scene()
    scene.collider(None, Sphere(1.0), name="s")
    scene.touching_pairs.add(frozenset(("s", "t")))
    with pytest.raises(ModelError, match="'t': of a touching pair is the name of 0 colliders"):
        _ = scene.model
