"""The articulated-body recursion, as a factorisation used again and again.

`factor` eliminates the velocities from the leaves to the root; `solve` then gives M⁻¹ times any force. It is the
sparse factor M = Lᵀ D L in disguise: D is the same, and L of a velocity d and its ancestor e is Uᵈ·Sᵉ/Dᵈ.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import LEAF, Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.articulated import (
    add_articulated,
    apply_articulated,
    load_articulated,
    project,
    rigid,
    store_articulated,
)
from sesshoku.spatial.motion import add_motion, power, scale_motion
from sesshoku.spatial.row import load3, load6, load_motion, store_motion

__all__ = ["factor", "solve"]

Array = NDArray[np.float64]
STILL = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@kernel
def factor(s: Handle) -> None:
    """Fill response U/D and compliance 1/D of each velocity from moments, freedom and diagonal."""
    articulated, freedom, response, compliance, diagonal = (
        s.articulated,
        s.freedom,
        s.response,
        s.compliance,
        s.diagonal,
    )
    parent, order, v_start, v_end, offspring = s.parent, s.order, s.v_start, s.v_end, s.offspring
    mass, first_moment, moments = s.mass, s.first_moment, s.moments
    for k in range(len(order) - 1, -1, -1):
        i = order[k]
        inertia = rigid(mass[i], load3(first_moment, i), load6(moments, i))
        if offspring[i] != LEAF:
            inertia = add_articulated(inertia, load_articulated(articulated, i))
        for d in range(v_end[i] - 1, v_start[i] - 1, -1):
            column = load_motion(freedom, d)
            u = apply_articulated(inertia, column)
            yielding = 1.0 / (power(column, u) + diagonal[d])
            scaled = scale_motion(yielding, u)
            compliance[d] = yielding
            store_motion(response, d, scaled)
            inertia = project(inertia, u, scaled)  # what is felt through a velocity that yields
        p = parent[i]
        if p >= 0:
            if offspring[p] != i:
                inertia = add_articulated(inertia, load_articulated(articulated, p))
            store_articulated(articulated, p, inertia)


@kernel
def solve(s: Handle, applied: Array, wrench: Array) -> None:
    """Fill acceleration = M⁻¹ (applied − Jᵀ wrench), with ``wrench`` (n, 6) on each body about the tree's origin."""
    parent, order, v_start, v_end, offspring = s.parent, s.order, s.v_start, s.v_end, s.offspring
    carried, freedom, response, compliance = s.carried, s.freedom, s.response, s.compliance
    reduced, acceleration = s.reduced, s.acceleration
    for k in range(len(order) - 1, -1, -1):
        i = order[k]
        f = load_motion(wrench, i)
        if offspring[i] != LEAF:
            f = add_motion(f, load_motion(carried, i))
        for d in range(v_end[i] - 1, v_start[i] - 1, -1):
            u = applied[d] - power(load_motion(freedom, d), f)
            reduced[d] = u * compliance[d]
            f = add_motion(f, scale_motion(u, load_motion(response, d)))
        p = parent[i]
        if p >= 0:
            if offspring[p] != i:
                f = add_motion(f, load_motion(carried, p))
            store_motion(carried, p, f)
    for k in range(len(order)):
        i = order[k]
        p = parent[i]
        a = load_motion(carried, p) if p >= 0 else STILL
        for d in range(v_start[i], v_end[i]):
            rate = reduced[d] - power(load_motion(response, d), a)
            acceleration[d] = rate
            a = add_motion(a, scale_motion(rate, load_motion(freedom, d)))
        if offspring[i] != LEAF:
            store_motion(carried, i, a)
