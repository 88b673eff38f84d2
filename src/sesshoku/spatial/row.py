"""Between tuples and rows of arrays: load, compute, store.

The row number is turned into an unsigned one, which spares the code that lets -1 mean the last row.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.kernel import kernel
from sesshoku.spatial.inertia import Sym3
from sesshoku.spatial.motion import Motion
from sesshoku.spatial.rotation import Mat3, Quat
from sesshoku.spatial.vector import Vec3

__all__ = [
    "copy", "load3", "load6", "load9", "load_motion", "load_quaternion",
    "store3", "store6", "store9", "store_motion", "store_quaternion",
]  # fmt: skip

Array = NDArray[np.float64]


@kernel
def copy(source: Array, out: Array) -> None:
    """Copy a flat array into one of the same length; ``out[:] = source`` takes Numba seconds to compile."""
    for i in range(len(source)):
        out[i] = source[i]


@kernel
def load3(a: Array, i: int) -> Vec3:
    """Row i of an (n, 3) array."""
    row = np.uintp(i)
    return (a[row, 0], a[row, 1], a[row, 2])


@kernel
def store3(a: Array, i: int, x: Vec3) -> None:
    """Write row i of an (n, 3) array."""
    row = np.uintp(i)
    a[row, 0], a[row, 1], a[row, 2] = x


@kernel
def load6(a: Array, i: int) -> Sym3:
    """Row i of an (n, 6) array as six numbers."""
    row = np.uintp(i)
    return (a[row, 0], a[row, 1], a[row, 2], a[row, 3], a[row, 4], a[row, 5])


@kernel
def store6(a: Array, i: int, x: Sym3) -> None:
    """Write row i of an (n, 6) array."""
    row = np.uintp(i)
    a[row, 0], a[row, 1], a[row, 2], a[row, 3], a[row, 4], a[row, 5] = x


@kernel
def load9(a: Array, i: int) -> Mat3:
    """Row i of an (n, 9) array as a matrix, row by row."""
    row = np.uintp(i)
    return (a[row, 0], a[row, 1], a[row, 2], a[row, 3], a[row, 4], a[row, 5], a[row, 6], a[row, 7], a[row, 8])


@kernel
def store9(a: Array, i: int, x: Mat3) -> None:
    """Write row i of an (n, 9) array."""
    row = np.uintp(i)
    a[row, 0], a[row, 1], a[row, 2], a[row, 3], a[row, 4], a[row, 5], a[row, 6], a[row, 7], a[row, 8] = x


@kernel
def load_motion(a: Array, i: int) -> Motion:
    """Row i of an (n, 6) array as a motion or wrench: angular part first."""
    row = np.uintp(i)
    return (a[row, 0], a[row, 1], a[row, 2]), (a[row, 3], a[row, 4], a[row, 5])


@kernel
def store_motion(a: Array, i: int, x: Motion) -> None:
    """Write row i of an (n, 6) array, angular part first."""
    row = np.uintp(i)
    a[row, 0], a[row, 1], a[row, 2] = x[0]
    a[row, 3], a[row, 4], a[row, 5] = x[1]


@kernel
def load_quaternion(a: Array, i: int) -> Quat:
    """Four numbers of a flat array, from index i."""
    return (a[i], a[i + 1], a[i + 2], a[i + 3])


@kernel
def store_quaternion(a: Array, i: int, x: Quat) -> None:
    """Write four numbers of a flat array, from index i."""
    a[i], a[i + 1], a[i + 2], a[i + 3] = x
