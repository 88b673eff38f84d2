"""Contacts of boxes, hulls and planes: against Coal, MuJoCo and plain numpy; symmetry, rest, identity, nonsense."""

from typing import NamedTuple

import coal
import mujoco
import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from sesshoku.geometry import detect
from sesshoku.geometry.kind import BOX, PLANE
from sesshoku.geometry.space import Space, at
from sesshoku.kernel import kernel
from sesshoku.model import Box, Hull, Plane, Scene
from sesshoku.spatial.pose import rotation_from_rpy

pytestmark = pytest.mark.slow

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2.0


class Contacts(NamedTuple):
    point: np.ndarray
    normal: np.ndarray
    gap: np.ndarray
    feature: np.ndarray


@kernel
def collide(address, a, b, margin):
    g = at(address)
    g.count[0] = 0
    detect.collide(g, a, b, margin)


def space_of(*shapes):
    scene = Scene()
    for number, shape in enumerate(shapes):
        scene.body(f"body {number}", shape=shape)
    space = Space(scene.model)
    for number in range(len(shapes)):
        place(space, number)
    return space


def place(space, shape, position=(0.0, 0.0, 0.0), rotation=None):
    space.position[shape] = position
    space.rotation[shape] = np.eye(3).ravel() if rotation is None else np.ravel(rotation)


def contacts(space, a, b, margin=2e-3):
    collide(space.address, a, b, margin)
    n = space.count[0]
    assert n <= 8
    assert (space.shapes[:n] == (a, b)).all()
    found = Contacts(*(x[:n].copy() for x in (space.point, space.normal, space.gap, space.feature)))
    assert len(set(found.feature)) == n, "features are unique within the pair"
    assert ((found.feature >= 0) & (found.feature < 2**31)).all()
    assert np.allclose(np.linalg.norm(found.normal, axis=1), 1.0, rtol=0, atol=1e-12)
    assert (found.gap < margin).all()
    return found


def solid(space, shape):
    """Vertices, outward normals, plane offsets and edge vectors in the world."""
    p, rotation, position = space.solid[shape], space.rotation[shape].reshape(3, 3), space.position[shape]
    vertices = space.vertex[space.vertex_start[p] : space.vertex_start[p + 1]] @ rotation.T + position
    faces = slice(space.face_start[p], space.face_start[p + 1])
    normals = space.face_normal[faces] @ rotation.T
    ends = space.edge[space.edge_start[p] : space.edge_start[p + 1]]
    return vertices, normals, space.face_offset[faces] + normals @ position, vertices[ends[:, 1]] - vertices[ends[:, 0]]


def best_axis(space, a, b):
    """Largest distance over all face normals and cross products of edges, by brute force."""
    vertices_a, normals_a, _, edges_a = solid(space, a)
    vertices_b, normals_b, _, edges_b = solid(space, b)
    across = np.cross(edges_a[:, None], edges_b[None]).reshape(-1, 3)
    length = np.linalg.norm(across, axis=1)
    across = across[length > 1e-9 * length.max()] / length[length > 1e-9 * length.max(), None]
    axes = np.concatenate([normals_a, -normals_b, across, -across])
    distances = (vertices_b @ axes.T).min(axis=0) - (vertices_a @ axes.T).max(axis=0)
    order = np.argsort(-distances)
    return distances[order[0]], axes[order[0]], distances[order[0]] - distances[order[1]]


def round_hull(number, size=0.1, seed=0):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(number, 3))
    return Hull(size * points / np.linalg.norm(points, axis=1, keepdims=True) * rng.uniform(0.8, 1.0, (number, 1)))


def prism(corners, radius=0.1, height=0.1):
    angles = np.arange(corners) * 2 * np.pi / corners
    return Hull(np.array([(radius * np.cos(a), radius * np.sin(a), z * height / 2) for a in angles for z in (-1, 1)]))


def random_pose(rng, spread=0.1):
    return spread * rng.normal(size=3), Rotation.random(random_state=rng).as_matrix()


