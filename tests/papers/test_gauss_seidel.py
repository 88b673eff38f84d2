"""Projected Gauss–Seidel of paper 1 on full matrices."""

from __future__ import annotations

import numpy as np

from sesshoku.papers.lcp import projected_gauss_seidel
from sesshoku.papers.lcp.block import land_in_accelerations
from sesshoku.papers.lcp.convergence import FRICTION, SWEEPS, errors, pushed

G, DT = 9.81, 1e-3


def test_sign_of_b() -> None:
    """U1: a block that lands at 5 cm/s. b = a₀ − a_d stops it; as printed, a₀ + a_d, nothing holds it."""
    assert np.abs(land_in_accelerations(-1.0)).max() < 1e-9
    steps = np.arange(1, 301)
    falls = -0.05 * DT * steps - G * DT**2 * steps * (steps + 1) / 2
    np.testing.assert_allclose(land_in_accelerations(1.0), falls, rtol=1e-12)


def test_wrench_against_nonnegative_least_squares() -> None:
    """U8."""
    found = errors()
    few, many = found[SWEEPS.index(120)], found[SWEEPS.index(1000)]
    assert np.median(few) < 1e-8
    assert np.quantile(few, 0.95) < 2e-3
    assert 1e-4 < few.max() < 5e-2  # 120 sweeps do not suffice for all of them
    assert many.max() < 3e-3


def test_bounds_and_complementarity() -> None:
    """U7: one body on four corners that is pushed sideways, friction in four directions."""
    for K, b, owner in pushed():
        x = np.zeros(20)
        sweeps = projected_gauss_seidel(K, b, owner, np.full(20, FRICTION), 5000, 1e-12, x)
        assert sweeps < 5000
        z, high = K @ x + b, np.where(owner < 0, np.inf, FRICTION * x[owner])
        assert (x >= 0.0).all()
        assert (x <= high).all()
        assert np.abs(z[(x > 1e-9) & (x < high - 1e-9)]).max(initial=0.0) < 1e-8
        assert z[(x == 0.0) & (high > 0.0)].min(initial=0.0) > -1e-8
        assert z[(x >= high) & (high > 0.0)].max(initial=0.0) < 1e-8


def test_an_unknown_that_cannot_yield_keeps_its_value() -> None:
    x = np.array([0.0, 3.0])
    owner, friction = np.array([-1, -1]), np.zeros(2)
    projected_gauss_seidel(np.array([[2.0, 0.0], [0.0, 0.0]]), np.array([-1.0, -1.0]), owner, friction, 10, 0.0, x)
    np.testing.assert_array_equal(x, [0.5, 3.0])
