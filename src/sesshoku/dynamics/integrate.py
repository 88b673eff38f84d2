"""Coordinates along velocities: the rates of q, a step of q, and the velocity between two configurations."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.model.joint import BALL, FREE
from sesshoku.spatial.rotation import exponential, logarithm, normalise, quaternion_product
from sesshoku.spatial.row import load_quaternion, store_quaternion

__all__ = ["advance", "difference", "normalise_quaternions", "rates"]

Array = NDArray[np.float64]


@kernel
def advance(s: Handle, q: Array, v: Array, dt: float) -> None:
    """Move q by v over dt: quaternions by the exponential of the body-axes rotation, exact for constant v."""
    kind, q_start, v_start = s.kind, s.q_start, s.v_start
    for i in range(len(kind)):
        c, d = q_start[i], v_start[i]
        if kind[i] == FREE:
            q[c] += dt * v[d]
            q[c + 1] += dt * v[d + 1]
            q[c + 2] += dt * v[d + 2]
            c, d = c + 3, d + 3
        if kind[i] == FREE or kind[i] == BALL:
            turn = exponential((dt * v[d], dt * v[d + 1], dt * v[d + 2]))
            store_quaternion(q, c, normalise(quaternion_product(load_quaternion(q, c), turn)))
        else:
            q[c] += dt * v[d]


@kernel
def rates(s: Handle, q: Array, v: Array, out: Array, row: int) -> None:
    """dq/dt into a row of ``out``; of a quaternion it is ½ q ∘ (0, ω)."""
    kind, q_start, v_start = s.kind, s.q_start, s.v_start
    for i in range(len(kind)):
        c, d = q_start[i], v_start[i]
        if kind[i] == FREE:
            out[row, c], out[row, c + 1], out[row, c + 2] = v[d], v[d + 1], v[d + 2]
            c, d = c + 3, d + 3
        if kind[i] == FREE or kind[i] == BALL:
            half = (0.0, 0.5 * v[d], 0.5 * v[d + 1], 0.5 * v[d + 2])
            rate = quaternion_product(load_quaternion(q, c), half)
            out[row, c], out[row, c + 1], out[row, c + 2], out[row, c + 3] = rate
        else:
            out[row, c] = v[d]


@kernel
def normalise_quaternions(s: Handle, q: Array) -> None:
    """Bring every quaternion of q back to unit length."""
    for i in range(len(s.kind)):
        if s.kind[i] == FREE or s.kind[i] == BALL:
            c = s.q_start[i] + (3 if s.kind[i] == FREE else 0)
            store_quaternion(q, c, normalise(load_quaternion(q, c)))


@kernel
def difference(s: Handle, start: Array, end: Array, out: Array) -> None:
    """The constant velocity that leads from ``start`` to ``end`` in one second, along the shorter rotation."""
    for i in range(len(s.kind)):
        c, d = s.q_start[i], s.v_start[i]
        if s.kind[i] == FREE:
            for axis in range(3):
                out[d + axis] = end[c + axis] - start[c + axis]
            c, d = c + 3, d + 3
        if s.kind[i] == FREE or s.kind[i] == BALL:
            w, x, y, z = load_quaternion(start, c)
            turn = logarithm(normalise(quaternion_product((w, -x, -y, -z), load_quaternion(end, c))))
            out[d], out[d + 1], out[d + 2] = turn
        else:
            out[d] = end[c] - start[c]
