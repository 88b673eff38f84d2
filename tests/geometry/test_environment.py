"""Shapes on terrain and height fields, against planes, closed forms and brute force over all triangles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import sesshoku as sk
from sesshoku.errors import ModelError
from sesshoku.geometry.routine import call_routine
from sesshoku.geometry.space import Space, at
from sesshoku.geometry.surface import terrain_surface
from sesshoku.kernel import kernel
from sesshoku.model import Box, Capsule, Cylinder, Ellipsoid, HeightField, Hull, Sphere, Terrain

pytestmark = pytest.mark.slow

DIRECTIONS = np.random.default_rng(3).normal(size=(14, 3))
HULL = Hull(DIRECTIONS / np.linalg.norm(DIRECTIONS, axis=1)[:, None] * [0.1, 0.15, 0.08])  # each point is a corner
SHAPES = [
    Sphere(0.1), Capsule(0.05, 0.3), Ellipsoid((0.1, 0.2, 0.15)), Cylinder(0.1, 0.3), Box((0.2, 0.3, 0.4)), HULL,
]  # fmt: skip
SHAPE_NAMES = [type(shape).__name__ for shape in SHAPES]
shapes = pytest.mark.parametrize("shape", SHAPES, ids=SHAPE_NAMES)


@kernel
def collide(address, margin, times):
    g = at(address)
    for _ in range(times):
        g.count[0] = 0
        call_routine(g.routine[g.kind[1], g.kind[0]], (g, 1, 0, margin))


class Pair:
    """A shape on a surface; contacts are those of the last call."""

    def __init__(self, shape, surface):
        scene = sk.Scene()
        scene.body("ground", shape=surface)
        scene.body("thing", sk.Joint("free", "free"), mass=1.0, shape=shape)
        self.space = Space(scene.model)
        self.place((0, 0, 0))

    def place(self, position, rotation=None):
        self.space.position[0] = position
        self.space.rotation[0] = (np.eye(3) if rotation is None else rotation).ravel()

    def __call__(self, position, rotation=None, margin=2e-3):
        self.space.position[1] = position
        self.space.rotation[1] = (np.eye(3) if rotation is None else rotation).ravel()
        collide(self.space.address, margin, 1)
        n = self.space.count[0]
        self.point, self.normal = self.space.point[:n].copy(), self.space.normal[:n].copy()
        self.gap, self.feature = self.space.gap[:n].copy(), self.space.feature[:n].copy()
        assert len(set(self.feature)) == n
        assert (self.feature >= 0).all()
        assert (self.feature < 2**31).all()
        assert (self.gap < margin).all()
        np.testing.assert_allclose(np.linalg.norm(self.normal, axis=1), 1, atol=1e-12)
        return self

    @property
    def on_shape(self):
        return self.point - self.normal * self.gap[:, None] / 2

    @property
    def on_surface(self):
        return self.point + self.normal * self.gap[:, None] / 2


def grid(heights, size):
    """The triangles of a height field, as the documentation states them."""
    columns, rows = heights.shape
    x, y = np.meshgrid(
        np.linspace(-size[0] / 2, size[0] / 2, columns), np.linspace(-size[1] / 2, size[1] / 2, rows), indexing="ij"
    )
    number = np.arange(columns * rows).reshape(columns, rows)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    triangles = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], 2).reshape(-1, 3)
    return Terrain(np.column_stack([x.ravel(), y.ravel(), heights.ravel()]), triangles)


def roof(slope, length=2.0):
    """Two rectangles that meet in the y axis and fall (rise, if negative) from it by this angle, four triangles."""
    x, z = np.cos(slope) * length, -np.sin(slope) * length
    v = [(-x, -length, z), (-x, length, z), (0, -length, 0), (0, length, 0), (x, -length, z), (x, length, z)]
    return Terrain(np.array(v), np.array([(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3)]))


def turned(rng):
    return Rotation.random(random_state=int(rng.integers(2**31))).as_matrix()


def lowest(shape, rotation):
    """How far the shape reaches below its frame."""
    down = rotation.T @ (0, 0, -1)
    if isinstance(shape, Sphere):
        return shape.radius
    if isinstance(shape, Capsule):
        return shape.radius + shape.length / 2 * abs(down[2])
    if isinstance(shape, Ellipsoid):
        return np.linalg.norm(down * shape.radii)
    if isinstance(shape, Cylinder):
        return shape.radius * np.hypot(*down[:2]) + shape.length / 2 * abs(down[2])
    if isinstance(shape, Box):
        return np.abs(down) @ shape.size / 2
    return (shape.points @ down).max()


def corners_of(shape):
    if isinstance(shape, Hull):
        return shape.points
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
    return signs * np.array(shape.size) / 2


FLAT = grid(np.zeros((21, 17)), (4.0, 4.0))


@shapes
def test_flat_terrain_is_a_plane(shape):
    rng, pair, margin = np.random.default_rng(0), Pair(shape, FLAT), 0.02
    for _ in range(300):
        rotation, gap = turned(rng), rng.uniform(-0.05, 0.019)
        position = np.array([*rng.uniform(-1, 1, 2), lowest(shape, rotation) + gap])
        pair(position, rotation, margin)
        np.testing.assert_allclose(pair.gap.min(), gap, atol=1e-9)
        np.testing.assert_allclose(pair.normal, np.tile([0, 0, -1.0], (len(pair.gap), 1)), atol=1e-12)
        np.testing.assert_allclose(pair.on_surface[:, 2], 0, atol=1e-9)
        np.testing.assert_allclose(pair.on_shape[:, 2], pair.gap, atol=1e-9)
        deepest = pair.on_shape[pair.gap.argmin()]
        if isinstance(shape, Box | Hull):
            corners = position + corners_of(shape) @ rotation.T
            below = corners[corners[:, 2] < margin]
            if len(below) <= 8:
                order, wanted = np.lexsort(pair.on_shape.round(8).T), np.lexsort(below.round(8).T)
                np.testing.assert_allclose(pair.on_shape[order], below[wanted], atol=1e-9)
        elif isinstance(shape, Ellipsoid):
            down = rotation.T @ (0, 0, -1) * np.array(shape.radii)
            support = position + rotation @ (down / np.linalg.norm(down) * shape.radii)
            np.testing.assert_allclose(deepest, support, atol=1e-9)
        elif isinstance(shape, Sphere):
            np.testing.assert_allclose(pair.point, [[*position[:2], gap / 2]], atol=1e-9)
        elif isinstance(shape, Capsule):
            ends = position + np.outer([-1, 1], rotation[:, 2] * shape.length / 2) - [0, 0, shape.radius]
            np.testing.assert_allclose(pair.on_shape, ends[ends[:, 2] < margin], atol=1e-9)
        else:
            local = (pair.on_shape - position) @ rotation
            np.testing.assert_allclose(np.hypot(local[:, 0], local[:, 1]), shape.radius, atol=1e-9)
            np.testing.assert_allclose(np.abs(local[:, 2]), shape.length / 2, atol=1e-9)


@pytest.mark.parametrize("surface", [FLAT, HeightField(np.zeros((21, 17)), (4.0, 4.0))], ids=["terrain", "heights"])
def test_box_on_seams_rests_on_its_four_corners(surface):
    """At every yaw, on a corner of six triangles, in a seam, on a diagonal, touching, above and below."""
    pair = Pair(Box((0.5, 0.3, 0.2)), surface)
    for yaw in np.linspace(0, 2 * np.pi, 121):
        rotation = Rotation.from_euler("z", yaw).as_matrix()
        for place in ((0, 0), (0.1, 0), (0, 0.125), (0.1, 0.125), (0.037, 0.211)):
            for gap in (-1e-3, -1e-9, 0.0, 1e-9, 1e-3):
                pair((*place, 0.1 + gap), rotation)
                wanted = [*place, 0] + corners_of(Box((0.5, 0.3, 0))) @ rotation.T
                assert len(pair.gap) == 4
                assert set(pair.feature) == {0, 64, 128, 192}
                np.testing.assert_allclose(pair.gap, gap, atol=1e-12)
                assert np.allclose(pair.normal, [0, 0, -1], atol=1e-12)
                distance = np.linalg.norm(pair.on_surface[:, None] - wanted[None], axis=2)
                assert (distance.min(axis=1) < 1e-9).all()


def test_sphere_sliding_over_seams_feels_one_plane():
    """One contact, with one number and the normal of the plane, whatever the seam."""
    pair = Pair(Sphere(0.1), FLAT)
    for x in np.concatenate([np.linspace(-0.4, 0.4, 201), np.arange(-5, 6) * 0.2]):
        for y in (0.0, 0.25, 0.1, x):
            for gap in (-1e-3, -1e-10, 0.0, 1e-12, 1e-3):
                pair((x, y, 0.1 + gap))
                np.testing.assert_allclose(pair.gap, [gap], atol=1e-12)
                np.testing.assert_array_equal(pair.normal, [[0, 0, -1]])
                assert pair.feature == [0]


@shapes
def test_slope(shape):
    """A tilted plane, as a terrain of its own frame and as a tilted body, is the same plane."""
    rng = np.random.default_rng(1)
    lean = Rotation.from_euler("xy", [0.4, -0.3]).as_matrix()
    tilted = Terrain(FLAT.vertices @ lean.T, FLAT.triangles)
    one, two = Pair(shape, FLAT), Pair(shape, tilted)
    one.place((0, 0, 0), lean)
    for _ in range(50):
        rotation = turned(rng)
        position = lean @ (*rng.uniform(-1, 1, 2), lowest(shape, lean.T @ rotation) + rng.uniform(-0.02, 0.002))
        one(position, rotation), two(position, rotation)
        assert len(one.gap) > 0
        np.testing.assert_allclose(one.normal, np.tile(-lean[:, 2], (len(one.gap), 1)), atol=1e-12)
        assert set(one.feature) == set(two.feature)
        order = np.argsort(one.feature), np.argsort(two.feature)
        np.testing.assert_allclose(one.gap[order[0]], two.gap[order[1]], atol=1e-9)
        np.testing.assert_allclose(one.point[order[0]], two.point[order[1]], atol=1e-9)


@pytest.mark.parametrize("slope", [0.2, 0.8, 1.4])
def test_ridge(slope):
    """A sphere above it, a capsule, a box and a cylinder across it."""
    ridge = roof(slope)
    ball = Pair(Sphere(0.1), ridge)
    for angle in np.linspace(-slope, slope, 41):
        for gap in (-0.02, 0.001):
            up = np.array([np.sin(angle), 0, np.cos(angle)])
            ball(up * (0.1 + gap) + [0, 0.3, 0])
            np.testing.assert_allclose(ball.gap, [gap], atol=1e-12)
            np.testing.assert_allclose(ball.normal, [-up], atol=1e-9)
            np.testing.assert_allclose(ball.on_surface, [[0, 0.3, 0]], atol=1e-12)
    across = Rotation.from_euler("yz", [np.pi / 2, 0.3]).as_matrix()
    for shape, count in ((Capsule(0.05, 0.4), 1), (Cylinder(0.05, 0.4), 1)):
        pair = Pair(shape, ridge)((0.02, 0.1, 0.05 - 1e-3), across)
        assert len(pair.gap) == count
        np.testing.assert_allclose(pair.gap, -1e-3, atol=1e-12)
        np.testing.assert_allclose(pair.normal, [[0, 0, -1]], atol=1e-12)
        np.testing.assert_allclose(pair.on_surface[0, [0, 2]], 0, atol=1e-12)


@pytest.mark.parametrize("lean", [0.11, 0.3, 0.8])
def test_cylinder_stands_on_a_leaning_ridge(lean):
    """Its deepest contact is the least depth over all normals of the ridge, by brute force; so is its normal."""
    rng, radius, half, slope = np.random.default_rng(4), 0.1, 0.15, 1.0
    tilt = Rotation.from_euler("x", lean).as_matrix()
    ridge = roof(slope)
    pair = Pair(Cylinder(radius, 2 * half), Terrain(ridge.vertices @ tilt.T, ridge.triangles))
    angles = np.linspace(-slope, slope, 200001)
    normals = np.column_stack([np.sin(angles), 0 * angles, np.cos(angles)]) @ tilt.T
    support = radius * np.hypot(normals[:, 0], normals[:, 1]) + half * np.abs(normals[:, 2])
    for _ in range(40):
        x, y = rng.uniform(-0.08, 0.08, 2)
        position = np.array([x, y, half + (y + radius) * np.tan(lean) - rng.uniform(0.0, 0.01)])
        gaps = normals @ position - support
        best = gaps.argmax()
        pair(position)
        if gaps[best] < 2e-3:
            deepest = pair.gap.argmin()
            np.testing.assert_allclose(pair.gap[deepest], gaps[best], atol=1e-9)
            np.testing.assert_allclose(pair.normal[deepest], -normals[best], atol=1e-3)


@pytest.mark.parametrize("yaw", np.linspace(0.0, np.pi, 13))
@pytest.mark.parametrize("gap", [-2e-3, 0.0, 1e-3])
def test_box_on_a_ridge_touches_where_the_ridge_leaves_it(yaw, gap):
    rotation = Rotation.from_euler("z", yaw).as_matrix()
    pair = Pair(Box((0.4, 0.6, 0.2)), roof(0.5))((0.03, 0.05, 0.1 + gap), rotation)
    line = rotation.T @ (0, 1, 0)  # of the ridge in the box
    start = rotation.T @ (-0.03, -0.05, 0)
    with np.errstate(divide="ignore"):
        ends = [np.sort((np.array([-h, h]) - start[k]) / line[k]) for k, h in enumerate((0.2, 0.3)) if line[k] != 0]
    low, high = max(e[0] for e in ends), min(e[1] for e in ends)
    on_slope = np.abs(pair.normal[:, 0]) > 1e-6  # a corner of the box that is near to a slope
    assert np.allclose(np.abs(pair.normal[on_slope, 0]), np.sin(0.5))
    assert (pair.feature[on_slope] < 2**29).all()
    points, gaps = pair.on_surface[~on_slope], pair.gap[~on_slope]
    np.testing.assert_allclose(gaps, [gap, gap], atol=1e-12)
    np.testing.assert_allclose(pair.normal[~on_slope], [[0, 0, -1]] * 2, atol=1e-9)
    np.testing.assert_allclose(np.sort(points[:, 1]), [low, high], atol=1e-9)
    np.testing.assert_allclose(points[:, [0, 2]], 0, atol=1e-9)


def test_rocking_box_on_a_ridge_keeps_both_contacts():
    pair = Pair(Box((0.4, 0.6, 0.2)), roof(0.5))
    features = set()
    for pitch in np.linspace(-2e-3, 2e-3, 41):
        rotation = Rotation.from_euler("zx", [0.2, pitch]).as_matrix()
        pair((0, 0, 0.1), rotation, 5e-3)
        assert len(pair.gap) == 2
        features |= set(pair.feature)
        for point, gap in zip(pair.on_surface, pair.gap, strict=True):
            np.testing.assert_allclose(gap, point[1] * np.tan(pitch), atol=1e-5)
    assert len(features) == 2


@pytest.mark.parametrize("slope", [0.1, 0.5, 1.0, 1.5])
def test_valley(slope):
    """A sphere touches both sides; so does an edge of a box that lies in it, with each end on each side."""
    valley = roof(-slope)
    sides = np.array([[np.sin(slope), 0, -np.cos(slope)], [-np.sin(slope), 0, -np.cos(slope)]])
    for gap in (-1e-3, 1e-3):
        ball = Pair(Sphere(0.1), valley)((0, 0.2, (0.1 + gap) / np.cos(slope)))
        np.testing.assert_allclose(ball.gap, [gap, gap], atol=1e-12)
        np.testing.assert_allclose(ball.normal[np.argsort(-ball.normal[:, 0])], sides, atol=1e-12)
        assert sorted(ball.feature) == [0, 1]
    edge_down = Rotation.from_euler("y", np.pi / 4).as_matrix()
    for depth in (1e-4, -5e-4):
        box = Pair(Box((0.1, 0.4, 0.1)), valley)((0, 0, np.sqrt(0.005) - depth), edge_down)
        if slope < np.pi / 4:
            assert len(box.gap) == 4
            np.testing.assert_allclose(box.gap, -depth * np.cos(slope), atol=1e-12)
            assert np.allclose(np.abs(box.normal[:, 0]), np.sin(slope), atol=1e-12)


def test_corner_of_floor_and_wall_touches_both_each_with_its_depth():
    v = np.array([(0, -1, 0), (1, -1, 0), (1, 1, 0), (0, 1, 0), (0, -1, 1), (0, 1, 1)], dtype=float)
    pair = Pair(Box((0.2, 0.2, 0.2)), Terrain(v, np.array([(0, 1, 2), (0, 2, 3), (0, 3, 5), (0, 5, 4)])))
    for floor in (-3e-4, -1e-6, 0.0, 4e-4):
        for wall in (-2e-4, -1e-6, 0.0, 3e-4):
            pair((0.1 + wall, 0.03, 0.1 + floor))
            up, aside = np.isclose(pair.normal[:, 2], -1), np.isclose(pair.normal[:, 0], -1)
            assert up.sum() == 4
            assert aside.sum() == 4
            assert len(pair.gap) == 8
            np.testing.assert_allclose(pair.gap[up], floor, atol=1e-12)
            np.testing.assert_allclose(pair.gap[aside], wall, atol=1e-12)


def block(size):
    """A box as terrain."""
    x, y, z = np.array(size) / 2
    v = np.array([(sx * x, sy * y, sz * z) for sz in (-1, 1) for sy in (-1, 1) for sx in (-1, 1)])
    quads = [(0, 2, 3, 1), (4, 5, 7, 6), (0, 1, 5, 4), (2, 6, 7, 3), (0, 4, 6, 2), (1, 3, 7, 5)]
    return Terrain(v, np.array([t for a, b, c, d in quads for t in ((a, b, c), (a, c, d))]))


@pytest.mark.parametrize("gap", [-1e-3, 0.0, 1e-3])
@pytest.mark.parametrize("yaw", [0.0, 0.3, 0.7])
def test_box_over_the_rim_of_a_block_touches_in_the_clipped_polygon(gap, yaw):
    """Its corners on top, the corner of the block under it, and the edges across the rim: nothing sideways."""
    from scipy.spatial import ConvexHull, HalfspaceIntersection

    size, place = np.array([0.4, 0.3, 0.2]), np.array([0.45, 0.42])
    rotation = Rotation.from_euler("z", yaw).as_matrix()
    pair = Pair(Box(tuple(size)), block((1, 1, 0.2)))((*place, 0.2 + gap), rotation)
    sides = [(*(s * rotation[:2, k]), -size[k] / 2 - s * rotation[:2, k] @ place) for k in (0, 1) for s in (-1, 1)]
    top = [(s * (k == 0), s * (k == 1), -0.5) for k in (0, 1) for s in (-1, 1)]
    corners = HalfspaceIntersection(np.array(sides + top), np.array([0.49, 0.49])).intersections
    corners = corners[ConvexHull(corners.round(12)).vertices]
    assert np.allclose(pair.normal, [0, 0, -1], atol=1e-9)
    np.testing.assert_allclose(pair.gap, gap, atol=1e-12)
    assert len(pair.gap) == len(corners)
    distance = np.linalg.norm(pair.on_surface[:, None, :2] - corners[None], axis=2)
    assert (distance.min(axis=0) < 1e-9).all()


def test_thin_wall_is_touched_on_the_near_side_only():
    pair = Pair(Sphere(0.1), block((0.02, 1, 1)))
    for gap in (-5e-3, 1e-3):
        pair((-0.11 - gap, 0.1, 0.2))
        np.testing.assert_allclose(pair.gap, [gap], atol=1e-12)
        np.testing.assert_allclose(pair.normal, [[1, 0, 0]], atol=1e-12)


def nearest_points(triangles, x):
    """Nearest points of triangles (m, 3, 3) to a point, written down from the Voronoi regions (m, 3)."""
    a, b, c = triangles.swapaxes(0, 1)
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n, axis=1)[:, None]
    candidates = [x - ((x - a) * n).sum(1)[:, None] * n]
    inside = np.ones(len(a), dtype=bool)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (np.cross(n, q - p) * (x - p)).sum(1) >= 0
        s = np.clip(((x - p) * (q - p)).sum(1) / ((q - p) ** 2).sum(1), 0, 1)
        candidates.append(p + s[:, None] * (q - p))
    distances = np.array([np.linalg.norm(x - p, axis=1) for p in candidates])
    distances[0][~inside] = np.inf
    return np.take_along_axis(np.array(candidates), distances.argmin(0)[None, :, None], 0)[0], n


def bumpy(rng, n=40, size=2.0, height=0.1):
    return HeightField(rng.uniform(0, height, (n, n)), (size, size))


def test_sphere_on_bumpy_heights_against_brute_force():
    rng = np.random.default_rng(5)
    field = bumpy(rng)
    mesh = grid(field.heights, field.size)
    triangles = mesh.vertices[mesh.triangles]
    for radius in (0.01, 0.08, 0.3):
        pair = Pair(Sphere(radius), field)
        met = 0
        for _ in range(300):
            x = np.array([*rng.uniform(-0.6, 0.6, 2), rng.uniform(0.05, 0.1 + radius)])
            points, normals = nearest_points(triangles, x)
            distances = np.linalg.norm(x - points, axis=1)
            near = np.flatnonzero(distances < distances.min() + 1e-9)
            heights = ((x - points) * normals).sum(1)[near]
            outside = heights[np.abs(heights).argmax()] > 0
            pair(x)
            if outside and distances.min() - radius < 2e-3:
                met += 1
                deepest = pair.gap.argmin()
                np.testing.assert_allclose(pair.gap[deepest], distances.min() - radius, atol=1e-9)
                np.testing.assert_allclose(pair.on_surface[deepest], points[distances.argmin()], atol=1e-9)
                for n, p in zip(pair.normal, pair.on_surface, strict=True):  # each a local minimum
                    here = np.linalg.norm(nearest_points(triangles, p)[0] - p, axis=1) < 1e-9
                    beside = p + 1e-6 * (triangles[here].reshape(-1, 3) - p)
                    assert here.any()
                    assert np.linalg.norm(x - beside, axis=1).min() >= np.linalg.norm(x - p) - 1e-9
                    np.testing.assert_allclose(np.cross(n, x - p), 0, atol=1e-9)
            elif outside:
                assert len(pair.gap) == 0
            elif distances.min() < radius:
                assert pair.gap.min() <= -radius
        assert met > 30


def test_sphere_in_a_soup_of_triangles_against_brute_force():
    """Triangles without neighbours, seen from outside: the nearest of all decides."""
    rng = np.random.default_rng(6)
    centres = rng.uniform(-1, 1, (400, 1, 3))
    triangles = centres + rng.normal(size=(400, 3, 3)) * 0.1
    soup = Terrain(triangles.reshape(-1, 3), np.arange(1200).reshape(-1, 3))
    pair, met = Pair(Sphere(0.1), soup), 0
    for _ in range(1000):
        x = rng.uniform(-1, 1, 3)
        points, normals = nearest_points(triangles, x)
        distances = np.linalg.norm(x - points, axis=1)
        heights = ((x - points) * normals).sum(1)
        over = np.isclose(np.abs(heights), distances)
        counts = (heights > 0) | over  # behind a border there is nothing
        first = np.where(counts, distances, np.inf).argmin()
        pair(x)
        if heights[first] > 0 and distances[first] < 0.1:
            met += 1
            np.testing.assert_allclose(pair.gap.min(), distances[first] - 0.1, atol=1e-9)
            np.testing.assert_allclose(pair.on_surface[pair.gap.argmin()], points[first], atol=1e-9)
        elif distances[first] < 0.1:
            np.testing.assert_allclose(pair.gap.min(), -distances[first] - 0.1, atol=1e-9)
    assert met > 100


@shapes
def test_heights_are_the_terrain_of_their_triangles(shape):
    rng = np.random.default_rng(7)
    field = bumpy(rng, 30)
    one, two = Pair(shape, field), Pair(shape, grid(field.heights, field.size))
    met = 0
    for _ in range(150):
        position, rotation = [*rng.uniform(-1.1, 1.1, 2), rng.uniform(0, 0.4)], turned(rng)
        one(position, rotation), two(position, rotation)
        assert len(one.gap) == len(two.gap)
        met += len(one.gap) > 0
        order = np.lexsort(one.point.round(7).T), np.lexsort(two.point.round(7).T)
        np.testing.assert_allclose(one.gap[order[0]], two.gap[order[1]], atol=1e-9)
        np.testing.assert_allclose(one.normal[order[0]], two.normal[order[1]], atol=1e-9)
        np.testing.assert_allclose(one.point[order[0]], two.point[order[1]], atol=1e-9)
    assert met > 50


@shapes
@given(seed=st.integers(0, 2**31))
@settings(max_examples=60, deadline=None)
def test_rigid_motion_moves_the_contacts(shape, seed):
    rng = np.random.default_rng(seed)
    field = bumpy(rng, 12, 1.0)
    pair = Pair(shape, field)
    position, rotation = np.array([*rng.uniform(-0.4, 0.4, 2), rng.uniform(0.05, 0.4)]), turned(rng)
    pair(position, rotation)
    point, normal, gap, feature = pair.point, pair.normal, pair.gap, pair.feature
    shift, turn = rng.uniform(-1, 1, 3), turned(rng)
    pair.place(shift, turn)
    pair(shift + turn @ position, turn @ rotation)
    np.testing.assert_array_equal(pair.feature, feature)
    np.testing.assert_allclose(pair.gap, gap, atol=1e-9)
    np.testing.assert_allclose(pair.normal, normal @ turn.T, atol=1e-7)
    np.testing.assert_allclose(pair.point, shift + point @ turn.T, atol=1e-8)


@shapes
def test_points_lie_on_both(shape):
    """On the shape exactly, on the surface within the depth of the pair."""
    rng = np.random.default_rng(9)
    field = bumpy(rng, 30)
    mesh = grid(field.heights, field.size)
    triangles = mesh.vertices[mesh.triangles]
    pair = Pair(shape, field)
    met = 0
    for _ in range(200):
        rotation = turned(rng)
        position = np.array([*rng.uniform(-0.6, 0.6, 2), 0.08 + lowest(shape, rotation) + rng.uniform(-0.03, 0)])
        pair(position, rotation)
        met += len(pair.gap)
        for p in pair.on_surface:
            points, _ = nearest_points(triangles, p)
            assert np.linalg.norm(points - p, axis=1).min() <= np.abs(pair.gap).max() + 1e-9
        for x, n in zip(pair.on_shape, pair.normal, strict=True):
            local, direction = rotation.T @ (x - position), rotation.T @ n
            if isinstance(shape, Sphere):
                np.testing.assert_allclose(local, direction * shape.radius, atol=1e-9)
            elif isinstance(shape, Ellipsoid):
                np.testing.assert_allclose(((local / shape.radii) ** 2).sum(), 1, atol=1e-9)
            elif isinstance(shape, Box):
                assert (np.abs(local) <= np.array(shape.size) / 2 + 1e-9).all()
                assert np.isclose(np.abs(local), np.array(shape.size) / 2, atol=1e-9).any()
    assert met > 100


@pytest.mark.parametrize("shape", [SHAPES[4], HULL], ids=["Box", "Hull"])
@pytest.mark.parametrize("height", [0.1, 0.2, 0.4])
def test_what_overlaps_touches(shape, height):
    """Samples of spikes deep inside a polyhedron, wherever they come in: some contact has a depth."""
    rng = np.random.default_rng(12)
    field = bumpy(rng, 14, 1.0, height)
    mesh = grid(field.heights, field.size)
    weights = rng.dirichlet((1, 1, 1), 20)
    samples = np.einsum("sk,tkx->tsx", weights, mesh.vertices[mesh.triangles]).reshape(-1, 3)
    pair, met = Pair(shape, field), 0
    solid = pair.space
    for _ in range(1000):
        rotation = turned(rng)
        position = np.array([*rng.uniform(-0.3, 0.3, 2), rng.uniform(0.5 * height, height + 0.15)])
        local = (samples - position) @ rotation
        inside = (local @ solid.face_normal.T - solid.face_offset).max(axis=1).min()
        pair(position, rotation)
        if inside < -1e-3:
            met += 1
            assert len(pair.gap) > 0
            assert pair.gap.min() < 0
    assert met > 100


def test_a_sliding_box_keeps_its_contacts():
    """Over the seams of a flat terrain, turning: the same four numbers all the way."""
    pair = Pair(SHAPES[4], FLAT)
    for s in np.linspace(0, 1, 500):
        rotation = Rotation.from_euler("z", 2 * s).as_matrix()
        pair((s - 0.5, 0.7 * s, 0.2 + 1e-4 * np.sin(40 * s)), rotation)
        assert set(pair.feature) == {0, 64, 128, 192}


@shapes
def test_what_sank_in_deep_is_pushed_out(shape):
    """Half below the surface, in one step: contacts still push up."""
    rotation = Rotation.from_euler("xyz", [0.1, -0.2, 0.3]).as_matrix()
    pair = Pair(shape, FLAT)((0.03, 0.07, 0.0), rotation)
    assert len(pair.gap) > 0
    np.testing.assert_allclose(pair.gap.min(), -lowest(shape, rotation), atol=1e-9)
    assert np.allclose(pair.normal, [0, 0, -1], atol=1e-12)


@shapes
def test_nowhere_is_no_contact(shape):
    for surface in (FLAT, HeightField(np.zeros((5, 5)), (1.0, 1.0))):
        pair = Pair(shape, surface)
        for bad in (np.nan, np.inf, -np.inf, 1e300):
            assert len(pair((bad, 0, 0)).gap) == 0
            assert len(pair((0, 0, 0.05), np.full((3, 3), bad)).gap) == 0
        assert len(pair((5, 0, 0)).gap) == 0


@pytest.mark.parametrize(
    ("surface", "word"),
    [
        (Terrain(np.array([[0, 0, np.nan], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]])), "finite"),
        (Terrain(np.zeros((3, 3)), np.zeros((0, 3), dtype=int)), "no triangles"),
        (Terrain(np.eye(3), np.array([[0, 1, 1]])), "without area"),
        (Terrain(np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0.0]]), np.array([[0, 1, 2]])), "without area"),
        (Terrain(np.eye(3), np.array([[0, 1, 3]])), "outside"),
        (Terrain(np.eye(3), np.array([[0, 1, -1]])), "outside"),
        (Terrain(np.eye(3), np.array([[0.0, 1, 2]])), "integers"),
        (Terrain(np.eye(4), np.array([[0, 1, 2]])), "shapes"),
        (HeightField(np.array([[0, np.nan], [0, 0]]), (1.0, 1.0)), "finite"),
        (HeightField(np.zeros((1, 5)), (1.0, 1.0)), "shape"),
        (HeightField(np.zeros((3, 3)), (1.0, 0.0)), "size"),
    ],
)
def test_wrong_surfaces_are_refused(surface, word):
    with pytest.raises(ModelError, match=word):
        Pair(Sphere(0.1), surface)


def test_slivers_are_left_out_and_odd_edges_are_borders():
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0, 0), (0, 0, 1), (0.5, 0.5, 1)], dtype=float)
    prepared = terrain_surface(Terrain(square, np.array([(0, 1, 2), (0, 4, 1), (0, 2, 3)])))
    assert len(prepared.triangles) == 2
    assert (prepared.beyond >= 0).sum() == 2
    three = terrain_surface(Terrain(square, np.array([(0, 1, 2), (0, 2, 3), (0, 2, 6)])))
    assert (three.beyond == -1).all()
    disagree = terrain_surface(Terrain(square, np.array([(0, 1, 2), (2, 0, 5), (0, 3, 2)])))
    assert (disagree.beyond == -1).all()


def test_vertices_given_twice_make_no_seam():
    """Triangles that each bring their own vertices, as STL files have them."""
    flat = grid(np.zeros((5, 5)), (1.0, 1.0))
    own = Terrain(flat.vertices[flat.triangles].reshape(-1, 3), np.arange(flat.triangles.size).reshape(-1, 3))
    pair = Pair(Box((0.5, 0.5, 0.1)), own)((0.02, 0.03, 0.05))
    assert len(pair.gap) == 4
