"""Shapes and poses that are hardly any: a clear error that names the body and the remedy, or a correct answer."""

import time
from collections.abc import Callable

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.errors import DivergedError, ModelError
from sesshoku.model import Box, Capsule, Collider, Cylinder, Ellipsoid, HeightField, Hull, Plane, Sphere, Terrain

pytestmark = pytest.mark.slow

rng = np.random.default_rng(0)
CUBE = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T / 2
SQUARE = Terrain(np.array([(-1, -1, 0), (1, -1, 0), (1, 1, 0), (-1, 1, 0.0)]), np.array([(0, 1, 2), (0, 2, 3)]))
SURFACES = {"plane": Plane(), "terrain": SQUARE, "heights": HeightField(np.zeros((3, 3)), (2.0, 2.0))}


def solids(size: float) -> dict[str, tuple[object, float]]:
    """Every shape that can move, about this large, and how far it reaches below its frame."""
    return {
        "sphere": (Sphere(size / 2), size / 2),
        "capsule": (Capsule(size / 4, size / 2), size / 2),
        "ellipsoid": (Ellipsoid((size / 2, size / 3, size / 2)), size / 2),
        "cylinder": (Cylinder(size / 2, size), size / 2),
        "box": (Box((size, size, size)), size / 2),
        "hull": (Hull(CUBE * size), size / 2),
    }


def scene_of(shape: object, ground: object = None, position: object = (0.0, 0.0, 0.0)) -> sk.Scene:
    scene = sk.Scene("degenerate")
    scene.body("ground", shape=ground or Plane())
    scene.body("thing", sk.Joint("free", "free"), mass=1.0, shape=shape, position=position)
    return scene


def cube_triangles() -> np.ndarray:
    """Of `CUBE`, all outward."""
    from scipy.spatial import ConvexHull

    hull = ConvexHull(CUBE)
    a, b, c = CUBE[hull.simplices].swapaxes(0, 1)
    inward = (np.cross(b - a, c - a) * a).sum(axis=1) < 0
    return np.where(inward[:, None], hull.simplices[:, ::-1], hull.simplices)


@pytest.mark.parametrize(
    "points",
    [
        np.column_stack([rng.normal(size=(20, 2)), np.zeros(20)]),
        np.outer(np.arange(5.0), [1, 1, 1]),
        np.ones((6, 3)),
        np.zeros((0, 3)),
        np.eye(3),
        np.full((5, 3), np.nan),
    ],
    ids=["flat", "line", "point", "empty", "triangle", "nan"],
)
def test_a_hull_without_volume_is_refused(points: np.ndarray) -> None:
    """When a mass is to be spread over it, else when its contacts are needed."""
    refusal = r"body 'thing'.*(volume|plane|finite).*\. (Give|Correct)"
    scene, joint = sk.Scene(), sk.Joint("free", "free")
    with pytest.raises(ModelError, match=refusal):
        scene.body("thing", joint, shape=Hull(points), mass=1.0)
    scene.body("thing", joint, shape=Hull(points), inertia=sk.Inertia.of(1.0, matrix=(1, 1, 1)))
    with pytest.raises(ModelError, match=refusal):
        sk.Simulation(scene).contacts  # noqa: B018


@pytest.mark.parametrize(
    "shape",
    [
        Box((0.0, 1.0, 1.0)), Box((1.0, -1.0, 1.0)), Sphere(0.0), Sphere(-1.0), Capsule(0.1, -1.0), Cylinder(0.0, 1.0),
        Ellipsoid((1.0, 0.0, 1.0)), Sphere(np.inf),
    ],
    ids=repr,
)  # fmt: skip
def test_sizes_that_are_none_are_refused(shape: object) -> None:
    scene = sk.Scene()
    scene.body("thing", shape=shape)
    with pytest.raises(ModelError, match=r"body 'thing': its \w+ has size .*\. Give lengths above zero"):
        scene.model  # noqa: B018


@pytest.mark.parametrize(
    ("triangles", "problem"),
    [
        (np.array([(0, 1, 1)]), "without area"),
        (np.zeros((0, 3), dtype=int), "no triangles"),
        (np.array([(0, 1, 9)]), "outside"),
    ],
    ids=["line", "empty", "missing vertex"],
)
def test_a_terrain_without_area_is_refused(triangles: np.ndarray, problem: str) -> None:
    with pytest.raises(ModelError, match=rf"body 'ground'.*{problem}.*\. (Give|Correct)"):
        sk.Simulation(scene_of(Sphere(0.1), Terrain(SQUARE.vertices, triangles))).contacts  # noqa: B018


