"""The least impulses that give points and rows the velocities they should have: paper 0, (13)–(19).

Unknown are the impulses of points that are not open, three each where they stick, one along n + μ d where they slip,
and of rows that are held. They act on the coordinates by the columns of Cᵀ, and must change the velocities R V by given
numbers: R Λ Cᵀ x = b, with R = C but for points that slip, of which only the normal velocity is given. The matrix of
this system, M in the paper, is singular as soon as two points are on one body. Its pseudo-inverse is found in the few
coordinates of the bodies, whatever the number of points: C = P B and R = Q D with orthonormal columns of P and Q give
(R Λ Cᵀ)⁺ = P (D Λ Bᵀ)⁺ Qᵀ.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import OPEN, SLIP, STICK
from sesshoku.contact.dense import factor_block, solve_block
from sesshoku.contact.fit import evaluate
from sesshoku.contact.flow import gather, relative, relative_row
from sesshoku.contact.linear import wrench_at
from sesshoku.contact.span import backward, forward, span
from sesshoku.kernel import U, kernel
from sesshoku.spatial.motion import Wrench
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, dot, scale, subtract

__all__ = ["HELD", "least_impulses"]

Array = NDArray[np.float64]
HELD: Final = 1  # of `row_mode`: its impulse is unknown; else it is given
AXES: Final = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
SINGULAR: Final = 1e-9  # pivot over the largest number of the inner matrix at which it is taken for singular
CORRECTIONS: Final = 1  # of the solution by what it misses,
EXACT: Final = 1e-12  # if that is more than this share of what was asked for


@kernel
def slope(p: Handle, k: int) -> Vec3:
    """Direction in which the impulse of a slipping point grows: n + μ d."""
    return add(load3(p.normal, k), scale(p.friction[k], load3(p.direction, k)))


@kernel
def add_product(s: Array, n: int, row: int, column: int, weight: float, f: Wrench, g: Wrench) -> None:
    """Add weight f gᵀ to S, from its row and column on."""
    place = row * n + column
    for half in f:
        for part in half:
            share = weight * part
            s[U(place)] += share * g[0][0]
            s[U(place + 1)] += share * g[0][1]
            s[U(place + 2)] += share * g[0][2]
            s[U(place + 3)] += share * g[1][0]
            s[U(place + 4)] += share * g[1][1]
            s[U(place + 5)] += share * g[1][2]
            place += n


@kernel
def add_direction(p: Handle, s: Array, n: int, begin: int, k: int, f: Vec3) -> None:
    """Add the column of an impulse at point k along f, times itself, to S."""
    a, b = p.ends[k, 0], p.ends[k, 1]
    at_a, at_b = wrench_at(load3(p.arm_a, k), f), wrench_at(load3(p.arm_b, k), f)
    if a >= 0:
        row = p.slot_coordinate[a] - begin
        add_product(s, n, row, row, 1.0, at_a, at_a)
    if b >= 0:
        column = p.slot_coordinate[b] - begin
        add_product(s, n, column, column, 1.0, at_b, at_b)
        if a >= 0:
            add_product(s, n, row, column, -1.0, at_a, at_b)
            add_product(s, n, column, row, -1.0, at_b, at_a)


@kernel
def gram(p: Handle, i: int, begin: int, n: int, rates: bool) -> bool:
    """Fill gram with CᵀC of island i, or RᵀR; whether they differ."""
    s, differ = p.gram, False
    for c in range(n * n):
        s[U(c)] = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if p.mode[k] == STICK:
            for axis in AXES:
                add_direction(p, s, n, begin, k, axis)
        elif p.mode[k] == SLIP:
            differ = True
            add_direction(p, s, n, begin, k, load3(p.normal, k) if rates else slope(p, k))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        if p.row_mode[k] == HELD:
            a, b, ratio = p.row_slots[k, 0], p.row_slots[k, 1], p.row_ratio[k]
            a, b = p.slot_coordinate[a] - begin, p.slot_coordinate[b] - begin
            s[a * n + a] += 1.0
            s[a * n + b] -= ratio
            s[b * n + a] -= ratio
            s[b * n + b] += ratio * ratio
    return differ


@kernel
def respond_row(p: Handle, i: int, b: Array, at: int, begin: int, out: Array) -> None:
    """Fill ``out`` with Λ times the n numbers of b from ``at`` on."""
    response = p.response
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        first, last, place = p.coordinate_begin[node], p.coordinate_begin[node + 1], p.response_begin[node]
        for row in range(first, last):
            total = 0.0
            for c in range(last - first):
                total += response[U(place + c)] * b[U(at + first - begin + c)]
            out[U(row - begin)] = total
            place += last - first


@kernel
def inner_matrix(p: Handle, i: int, begin: int, n: int, rates: Array, rows: int, rank: int) -> None:
    """Fill inner with D Λ Bᵀ (rows, rank)."""
    inner, column = p.inner, p.change
    for c in range(rank):
        respond_row(p, i, p.force_span, c * n, begin, column)
        for r in range(rows):
            total = 0.0
            for j in range(n):
                total += rates[U(r * n + j)] * column[U(j)]
            inner[U(r * rank + c)] = total


@kernel
def regular(p: Handle, n: int) -> bool:
    """Factor the square inner matrix; whether it is regular."""
    inner, most, least = p.inner, 0.0, 1e300
    for c in range(n * n):
        most = max(most, abs(inner[U(c)]))
    factor_block(inner, 0, n, p.pivot, 0)
    for c in range(n):
        least = min(least, abs(inner[U(c * n + c)]))
    return least > SINGULAR * most


@kernel
def rows_by_rows(m: Array, rows: int, n: int, out: Array) -> None:
    """Fill ``out`` with M Mᵀ of the (rows, n) matrix M."""
    for r in range(rows):
        for q in range(rows):
            total = 0.0
            for c in range(n):
                total += m[U(r * n + c)] * m[U(q * n + c)]
            out[U(r * rows + q)] = total


@kernel
def normal_factor(p: Handle, rows: int, rank: int) -> int:
    """Factor the inner matrix times its transpose, Z Zᵀ = FᵀF, and F Fᵀ after it; the rank of both."""
    rows_by_rows(p.inner, rows, rank, p.gram)
    found = span(p.gram, rows, p.normal_span, p.normal_order, p.spare)
    rows_by_rows(p.normal_span, found, rows, p.gram)
    factor_block(p.gram, 0, found, p.pivot, 0)
    return found


@kernel
def apply_pseudo_inverse(p: Handle, rows: int, rank: int, found: int, x: Array) -> None:
    """Replace x by Z⁺ x = Zᵀ Fᵀ (F Fᵀ)⁻² F x."""
    z, f, y = p.inner, p.normal_span, p.spare
    for r in range(found):
        total = 0.0
        for c in range(rows):
            total += f[U(r * rows + c)] * x[U(c)]
        y[U(r)] = total
    solve_block(p.gram, 0, found, p.pivot, 0, y, 0, 1)
    solve_block(p.gram, 0, found, p.pivot, 0, y, 0, 1)
    for c in range(rows):
        total = 0.0
        for r in range(found):
            total += f[U(r * rows + c)] * y[U(r)]
        x[U(c)] = total
    for c in range(rank):
        total = 0.0
        for r in range(rows):
            total += z[U(r * rank + c)] * x[U(r)]
        y[U(c)] = total
    for c in range(rank):
        x[U(c)] = y[U(c)]


@kernel
def aim(p: Handle, i: int) -> float:
    """Fill push and row_push with what the velocities that are given still miss; the sum of their squares."""
    total = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        missing = (0.0, 0.0, 0.0)
        if p.mode[k] != OPEN:
            missing = subtract(load3(p.target, k), load3(p.slide, k))
            if p.mode[k] == SLIP:
                n = load3(p.normal, k)
                missing = scale(dot(n, missing), n)
        store3(p.push, k, missing)
        total += dot(missing, missing)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_push[k] = -p.row_slide[k] if p.row_mode[k] == HELD else 0.0
        total += p.row_push[k] * p.row_push[k]
    return total


@kernel
def add_impulses(p: Handle, i: int) -> None:
    """Add C times change to the unknown impulses, and evaluate them."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if p.mode[k] == STICK:
            store3(p.impulse, k, add(load3(p.impulse, k), relative(p, k, p.change)))
        elif p.mode[k] == SLIP:
            f = slope(p, k)
            store3(p.impulse, k, add(load3(p.impulse, k), scale(dot(f, relative(p, k, p.change)), f)))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        if p.row_mode[k] == HELD:
            p.row_impulse[k] += relative_row(p, k, p.change)
    evaluate(p, i)