def coal_geometry(space, shape):
    if space.kind[shape] == PLANE:
        return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    if space.kind[shape] == BOX:
        return coal.Box(*(2 * space.size[shape]))
    p = space.solid[shape]
    vertices = space.vertex[space.vertex_start[p] : space.vertex_start[p + 1]]
    mesh = coal.BVHModelOBBRSS()
    mesh.beginModel(0, 0)
    for triangle in ConvexHull(vertices).simplices:
        mesh.addTriangle(*vertices[triangle])
    mesh.endModel()
    mesh.buildConvexHull(True, "Qt")
    return mesh.convex


def coal_distance(space, a, b, geometry_a, geometry_b):
    """Signed distance and normal."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance = request.epa_tolerance = 1e-10
    request.gjk_max_iterations = request.epa_max_iterations = 1000
    poses = [coal.Transform3s(space.rotation[i].reshape(3, 3), space.position[i]) for i in (a, b)]
    distance = coal.distance(geometry_a, poses[0], geometry_b, poses[1], request, result)
    return distance, result.normal


PAIRS = {
    "box-box": (Box((0.2, 0.3, 0.1)), Box((0.1, 0.1, 0.3))),
    "box-hull": (Box((0.2, 0.3, 0.1)), round_hull(30)),
    "hull-hull 8": (round_hull(8), round_hull(8, seed=1)),
    "hull-hull 20-60": (round_hull(20), round_hull(60, seed=1)),
    "hull-hull 100": (round_hull(100), round_hull(100, seed=1)),
    "box-prism": (Box((0.2, 0.3, 0.1)), prism(12)),
    "hull-hull of boxes": (Hull(CORNERS * (0.2, 0.3, 0.1)), Hull(CORNERS * (0.1, 0.1, 0.3))),
}


@pytest.mark.parametrize("name", PAIRS)
def test_distance_depth_and_normal(name):
    """Apart: Coal; overlapping: the best of all axes, and Coal."""
    space, rng = space_of(*PAIRS[name]), np.random.default_rng(0)
    geometries = [coal_geometry(space, shape) for shape in (0, 1)]
    apart = overlapping = 0
    for _ in range(300):
        place(space, 0, *random_pose(rng))
        place(space, 1, *random_pose(rng))
        found = contacts(space, 0, 1, 10.0)
        deepest = found.gap.argmin()
        distance, normal = coal_distance(space, 0, 1, *geometries)
        along, axis, lead = best_axis(space, 0, 1)
        assert abs(found.gap[deepest] - distance) < 1e-7
        if distance > 0.0:
            apart += 1
            assert np.abs(found.normal[deepest] - normal).max() < 1e-6
        else:
            overlapping += 1
            assert abs(found.gap[deepest] - along) < 1e-9
            if lead > 1e-6:
                assert np.abs(found.normal[deepest] - axis).max() < 1e-6
    assert apart > 50
    assert overlapping > 50


@pytest.mark.parametrize("shape", [Box((0.2, 0.3, 0.1)), round_hull(20), round_hull(300), prism(64)])
def test_distance_to_a_plane(shape):
    space, rng = space_of(Plane(), shape), np.random.default_rng(0)
    geometries = [coal_geometry(space, shape) for shape in (0, 1)]
    for _ in range(300):
        place(space, 0, *random_pose(rng))
        place(space, 1, *random_pose(rng))
        found = contacts(space, 0, 1, 10.0)
        distance, normal = coal_distance(space, 0, 1, *geometries)
        assert abs(found.gap.min() - distance) < 1e-6 * space.reach[1] + 1e-12
        assert np.abs(found.normal - normal).max() < 1e-9


@pytest.mark.parametrize(
    ("first", "second"), [("plane", "box"), ("plane", "mesh"), ("box", "box"), ("box", "mesh"), ("mesh", "mesh")]
)
def test_mujoco_agrees(first, second):
    """Its distance of two geoms, which its contacts do not always have: they may prefer a face that is deeper."""
    hull = round_hull(20).points
    kinds = {
        "plane": 'type="plane" size="1 1 1"',
        "box": 'type="box" size="0.1 0.15 0.05"',
        "mesh": 'type="mesh" mesh="hull"',
    }
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <option ccd_tolerance="1e-10" ccd_iterations="200"/>
          <asset><mesh name="hull" inertia="convex" vertex="{" ".join(f"{x:.17g}" for x in hull.ravel())}"/></asset>
          <worldbody>
            <geom {kinds[first]}/>
            <body><freejoint/><geom {kinds[second]}/></body>
          </worldbody>
        </mujoco>""")
    data, witness = mujoco.MjData(model), np.zeros(6)
    shapes = {"plane": Plane(), "box": Box((0.2, 0.3, 0.1)), "mesh": Hull(hull)}
    space, rng = space_of(shapes[first], shapes[second]), np.random.default_rng(0)
    for _ in range(300):
        data.qpos[:3], rotation = random_pose(rng)
        data.qpos[3:] = np.roll(Rotation.from_matrix(rotation).as_quat(), 1)
        mujoco.mj_kinematics(model, data)
        for shape in (0, 1):
            position, turned = data.geom_xpos[shape], data.geom_xmat[shape].reshape(3, 3)
            mesh = model.geom_dataid[shape]
            if mesh >= 0:  # its frame is moved to its principal axes
                turned = turned @ Rotation.from_quat(np.roll(model.mesh_quat[mesh], -1)).as_matrix().T
                position = position - turned @ model.mesh_pos[mesh]
            place(space, shape, position, turned)
        found = contacts(space, 0, 1, 10.0)
        distance = mujoco.mj_geomDistance(model, data, 0, 1, 10.0, witness)
        assert abs(found.gap.min() - distance) < 1e-7  # meshes are in single precision
        if abs(distance) > 1e-3:
            normal = (witness[3:] - witness[:3]) / distance
            assert np.abs(found.normal[0] - normal).max() < 1e-4