def broken_triangles() -> dict[str, np.ndarray]:
    """Triangles of `CUBE`, broken in ways that leave its hull and its top as they are."""
    whole = cube_triangles()
    top = (CUBE[whole][:, :, 2] > 0).all(axis=1)
    side = np.flatnonzero(~top)[0]
    return {
        "three on an edge": np.vstack([whole, [(whole[side, 0], whole[side, 1], 0)]]),
        "twice": np.vstack([whole[~top], whole[~top], whole[top]]),
        "degenerate": np.vstack([whole, [(0, 0, 1), (2, 2, 2)]]),
        "flipped": np.vstack([whole[top], whole[~top][:, ::-1]]),
    }


@pytest.mark.parametrize("name", broken_triangles())
@pytest.mark.parametrize("shape", [Sphere(0.1), Box((0.2, 0.2, 0.2))], ids=["sphere", "box"])
def test_a_mesh_that_is_no_manifold_still_carries(name: str, shape: object) -> None:
    """As terrain: what lies on its sound top touches that as it should."""
    terrain = Terrain(CUBE, broken_triangles()[name])
    contacts = sk.Simulation(scene_of(shape, terrain, (0.0, 0.1, 0.6 - 1e-4))).contacts
    up = contacts.normal[:, 2] > 0.999
    assert up.sum() == (1 if isinstance(shape, Sphere) else 4)
    np.testing.assert_allclose(contacts.depth[up], 1e-4, atol=1e-12)


@pytest.mark.parametrize("name", broken_triangles())
def test_the_hull_of_a_mesh_that_is_no_manifold(name: str, tmp_path: object) -> None:
    """Read from a file: its hull is that of its points."""
    faces = "\n".join(f"f {a + 1} {b + 1} {c + 1}" for a, b, c in broken_triangles()[name])
    (tmp_path / "mesh.obj").write_text("\n".join(f"v {x} {y} {z}" for x, y, z in CUBE) + "\n" + faces)
    (tmp_path / "robot.urdf").write_text(
        "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
        "iyz='0'/></inertial><collision><geometry><mesh filename='mesh.obj'/></geometry></collision></link></robot>"
    )
    scene = sk.load(tmp_path / "robot.urdf", floating=True)
    scene.ground(-0.5 + 1e-4)
    contacts = sk.Simulation(scene).contacts
    np.testing.assert_allclose(contacts.depth, [1e-4] * 4, atol=1e-12)


@pytest.mark.parametrize("bad", [np.nan, np.inf])
@pytest.mark.parametrize("solid", solids(0.2))
def test_a_pose_that_is_none_has_no_contacts(solid: str, bad: float) -> None:
    scene = sk.Scene()
    for name, surface in SURFACES.items():
        scene.body(name, shape=surface)
    for name, (shape, _) in solids(0.2).items():
        scene.body(name, shape=shape)
    scene.body("thing", sk.Joint("free", "free"), mass=1.0, shape=solids(0.2)[solid][0], position=(0, 0, 0.1))
    sim = sk.Simulation(scene)
    assert len(sim.contacts) > 0
    for entry in (0, 2, 4):
        sim.reset()
        sim.q[entry] = bad
        assert len(sim.contacts) == 0
    if np.isnan(bad):
        with pytest.raises(DivergedError, match="thing"):
            sim.step()


def test_two_of_the_environment_never_touch() -> None:
    """Planes under planes and through terrain, also by name; what lies on all of them touches each."""
    scene = scene_of(Sphere(0.1), position=(0.0, 0.0, 0.1))
    shapes = {"below": Plane(), "above": Plane(), "one": SQUARE, "other": SQUARE}
    scene.environment += [Collider(shape, name=name) for name, shape in shapes.items()]
    scene.touching_pairs |= {frozenset(pair) for pair in (("below", "above"), ("below", "one"), ("one", "other"))}
    contacts = sk.Simulation(scene).contacts
    np.testing.assert_array_equal(contacts.bodies, [[-1, 0]] * 5)
    np.testing.assert_allclose(contacts.depth, 0, atol=1e-12)
    for a, b in (("below", "above"), ("below", "one"), ("one", "other"), ("one", "one")):
        with pytest.raises(ModelError, match=f"'{a}' and '{b}' have no distance.*Name two different bodies"):
            scene.distance(a, b)