@kernel
def least_impulses(p: Handle, i: int) -> None:
    """Impulses of least norm of the points of island i that are not open, and of its held rows, for their targets."""
    begin = p.coordinate_begin[p.node_begin[i]]
    n = p.coordinate_begin[p.node_begin[i + 1]] - begin
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.impulse, k, (0.0, 0.0, 0.0))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        if p.row_mode[k] == HELD:
            p.row_impulse[k] = 0.0
    evaluate(p, i)
    differ = gram(p, i, begin, n, False)
    rank = rows = span(p.gram, n, p.force_span, p.force_order, p.spare)
    rates, rate_order = p.force_span, p.force_order
    if differ:
        gram(p, i, begin, n, True)
        rows = span(p.gram, n, p.rate_span, p.rate_order, p.spare)
        rates, rate_order = p.rate_span, p.rate_order
    inner_matrix(p, i, begin, n, rates, rows, rank)
    singular, found = rows != rank or not regular(p, rank), 0
    if singular:
        inner_matrix(p, i, begin, n, rates, rows, rank)
        found = normal_factor(p, rows, rank)
    enough = EXACT * EXACT * aim(p, i)
    for _ in range(1 + CORRECTIONS):
        gather(p, i, p.push, p.row_push, p.wrench)
        forward(rates, n, rate_order, rows, p.wrench, begin, p.parting)
        if singular:
            apply_pseudo_inverse(p, rows, rank, found, p.parting)
        else:
            solve_block(p.inner, 0, rank, p.pivot, 0, p.parting, 0, 1)
        backward(p.force_span, n, p.force_order, rank, p.parting, p.change, begin)
        add_impulses(p, i)
        if aim(p, i) <= enough:
            return
