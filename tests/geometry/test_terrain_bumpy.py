"""Shapes on rough ground, against brute force over all triangles."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from on_surface import HULL, SHAPES, Pair, bumpy, grid, lowest, nearest_points, shapes, turned
from sesshoku.model import Box, Ellipsoid, Sphere, Terrain

pytestmark = pytest.mark.slow


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