seeds = st.integers(0, 2**32 - 1)
names = st.sampled_from([*PAIRS])


@given(seeds, names)
def test_witness_points_lie_on_both_surfaces(seed, name):
    space, rng = space_of(*PAIRS[name]), np.random.default_rng(seed)
    place(space, 0, *random_pose(rng))
    place(space, 1, *random_pose(rng))
    found = contacts(space, 0, 1, 0.05)
    for shape, side in ((0, -0.5), (1, 0.5)):
        _, normals, offsets, _ = solid(space, shape)
        witness = found.point + side * found.gap[:, None] * found.normal
        assert (np.abs((witness @ normals.T - offsets).max(axis=1, initial=-np.inf)) < 1e-6).all()


@given(seeds, names)
@example(380, "hull-hull 100")  # edge on edge: rounding decides which end of an edge is the farthest vertex
@example(4975, "hull-hull 100")
@example(1312, "box-hull")
def test_a_motion_of_both_moves_the_contacts_along(seed, name):
    space, rng = space_of(*PAIRS[name]), np.random.default_rng(seed)
    place(space, 0, *random_pose(rng))
    place(space, 1, *random_pose(rng))
    before = contacts(space, 0, 1, 0.05)
    shift, turn = random_pose(rng)
    for shape in (0, 1):
        rotation = turn @ space.rotation[shape].reshape(3, 3)
        place(space, shape, turn @ space.position[shape] + shift, rotation)
    after = contacts(space, 0, 1, 0.05)
    assert (after.feature == before.feature).all()
    assert np.allclose(after.gap, before.gap, rtol=0, atol=1e-9)
    assert np.allclose(after.point, before.point @ turn.T + shift, rtol=0, atol=1e-7)
    assert np.allclose(after.normal, before.normal @ turn.T, rtol=0, atol=1e-7)


@given(seeds, st.sampled_from(["box-box", "hull-hull 8", "hull-hull 20-60", "hull-hull of boxes"]))
def test_swapping_the_shapes_flips_the_normal(seed, name):
    space, rng = space_of(*PAIRS[name], *PAIRS[name][::-1]), np.random.default_rng(seed)
    for one, other in ((0, 3), (1, 2)):
        pose = random_pose(rng)
        place(space, one, *pose)
        place(space, other, *pose)
    one, other = contacts(space, 0, 1, 0.05), contacts(space, 2, 3, 0.05)
    assert len(one.gap) == len(other.gap)
    assert np.allclose(np.sort(one.gap), np.sort(other.gap), rtol=0, atol=1e-9)
    assert np.allclose(one.normal, -other.normal, rtol=0, atol=1e-7)
    for point in one.point:
        assert np.linalg.norm(other.point - point, axis=1).min() < 1e-6


