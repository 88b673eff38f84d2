"""The overlap of two convex polyhedra where faces, edges or vertices coincide, graze, or one is inside the other."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from overlaps import CUBE, Two, area, centre_of, corners_of, halfspaces, radius, seeds
from polyhedra import PAIRS, prism, random_pose, round_hull, solid
from sesshoku.errors import ModelError
from sesshoku.model import Box, Hull

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


@pytest.mark.slow
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


@pytest.mark.slow
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
