"""The first basis of a linear program on a patch: loads of corners around the centre of pressure."""

from __future__ import annotations

import numpy as np
import pytest

from patches import KINDS, SQUARE, basis, centre_in, section, size_of, wrench
from sesshoku.contact.volume.pressure import coordinates, press
from sesshoku.contact.volume.simplex import COLUMN, VALUE


@pytest.mark.parametrize("kind", KINDS)
def test_loads_have_the_centre_of_pressure(kind: str) -> None:
    rng = np.random.default_rng(1)
    for _ in range(200):
        corners = section(kind, rng)
        centre, work = centre_in(corners, rng), basis()
        press(corners, len(corners), work, wrench(2.0, centre, (1.0, 0.0), 0.0))
        three = min(3, len(corners))
        chosen, loads = work[:three, COLUMN].astype(int), work[:three, VALUE]
        assert len(set(chosen)) == three
        assert (loads >= 0.0).all()
        assert loads.sum() == pytest.approx(1.0, abs=1e-9)
        np.testing.assert_allclose(loads @ corners[chosen], centre, atol=1e-9 * size_of(corners))


def test_coordinates_are_those_of_the_three_corners() -> None:
    work = basis()
    p = press(SQUARE, 4, work, wrench(1.0, (0.01, 0.02), (0.0, 0.0), 0.0))
    for row, corner in enumerate(work[:3, COLUMN].astype(int)):
        np.testing.assert_allclose(coordinates(p.triangle, tuple(SQUARE[corner])), np.eye(3)[row], atol=1e-12)


def test_corners_near_each_other_do_not_cost_digits() -> None:
    """A fan around the first corner alone would give a triangle 1e-9 wide, with coordinates of 1e9."""
    near = 1e-9
    corners = np.array([[0.0, 0.0], [1.0, 0.0], [1.0, 0.5], [1.0 - near, 0.5 + near], [0.5, 1.0]])
    centre = (0.8 - 0.4 * near, 0.4 + 0.4 * near)
    p = press(corners, 5, basis(), wrench(1.0, centre, (0.0, 0.0), 0.0))
    assert max(abs(x) for corner in corners for x in coordinates(p.triangle, tuple(corner))) < 10.0
