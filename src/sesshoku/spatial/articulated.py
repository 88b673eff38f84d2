"""Articulated inertia: a symmetric 6x6 matrix as angular (6), coupling (9) and linear (6) blocks.

wrench = IA motion: moment = A angular + B linear, force = Bᵀ angular + C linear.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import kernel
from sesshoku.spatial.inertia import Sym3, apply_symmetric
from sesshoku.spatial.motion import Motion, Wrench
from sesshoku.spatial.rotation import Mat3, rotate, rotate_back
from sesshoku.spatial.vector import Vec3, add

__all__ = [
    "Articulated",
    "add_articulated",
    "apply_articulated",
    "load_articulated",
    "project",
    "rigid",
    "store_articulated",
]

Array = NDArray[np.float64]
Articulated: TypeAlias = tuple[Sym3, Mat3, Sym3]


@kernel
def rigid(mass: float, first: Vec3, about: Sym3) -> Articulated:
    """The inertia of one rigid body."""
    x, y, z = first
    return about, (0.0, -z, y, z, 0.0, -x, -y, x, 0.0), (mass, mass, mass, 0.0, 0.0, 0.0)


@kernel
def apply_articulated(a: Articulated, v: Motion) -> Wrench:
    """IA v."""
    return (
        add(apply_symmetric(a[0], v[0]), rotate(a[1], v[1])),
        add(rotate_back(a[1], v[0]), apply_symmetric(a[2], v[1])),
    )


@kernel
def minus_square(m: Sym3, a: Vec3, b: Vec3) -> Sym3:
    """M − a bᵀ, where that is symmetric."""
    return (
        m[0] - a[0] * b[0],
        m[1] - a[1] * b[1],
        m[2] - a[2] * b[2],
        m[3] - a[0] * b[1],
        m[4] - a[0] * b[2],
        m[5] - a[1] * b[2],
    )


@kernel
def minus_outer(m: Mat3, a: Vec3, b: Vec3) -> Mat3:
    """M − a bᵀ."""
    return (
        m[0] - a[0] * b[0], m[1] - a[0] * b[1], m[2] - a[0] * b[2],
        m[3] - a[1] * b[0], m[4] - a[1] * b[1], m[5] - a[1] * b[2],
        m[6] - a[2] * b[0], m[7] - a[2] * b[1], m[8] - a[2] * b[2],
    )  # fmt: skip


@kernel
def project(a: Articulated, u: Wrench, scaled: Wrench) -> Articulated:
    """IA − U Uᵀ/D with ``scaled`` = U/D: the inertia felt through a joint that yields along one freedom."""
    return (
        minus_square(a[0], u[0], scaled[0]),
        minus_outer(a[1], u[0], scaled[1]),
        minus_square(a[2], u[1], scaled[1]),
    )


@kernel
def load_articulated(a: Array, i: int) -> Articulated:
    """Row i of an (n, 21) array."""
    row = np.uintp(i)
    return (
        (a[row, 0], a[row, 1], a[row, 2], a[row, 3], a[row, 4], a[row, 5]),
        (
            a[row, 6], a[row, 7], a[row, 8],
            a[row, 9], a[row, 10], a[row, 11],
            a[row, 12], a[row, 13], a[row, 14],
        ),
        (a[row, 15], a[row, 16], a[row, 17], a[row, 18], a[row, 19], a[row, 20]),
    )  # fmt: skip


@kernel
def store_articulated(a: Array, i: int, x: Articulated) -> None:
    """Write row i of an (n, 21) array."""
    row = np.uintp(i)
    a[row, 0], a[row, 1], a[row, 2], a[row, 3], a[row, 4], a[row, 5] = x[0]
    (
        a[row, 6], a[row, 7], a[row, 8],
        a[row, 9], a[row, 10], a[row, 11],
        a[row, 12], a[row, 13], a[row, 14],
    ) = x[1]  # fmt: skip
    a[row, 15], a[row, 16], a[row, 17], a[row, 18], a[row, 19], a[row, 20] = x[2]


@kernel
def add_articulated(x: Articulated, y: Articulated) -> Articulated:
    """The inertia of two bodies that move together."""
    (a, b, c), (d, e, f) = x, y
    return (
        (a[0] + d[0], a[1] + d[1], a[2] + d[2], a[3] + d[3], a[4] + d[4], a[5] + d[5]),
        (
            b[0] + e[0], b[1] + e[1], b[2] + e[2], b[3] + e[3], b[4] + e[4], b[5] + e[5],
            b[6] + e[6], b[7] + e[7], b[8] + e[8],
        ),
        (c[0] + f[0], c[1] + f[1], c[2] + f[2], c[3] + f[3], c[4] + f[4], c[5] + f[5]),
    )  # fmt: skip
