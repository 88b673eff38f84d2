"""Stick, slip and leaving of points, as small problems with known answers."""

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.constraint.surface.force import solve_points
from sesshoku.constraint.surface.problem import PointProblem


def problem(free, friction=0.5, compliance=None, may_stick=True, unilateral=False, slip=(0.0, 0.0)):
    free = np.atleast_2d(np.array(free, dtype=float))
    k = len(free)
    return PointProblem(
        np.eye(3 * k) if compliance is None else np.array(compliance, dtype=float),
        free,
        np.full(k, friction),
        np.tile(slip, (k, 1)).astype(float),
        np.full(k, may_stick),
        unilateral,
    )


def test_a_mass_sticks_up_to_the_coefficient_and_then_slips():
    held = solve_points(problem((-10, 3, 3.9)))
    np.testing.assert_allclose(held.force, [[10, -3, -3.9]])
    assert held.sticks[0]
    slips = solve_points(problem((-10, 3, 4.1)))
    assert not slips.sticks[0]
    np.testing.assert_allclose(slips.force, [[10, *(-5 * np.array([3, 4.1]) / np.hypot(3, 4.1))]], rtol=1e-9)


def test_friction_opposes_the_slip_it_leaves():
    """Coulomb's law for compliance that is not the same in all directions: the force is against the motion."""
    rng = np.random.default_rng(0)
    slipped = 0
    for _ in range(50):
        root = rng.normal(size=(6, 6))
        free = rng.normal(size=(2, 3)) * [3, 10, 10]
        case = problem(free, friction=0.2, compliance=root @ root.T + 6 * np.eye(6))
        found = solve_points(case)
        ends = (case.compliance @ found.force.ravel()).reshape(2, 3) + free
        np.testing.assert_allclose(ends[:, 0], 0, atol=1e-9)
        for force, end, sticks in zip(found.force, ends, found.sticks, strict=True):
            if sticks:
                assert np.hypot(*force[1:]) <= 0.2 * abs(force[0]) + 1e-9
                np.testing.assert_allclose(end[1:], 0, atol=1e-9)
            else:
                slipped += 1
                assert np.hypot(*force[1:]) == pytest.approx(0.2 * abs(force[0]))
                against = -end[1:] / np.hypot(*end[1:])
                np.testing.assert_allclose(force[1:], 0.2 * abs(force[0]) * against, atol=1e-7)
    assert slipped > 50


def test_a_pulled_point_is_held_or_leaves():
    held = solve_points(problem((10, 7, 0)))
    np.testing.assert_allclose(held.force, [[-10, -5, 0]])  # friction still brakes
    left = solve_points(problem((10, 7, 0), unilateral=True))
    np.testing.assert_array_equal(left.force, [[0, 0, 0]])
    assert left.apart[0]


def test_one_leaves_and_the_other_stays():
    """A rod pushed down at one end goes up at the other."""
    both = np.kron([[4.0, -2.0], [-2.0, 4.0]], np.eye(3))
    found = solve_points(problem([(-10, 0, 0), (5, 0, 0)], compliance=both, unilateral=True))
    # the force on the first, 2.5, pushes the second down by 5, just as it rises: it neither leaves nor is pushed
    np.testing.assert_allclose(found.force[:, 0], [2.5, 0.0], atol=1e-12)
    found = solve_points(problem([(-10, 0, 0), (6, 0, 0)], compliance=both, unilateral=True))
    np.testing.assert_array_equal(found.apart, [False, True])


def test_redundant_rows_get_least_norm():
    same = np.kron(np.ones((2, 2)), np.eye(3))
    found = solve_points(problem([(-10, 0, 0), (-10, 0, 0)], compliance=same))
    np.testing.assert_allclose(found.force[:, 0], [5, 5])


def test_friction_has_nothing_to_hold_in_a_corner():
    """One point on two planes: each holds it along a tangent of the other. Friction acts along the edge only."""
    axes = np.array([[0, 0, 1.0], [1, 0, 0], [0, 1, 0], [0, 1, 0], [1, 0, 0], [0, 0, 1]])  # normals z and y
    found = solve_points(problem(axes.reshape(2, 3, 3) @ [2.0, -10, -5], compliance=axes @ axes.T))
    np.testing.assert_allclose(found.force, [[5, -1, 0], [10, -1, 0]], atol=1e-12)
    assert found.sticks.all()
    found = solve_points(problem(axes.reshape(2, 3, 3) @ [20.0, -10, -5], compliance=axes @ axes.T))
    np.testing.assert_allclose(found.force, [[5, -2.5, 0], [10, -5, 0]], atol=1e-9)
    assert not found.sticks.any()


def test_contradiction_and_jamming():
    same = np.kron(np.ones((2, 2)), np.eye(3))
    with pytest.raises(sk.RankError, match="m/s² is missing"):
        solve_points(problem([(-10, 0, 0), (-9, 0, 0)], compliance=same))
    coupled = np.array([[1.0, 0.8, 0], [0.8, 1.0, 0], [0, 0, 1.0]])  # A = 1 − 0.8 K for slip along the first tangent
    sliding = {"compliance": coupled, "may_stick": False, "slip": (1.0, 0.0)}
    assert solve_points(problem((-10, 0, 0), friction=1.0, **sliding)).force[0, 0] == pytest.approx(10 / 0.2)
    with pytest.raises(sk.JammingError, match="must be positive"):
        solve_points(problem((-10, 0, 0), friction=1.25, **sliding))
