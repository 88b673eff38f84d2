"""The quadratic program of a group of variables: the impulses that give them the velocities they are to have.

Under the normal impulses of the patches, which must keep their centres of pressure inside (eq. 25), bounded rows and
loops. What is least is ½ xᵀ A x + xᵀ e, with the response A and the errors e without x: then a patch that comes apart
bears no force, and no other one is bent to hold it (Gauss's principle). As printed (eq. 16) it is the sum of squared
errors, weighed by Q: `faithful`.
"""

from __future__ import annotations

from math import inf
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.volume.memory import PATCHES, VARIABLES, Handle
from sesshoku.contact.volume.patch import half_plane, half_planes
from sesshoku.contact.volume.quadratic import bound, factor, solve
from sesshoku.contact.volume.variables import clear, see, spread
from sesshoku.kernel import kernel

__all__ = ["choose_patch", "choose_rest", "nudge", "run"]

Array = NDArray[np.float64]
YIELDING: Final = 1e-9  # share of its typical response by which a variable yields: so redundant ones share
REACHED: Final = 1e-6  # the same, at which a velocity is out of reach
LAMBDA: Final = 1e-3  # the same as printed


@kernel
def choose(m: Handle, n: int, v: int) -> int:
    """Let variable v be the next one of the program; its place."""
    m.chosen[n] = v
    return n


@kernel
def choose_patch(m: Handle, j: int, n: int) -> int:
    """Let the unknown impulses of a patch be in the program, with its bounds; the number of variables after it."""
    v, section, number = 6 * j, m.section[j], m.number[j]
    t1, t2 = choose(m, n, v), choose(m, n + 1, v + 1)
    n += 2
    if m.fixed[v + 2] == 0:
        for k in range(2, 5):
            choose(m, n, v + k)
            n += 1
    fn = choose(m, n, v + 5)
    bound(m, fn, fn, fn, 1.0, 0.0, 0.0, 0.0)
    for k in range(half_planes(number)):
        a1, a2, b = half_plane(section, number, k)
        bound(m, fn, t2, t1, b, a1, -a2, 0.0)
    return n + 1


@kernel
def choose_rest(p: Problem, m: Handle, i: int, v: int, last: int, n: int) -> int:
    """Let variables v .. last - 1 of loops and rows of island i be in the program; the number of variables after."""
    first_row = m.count[VARIABLES] - (p.row_begin[i + 1] - p.row_begin[i])
    for u in range(v, last):
        choose(m, n, u)
        if u >= first_row:
            k = p.row_begin[i] + u - first_row
            if p.row_lower[k] > -inf:
                bound(m, n, n, n, 1.0, 0.0, 0.0, p.row_lower[k])
            if p.row_upper[k] < inf:
                bound(m, n, n, n, -1.0, 0.0, 0.0, -p.row_upper[k])
        n += 1
    return n


@kernel
def nudge(p: Problem, m: Handle, v: int, change: float) -> None:
    """Change the impulse of a variable, and the twist with it."""
    m.impulse[v] += change
    spread(p, m, v, change, p.twist)


@kernel
def respond(p: Problem, m: Handle, n: int) -> None:
    """Fill response with A of the chosen variables; change is zero before and after."""
    response = m.response
    for c in range(n):
        u = m.chosen[c]
        spread(p, m, u, 1.0, p.change)
        for r in range(c, n):
            response[r, c] = response[c, r] = see(p, m, m.chosen[r], p.change)
        clear(p, m, u)


@kernel
def weigh(m: Handle, n: int, x: Array, out: Array) -> None:
    """Q x over the chosen variables (eq. 9); those of loops and rows weigh 1."""
    for r in range(n):
        v = m.chosen[r]
        j = v // 6
        if j >= m.count[PATCHES]:
            out[r] = x[r]
            continue
        first = r - v % 6  # all six are chosen
        area, sx, sy, xx, xy, yy = (
            m.weight[j, 0], m.weight[j, 1], m.weight[j, 2], m.weight[j, 3], m.weight[j, 4], m.weight[j, 5],
        )  # fmt: skip
        w1, w2, wn, v1, v2, vn = x[first], x[first + 1], x[first + 2], x[first + 3], x[first + 4], x[first + 5]
        rows = (
            yy * w1 - xy * w2 + sy * vn,
            -xy * w1 + xx * w2 - sx * vn,
            (xx + yy) * wn - sy * v1 + sx * v2,
            -sy * wn + area * v1,
            sx * wn + area * v2,
            sy * w1 - sx * w2 + area * vn,
        )
        out[r] = rows[v % 6]


@kernel
def soften(m: Handle, n: int, share: float) -> None:
    """Fill hessian with A, softened by a share of what responses of each variable are like."""
    for r in range(n):
        for c in range(r + 1):
            m.hessian[r, c] = m.response[r, c]
        m.hessian[r, r] += share * m.typical[m.chosen[r]]


@kernel
def reach(p: Problem, m: Handle, i: int, n: int) -> None:
    """Take out of the offsets of patches and loops what no impulse can reach: a joint may leave no way for it.

    What is left is A (A + δ)⁻¹ times them, with a small δ.
    """
    first, wanted, rows = 0, False, p.row_begin[i + 1] - p.row_begin[i]
    while first < n and m.chosen[first] < m.count[VARIABLES] - rows:
        m.turned[first] = m.offset[m.chosen[first]]
        wanted = wanted or m.turned[first] != 0.0
        first += 1
    if not wanted:
        return
    soften(m, first, REACHED)
    factor(m, first)
    for r in range(first):  # L⁻¹, then L⁻ᵀ
        total = 0.0
        for c in range(r + 1):
            total += m.basis[c, r] * m.turned[c]
        m.step[r] = total
    for r in range(first):
        total = 0.0
        for c in range(r, first):
            total += m.basis[r, c] * m.step[c]
        m.x[r] = total
    for r in range(first):
        total = 0.0
        for c in range(first):
            total += m.response[r, c] * m.x[c]
        m.offset[m.chosen[r]] = total


@kernel
def pose(p: Problem, m: Handle, n: int, faithful: bool) -> None:
    """Fill hessian and gradient of the program of the chosen variables."""
    a, h, g = m.response, m.hessian, m.gradient
    for r in range(n):
        v = m.chosen[r]
        total = see(p, m, v, p.twist) + m.offset[v]
        for c in range(n):
            total -= a[r, c] * m.impulse[m.chosen[c]]
        g[r] = total
    if not faithful:
        soften(m, n, YIELDING)
        return
    for c in range(n):  # row c of Q A, for now in basis
        weigh(m, n, a[c], m.basis[c])
    for r in range(n):
        for c in range(r + 1):
            total = 0.0
            for k in range(n):
                total += a[r, k] * m.basis[c, k]
            h[r, c] = total
        h[r, r] += LAMBDA
    weigh(m, n, g, m.turned)
    for r in range(n):
        total = 0.0
        for k in range(n):
            total += a[r, k] * m.turned[k]
        g[r] = total


@kernel
def run(p: Problem, m: Handle, i: int, n: int, fresh: bool, faithful: bool) -> float:
    """Solve for the chosen variables, the others as they are; the largest change of a velocity by one of them.

    Infinite if no solution was found. ``fresh``: their response is not known yet.
    """
    if fresh:
        respond(p, m, n)
        if not faithful:
            reach(p, m, i, n)
    pose(p, m, n, faithful)
    most = 0.0 if solve(m, n) else inf
    for r in range(n):
        v = m.chosen[r]
        change = m.x[r] - m.impulse[v]
        most = max(most, abs(change) * m.response[r, r])
        nudge(p, m, v, change)
    return most