def ground_of(name):
    """A ground whose top is at z = 0, and where its frame lies."""
    return {
        "plane": (Plane(), 0.0),
        "box": (Box((4.0, 4.0, 0.4)), -0.2),
        "hull": (Hull(CORNERS * (4.0, 4.0, 0.4)), -0.2),
    }[name]


def resting(ground, body):
    shape, height = ground_of(ground)
    space = space_of(shape, body)
    place(space, 0, (0.0, 0.0, height))
    return space


BODIES = {"box": Box((0.2, 0.3, 0.1)), "plate": Box((0.2, 0.3, 1e-3)), "hull": Hull(CORNERS * (0.2, 0.3, 0.1))}
GROUNDS = [("plane", "box"), ("plane", "hull"), ("box", "box"), ("box", "hull"), ("hull", "hull")]


@pytest.mark.parametrize(("ground", "body"), [*GROUNDS, ("plane", "plate"), ("box", "plate")])
@pytest.mark.parametrize("gap", [-1e-4, -1e-12, 0.0, 1e-12, 1e-4])
def test_a_resting_box_touches_with_its_four_corners(ground, body, gap):
    space = resting(ground, BODIES[body])
    half = 5e-4 if body == "plate" else 0.05
    for yaw in np.linspace(0.0, 2 * np.pi, 401):
        place(space, 1, (0.1, 0.2, half + gap), rotation_from_rpy((0.0, 0.0, yaw)))
        found = contacts(space, 0, 1)
        assert len(found.gap) == 4
        assert np.allclose(found.gap, gap, rtol=0, atol=1e-12)
        assert np.allclose(found.normal, (0.0, 0.0, 1.0), rtol=0, atol=1e-9)
        corners = solid(space, 1)[0]
        corners = corners[corners[:, 2] < half]
        apart = np.linalg.norm(found.point[:, None, :2] - corners[None, :, :2], axis=2)
        assert apart.min(axis=0).max() < 1e-9


def test_a_tilted_box_has_a_depth_at_each_corner():
    for ground in ("plane", "box"):
        space = resting(ground, BODIES["box"])
        place(space, 1, (0.0, 0.0, 0.05), rotation_from_rpy((4e-3, -5e-3, 0.3)))
        found = contacts(space, 0, 1, 0.01)
        corners = solid(space, 1)[0]
        assert np.allclose(np.sort(found.gap), np.sort(corners[:, 2])[:4], rtol=0, atol=1e-12)


@pytest.mark.parametrize("yaw", np.linspace(0.0, 1.5, 11))
def test_an_overhanging_box_touches_with_the_clipped_polygon(yaw):
    """Against the polygon by half-plane: corners that are on the ground, and crossings of its edge x = 2."""
    space = resting("box", BODIES["box"])
    place(space, 1, (1.97, 0.3, 0.05 - 1e-5), rotation_from_rpy((0.0, 0.0, yaw)))
    found = contacts(space, 0, 1)
    ring = solid(space, 1)[0]
    ring = ring[ring[:, 2] < 0.05][:, :2]
    ring = ring[ConvexHull(ring).vertices]
    expected = [p for p in ring if p[0] <= 2.0]
    for p, q in zip(ring, np.roll(ring, -1, axis=0), strict=True):
        if (p[0] - 2.0) * (q[0] - 2.0) < 0.0:
            expected.append(p + (q - p) * (2.0 - p[0]) / (q[0] - p[0]))
    assert len(found.point) == len(expected)
    for p in expected:
        assert np.linalg.norm(found.point[:, :2] - p, axis=1).min() < 1e-6
    assert np.allclose(found.gap, -1e-5, rtol=0, atol=1e-9)


