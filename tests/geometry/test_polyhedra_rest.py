"""Where boxes and hulls touch that rest on each other."""

import numpy as np
import pytest
from scipy.spatial import ConvexHull

from polyhedra import BODIES, GROUNDS, contacts, place, prism, resting, solid, space_of
from sesshoku.model import Box
from sesshoku.spatial.pose import rotation_from_rpy

pytestmark = pytest.mark.slow


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
