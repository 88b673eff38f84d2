"""Rotations: matrices, quaternions, exponential and logarithm."""

from __future__ import annotations

import numpy as np
from hypothesis import example, given
from hypothesis import strategies as st

from sesshoku.spatial.angle import sine_cosine
from sesshoku.spatial.pose import Pose, rotation_from_quaternion, rotation_from_rpy, rotation_to_z
from sesshoku.spatial.rotation import (
    axes_of,
    exponential,
    logarithm,
    multiply,
    normalise,
    quaternion_product,
    rotate,
    rotate_back,
    turn_z,
)

numbers = st.floats(-10, 10, allow_nan=False)
vectors = st.tuples(numbers, numbers, numbers)


def matrix(r: tuple[float, ...]) -> np.ndarray:
    return np.array(r).reshape(3, 3)


@given(st.floats(-1e5, 1e5))
def test_sine_and_cosine_to_the_last_place(x: float) -> None:
    np.testing.assert_allclose(sine_cosine(x), (np.sin(x), np.cos(x)), atol=2.3e-16, rtol=2.3e-16)


def test_sine_and_cosine_at_quarter_turns() -> None:
    for k in range(-9, 10):
        x = k * np.pi / 2
        np.testing.assert_allclose(sine_cosine(x), (np.sin(x), np.cos(x)), atol=1e-16, rtol=0)


@given(vectors)
def test_exponential_is_a_rotation_about_its_axis(a: tuple[float, float, float]) -> None:
    r = matrix(axes_of(exponential(a)))
    np.testing.assert_allclose(r @ r.T, np.eye(3), atol=1e-14)
    assert np.linalg.det(r) > 0
    np.testing.assert_allclose(r @ a, a, atol=1e-13)
    assert abs(np.trace(r) - 1 - 2 * np.cos(np.linalg.norm(a))) < 1e-13


@given(st.tuples(*[st.floats(-1.8, 1.8)] * 3))
def test_logarithm_undoes_exponential(a: tuple[float, float, float]) -> None:
    if np.linalg.norm(a) < np.pi - 1e-6:
        np.testing.assert_allclose(logarithm(exponential(a)), a, atol=1e-12)


@given(st.floats(1e-12, 1e-3))
def test_small_rotations_lose_nothing(size: float) -> None:
    a = (size, -0.5 * size, 0.25 * size)
    np.testing.assert_allclose(logarithm(exponential(a)), a, rtol=1e-13)


@given(vectors, vectors, vectors)
def test_products_agree(a: tuple[float, ...], b: tuple[float, ...], x: tuple[float, ...]) -> None:
    p, q = exponential(a), exponential(b)
    both = multiply(axes_of(p), axes_of(q))
    np.testing.assert_allclose(matrix(both), matrix(axes_of(p)) @ matrix(axes_of(q)), atol=1e-14)
    np.testing.assert_allclose(matrix(axes_of(normalise(quaternion_product(p, q)))), matrix(both), atol=1e-13)
    np.testing.assert_allclose(rotate(both, x), matrix(both) @ x, atol=1e-12)
    np.testing.assert_allclose(rotate_back(both, rotate(both, x)), x, atol=1e-12)


@given(vectors, st.floats(-4, 4))
def test_turn_about_own_z(a: tuple[float, ...], angle: float) -> None:
    r = axes_of(exponential(a))
    expected = matrix(r) @ matrix(axes_of(exponential((0.0, 0.0, angle))))
    np.testing.assert_allclose(matrix(turn_z(r, np.cos(angle), np.sin(angle))), expected, atol=1e-14)


def test_no_rotation_from_a_zero_quaternion() -> None:
    assert normalise((0.0, 0.0, 0.0, 0.0)) == (1.0, 0.0, 0.0, 0.0)


@given(vectors)
def test_rpy_is_yaw_after_pitch_after_roll(rpy: tuple[float, ...]) -> None:
    x, y, z = (matrix(axes_of(exponential(tuple(angle * np.eye(3)[k])))) for k, angle in enumerate(rpy))
    np.testing.assert_allclose(rotation_from_rpy(rpy), z @ y @ x, atol=1e-14)


@given(vectors)
@example((0.0, 1e-10, 1.0))
@example((1e-200, 0.0, -1.0))
def test_axis_to_z(axis: tuple[float, ...]) -> None:
    length = np.linalg.norm(axis)
    if length > 1e-6:
        r = rotation_to_z(axis)
        np.testing.assert_allclose(r[:, 2], np.array(axis) / length, atol=1e-14)
        np.testing.assert_allclose(r @ r.T, np.eye(3), atol=1e-14)
        assert np.linalg.det(r) > 0


@given(vectors, vectors, vectors)
def test_poses_compose_and_invert(a: tuple[float, ...], b: tuple[float, ...], x: tuple[float, ...]) -> None:
    p, q = Pose.at(a, rpy=b), Pose.at(b, quaternion=exponential(a))
    np.testing.assert_allclose((p @ q).apply(x), p.apply(q.apply(x)), atol=1e-12)
    np.testing.assert_allclose(p.inverse().apply(p.apply(x)), x, atol=1e-12)
    np.testing.assert_allclose(rotation_from_quaternion(exponential(a)), matrix(axes_of(exponential(a))), atol=1e-14)
