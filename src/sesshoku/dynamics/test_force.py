"""Test forces: how bodies respond to unit wrenches, on one articulated-body factorisation.

Kokkevis' method, as paper 1 uses it, for all six wrenches of a body at once: passed up its ancestors, a wrench leaves
at each velocity d the generalised force y = Sᵀ f and goes on as f − U y/D. The response of body b to wrenches on body c
is the sum of yᵇ yᶜ/D over the velocities both depend on.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load_motion

__all__ = ["test_force"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@kernel
def climb(s: Handle, i: int, slot: int, chain: Index, left: Array) -> int:
    """Pass the six unit wrenches of body i to the root; ``left[slot, depth]`` gets y, ``chain`` the velocities."""
    wrench = np.eye(6)  # column c: what is left of unit wrench c
    d = s.v_end[i] - 1
    length = int(s.dof_depth[d]) + 1
    while d >= 0:
        (a, b, c), (e, f, g) = load_motion(s.freedom, d)
        depth = s.dof_depth[d]
        chain[slot, depth] = d
        for k in range(6):
            y = (
                a * wrench[0, k] + b * wrench[1, k] + c * wrench[2, k]
                + e * wrench[3, k] + f * wrench[4, k] + g * wrench[5, k]
            )  # fmt: skip
            left[slot, depth, k] = y
            for r in range(6):
                wrench[r, k] -= s.response[d, r] * y
        d = s.dof_parent[d]
    return length


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
    for b in range(count):
        length[b] = climb(s, bodies[b], b, chain, left)
    for b in range(count):
        for c in range(b + 1):
            for j in range(6):
                for k in range(6):
                    out[6 * b + j, 6 * c + k] = 0.0
            for depth in range(min(length[b], length[c])):
                d = chain[b, depth]
                if d != chain[c, depth]:
                    break
                for j in range(6):
                    for k in range(6):
                        out[6 * b + j, 6 * c + k] += left[b, depth, j] * s.compliance[d] * left[c, depth, k]
            for j in range(6):
                for k in range(6):
                    out[6 * c + k, 6 * b + j] = out[6 * b + j, 6 * c + k]
