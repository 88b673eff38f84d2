"""The overlap of two convex polyhedra: against Qhull, closed forms and symmetries, and where faces coincide."""

from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection
from scipy.spatial.transform import Rotation

from polyhedra import PAIRS, place, prism, random_pose, round_hull, solid, space_of
from sesshoku.errors import ModelError
from sesshoku.geometry.overlap import overlap
from sesshoku.geometry.overlap.clip import clip
from sesshoku.geometry.overlap.overlap import overlap_here
from sesshoku.geometry.overlap.workspace import SECTION, Workspace
from sesshoku.geometry.overlap.workspace import at as work_at
from sesshoku.geometry.space import at as space_at
from sesshoku.kernel import kernel
from sesshoku.model import Box, Collider, Hull, Plane, Sphere
from sesshoku.spatial.pose import Pose

CUBE = Box((1.0, 1.0, 1.0))
RANDOM = ("box-box", "box-hull", "hull-hull 8", "hull-hull 20-60")
seeds = st.integers(0, 2**32 - 1)


class Found(NamedTuple):
    volume: float
    centroid: np.ndarray
    normal: np.ndarray
    section: np.ndarray  # (k, 2) along e1, e2
    axes: np.ndarray  # rows e1, e2, normal
    moments: tuple


class Two:
    """Shapes A and B at poses of one's own."""

    def __init__(self, first, second):
        self.space = space_of(first, second)
        self.work = Workspace(self.space)

    def at(self, *poses):
        for k, pose in enumerate(poses):
            place(self.space, k, *pose)
        return self

    def find(self, a=0, b=1):
        v = overlap_here(self.space.address, self.work.address, a, b)
        corners = self.work.section[: self.work.count[SECTION]].copy()
        axes = np.array([v.e1, v.e2, v.normal])
        found = Found(v.volume, np.array(v.centroid), axes[2], corners, axes, tuple(v.moments))
        assert all(np.isfinite(part).all() for part in found)
        return found


def halfspaces(two):
    """n · x <= d of the faces of A, then of B, and how many are of A."""
    faces = [np.column_stack(solid(two.space, k)[1:3]) for k in (0, 1)]
    return np.concatenate(faces), len(faces[0])


def radius(planes):
    """Of the largest ball inside half-spaces; negative if they have nothing in common."""
    lp = linprog(
        [0, 0, 0, -1], np.column_stack([planes[:, :3], np.ones(len(planes))]), planes[:, 3], bounds=(None, None)
    )
    return lp.x[3]


def corners_of(planes, inside):
    """Vertices of what half-spaces have in common, by Qhull, given a point inside."""
    return HalfspaceIntersection(np.column_stack([planes[:, :3], -planes[:, 3]]), inside).intersections


def triangles_of(corners):
    """The surface of the hull of points: triangles (t, 3, 3), and their areas times outward normals (t, 3)."""
    hull = ConvexHull(corners)
    triangles = corners[hull.simplices]
    areas = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) / 2
    turned = (areas * hull.equations[:, :3]).sum(axis=1) < 0
    areas[turned] *= -1
    return triangles, areas


