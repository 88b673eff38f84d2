"""Flat ground of many triangles is a plane, tilted or not."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from on_surface import FLAT, SHAPES, Pair, corners_of, lowest, shapes, turned
from sesshoku.model import Box, Capsule, Ellipsoid, HeightField, Hull, Sphere, Terrain

pytestmark = pytest.mark.slow


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
