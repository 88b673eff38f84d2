"""The law of all contacts of a bare problem at once, in the contacts' own axes: normal first, then two tangents.

Impulses and velocities are (n, 3); slopes (n, 3, 3) say how the impulse of a contact gives way to its velocity.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact.coulomb import OPEN, STICK, Linear, linearise, off, project
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3

__all__ = ["assemble", "linearise_all", "misfit", "project_all", "sweep"]

Array = NDArray[np.float64]
NORMAL: Final = (1.0, 0.0, 0.0)


@kernel
def misfit(mu: Array, r: Array, u: Array, h: float) -> float:
    """Norm of the natural residual of all contacts, r − P_K(r − h s), over h."""
    total = 0.0
    for i in range(len(mu)):
        total += off(NORMAL, mu[i], load3(r, i), load3(u, i), h)
    return sqrt(total)


@kernel
def keep(push: Array, slope: Array, i: int, mu: float, line: Linear) -> None:
    """Store the linearisation of contact i, its slope as a matrix."""
    mode, e, a, b, d = line
    store3(push, i, e)
    for k in range(3):
        for j in range(3):
            slope[i, k, j] = 0.0
    if mode == STICK:
        slope[i, 0, 0] = slope[i, 1, 1] = slope[i, 2, 2] = a
    elif mode != OPEN:  # a (n + μ d) nᵀ + b t tᵀ with t = (0, −d₂, d₁)
        slope[i, 0, 0], slope[i, 1, 0], slope[i, 2, 0] = a, a * mu * d[1], a * mu * d[2]
        slope[i, 1, 1], slope[i, 2, 2] = b * d[2] * d[2], b * d[1] * d[1]
        slope[i, 1, 2] = slope[i, 2, 1] = -b * d[1] * d[2]


@kernel
def linearise_all(mu: Array, r: Array, u: Array, h: Array, eps: float, push: Array, slope: Array) -> None:
    """Newton's step of each contact, dr = push − slope du."""
    for i in range(len(mu)):
        keep(push, slope, i, mu[i], linearise(NORMAL, mu[i], load3(r, i), load3(u, i), h[i], eps, 0.0))


@kernel
def project_all(mu: Array, r: Array, u: Array, h: Array, c: float, push: Array, slope: Array) -> None:
    """The projection of r − c h u of each contact, with its derivative, push − slope du."""
    for i in range(len(mu)):
        keep(push, slope, i, mu[i], project(NORMAL, mu[i], load3(r, i), load3(u, i), c * h[i]))


@kernel
def assemble(W: Array, slope: Array, active: NDArray[np.int64], M: Array) -> None:
    """Fill M with 1 + W H for the active contacts."""
    n = len(active)
    for i in range(n):
        for k in range(3):
            row, line = 3 * i + k, 3 * active[i] + k
            for j in range(n):
                a = active[j]
                w0, w1, w2 = W[line, 3 * a], W[line, 3 * a + 1], W[line, 3 * a + 2]
                for b in range(3):
                    M[row, 3 * j + b] = w0 * slope[a, 0, b] + w1 * slope[a, 1, b] + w2 * slope[a, 2, b]
            M[row, row] += 1.0


@kernel
def sweep(columns: Array, mu: Array, r: Array, u: Array, times: int) -> None:
    """Projected Gauss–Seidel, ``times`` times over all contacts; r and u are flat, u = W r + q is kept up to date.

    Row k of ``columns`` is column k of W. Both tangents of a contact share one step, by the larger eigenvalue of their
    block: with a step for each the fixed points would not obey Coulomb's law.
    """
    for _ in range(times):
        for i in range(len(mu)):
            n, s, t = 3 * i, 3 * i + 1, 3 * i + 2
            normal = columns[n, n]
            half, skew = 0.5 * (columns[s, s] - columns[t, t]), 0.5 * (columns[s, t] + columns[t, s])
            tangent = 0.5 * (columns[s, s] + columns[t, t]) + sqrt(half * half + skew * skew)
            if not (normal > 0.0 and tangent > 0.0):
                continue
            height = max(0.0, r[n] - u[n] / normal)
            dn = height - r[n]
            ys = r[s] - (u[s] + columns[n, s] * dn) / tangent
            yt = r[t] - (u[t] + columns[n, t] * dn) / tangent
            size, most = sqrt(ys * ys + yt * yt), mu[i] * height
            cut = most / size if size > most else 1.0
            ds, dt = cut * ys - r[s], cut * yt - r[t]
            if dn == 0.0 and ds == 0.0 and dt == 0.0:
                continue
            r[n], r[s], r[t] = height, r[s] + ds, r[t] + dt
            for k in range(len(u)):
                u[k] += columns[n, k] * dn + columns[s, k] * ds + columns[t, k] * dt