@pytest.mark.parametrize("size", [1e-4, 1e3])
@pytest.mark.parametrize("solid", solids(1.0))
@pytest.mark.parametrize("ground", ["plane", "terrain", "heights", "box", "hull", "sphere"])
def test_very_small_and_very_large(solid: str, ground: str, size: float) -> None:
    """A thousandth of their size deep in the ground, wherever that is."""
    shape, reach = solids(size)[solid]
    surface, top = {
        "plane": (Plane(), 0.0),
        "terrain": (Terrain(SQUARE.vertices * 3 * size, SQUARE.triangles), 0.0),
        "heights": (HeightField(np.zeros((3, 3)), (6 * size, 6 * size)), 0.0),
        "box": (Box((4 * size, 4 * size, size)), size / 2),
        "hull": (Hull(CUBE * [4 * size, 4 * size, size]), size / 2),
        "sphere": (Sphere(size), size),
    }[ground]
    contacts = sk.Simulation(scene_of(shape, surface, (0.0, 0.0, top + reach - 1e-3 * size))).contacts
    np.testing.assert_allclose(contacts.depth.max(), 1e-3 * size, rtol=1e-6)
    np.testing.assert_allclose(contacts.normal[contacts.depth.argmax()], [0, 0, 1], atol=1e-6)


def within(seconds: float, act: Callable[[], object]) -> object:
    """What an act gives, in time."""
    start = time.perf_counter()
    result = act()
    assert time.perf_counter() - start < seconds
    return result


def test_a_terrain_of_a_million_triangles() -> None:
    """Prepared in 4 s on a slow core; then contacts of a sphere take 3 µs. Here: it ends, and is right."""
    n = 709
    x, y = np.meshgrid(*[np.linspace(-5, 5, n)] * 2, indexing="ij")
    number = np.arange(n * n).reshape(n, n)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    triangles = np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3)
    assert len(triangles) > 1_000_000
    slope = 0.1
    terrain = Terrain(np.stack([x, y, slope * x], axis=-1).reshape(-1, 3), triangles)
    up = np.array([-slope, 0, 1]) / np.hypot(slope, 1)
    sim = within(60, lambda: sk.Simulation(scene_of(Sphere(0.1), terrain, (0.3, 0.2, 0.03) + up * (0.1 - 1e-4))))
    contacts = within(60, lambda: sim.contacts)
    np.testing.assert_allclose(contacts.depth, [1e-4], atol=1e-9)
    np.testing.assert_allclose(contacts.normal, [up], atol=1e-9)
    np.testing.assert_allclose(contacts.point, [(0.3, 0.2, 0.03) - up * 0.5e-4], atol=1e-9)


def test_the_hull_of_a_million_triangles(tmp_path: object) -> None:
    """As many as an ellipsoid from a scanner has, in a cube: 12 s for reading it and its hull on two slow cores."""
    n = 709
    u, v = np.meshgrid(np.linspace(0, 2 * np.pi, n), np.linspace(0, np.pi, n), indexing="ij")
    ball = 0.4 * np.stack([np.cos(u) * np.sin(v), np.sin(u) * np.sin(v), np.cos(v)], axis=-1).reshape(-1, 3)
    number = np.arange(n * n).reshape(n, n)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    points = np.vstack([ball, CUBE])
    triangles = np.vstack([np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3), cube_triangles() + len(ball)])
    assert len(triangles) > 1_000_000
    corners = np.zeros(len(triangles), dtype=[("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("extra", "<u2")])
    corners["corners"] = points[triangles]
    (tmp_path / "scan.stl").write_bytes(b" " * 80 + np.uint32(len(triangles)).tobytes() + corners.tobytes())
    (tmp_path / "robot.urdf").write_text(
        "<robot name='r'><link name='base'><inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' "
        "iyz='0'/></inertial><collision><geometry><mesh filename='scan.stl'/></geometry></collision></link></robot>"
    )
    scene = within(120, lambda: sk.load(tmp_path / "robot.urdf", floating=True))
    scene.ground(-0.5 + 1e-4)
    contacts = within(60, lambda: sk.Simulation(scene).contacts)
    np.testing.assert_allclose(contacts.depth, [1e-4] * 4, atol=1e-9)


def test_a_hull_with_too_many_corners_is_refused() -> None:
    points = rng.normal(size=(30_000, 3))
    points /= np.linalg.norm(points, axis=1)[:, None]
    with pytest.raises(ModelError, match=r"body 'thing'.*vertices\. Simplify the mesh"):
        sk.Simulation(scene_of(Hull(points))).contacts  # noqa: B018
