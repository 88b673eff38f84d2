"""Test forces: how bodies respond to unit wrenches, on one articulated-body factorisation.

Kokkevis' method, as paper 1 uses it, for all six wrenches of a body at once: passed up its ancestors, a wrench leaves
at each velocity d the generalised force y = Sᵀ f and goes on as f − U y/D. The response of body b to wrenches on body c
is the sum of yᵇ yᶜ/D over the velocities both depend on. A unit force on a velocity begins with y = 1.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Wrench, add_motion, power, scale_motion
from sesshoku.spatial.row import load_motion
from sesshoku.spatial.vector import Vec3, cross

__all__ = [
    "climb",
    "climb_from_joint",
    "climb_from_point",
    "common",
    "respond_bodies",
    "respond_points",
    "test_force",
]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
ZERO = (0.0, 0.0, 0.0)
X, Y, Z = (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0)


@kernel
def pass_on(u: Wrench, y: float, f: Wrench) -> Wrench:
    """What is left of a wrench above a velocity that yields: f − U y/D."""
    return add_motion(f, scale_motion(-y, u))


@kernel
def climb(s: Handle, d: int, k: int, chain: Index, left: Array) -> int:
    """Pass the six unit wrenches of the body whose last velocity is d to the root, side by side; needs factor.

    Row k of ``chain`` gets the velocities on the way, from the root on, that of ``left`` what is left at each of them;
    returns their number.
    """
    freedom, response, dof_parent, dof_depth = s.freedom, s.response, s.dof_parent, s.dof_depth
    length: int = dof_depth[d] + 1
    a, b, c, e, f, g = (X, ZERO), (Y, ZERO), (Z, ZERO), (ZERO, X), (ZERO, Y), (ZERO, Z)
    while d >= 0:
        column, u, at = load_motion(freedom, d), load_motion(response, d), np.uintp(dof_depth[d])
        chain[k, at] = d
        y = (
            power(column, a), power(column, b), power(column, c),
            power(column, e), power(column, f), power(column, g),
        )  # fmt: skip
        left[k, at, 0], left[k, at, 1], left[k, at, 2], left[k, at, 3], left[k, at, 4], left[k, at, 5] = y
        a, b, c = pass_on(u, y[0], a), pass_on(u, y[1], b), pass_on(u, y[2], c)
        e, f, g = pass_on(u, y[3], e), pass_on(u, y[4], f), pass_on(u, y[5], g)
        d = dof_parent[d]
    return length


@kernel
def climb_from_point(s: Handle, d: int, k: int, x: Vec3, chain: Index, left: Array) -> int:
    """The same for the three unit forces at x from the tree's origin, in the first columns of ``left``."""
    freedom, response, dof_parent, dof_depth = s.freedom, s.response, s.dof_parent, s.dof_depth
    length: int = dof_depth[d] + 1
    e, f, g = (cross(x, X), X), (cross(x, Y), Y), (cross(x, Z), Z)
    while d >= 0:
        column, u, at = load_motion(freedom, d), load_motion(response, d), np.uintp(dof_depth[d])
        chain[k, at] = d
        y = power(column, e), power(column, f), power(column, g)
        left[k, at, 0], left[k, at, 1], left[k, at, 2] = y
        e, f, g = pass_on(u, y[0], e), pass_on(u, y[1], f), pass_on(u, y[2], g)
        d = dof_parent[d]
    return length


@kernel
def climb_from_joint(s: Handle, d: int, k: int, chain: Index, left: Array) -> int:
    """The same for the unit force on velocity d, in the first column of ``left``."""
    length: int = s.dof_depth[d] + 1
    f, y = (ZERO, ZERO), 1.0
    while True:
        chain[k, s.dof_depth[d]], left[k, s.dof_depth[d], 0] = d, y
        f = pass_on(load_motion(s.response, d), y, f)
        d = s.dof_parent[d]
        if d < 0:
            return length
        y = power(load_motion(s.freedom, d), f)


@kernel
def common(chain: Index, a: int, b: int, most: int) -> int:
    """Number of velocities that rows a and b of ``chain`` share from the root on, of at most ``most``."""
    for depth in range(most):
        if chain[a, depth] != chain[b, depth]:
            return depth
    return most


@kernel
def respond_bodies(
    s: Handle, left: Array, chain: Index, a: int, b: int, length: int, out: Array, begin: int, stride: int, mirror: int
) -> None:
    """Fill the 6x6 response of row a to row b, over the velocities they share, and its transpose.

    ``out`` is flat: the block begins at ``begin``, its rows are ``stride`` apart; the transpose begins at ``mirror``.
    """
    compliance, row, other = s.compliance, np.uintp(a), np.uintp(b)
    for j in range(6):
        x = y = z = u = v = w = 0.0
        for k in range(length):
            depth = np.uintp(k)
            share = left[row, depth, np.uintp(j)] * compliance[np.uintp(chain[row, depth])]
            x += share * left[other, depth, 0]
            y += share * left[other, depth, 1]
            z += share * left[other, depth, 2]
            u += share * left[other, depth, 3]
            v += share * left[other, depth, 4]
            w += share * left[other, depth, 5]
        at = begin + j * stride
        out[at], out[at + 1], out[at + 2], out[at + 3], out[at + 4], out[at + 5] = x, y, z, u, v, w
        at = mirror + j
        out[at], out[at + stride], out[at + 2 * stride] = x, y, z
        out[at + 3 * stride], out[at + 4 * stride], out[at + 5 * stride] = u, v, w


@kernel
def respond_points(
    s: Handle, left: Array, chain: Index, a: int, b: int, length: int, out: Array, begin: int, stride: int, mirror: int
) -> None:
    """The same for the 3x3 response of two points."""
    compliance, row, other = s.compliance, np.uintp(a), np.uintp(b)
    for j in range(3):
        x = y = z = 0.0
        for k in range(length):
            depth = np.uintp(k)
            share = left[row, depth, np.uintp(j)] * compliance[np.uintp(chain[row, depth])]
            x += share * left[other, depth, 0]
            y += share * left[other, depth, 1]
            z += share * left[other, depth, 2]
        at = begin + j * stride
        out[at], out[at + 1], out[at + 2] = x, y, z
        at = mirror + j
        out[at], out[at + stride], out[at + 2 * stride] = x, y, z


@kernel
def test_force(s: Handle, bodies: Index, out: Array) -> None:
    """Fill (6k, 6k) with the response of the motions of these bodies to unit wrenches on them; needs factor.

    Motions and wrenches are about the tree's origin, in world axes, angular parts first. The matrix is symmetric.
    """
    count, deepest = len(bodies), 0
    for d in range(len(s.dof_depth)):
        deepest = max(deepest, s.dof_depth[d] + 1)
    chain = np.empty((count, deepest), dtype=np.int64)
    left = np.empty((count, deepest, 6))
    length = np.empty(count, dtype=np.int64)
    flat = out.reshape(-1)
    for b in range(count):
        length[b] = climb(s, s.v_end[bodies[b]] - 1, b, chain, left)
        for c in range(b + 1):
            shared = common(chain, b, c, min(length[b], length[c]))
            here, there = 36 * count * b + 6 * c, 36 * count * c + 6 * b
            respond_bodies(s, left, chain, b, c, shared, flat, here, 6 * count, there)
