"""Closed forms of the friction of a rectangle, against numerical integrals and optimisers."""

from __future__ import annotations

from math import hypot

import numpy as np
import pytest
from scipy.integrate import dblquad

from patches import columns, highs
from sesshoku.contact.volume.rectangle import free_pressure_limit, uniform_pressure_torque


@pytest.mark.parametrize(("a", "b"), [(0.05, 0.05), (0.1, 0.03), (0.01, 0.2)])
def test_uniform_pressure_is_the_mean_distance(a: float, b: float) -> None:
    total, _ = dblquad(lambda y, x: hypot(x, y), 0.0, a, 0.0, b)
    assert uniform_pressure_torque(a, b) == pytest.approx(total / (a * b), rel=1e-8)


def test_uniform_pressure_of_a_square_bears_541_thousandths_of_the_torque_of_a_free_one() -> None:
    assert uniform_pressure_torque(0.05, 0.05) / free_pressure_limit(0.05, 0.05, 0.0)[1] == pytest.approx(
        0.541, abs=5e-4
    )


@pytest.mark.parametrize(("a", "b"), [(0.05, 0.05), (0.1, 0.03)])
def test_ends_of_the_boundary(a: float, b: float) -> None:
    assert free_pressure_limit(a, b, 0.0) == pytest.approx((0.0, hypot(a, b)))
    assert free_pressure_limit(a, b, 1e9) == pytest.approx((1.0, 0.0), abs=1e-9)
    forces = [free_pressure_limit(a, b, y)[0] for y in np.geomspace(1e-3, 1e3, 200)]
    assert np.diff(forces).min() > 0.0


@pytest.mark.parametrize(("a", "b"), [(0.05, 0.05), (0.1, 0.03)])
@pytest.mark.parametrize("y", [0.01, 0.05, 0.2])
def test_boundary_is_that_of_a_linear_program_with_4096_edges(a: float, b: float, y: float) -> None:
    """The largest work for the slip around (0, y): force y + torque; inscribed edges lose 3e-7 at most."""
    force, torque = free_pressure_limit(a, b, y)
    table = columns(np.array([[a, b], [-a, b], [-a, -b], [a, -b]]), 4096)
    best = highs(y * table[1] + table[3], table[[0, 4, 5]], np.array([1.0, 0.0, 0.0]))
    assert force * y + torque == pytest.approx(best, rel=1e-6)
