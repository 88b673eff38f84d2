"""Projected Gauss–Seidel of paper 1 on full matrices."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from sesshoku.papers.lcp import projected_gauss_seidel

G, DT = 9.81, 1e-3


def solve(K: np.ndarray, b: np.ndarray, sweeps: int, change: float = 0.0) -> np.ndarray:
    """Without friction."""
    x, n = np.zeros(len(b)), len(b)
    projected_gauss_seidel(K, b, np.full(n, -1), np.zeros(n), sweeps, change, x)
    return x


def test_sign_of_b() -> None:
    """U1: a point mass that lands at 5 cm/s. b = a₀ − a_d stops it; as printed, a₀ + a_d, nothing holds it."""
    K, a_0, v = np.array([[1.0]]), -G, -0.05
    a_d = -v / DT  # comes to rest within the step
    force = solve(K, np.array([a_0 - a_d]), 10)[0]
    assert v + DT * (a_0 + force) == pytest.approx(0.0, abs=1e-15)
    printed = solve(K, np.array([a_0 + a_d]), 10)[0]
    assert v + DT * (a_0 + printed) < v


def hard_case(rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Many more contacts than one body of random inertia can tell apart: rows of J, its inertia matrix, velocity."""
    m = int(rng.integers(6, 25))
    places, normals = rng.uniform(-0.2, 0.2, (m, 3)), rng.normal(size=(m, 3)) * 0.5 + (0.0, 0.0, 1.0)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    J = np.hstack([normals, np.cross(places, normals)])
    return J, np.diag([*[1.0] * 3, *rng.uniform(0.002, 0.02, 3)]), rng.normal(size=6)


def off_by(sweeps: int) -> np.ndarray:
    """Error of the momentum after an impact, relative to what contact gives, over 300 hard cases."""
    rng, off = np.random.default_rng(0), []
    for _ in range(300):
        J, M, v = hard_case(rng)
        half = np.sqrt(M)  # diagonal
        x, _ = nnls(np.linalg.solve(half, J.T), -half @ v)
        expected = J.T @ x
        if np.linalg.norm(expected) > 1e-9:
            found = J.T @ solve(J @ np.linalg.solve(M, J.T), J @ v, sweeps)
            off.append(np.linalg.norm(found - expected) / np.linalg.norm(expected))
    return np.array(off)


def test_wrench_against_nonnegative_least_squares() -> None:
    """U8."""
    few, many = off_by(120), off_by(1000)
    assert np.median(few) < 1e-8
    assert np.quantile(few, 0.95) < 2e-3
    assert 1e-4 < few.max() < 5e-2  # 120 sweeps do not suffice for all of them
    assert many.max() < 3e-3


def test_bounds_and_complementarity() -> None:
    """U7: one body on four corners that is pushed sideways, friction in four directions."""
    rng = np.random.default_rng(1)
    for _ in range(50):
        corners = [(x, y, -0.05) for x in (-0.05, 0.05) for y in (-0.05, 0.05)]
        turn = rng.uniform(0.0, 2 * np.pi)
        t, s = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
        rows = [(corner, (0.0, 0.0, 1.0)) for corner in corners]
        rows += [(corner, d) for corner in corners for d in (t, -t, s, -s)]
        J = np.array([[*d, *np.cross(corner, d)] for corner, d in rows])
        K = J @ np.diag([1.0, 1.0, 1.0, 600.0, 600.0, 600.0]) @ J.T
        b = J @ np.array([*rng.normal(size=2) * 0.01, -0.01, *rng.normal(size=3) * 0.05])
        owner, friction = np.array([-1] * 4 + [k for k in range(4) for _ in range(4)]), np.full(20, 0.5)
        x = np.zeros(20)
        sweeps = projected_gauss_seidel(K, b, owner, friction, 5000, 1e-12, x)
        assert sweeps < 5000
        z, high = K @ x + b, np.where(owner < 0, np.inf, 0.5 * x[owner])
        assert (x >= 0.0).all()
        assert (x <= high * (1 + 1e-9) + 1e-15).all()
        assert np.abs(z[(x > 1e-9) & (x < high - 1e-9)]).max(initial=0.0) < 1e-8
        assert z[(x == 0.0) & (high > 0.0)].min(initial=0.0) > -1e-8
        assert z[(x >= high) & (high > 0.0)].max(initial=0.0) < 1e-8


def test_an_unknown_that_cannot_yield_keeps_its_value() -> None:
    x = np.array([0.0, 3.0])
    owner, friction = np.array([-1, -1]), np.zeros(2)
    projected_gauss_seidel(np.array([[2.0, 0.0], [0.0, 0.0]]), np.array([-1.0, -1.0]), owner, friction, 10, 0.0, x)
    np.testing.assert_array_equal(x, [0.5, 3.0])
