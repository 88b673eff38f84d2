"""Shapes on ridges, in valleys and over rims, against closed forms."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from on_surface import Pair, roof
from sesshoku.model import Box, Capsule, Cylinder, Sphere, Terrain

pytestmark = pytest.mark.slow


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
    from scipy.spatial import HalfspaceIntersection

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
