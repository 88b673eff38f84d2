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
    """Fill response U and compliance 1/D of each velocity from moments, freedom and diagonal."""
    articulated, freedom, response, compliance, diagonal = s.articulated, s.freedom, s.response, s.compliance, s.diagonal
    parent, v_start, offspring = s.parent, s.v_start, s.offspring
    mass, first_moment, moments = s.mass, s.first_moment, s.moments
    last = len(compliance)
    for i in range(len(parent) - 1, -1, -1):
        inertia = rigid(mass[i], load3(first_moment, i), load6(moments, i))
        if offspring[i] != LEAF:
            inertia = add_articulated(inertia, load_articulated(articulated, i))
        first, p = v_start[i], parent[i]
        for d in range(last - 1, first - 1, -1):
            column = load_motion(freedom, d)
            u = apply_articulated(inertia, column)
            compliance[d] = 1.0 / (power(column, u) + diagonal[d])
            store_motion(response, d, u)
            inertia = project(inertia, u, scale_motion(compliance[d], u))
        last = first
        if p >= 0:
            if offspring[p] != i:
                inertia = add_articulated(inertia, load_articulated(articulated, p))
            store_articulated(articulated, p, inertia)


@kernel
def solve(s: Handle, applied: Array, wrench: Array) -> None:
    """Fill acceleration = M⁻¹ (applied − Jᵀ wrench), with ``wrench`` (n, 6) on each body about the tree's origin."""
    parent, v_start, carried, freedom, offspring = s.parent, s.v_start, s.carried, s.freedom, s.offspring
    response, compliance, reduced, acceleration = s.response, s.compliance, s.reduced, s.acceleration
    n, nv = len(parent), len(compliance)
    last = nv
    for i in range(n - 1, -1, -1):
        f = load_motion(wrench, i)
        if offspring[i] != LEAF:
            f = add_motion(f, load_motion(carried, i))
        first, p = v_start[i], parent[i]
        for d in range(last - 1, first - 1, -1):
            u = (applied[d] - power(load_motion(freedom, d), f)) * compliance[d]
            reduced[d] = u
            f = add_motion(f, scale_motion(u, load_motion(response, d)))
        last = first
        if p >= 0:
            if offspring[p] != i:
                f = add_motion(f, load_motion(carried, p))
            store_motion(carried, p, f)
    for i in range(n):
        p = parent[i]
        a = load_motion(carried, p) if p >= 0 else STILL
        last = v_start[i + 1] if i + 1 < n else nv
        for d in range(v_start[i], last):
            rate = reduced[d] - power(load_motion(response, d), a) * compliance[d]
            acceleration[d] = rate
            a = add_motion(a, scale_motion(rate, load_motion(freedom, d)))
        if offspring[i] != LEAF:
            store_motion(carried, i, a)
