"""Quadratic programs: least ½ xᵀ H x + gᵀ x with few linear bounds, by the dual method of Goldfarb and Idnani.

It begins with the least value without bounds and takes in one violated bound after the other, so a patch that is
pressed well inside its edges costs one Cholesky factor. H must be positive definite; some x must satisfy all bounds.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Final

from sesshoku.contact.volume.memory import BOUNDS, Handle
from sesshoku.kernel import kernel

__all__ = ["bound", "factor", "solve"]

ROUNDING: Final = 1e-11  # of the terms of a bound, by which it may be violated
DEPENDENT: Final = 1e-13  # of a bound's normal: if no more is left of it, it depends on the active ones


@kernel
def bound(m: Handle, i: int, j: int, k: int, a: float, b: float, c: float, least: float) -> None:
    """Add the bound a x_i + b x_j + c x_k >= least; a coefficient of zero leaves a place unused."""
    row = m.count[BOUNDS]
    m.bound_variable[row, 0], m.bound_variable[row, 1], m.bound_variable[row, 2] = i, j, k
    m.bound_factor[row, 0], m.bound_factor[row, 1], m.bound_factor[row, 2] = a, b, c
    m.bound_least[row] = least
    m.count[BOUNDS] = row + 1


@kernel
def factor(m: Handle, n: int) -> None:
    """Fill basis with L⁻ᵀ for H = L Lᵀ; L takes the place of H."""
    h, basis = m.hessian, m.basis
    for j in range(n):
        for i in range(j, n):
            total = h[i, j]
            for k in range(j):
                total -= h[i, k] * h[j, k]
            h[i, j] = sqrt(total) if i == j else total / h[j, j]
    for j in range(n):  # column j of L⁻¹ is row j of L⁻ᵀ
        for i in range(n):
            basis[j, i] = 0.0
        basis[j, j] = 1.0 / h[j, j]
        for i in range(j + 1, n):
            total = 0.0
            for k in range(j, i):
                total -= h[i, k] * basis[j, k]
            basis[j, i] = total / h[i, i]


@kernel
def allow(m: Handle) -> None:
    """Fill bound_rounding by the terms of each bound at the x of the least value without bounds."""
    for row in range(m.count[BOUNDS]):
        size = abs(m.bound_least[row])
        for k in range(3):
            size += abs(m.bound_factor[row, k] * m.x[m.bound_variable[row, k]])
        m.bound_rounding[row] = ROUNDING * size


@kernel
def excess(m: Handle, row: int) -> float:
    """By how much a bound is satisfied."""
    value = -m.bound_least[row]
    for k in range(3):
        value += m.bound_factor[row, k] * m.x[m.bound_variable[row, k]]
    return value  # type: ignore[no-any-return]


@kernel
def directions(m: Handle, n: int, active: int, row: int) -> float:
    """Fill step (of x) and decline (of the active multipliers) for a bound; how fast the step satisfies it."""
    basis, turned, triangle = m.basis, m.turned, m.triangle
    size = 0.0
    for j in range(n):
        total = 0.0
        for k in range(3):
            total += m.bound_factor[row, k] * basis[m.bound_variable[row, k], j]
        turned[j] = total
        size += total * total
    rate = 0.0
    for j in range(active, n):
        rate += turned[j] * turned[j]
    if rate <= DEPENDENT * size:
        rate = 0.0
    for i in range(n):
        total = 0.0
        for j in range(active, n):
            total += basis[i, j] * turned[j]
        m.step[i] = total
    for i in range(active - 1, -1, -1):
        total = turned[i]
        for j in range(i + 1, active):
            total -= triangle[i, j] * m.decline[j]
        m.decline[i] = total / triangle[i, i]
    return rate


@kernel
def rotate(m: Handle, n: int, i: int, j: int, c: float, s: float) -> None:
    """Turn columns i and j of the basis."""
    basis = m.basis
    for k in range(n):
        a, b = basis[k, i], basis[k, j]
        basis[k, i], basis[k, j] = c * a + s * b, c * b - s * a


@kernel
def take_in(m: Handle, n: int, active: int, row: int, multiplier: float) -> None:
    """Make a bound active, as the last one."""
    turned = m.turned
    for j in range(n - 1, active, -1):
        if turned[j] == 0.0:
            continue
        size = sqrt(turned[j - 1] * turned[j - 1] + turned[j] * turned[j])
        c, s = turned[j - 1] / size, turned[j] / size
        turned[j - 1], turned[j] = size, 0.0
        rotate(m, n, j - 1, j, c, s)
    for i in range(active + 1):
        m.triangle[i, active] = turned[i]
    m.active[active], m.multiplier[active] = row, multiplier


@kernel
def let_go(m: Handle, n: int, active: int, place: int) -> None:
    """Make an active bound inactive."""
    triangle = m.triangle
    for k in range(place, active - 1):
        m.active[k], m.multiplier[k] = m.active[k + 1], m.multiplier[k + 1]
        for i in range(k + 2):
            triangle[i, k] = triangle[i, k + 1]
    for k in range(place, active - 1):
        size = sqrt(triangle[k, k] * triangle[k, k] + triangle[k + 1, k] * triangle[k + 1, k])
        c, s = triangle[k, k] / size, triangle[k + 1, k] / size
        for j in range(k, active - 1):
            a, b = triangle[k, j], triangle[k + 1, j]
            triangle[k, j], triangle[k + 1, j] = c * a + s * b, c * b - s * a
        rotate(m, n, k, k + 1, c, s)


@kernel
def most_violated(m: Handle, active: int) -> tuple[int, float]:
    """The bound that is violated most, with its excess; -1: none is."""
    worst, least = -1, 0.0
    for row in range(m.count[BOUNDS]):
        value, known = excess(m, row), False
        for k in range(active):
            known = known or m.active[k] == row
        if value < min(least, -m.bound_rounding[row]) and not known:
            worst, least = row, value
    return worst, least


@kernel
def solve(m: Handle, n: int) -> bool:
    """Fill x from hessian (its lower half), gradient and bounds; false if it gave up, with x as far as it came."""
    factor(m, n)
    for i in range(n):
        m.turned[i] = 0.0
    for j in range(n):
        for i in range(j + 1):
            m.turned[j] -= m.basis[i, j] * m.gradient[i]
    for i in range(n):
        total = 0.0
        for j in range(i, n):
            total += m.basis[i, j] * m.turned[j]
        m.x[i] = total
    allow(m)
    active = 0
    for _ in range(10 * (n + m.count[BOUNDS]) + 10):
        row, missing = most_violated(m, active)
        if row < 0:
            return True
        multiplier = 0.0
        while True:
            rate = directions(m, n, active, row)
            full = -missing / rate if rate > 0.0 else inf
            part, place = inf, -1
            for k in range(active):
                if m.decline[k] > 0.0 and m.multiplier[k] / m.decline[k] < part:
                    part, place = m.multiplier[k] / m.decline[k], k
            length = min(full, part)
            if length == inf:
                return False
            for k in range(active):
                m.multiplier[k] -= length * m.decline[k]
            multiplier += length
            if full < inf:
                for i in range(n):
                    m.x[i] += length * m.step[i]
                missing += length * rate
            if full <= part:
                take_in(m, n, active, row, multiplier)
                active += 1
                break
            let_go(m, n, active, place)
            active -= 1
    return False
