"""The articulated-body recursion, as a factorisation used again and again.

`factor` eliminates the velocities from the leaves to the root, and carries one right-hand side along because it comes
for a tenth of a solve of its own; `expand` gives its solution from the root outwards. `solve` does both for any further
right-hand side. It is the sparse factor M = Lᵀ D L in disguise: D is the same, and L of a velocity d and its ancestor
e is Uᵈ·Sᵉ/Dᵈ.
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

__all__ = ["expand", "factor", "solve"]

Array = NDArray[np.float64]
STILL = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@kernel
def factor(s: Handle, applied: Array, wrench: Array) -> None:
    """Fill response U/D and compliance 1/D of each velocity from moments, freedom and diagonal.

    Also reduces M x = applied − Jᵀ wrench, with ``wrench`` (n, 6) on each body about the tree's origin, for `expand`.
    """
    parent, order, v_start, v_end, offspring = s.parent, s.order, s.v_start, s.v_end, s.offspring
    freedom, response, compliance, diagonal = s.freedom, s.response, s.compliance, s.diagonal
    articulated, carried, reduced = s.articulated, s.carried, s.reduced
    mass, first_moment, moments = s.mass, s.first_moment, s.moments
    for k in range(len(order) - 1, -1, -1):
        i = order[k]
        inertia, f = rigid(mass[i], load3(first_moment, i), load6(moments, i)), load_motion(wrench, i)
        if offspring[i] != LEAF:
            inertia = add_articulated(inertia, load_articulated(articulated, i))
            f = add_motion(f, load_motion(carried, i))
        for d in range(v_end[i] - 1, v_start[i] - 1, -1):
            column = load_motion(freedom, d)
            u = apply_articulated(inertia, column)
            compliant = 1.0 / (power(column, u) + diagonal[d])
            scaled = scale_motion(compliant, u)
            inertia = project(inertia, u, scaled)  # what is felt through a velocity that yields
            rest = applied[d] - power(column, f)
            f = add_motion(f, scale_motion(rest, scaled))
            compliance[d], reduced[d] = compliant, rest * compliant
            store_motion(response, d, scaled)
        p = parent[i]
        if p >= 0:
            if offspring[p] != i:
                inertia = add_articulated(inertia, load_articulated(articulated, p))
                f = add_motion(f, load_motion(carried, p))
            store_articulated(articulated, p, inertia)
            store_motion(carried, p, f)


@kernel
def reduce(s: Handle, applied: Array, wrench: Array) -> None:
    """The part of `factor` that concerns the right-hand side, for a further one."""
    parent, order, v_start, v_end, offspring = s.parent, s.order, s.v_start, s.v_end, s.offspring
    carried, freedom, response, compliance, reduced = s.carried, s.freedom, s.response, s.compliance, s.reduced
    for k in range(len(order) - 1, -1, -1):
        i = order[k]
        f = load_motion(wrench, i)
        if offspring[i] != LEAF:
            f = add_motion(f, load_motion(carried, i))
        for d in range(v_end[i] - 1, v_start[i] - 1, -1):
            rest = applied[d] - power(load_motion(freedom, d), f)
            f = add_motion(f, scale_motion(rest, load_motion(response, d)))
            reduced[d] = rest * compliance[d]
        p = parent[i]
        if p >= 0:
            if offspring[p] != i:
                f = add_motion(f, load_motion(carried, p))
            store_motion(carried, p, f)


@kernel
def expand(s: Handle) -> None:
    """Fill acceleration, the solution of what was reduced last."""
    parent, order, v_start, v_end, offspring = s.parent, s.order, s.v_start, s.v_end, s.offspring
    carried, freedom, response, reduced, acceleration = s.carried, s.freedom, s.response, s.reduced, s.acceleration
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


@kernel
def solve(s: Handle, applied: Array, wrench: Array) -> None:
    """Fill acceleration = M⁻¹ (applied − Jᵀ wrench), with ``wrench`` (n, 6) on each body about the tree's origin."""
    reduce(s, applied, wrench)
    expand(s)