def area(polygon):
    x, y = polygon.T
    return (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2


def cut_through(corners, point, axes):
    """Area of the section of a convex body: all lines between its vertices that cross the plane, and their hull."""
    local = (corners - point) @ axes.T
    below, above = local[local[:, 2] < 0], local[local[:, 2] >= 0]
    part = below[:, None, 2:] / (below[:, None, 2:] - above[None, :, 2:])
    crossings = below[:, None] + part * (above[None] - below[:, None])
    return ConvexHull(crossings[..., :2].reshape(-1, 2)).volume


@pytest.mark.parametrize("pair", RANDOM)
def test_random_pairs_against_qhull(pair):
    """Volume, centroid, normal and section of a thousand pairs; of those without overlap, that they have none."""
    two, rng, overlapping = Two(*PAIRS[pair]), np.random.default_rng(5), 0
    size = 0.1
    for _ in range(1000):
        two.at(random_pose(rng, 0.04), random_pose(rng, 0.04))
        planes, of_a = halfspaces(two)
        found = two.find()
        if found.volume == 0.0:
            assert radius(planes) < 1e-9 * size
            continue
        overlapping += 1
        # Qhull works in the dual, whose rounding grows with the ratio of size and thickness
        corners = corners_of(planes, found.centroid)
        triangles, areas = triangles_of(corners)
        inside = corners.mean(axis=0)
        volumes = np.einsum("tx,tx->t", triangles[:, 0] - inside, areas) / 3
        assert found.volume == pytest.approx(volumes.sum(), rel=1e-8)
        centroid = inside + volumes @ (triangles - inside).sum(axis=1) / (4 * volumes.sum())
        assert found.centroid == pytest.approx(centroid, abs=1e-8 * size)
        middles = triangles.mean(axis=1)
        heights = np.abs(middles @ planes[:, :3].T - planes[:, 3])
        sign = np.where(heights[:, :of_a].min(axis=1) < heights[:, of_a:].min(axis=1), 1.0, -1.0)
        weighted = sign @ areas
        if np.linalg.norm(weighted) < 1e-6 * np.linalg.norm(areas, axis=1).sum():
            continue  # one inside the other
        assert found.normal == pytest.approx(weighted / np.linalg.norm(weighted), abs=1e-6)
        assert area(found.section) == pytest.approx(cut_through(corners, found.centroid, found.axes), rel=1e-7)
    assert overlapping > 500


@kernel
def clip_here(space, work, a, b):
    clip(space_at(space), work_at(work), a, b, 1.0)


@pytest.mark.parametrize("pair", RANDOM)
def test_faces_know_their_body(pair):
    """The overlap is a closed polyhedron, each face of which lies in a face of the body that its sign names."""
    two, rng, signs = Two(*PAIRS[pair]), np.random.default_rng(6), set()
    for _ in range(100):
        two.at(random_pose(rng, 0.04), random_pose(rng, 0.04))
        clip_here(two.space.address, two.work.address, 0, 1)
        work, (vertices, faces, side) = two.work, two.work.count[:3]
        if faces == 0:
            continue
        rings = np.split(work.loop[side], work.start[side, : faces + 1])[1:-1]
        edges = [edge for ring in rings for edge in zip(ring, np.roll(ring, -1), strict=True)]
        assert set(edges) == {(b, a) for a, b in edges}
        assert len({vertex for vertex, _ in edges}) == vertices
        assert vertices - len(edges) // 2 + faces == 2
        for sign, ring in zip(work.sign[side], rings, strict=False):
            _, normals, offsets, _ = solid(two.space, 0 if sign > 0 else 1)
            heights = (work.point[ring] + two.space.position[1]) @ normals.T - offsets
            assert np.abs(heights).max(axis=0).min() < 1e-14
            signs.add(sign)
    assert signs == {1.0, -1.0}


def subdivided(triangles, times):
    for _ in range(times):
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        d, e, f = (a + b) / 2, (b + c) / 2, (c + a) / 2
        quarters = ((a, d, f), (d, b, e), (f, e, c), (d, e, f))
        triangles = np.concatenate([np.stack(q, axis=1) for q in quarters])
    return triangles


@pytest.mark.parametrize("pair", RANDOM)
def test_moments_against_quadrature(pair):
    """Edge midpoints of many small triangles: exact but where the depth has its kink."""
    two, rng, compared = Two(*PAIRS[pair]), np.random.default_rng(8), 0
    while compared < 3:
        two.at(random_pose(rng, 0.05), random_pose(rng, 0.05))
        found = two.find()
        if not found.normal.any():
            continue
        compared += 1
        triangles, _ = triangles_of(corners_of(halfspaces(two)[0], found.centroid))
        small = subdivided((triangles - found.centroid) @ found.axes.T, 7)
        sides = small[:, 1:, :2] - small[:, :1, :2]
        weight = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])[:, None] / 6
        x, y, z = np.moveaxis((small + np.roll(small, 1, axis=1)) / 2, 2, 0)
        h = np.abs(z)
        expected = [(weight * f).sum() for f in (1 + 0 * x, x, y, x * x, x * y, y * y, h, h * x, h * y)]
        s = np.sqrt(expected[0])
        scale = np.array([1, s, s, s * s, s * s, s * s, 1, s, s]) * np.repeat([expected[0], expected[6]], (6, 3))
        assert np.abs(np.array(found.moments) - expected) / scale == pytest.approx(0, abs=1e-6)