def test_two_corners_that_overlap_share_a_rectangle():
    space = resting("box", BODIES["box"])
    place(space, 1, (2.05, 2.05, 0.05 - 1e-5))
    found = contacts(space, 0, 1)
    assert np.allclose(sorted(map(tuple, found.point[:, :2])), [(1.95, 1.9), (1.95, 2.0), (2.0, 1.9), (2.0, 2.0)])


def test_crossed_edges_touch_at_one_point():
    space = space_of(Box((1.0, 1.0, 1.0)), Box((1.0, 1.0, 1.0)))
    place(space, 0, (0.0, 0.0, 0.0), rotation_from_rpy((0.0, np.pi / 4, 0.0)))
    place(space, 1, (0.1, 0.2, np.sqrt(2) - 1e-3), rotation_from_rpy((np.pi / 4, 0.0, 0.0)))
    found = contacts(space, 0, 1)
    assert np.allclose(found.point, [(0.0, 0.2, np.sqrt(0.5) - 5e-4)])
    assert np.allclose(found.normal, [(0.0, 0.0, 1.0)])
    assert np.allclose(found.gap, [-1e-3])


def test_edges_side_by_side_touch_at_both_ends_of_what_they_share():
    """Diagonally above each other, apart: the shortest way is at 45 degrees."""
    space = space_of(Box((1.0, 1.0, 1.0)), Box((1.0, 1.0, 1.0)))
    place(space, 1, (1.0 + 3e-3, 0.25, 1.0 + 3e-3))
    found = contacts(space, 0, 1, 0.01)
    assert np.allclose(found.gap, np.sqrt(2) * 3e-3)
    assert np.allclose(found.normal, (np.sqrt(0.5), 0.0, np.sqrt(0.5)))
    assert np.allclose(np.sort(found.point[:, 1]), [-0.25, 0.5])


@pytest.mark.parametrize("ground", ["plane", "box"])
def test_a_face_of_many_corners_is_spanned_by_few(ground):
    space = resting(ground, prism(64))
    place(space, 1, (0.0, 0.0, 0.05 - 1e-5))
    found = contacts(space, 0, 1)
    assert 6 <= len(found.gap) <= 8
    assert ConvexHull(found.point[:, :2]).volume > 0.8 * np.pi * 0.1**2


@pytest.mark.parametrize("ground", ["plane", "box"])
def test_the_deepest_point_of_many_is_reported(ground):
    space = resting(ground, prism(64))
    for yaw in np.linspace(0.0, 6.0, 100):
        place(space, 1, (0.0, 0.0, 0.05), rotation_from_rpy((0.02, 0.01, yaw)))
        assert contacts(space, 0, 1).gap.min() - solid(space, 1)[0][:, 2].min() < 2e-7


def lost(space, poses, margin):
    """How many features vanish from one pose to the next."""
    count, before = 0, None
    for position, rpy in poses:
        place(space, 1, position, rotation_from_rpy(rpy))
        now = set(contacts(space, 0, 1, margin).feature)
        if before is not None:
            count += len(before - now)
        before = now
    return count


@pytest.mark.parametrize(("ground", "body"), GROUNDS)
@pytest.mark.parametrize("motion", ["slide", "spin", "rock"])
def test_no_identity_is_lost_without_cause(ground, body, motion):
    """All corners stay above the ground and within the margin throughout, so each loss would be without cause."""
    space, rng = resting(ground, BODIES[body]), np.random.default_rng(0)
    times, noise = np.linspace(0.0, 5.0, 4000), 1e-6 * rng.normal(size=(4000, 4))
    z = 0.05 - 1e-5
    poses = {
        "slide": [
            ((np.sin(t), 0.5 * np.cos(t), z + e[0]), (e[1], e[2], 0.1 + e[3]))
            for t, e in zip(times, noise, strict=True)
        ],
        "spin": [((e[3], e[1], z + e[0]), (e[1], e[2], 3 * t)) for t, e in zip(times, noise, strict=True)],
        "rock": [((0, 0, z), (4e-3 * np.sin(7 * t), 3e-3 * np.cos(9 * t), 0.3)) for t in times],
    }[motion]
    assert lost(space, poses, 4e-3) == 0


