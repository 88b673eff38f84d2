"""How a point of a body moves: its Jacobian, and its acceleration at zero v̇.

For users linear parts come first, in world axes, at the point itself.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import velocity_at
from sesshoku.spatial.row import load_motion
from sesshoku.spatial.vector import Vec3, add, cross

__all__ = ["drift", "jacobian", "linear_drift"]

Array = NDArray[np.float64]


@kernel
def jacobian(s: Handle, i: int, point: Vec3, out: Array) -> None:
    """Fill (6, nv): velocity of the point of body i, then its angular velocity; ``point`` is from the tree's origin."""
    out[:] = 0.0
    d = s.v_end[i] - 1
    while d >= 0:
        column = load_motion(s.freedom, d)
        linear = velocity_at(column, point)
        for k in range(3):
            out[k, d] = linear[k]
            out[3 + k, d] = column[0][k]
        d = s.dof_parent[d]


@kernel
def linear_drift(s: Handle, i: int, point: Vec3) -> Vec3:
    """Acceleration of the point of body i at zero v̇, without gravity; ``point`` is from the tree's origin."""
    v, a = load_motion(s.velocity, i), load_motion(s.bias_acceleration, i)
    # from the spatial acceleration to that of the material point, which itself moves
    linear = add(velocity_at(a, point), cross(v[0], velocity_at(v, point)))
    return add(linear, (s.gravity[0], s.gravity[1], s.gravity[2]))


@kernel
def drift(s: Handle, i: int, point: Vec3, out: Array) -> None:
    """Fill (6,) with J̇ v: linear and angular acceleration of the point at zero v̇, without gravity."""
    linear, angular = linear_drift(s, i, point), load_motion(s.bias_acceleration, i)[0]
    for k in range(3):
        out[k] = linear[k]
        out[3 + k] = angular[k]