def test_slab():
    """A box of 0.2 × 0.1 m, d deep in the ground: area 2 S, depth d / 2 everywhere, the section is its outline."""
    d = 1e-4
    two = Two(Plane(), Box((0.2, 0.1, 0.3))).at(((5.0, 5.0, 1.0),), ((0.5, 0.2, 1.15 - d),))
    found = two.find()
    s, xx, yy = 0.02, 0.02 * 0.2**2 / 12, 0.02 * 0.1**2 / 12
    assert found.volume == pytest.approx(s * d, rel=1e-10)
    assert found.centroid == pytest.approx([0.5, 0.2, 1 - d / 2], abs=1e-14)
    assert found.normal == pytest.approx([0, 0, 1], abs=1e-15)
    moments = (2 * s, 0, 0, 2 * xx, 0, 2 * yy, s * d, 0, 0)
    assert found.moments == pytest.approx(moments, rel=1e-10, abs=1e-15)
    assert sorted(map(tuple, found.section.round(12))) == [(-0.1, -0.05), (-0.1, 0.05), (0.1, -0.05), (0.1, 0.05)]
    assert area(found.section) == pytest.approx(s, rel=1e-12)
    assert two.find(1, 0).normal == pytest.approx([0, 0, -1], abs=1e-15)


@pytest.mark.parametrize("depth", [1e-9, 1e-6, 1e-3, 0.1])
def test_edge_and_corner_in_a_plane(depth):
    """A cube that stands on its edge or its corner: a prism and a pyramid, whose centroids are known."""
    two = Two(Plane(), CUBE)
    edge = two.at((), ((0, 0, np.sqrt(0.5) - depth), Rotation.from_rotvec((np.pi / 4, 0, 0)).as_matrix())).find()
    assert edge.volume == pytest.approx(depth**2, rel=1e-6 if depth < 1e-8 else 1e-8)
    assert edge.centroid == pytest.approx([0, 0, -depth / 3], abs=1e-7 * depth + 1e-15)
    assert area(edge.section) == pytest.approx(4 / 3 * depth, rel=1e-6)
    turn, _ = Rotation.align_vectors([(0, 0, 1)], [(1, 1, 1)])
    corner = two.at((), ((0, 0, np.sqrt(0.75) - depth), turn.as_matrix())).find()
    assert corner.volume == pytest.approx(np.sqrt(3) / 2 * depth**3, rel=1e-5 if depth < 1e-8 else 1e-8)
    assert corner.centroid == pytest.approx([0, 0, -depth / 4], abs=1e-5 * depth)
    assert area(corner.section) == pytest.approx(3 * np.sqrt(3) / 2 * (0.75 * depth) ** 2, rel=1e-5)
    assert len(edge.section) == 4
    assert len(corner.section) == 3
    for found in (edge, corner):
        assert found.normal == pytest.approx([0, 0, 1], abs=1e-6)


# edges on a coarse grid: faces, edges and vertices coincide in most of the examples
spans = st.lists(st.tuples(st.integers(-4, 4), st.integers(1, 4)), min_size=3, max_size=3)


