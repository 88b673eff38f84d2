"""Motions, wrenches and inertias against plain 6x6 matrices."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.model import Inertia
from sesshoku.spatial.articulated import add_articulated, apply_articulated, project, rigid
from sesshoku.spatial.inertia import about_origin, apply_inertia, rotate_symmetric
from sesshoku.spatial.motion import cross_motion, move_wrench, power, velocity_at

rng = np.random.default_rng(0)


def skew(a: np.ndarray) -> np.ndarray:
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


def pair(x: np.ndarray) -> tuple[tuple[float, ...], tuple[float, ...]]:
    return tuple(x[:3].tolist()), tuple(x[3:].tolist())


def flat(x: tuple[tuple[float, ...], tuple[float, ...]]) -> np.ndarray:
    return np.concatenate(x)


def six(m: np.ndarray) -> tuple[float, ...]:
    return tuple(m[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]].tolist())


@pytest.fixture(params=range(5))
def body(request: pytest.FixtureRequest) -> tuple[float, np.ndarray, np.ndarray, np.ndarray]:
    """Mass, centre of mass, central inertia, and the whole as a 6x6 matrix about the origin."""
    draw = np.random.default_rng(request.param)
    mass, com, root = draw.uniform(0.1, 5), draw.normal(size=3), draw.normal(size=(3, 3))
    central = root @ root.T
    h = mass * skew(com)
    return mass, com, central, np.block([[central - h @ skew(com), h], [-h, mass * np.eye(3)]])


def test_cross_of_motions_is_the_lie_bracket() -> None:
    v, a = rng.normal(size=6), rng.normal(size=6)
    full = np.block([[skew(v[:3]), np.zeros((3, 3))], [skew(v[3:]), skew(v[:3])]])
    np.testing.assert_allclose(flat(cross_motion(pair(v), pair(a))), full @ a)


def test_wrench_moves_so_that_power_stays() -> None:
    v, f, point = pair(rng.normal(size=6)), pair(rng.normal(size=6)), tuple(rng.normal(size=3).tolist())
    at_point = (v[0], velocity_at(v, point))
    assert power(v, move_wrench(point, f)) == pytest.approx(power(at_point, f))


def test_inertia_as_ten_numbers(body: tuple) -> None:
    mass, com, central, full = body
    v = rng.normal(size=6)
    momentum = apply_inertia(mass, tuple(mass * com), about_origin(mass, tuple(com), six(central)), pair(v))
    np.testing.assert_allclose(flat(momentum), full @ v, rtol=1e-12)


def test_rotated_inertia(body: tuple) -> None:
    central = body[2]
    r = np.linalg.qr(rng.normal(size=(3, 3)))[0]
    np.testing.assert_allclose(rotate_symmetric(tuple(r.ravel().tolist()), six(central)), six(r @ central @ r.T))


def test_articulated_inertia_yields_along_a_freedom(body: tuple) -> None:
    mass, com, central, full = body
    inertia = rigid(mass, tuple(mass * com), about_origin(mass, tuple(com), six(central)))
    column, v = rng.normal(size=6), rng.normal(size=6)
    u = full @ column
    scaled = u / (column @ u)
    felt = project(inertia, pair(u), pair(scaled))
    np.testing.assert_allclose(flat(apply_articulated(felt, pair(v))), (full - np.outer(u, scaled)) @ v, atol=1e-11)
    np.testing.assert_allclose(flat(apply_articulated(felt, pair(column))), np.zeros(6), atol=1e-11)
    twice = flat(apply_articulated(add_articulated(inertia, inertia), pair(v)))
    np.testing.assert_allclose(twice, 2 * full @ v, rtol=1e-12)


def test_welded_bodies_add_up(body: tuple) -> None:
    mass, com, central, full = body
    one, other = Inertia.of(mass, com, central), Inertia.rod(2.0, (0.3, 0.1, -0.5))
    both = one + other
    h = both.mass * skew(both.com)
    total = np.block([[both.matrix - h @ skew(both.com), h], [-h, both.mass * np.eye(3)]])
    g = other.mass * skew(other.com)
    rod = np.block([[other.matrix - g @ skew(other.com), g], [-g, other.mass * np.eye(3)]])
    np.testing.assert_allclose(total, full + rod, atol=1e-12)
