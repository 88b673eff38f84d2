"""Centres of pressure: where they are, the half-planes that bound them, and how they are kept inside."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import minimize

from patches import KINDS, SQUARE, section, size_of, wrench
from sesshoku.contact.volume.patch import MARGIN, centre_of_pressure, half_plane, half_planes, into, lever


def test_centre_of_a_normal_force_is_where_it_acts() -> None:
    """By the cross product of the project's own axes: e1 × e2 = n."""
    r, force = np.array([0.3, -0.2, 0.0]), np.array([0.0, 0.0, 7.0])
    assert centre_of_pressure((tuple(np.cross(r, force)), tuple(force))) == pytest.approx((0.3, -0.2))


def signs(corners: np.ndarray, loaded) -> np.ndarray:
    """Left side of eq. 25, for each half-plane, over the normal force and the size."""
    (t1, t2, _), (_, _, fn) = loaded
    planes = [half_plane(corners, len(corners), k) for k in range(half_planes(len(corners)))]
    return np.array([b * fn + a1 * t2 - a2 * t1 for a1, a2, b in planes]) / (fn * size_of(corners))


@pytest.mark.parametrize("kind", ["cloud", "regular", "rectangle", "triangle"])
def test_half_planes_hold_where_loads_of_corners_can_be_found(kind: str) -> None:
    """Inside by random loads; outside by going from the middle beyond a corner."""
    rng = np.random.default_rng(1)
    for _ in range(200):
        corners = section(kind, rng)
        inside = rng.dirichlet(np.ones(len(corners))) @ corners
        assert signs(corners, wrench(3.0, inside, (0.0, 0.0), 0.0)).min() >= -1e-12
        middle = corners.mean(axis=0)
        outside = middle + 1.001 * (corners[rng.integers(len(corners))] - middle)
        assert signs(corners, wrench(3.0, outside, (0.0, 0.0), 0.0)).min() < -1e-8


@pytest.mark.parametrize("kind", ["line", "point"])
def test_line_and_point_have_four_half_planes(kind: str) -> None:
    rng = np.random.default_rng(2)
    for _ in range(100):
        corners = section(kind, rng)
        size = size_of(corners)
        share = rng.uniform()
        inside = share * corners[0] + (1.0 - share) * corners[-1]
        assert signs(corners, wrench(3.0, inside, (0.0, 0.0), 0.0)).min() >= -1e-12
        along = corners[-1] - corners[0] if kind == "line" else np.array([size, 0.0])
        across = np.array([-along[1], along[0]])
        off = [inside + 1e-3 * across, inside - 1e-3 * across, corners[-1] + 1e-3 * along, corners[0] - 1e-3 * along]
        for outside in off:
            assert signs(corners, wrench(3.0, outside, (0.0, 0.0), 0.0)).min() < -1e-8


@pytest.mark.parametrize("kind", KINDS)
def test_moved_into_the_section_by_no_more_than_needed(kind: str) -> None:
    """What is inside stays; what is outside goes to the nearest point, and inside by the margin."""
    rng = np.random.default_rng(3)
    for _ in range(100):
        corners = section(kind, rng)
        number, size = len(corners), size_of(corners)
        middle = corners.mean(axis=0)
        if number > 2:
            inside = tuple(middle + 0.999 * (rng.dirichlet(np.ones(number)) @ corners - middle))
            assert into(corners, number, inside) == inside
        angle = rng.uniform(0.0, 2.0 * np.pi)
        point = middle + 3.0 * size * np.array([np.cos(angle), np.sin(angle)])
        moved = np.array(into(corners, number, tuple(point)))
        if number > 2:
            planes = np.array([half_plane(corners, number, k) for k in range(number)])
            depth = planes[:, 2] - planes[:, :2] @ moved
            middle_depth = planes[:, 2] - planes[:, :2] @ middle
            assert (depth >= MARGIN * middle_depth - 1e-15 * size).all()
        # the nearest point of a convex set: no corner is further towards where it came from
        towards = (point - moved) / np.hypot(*(point - moved))
        assert ((corners - moved) @ towards).max() <= 4.0 * MARGIN * size


def test_nearest_point_is_that_of_an_optimiser() -> None:
    rng = np.random.default_rng(4)
    for _ in range(20):
        point = 0.2 * rng.normal(size=2)
        best = minimize(
            lambda loads, point=point: 1e4 * np.sum((loads @ SQUARE - point) ** 2),
            np.full(4, 0.25),
            bounds=[(0.0, 1.0)] * 4,
            constraints={"type": "eq", "fun": lambda loads: loads.sum() - 1.0},
        )
        np.testing.assert_allclose(into(SQUARE, 4, tuple(point)), best.x @ SQUARE, atol=1e-6)


def test_lever_is_the_distance_of_the_farthest_corner() -> None:
    assert lever(SQUARE, 4, (0.01, 0.02)) == pytest.approx(np.hypot(0.06, 0.07))
