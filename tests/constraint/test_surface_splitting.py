"""Splitting against Coulomb's law, on random problems with more forces than motions."""

import numpy as np
import pytest

from sesshoku.constraint.surface.force import solve_points
from sesshoku.constraint.surface.problem import PointProblem
from sesshoku.constraint.surface.splitting import split_forces


def random_problem(seed, unilateral, points=4, freedoms=6):
    """Four points of a body of six freedoms, pressed against their surfaces."""
    rng = np.random.default_rng(seed)
    J = rng.normal(size=(3 * points, freedoms))
    free = (J @ rng.normal(size=freedoms)).reshape(-1, 3)
    friction = np.full(points, 0.3)
    return PointProblem(J @ J.T, free, friction, np.zeros((points, 2)), np.ones(points, dtype=bool), unilateral)


def missed(problem, force):
    """How far the law is from what it should be: forces against the motion they leave."""
    ends = (problem.compliance @ force.ravel()).reshape(-1, 3) + problem.free
    limit = problem.friction * np.abs(force[:, 0])
    size, speed = np.linalg.norm(force[:, 1:], axis=1), np.linalg.norm(ends[:, 1:], axis=1)
    along = np.einsum("ki,ki->k", force[:, 1:], ends[:, 1:])
    law = np.where(size < limit * (1 - 1e-6), speed, np.abs(along + size * speed))
    normal = np.abs(np.minimum(force[:, 0], ends[:, 0])) if problem.unilateral else np.abs(ends[:, 0])
    return max(law.max(), normal.max(), (size - limit).max())


@pytest.mark.parametrize("unilateral", [True, False])
def test_splitting_converges_to_the_law(unilateral):
    converged = 0
    for seed in range(20):
        problem = random_problem(seed, unilateral)
        force, residual = split_forces(problem)
        if residual < 1e-9:
            converged += 1
            assert missed(problem, force) < 1e-7 * np.abs(problem.free).max()
    assert converged >= 15


@pytest.mark.parametrize("unilateral", [True, False])
def test_whatever_is_found_satisfies_the_law(unilateral):
    for seed in range(20):
        problem = random_problem(seed, unilateral)
        found = solve_points(problem)
        assert missed(problem, found.force) < 1e-7 * np.abs(problem.free).max()