@settings(deadline=None, max_examples=300)
@given(spans, spans, st.booleans(), seeds)
def test_aligned_boxes(first, second, turned, seed):
    """Closed form, whether rounding of a common rotation is there to spoil the coincidences or not."""
    low = np.array([first, second], dtype=float)[..., 0] / 10
    high = low + np.array([first, second], dtype=float)[..., 1] / 10
    rotation, origin = np.eye(3), np.zeros(3)
    if turned:
        origin, rotation = random_pose(np.random.default_rng(seed), 1.0)
    poses = [(origin + rotation @ (low[k] + high[k]) / 2, rotation) for k in (0, 1)]
    found = Two(*(Box(tuple(high[k] - low[k])) for k in (0, 1))).at(*poses).find()
    lower, upper = low.max(axis=0), high.min(axis=0)
    extent = upper - lower
    if extent.min() < 1e-9:
        assert found.volume <= 1e-13
        return
    assert found.volume == pytest.approx(extent.prod(), rel=1e-12)
    assert found.centroid == pytest.approx(origin + rotation @ (lower + upper) / 2, abs=1e-13)
    # a face counts to the body that ends there, to none if both do
    faces = np.roll(extent, 1) * np.roll(extent, 2)
    ends = np.sign(np.subtract(*high)).round(9), np.sign(np.subtract(*low)).round(9)
    close = [np.isclose(*high), np.isclose(*low)]
    weighted = rotation @ (faces * (np.where(close[0], 0, -ends[0]) - np.where(close[1], 0, ends[1])))
    length = np.linalg.norm(weighted)
    assert found.normal == pytest.approx(weighted / length if length > 0 else weighted, abs=1e-12)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(RANDOM), seeds)
def test_frames_and_order_do_not_matter(pair, seed):
    rng = np.random.default_rng(seed)
    two, poses, (shift, turn) = Two(*PAIRS[pair]), [random_pose(rng, 0.05) for _ in "ab"], random_pose(rng, 1.0)
    found = two.at(*poses).find()
    swapped = two.find(1, 0)
    assert swapped.normal == pytest.approx(-found.normal, abs=1e-7)
    moved = two.at(*((shift + turn @ x, turn @ r) for x, r in poses)).find()
    assert moved.normal == pytest.approx(turn @ found.normal, abs=1e-7)
    for other, back in ((swapped, lambda x: x), (moved, lambda x: (x - shift) @ turn)):
        assert other.volume == pytest.approx(found.volume, rel=1e-9, abs=1e-16)
        if found.volume > 1e-12:
            assert back(other.centroid) == pytest.approx(found.centroid, abs=1e-9)
            assert len(other.section) == len(found.section)
            assert area(other.section) == pytest.approx(area(found.section), rel=1e-7)


@settings(deadline=None, max_examples=300)
@given(seeds, st.floats(0.1, 0.9))
def test_parts_add_up_and_more_is_more(seed, part):
    """A box sawn in two overlaps as the whole one does, in volume and first moment; a part never more than it."""
    rng = np.random.default_rng(seed)
    size, hull, origin, turn = np.array((0.2, 0.3, 0.1)), round_hull(20, seed=seed % 5), *random_pose(rng, 0.05)
    whole = Two(Box(tuple(size)), hull).at((origin, turn)).find()
    volume, moment = 0.0, np.zeros(3)
    for share, side in ((part, -1), (1 - part, 1)):
        middle = origin + turn @ (side * size * (1 - share, 0, 0) / 2)
        piece = Two(Box(tuple(size * (share, 1, 1))), hull).at((middle, turn)).find()
        assert piece.volume <= whole.volume * (1 + 1e-12)
        volume, moment = volume + piece.volume, moment + piece.volume * piece.centroid
    assert volume == pytest.approx(whole.volume, rel=1e-11, abs=1e-18)
    assert moment == pytest.approx(whole.volume * whole.centroid, abs=1e-12 * 0.1**4)


