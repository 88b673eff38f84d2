"""Quadratic programs with few bounds: the conditions of Karush, Kuhn and Tucker hold, whatever coincides."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import nnls

from sesshoku.contact.volume.memory import Memory, at
from sesshoku.contact.volume.quadratic import bound, solve
from sesshoku.kernel import kernel

Array = NDArray[np.float64]


@kernel
def add_bound(address: int, i: int, j: int, k: int, a: float, b: float, c: float, least: float) -> None:
    bound(at(address), i, j, k, a, b, c, least)


@kernel
def run(address: int, n: int) -> bool:
    return solve(at(address), n)


def solved(h: Array, g: Array, places: list[list[int]], factors: Array, least: Array) -> tuple[Array, Array]:
    """The solution, and the bounds as a matrix."""
    n = len(g)
    memory = Memory(40, 8, 0, 0)
    memory.hessian[:n, :n], memory.gradient[:n] = h, g
    matrix = np.zeros((len(least), n))
    for row, (place, factor) in enumerate(zip(places, factors, strict=True)):
        add_bound(memory.address, *place, *map(float, factor), float(least[row]))
        np.add.at(matrix[row], place, factor)
    assert run(memory.address, n)
    return memory.x[:n].copy(), matrix


def check(h: Array, g: Array, x: Array, matrix: Array, least: Array) -> None:
    """Within the bounds, and what is left of the gradient is a sum of active ones, none of which pulls."""
    size = np.abs(np.linalg.solve(h, g)).max()
    excess = matrix @ x - least
    assert excess.min(initial=0.0) > -1e-8 * max(size, 1.0)
    active = excess < 1e-7 * max(size, 1.0)
    gradient = h @ x + g
    left = nnls(matrix[active].T, gradient)[1] if active.any() else np.linalg.norm(gradient)
    assert left < 1e-6 * (np.linalg.norm(g) + np.linalg.norm(h) * size)


@pytest.mark.parametrize("rank", ["full", "half"])
@pytest.mark.parametrize("seed", range(100))
def test_random_programs(seed: int, rank: str) -> None:
    rng = np.random.default_rng(seed)
    n = int(rng.integers(3, 19))
    root = rng.normal(size=(n, n if rank == "full" else max(2, n // 2)))
    h = root @ root.T
    h += 1e-6 * np.trace(h) / n * np.eye(n)
    g, m = rng.normal(size=n), int(rng.integers(1, 2 * n))
    places, factors = [rng.choice(n, 3, replace=False).tolist() for _ in range(m)], rng.normal(size=(m, 3))
    least = np.zeros(m)  # so x = 0 satisfies all
    check(h, g, *solved(h, g, places, factors, least), least)


@pytest.mark.parametrize("seed", range(30))
def test_doubled_bounds(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n = 6
    h, g = np.diag(rng.uniform(0.1, 10.0, n)), rng.normal(size=n)
    places = [[k, k, k] for k in range(n)] * 2
    factors = np.tile([1.0, 0.0, 0.0], (2 * n, 1))
    least = np.zeros(2 * n)
    x, matrix = solved(h, g, places, factors, least)
    check(h, g, x, matrix, least)
    np.testing.assert_allclose(x, np.maximum(-g / np.diag(h), 0.0), atol=1e-14)


def test_upper_and_lower_bounds() -> None:
    """Bounds on both sides of a variable, one of them active."""
    h, g = np.eye(3), np.array([-5.0, 5.0, 0.5])
    places, factors = [[k, k, k] for k in (0, 0, 1, 1, 2, 2)], np.zeros((6, 3))
    factors[:, 0] = (1.0, -1.0) * 3
    x, _ = solved(h, g, places, factors, -np.ones(6))
    np.testing.assert_allclose(x, (1.0, -1.0, -0.5), atol=1e-14)
