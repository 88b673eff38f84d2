"""`Dynamics` refuses wrong shapes: the kernels behind it do not look."""

from __future__ import annotations

import copy

import numpy as np
import pytest

import sesshoku as sk

Q, V = np.zeros(2), np.zeros(2)


@pytest.mark.parametrize(
    "call",
    [
        lambda d: d.inertia_matrix(0.3),
        lambda d: d.inertia_matrix([0.1]),
        lambda d: d.bias_force(Q, [1.0]),
        lambda d: d.inverse(Q, V, []),
        lambda d: d.loaded_inverses(Q, V, [V], np.array([0]), np.zeros((1, 3)), np.zeros((1, 3))),
        lambda d: d.relative_motion(np.array([0]), np.zeros(3), np.array([-1]), Q, V),
        lambda d: d.forward(Q, V, [1.0, 2.0, 3.0]),
        lambda d: d.forward([0.1], V, V),
        lambda d: d.forward_by_matrix(Q, V, [1.0]),
        lambda d: d.solve(Q, np.ones(4)),
        lambda d: d.solve(Q, np.ones((1, 2))),
        lambda d: d.jacobian("lower", np.zeros((2, 1))),
        lambda d: d.drift("lower", Q, [0.0]),
        lambda d: d.velocity("lower", Q, [0.0]),
        lambda d: d.com([]),
        lambda d: d.momentum(Q, V, [1.0]),
        lambda d: d.energy(Q, 1.0),
        lambda d: d.integrate([0.0], V),
        lambda d: d.integrate(Q, [1.0]),
        lambda d: d.difference(Q, [1.0]),
        lambda d: d.test_force(["lower"], [1.0]),
    ],
)
def test_wrong_shapes_are_refused(call) -> None:
    dynamics = sk.Dynamics(sk.load("double_pendulum"))
    with pytest.raises(sk.SesshokuError, match="has shape"):
        call(dynamics)


def test_lists_integers_and_slices_are_taken() -> None:
    dynamics = sk.Dynamics(sk.load("double_pendulum"))
    expected = dynamics.forward(np.array([1.0, 2.0]), V, V)
    np.testing.assert_array_equal(dynamics.forward([1, 2], [0, 0], (0, 0)), expected)
    np.testing.assert_array_equal(dynamics.forward(np.array([1.0, 9.0, 2.0, 9.0])[::2], V, V), expected)


def test_many_right_hand_sides() -> None:
    dynamics = sk.Dynamics(sk.load("hoap_class"))
    q = dynamics.model.q0
    inverse = dynamics.solve(q, np.eye(26))
    np.testing.assert_allclose(inverse @ dynamics.inertia_matrix(q), np.eye(26), atol=1e-10)


def test_copy_has_memory_of_its_own() -> None:
    dynamics = sk.Dynamics(sk.load("double_pendulum"))
    twin = copy.deepcopy(dynamics)
    assert twin.system.address != dynamics.system.address
    np.testing.assert_array_equal(twin.inertia_matrix(Q), dynamics.inertia_matrix(Q))