def test_hulls_of_lattice_points():
    """Most faces, edges or vertices coincide; a common rotation, and the order, leave that to rounding."""
    rng, overlapping = np.random.default_rng(4), 0
    while overlapping < 500:
        try:
            two = Two(*(Hull(rng.integers(-2, 3, size=(rng.integers(5, 30), 3)) * 0.1) for _ in "ab"))
        except ModelError:
            continue  # all in one plane
        for offset in rng.integers(-4, 5, size=(6, 3)) * 0.05:
            planes, _ = halfspaces(two.at((), (offset,)))
            plain, (origin, turn) = two.find(), random_pose(rng, 0.5)
            turned = two.at((origin, turn), (origin + turn @ offset, turn)).find()
            swapped = two.find(1, 0)
            if radius(planes) < 1e-9:
                assert max(plain.volume, turned.volume, swapped.volume) < 1e-14
                continue
            overlapping += 1
            volume = ConvexHull(corners_of(planes, plain.centroid)).volume
            assert [plain.volume, turned.volume, swapped.volume] == pytest.approx(3 * [volume], rel=1e-11)
            assert turned.centroid == pytest.approx(origin + turn @ plain.centroid, abs=1e-12)
            assert swapped.centroid == pytest.approx(turned.centroid, abs=1e-12)
            assert turned.normal == pytest.approx(turn @ plain.normal, abs=1e-12)
            assert swapped.normal == pytest.approx(-turned.normal, abs=1e-12)
            assert len(plain.section) == len(turned.section) == len(swapped.section)
            assert area(turned.section) == pytest.approx(area(plain.section), rel=1e-9)


@pytest.mark.parametrize("offset", [(1, 0, 0), (0.4, 1, 0), (1, 1, 0.2), (0, 1, 1), (1, 1, 1), (1, -1, 1)])
def test_touching_cubes_have_no_volume(offset):
    """In a face, an edge or a vertex, turned so that rounding decides."""
    two, rng = Two(CUBE, CUBE), np.random.default_rng(0)
    assert two.at((), (offset,)).find().volume == 0.0
    for _ in range(200):
        origin, turn = random_pose(rng, 1.0)
        assert two.at((origin, turn), (origin + turn @ offset, turn)).find().volume < 1e-14


@pytest.mark.parametrize("shape", [CUBE, prism(12, 0.5, 1.0), round_hull(100, 0.5)], ids=["cube", "prism", "hull"])
@pytest.mark.parametrize("nudge", [0.0, 1e-17, 1e-16, 1e-15, 1e-13, 1e-10, 1e-7])
def test_one_shape_twice(shape, nudge):
    """All faces coincide, or nearly: the volume is the shape's, less at most what the nudge takes."""
    two, rng = Two(shape, shape), np.random.default_rng(1)
    vertices = solid(two.space, 0)[0]
    hull = ConvexHull(vertices)
    for _ in range(30):
        origin, turn = random_pose(rng, 0.1)
        step = Rotation.from_rotvec(nudge * rng.normal(size=3)).as_matrix()
        found = two.at((origin, turn), (origin + nudge * rng.normal(size=3), step @ turn)).find()
        assert found.volume == pytest.approx(hull.volume, abs=10 * nudge * hull.area + 1e-14)
        assert found.centroid == pytest.approx(
            two.space.position[0] + turn @ centre_of(vertices), abs=10 * nudge + 1e-13
        )


def centre_of(vertices):
    triangles, areas = triangles_of(vertices)
    inside = vertices.mean(axis=0)
    volumes = np.einsum("tx,tx->t", triangles[:, 0] - inside, areas) / 3
    return inside + volumes @ (triangles - inside).sum(axis=1) / (4 * volumes.sum())


def test_one_inside_the_other_has_no_direction():
    rng = np.random.default_rng(2)
    inner = round_hull(30)
    two = Two(Box((1, 1, 1)), inner)
    volume = ConvexHull(inner.points).volume
    for _ in range(50):
        two.at((), random_pose(rng, 0.1))
        for found in (two.find(), two.find(1, 0)):
            assert found.volume == pytest.approx(volume, rel=1e-11)
            assert not found.normal.any()
            assert not len(found.section)


