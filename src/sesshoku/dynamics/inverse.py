"""Inverse dynamics: the generalised force that gives a wanted v̇ (recursive Newton–Euler)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.inertia import apply_inertia
from sesshoku.spatial.motion import add_motion, power, scale_motion
from sesshoku.spatial.row import load3, load6, load_motion, store_motion

__all__ = ["inverse_dynamics"]

Array = NDArray[np.float64]
STILL = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@kernel
def inverse_dynamics(s: Handle, rate: Array, out: Array) -> None:
    """Fill out = (M + diagonal) rate + bias − external forces; needs body_wrenches, and loads where there are any."""
    parent, v_start, freedom, carried = s.parent, s.v_start, s.freedom, s.carried
    n = len(parent)
    for i in range(n):
        a = load_motion(carried, parent[i]) if parent[i] >= 0 else STILL
        for d in range(v_start[i], s.v_end[i]):
            a = add_motion(a, scale_motion(rate[d], load_motion(freedom, d)))
        store_motion(carried, i, a)
    for i in range(n):
        own = apply_inertia(s.mass[i], load3(s.first_moment, i), load6(s.moments, i), load_motion(carried, i))
        store_motion(carried, i, add_motion(load_motion(s.wrench, i), own))
    for i in range(n - 1, -1, -1):
        f = load_motion(carried, i)
        for d in range(v_start[i], s.v_end[i]):
            out[d] = power(load_motion(freedom, d), f) + s.diagonal[d] * rate[d]
        if parent[i] >= 0:
            store_motion(carried, parent[i], add_motion(load_motion(carried, parent[i]), f))