@pytest.mark.parametrize("where", [(1.9, 0.0), (2.0, 0.0), (1.9, 1.85)])
def test_no_identity_is_lost_on_the_edge(where):
    """A box at rest over an edge, flush with it, or flush with a corner, trembling."""
    space, rng = resting("box", BODIES["box"]), np.random.default_rng(0)
    noise = rng.normal(size=(3000, 6)) * 1e-7
    poses = [((where[0] + e[0], where[1] + e[1], 0.05 - 1e-5 + e[2]), e[3:]) for e in noise]
    assert lost(space, poses, 2e-3) == 0


def test_no_identity_is_lost_between_equal_boxes():
    """Every corner of one is at a corner of the other, and their roles change at random."""
    space, rng = space_of(BODIES["box"], BODIES["box"]), np.random.default_rng(0)
    noise = rng.normal(size=(3000, 6)) * 1e-7
    poses = [((e[0], e[1], 0.1 - 1e-5 + e[2]), e[3:]) for e in noise]
    assert lost(space, poses, 2e-3) == 0
    assert len(contacts(space, 0, 1).gap) == 4


def test_a_spinning_disc_keeps_its_points():
    for ground in ("plane", "box"):
        space, rng = resting(ground, prism(64)), np.random.default_rng(0)
        noise = rng.normal(size=(3000, 3)) * 1e-7
        poses = [((0, 0, 0.05 - 1e-5 + e[2]), (e[0], e[1], 1e-3 * k)) for k, e in enumerate(noise)]
        assert lost(space, poses, 2e-3) == 0


EVERY = [(Plane(), PAIRS["box-box"][0]), (Plane(), round_hull(100)), *PAIRS.values()]


@pytest.mark.parametrize("pair", EVERY)
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_nonsense_poses_end(pair, value):
    space = space_of(*pair)
    for array in (space.position, space.rotation):
        for shape in (0, 1):
            kept = array[shape].copy()
            array[shape, 0] = value
            collide(space.address, 0, 1, 1e-3)
            array[shape] = kept
    if np.isnan(value):
        space.position[:] = value
        collide(space.address, 0, 1, 1e-3)
        assert space.count[0] == 0


@pytest.mark.parametrize("name", PAIRS)
def test_one_inside_the_other_at_the_same_place(name):
    space = space_of(*PAIRS[name])
    found = contacts(space, 0, 1)
    assert np.isfinite(found.point).all()
    assert abs(found.gap.min() - best_axis(space, 0, 1)[0]) < 1e-9


@pytest.mark.parametrize("shape", [Box((0.2, 0.3, 0.1)), round_hull(30), prism(16)])
def test_equal_shapes_at_the_same_place(shape):
    space = space_of(shape, shape)
    found = contacts(space, 0, 1)
    assert abs(found.gap.min() - best_axis(space, 0, 1)[0]) < 1e-9


@pytest.mark.parametrize("step", [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (1.0, 0.3, 0.0)])
def test_cubes_that_touch_without_overlap(step):
    """Along a face, an edge, a corner: the gap is zero."""
    for cube in (Box((1.0, 1.0, 1.0)), Hull(CORNERS)):
        space = space_of(cube, cube)
        place(space, 1, step)
        found = contacts(space, 0, 1)
        assert np.allclose(found.gap, 0.0, rtol=0, atol=1e-9)
        assert 1 <= len(found.gap) <= 4


def test_a_large_floor_and_a_small_box():
    """Tolerances are parts of the smaller one."""
    space = space_of(Box((200.0, 200.0, 2.0)), Box((0.01, 0.01, 0.01)))
    place(space, 1, (99.998, 7.0, 1.005 - 1e-6), rotation_from_rpy((0.0, 0.0, 0.7)))
    found = contacts(space, 0, 1)
    assert len(found.gap) == 5
    assert np.allclose(found.gap, -1e-6, rtol=0, atol=1e-9)
    assert np.allclose(np.sort(found.point[:, 0])[-2:], 100.0, rtol=0, atol=1e-8)


def test_beyond_the_margin_there_is_nothing():
    for pair in EVERY:
        space = space_of(*pair)
        place(space, 1, (0.6, 0.7, 0.8))
        assert len(contacts(space, 0, 1).gap) == 0