@pytest.mark.parametrize("depth", [1e-9, 1e-7, 1e-4, 0.01])
def test_aligned_stack_is_pressed_straight_up(depth):
    """Sides that lie in one plane belong to both boxes, however rounding has them."""
    two, rng, box = Two(*2 * (Box((0.1, 0.1, 0.1)),)), np.random.default_rng(3), 0.1
    for _ in range(100):
        origin, turn = random_pose(rng, 0.5)
        found = two.at((origin, turn), (origin + (box - depth) * turn[:, 2], turn)).find()
        assert found.normal == pytest.approx(turn[:, 2], abs=1e-12)
        assert found.volume == pytest.approx(box**2 * depth, rel=1e-6)
        assert len(found.section) == 4
        assert area(found.section) == pytest.approx(box**2, rel=1e-6)


@settings(deadline=None, max_examples=300)
@given(seeds, st.integers(-16, -1))
def test_grazing_hulls(seed, power):
    """Pressed into each other, from where they touch, by a depth from rounding to a tenth of the size."""
    rng, two = np.random.default_rng(seed), Two(*PAIRS["hull-hull 20-60"])
    two.at(random_pose(rng), random_pose(rng))
    (vertices_a, normals_a, *_), (vertices_b, *_) = solid(two.space, 0), solid(two.space, 1)
    f = rng.integers(len(normals_a))
    # the lowest vertex of B above a point of a face of A
    foot = vertices_a[np.argsort(-vertices_a @ normals_a[f])[:3]].mean(axis=0)
    vertex = vertices_b[np.argmin(vertices_b @ normals_a[f])]
    depth = 0.1 * 10.0**power
    two.space.position[1] += foot - depth * normals_a[f] - vertex
    found = two.find()
    assert found.volume < 10 * 0.1**2 * depth
    if depth > 1e-9:
        assert found.volume > 0.0
        planes, _ = halfspaces(two)
        assert (planes[:, :3] @ found.centroid < planes[:, 3]).all()
        edges = np.roll(found.section, -1, axis=0) - found.section
        (x, y), (u, v) = edges.T, np.roll(edges, -1, axis=0).T
        assert (x * v - y * u > 0).all(), "convex and anticlockwise"


def test_from_python():
    """Two shapes with poses; the section lies in its plane, in the world."""
    pose = Pose.at((0.2, 0.3, 1.39), rpy=(0, 0, 0.5))
    found = overlap(Collider(Box((4, 4, 2))), Collider(prism(6, 0.2, 0.8), pose))
    outline = 1.5 * np.sqrt(3) * 0.2**2
    assert found.volume == pytest.approx(0.01 * outline, rel=1e-12)
    assert found.centroid == pytest.approx([0.2, 0.3, 0.995], abs=1e-14)
    assert found.normal == pytest.approx([0, 0, 1], abs=1e-14)
    assert found.section.shape == (6, 3)
    assert found.section[:, 2] == pytest.approx(0.995, abs=1e-14)
    assert area(found.section[:, :2]) == pytest.approx(outline, rel=1e-12)
    apart = overlap(Collider(CUBE), Collider(CUBE, Pose.at((3, 0, 0))))
    assert (apart.volume, len(apart.section)) == (0.0, 0)
    with pytest.raises(ModelError, match="Sphere"):
        overlap(Collider(Sphere(1.0)), Collider(CUBE))
    with pytest.raises(ModelError, match="two planes"):
        overlap(Collider(Plane()), Collider(Plane()))
    corner = overlap(Collider(Hull(np.eye(4)[:, :3])), Collider(CUBE))
    assert corner.volume == pytest.approx(1 / 6 - 3 / 48, rel=1e-12)  # less the three ends beyond the cube
