"""One Newton iteration of an island: (1 + Λ H) dV = Λ Jᵀ e, with H = Jᵀ A J of the linearised points and rows.

A sticking point is a point mass in the eyes of its bodies: all of them on one body are ten sums. A slipping one adds
two outer products. Between two moving bodies both see it, and each the other.
"""

from __future__ import annotations

from typing import Final, TypeAlias

import numpy as np
from numba import types
from numpy.typing import NDArray

from sesshoku.constraint.problem import ENTRIES, HANDLE, Handle
from sesshoku.contact.coulomb import OPEN, STICK, WITHIN
from sesshoku.contact.dense import factor_block, solve_block, subtract_product, subtract_times
from sesshoku.contact.pattern import widen, width
from sesshoku.kernel import U, by_pointer, kernel
from sesshoku.spatial.motion import Wrench
from sesshoku.spatial.row import load3
from sesshoku.spatial.six import load6, plus6, store6
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale

__all__ = ["find_direction", "newton_direction", "orientation", "same_factor", "wrench_at"]

Array = NDArray[np.float64]
Masses: TypeAlias = tuple[float, float, float, float, float, float, float, float, float, float]
find_direction = by_pointer(HANDLE, types.int64)  # calls `newton_direction` or `same_factor` by its address
NOTHING: Final = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)


@kernel
def wrench_at(x: Vec3, f: Vec3) -> Wrench:
    """The wrench about the origin of a force at x."""
    return cross(x, f), f


@kernel
def add_outer(h: Array, k: int, begin: int, weight: float, f: Wrench, g: Wrench) -> None:
    """Add weight f gᵀ to the 6x6 block of row k that begins at ``begin``."""
    row = np.uintp(k)
    place = begin
    for half in f:
        for part in half:
            share = weight * part
            h[row, place] += share * g[0][0]
            h[row, place + 1] += share * g[0][1]
            h[row, place + 2] += share * g[0][2]
            h[row, place + 3] += share * g[1][0]
            h[row, place + 4] += share * g[1][1]
            h[row, place + 5] += share * g[1][2]
            place += 6


@kernel
def with_mass(m: Masses, a: float, x: Vec3) -> Masses:
    """Add a point mass a at x: mass, first moment, moments of inertia."""
    ax, ay, az = scale(a, x)
    return (
        m[0] + a, m[1] + ax, m[2] + ay, m[3] + az,
        m[4] + ay * x[1] + az * x[2], m[5] + ax * x[0] + az * x[2], m[6] + ax * x[0] + ay * x[1],
        m[7] - ax * x[1], m[8] - ax * x[2], m[9] - ay * x[2],
    )  # fmt: skip


@kernel
def add_masses(masses: Array, k: int, m: Masses) -> None:
    """Add what has been summed up to a slot."""
    row = np.uintp(k)
    for j in range(10):
        masses[row, j] += m[j]


@kernel
def spread_masses(masses: Array, own: Array, k: int) -> None:
    """Add the inertia of the point masses to H of a slot: rows of moment and force, columns of turn and velocity."""
    r = np.uintp(k)
    m, x, y, z = masses[r, 0], masses[r, 1], masses[r, 2], masses[r, 3]
    xx, yy, zz, xy, xz, yz = (
        masses[r, 4], masses[r, 5], masses[r, 6], masses[r, 7], masses[r, 8], masses[r, 9],
    )  # fmt: skip
    whole = (
        xx, xy, xz, 0.0, -z, y,
        xy, yy, yz, z, 0.0, -x,
        xz, yz, zz, -y, x, 0.0,
        0.0, z, -y, m, 0.0, 0.0,
        -z, 0.0, x, 0.0, m, 0.0,
        y, -x, 0.0, 0.0, 0.0, m,
    )  # fmt: skip
    for j in range(36):
        own[r, j] += whole[j]


@kernel
def add_between(across: Array, k: int, begin: int, a: float, x: Vec3, y: Vec3) -> None:
    """Subtract the block of a sticking point between a body that sees it at x and one that sees it at y."""
    r, c = np.uintp(k), begin
    both = dot(x, y)
    block = (
        both - y[0] * x[0], -y[0] * x[1], -y[0] * x[2], 0.0, -x[2], x[1],
        -y[1] * x[0], both - y[1] * x[1], -y[1] * x[2], x[2], 0.0, -x[0],
        -y[2] * x[0], -y[2] * x[1], both - y[2] * x[2], -x[1], x[0], 0.0,
        0.0, y[2], -y[1], 1.0, 0.0, 0.0,
        -y[2], 0.0, y[0], 0.0, 1.0, 0.0,
        y[1], -y[0], 0.0, 0.0, 0.0, 1.0,
    )  # fmt: skip
    for j in range(36):
        across[r, c + j] -= a * block[j]


@kernel
def add_along(p: Handle, k: int, weight: float, d: Vec3) -> None:
    """Add weight d dᵀ of a point to H."""
    a, b, pair = p.ends[k, 0], p.ends[k, 1], p.pair[k]
    f, g = wrench_at(load3(p.arm_a, k), d), wrench_at(load3(p.arm_b, k), d)
    if a >= 0:
        add_outer(p.own, a, 0, weight, f, f)
    if b >= 0:
        add_outer(p.own, b, 0, weight, g, g)
    if pair >= 0:
        add_outer(p.across, pair, 0, -weight, f, g)
        add_outer(p.across, pair, 36, -weight, g, f)


@kernel
def collect(p: Handle, i: int) -> None:
    """Fill H of the slots and pairs of island i."""
    own, masses, across = p.own, p.masses, p.across
    ends, pair, mode, stiffness = p.ends, p.pair, p.mode, p.stiffness
    for k in range(p.slot_begin[p.node_begin[i]], p.slot_begin[p.node_begin[i + 1]]):
        for j in range(36):
            own[k, j] = 0.0
        for j in range(10):
            masses[k, j] = 0.0
    for k in range(p.pair_begin[i], p.pair_begin[i + 1]):
        for j in range(72):
            across[k, j] = 0.0
    current, mass = -1, NOTHING  # points of one body follow each other: their masses are summed up first
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if mode[k] == OPEN:
            continue
        a, b = ends[k, 0], ends[k, 1]
        x, y = load3(p.arm_a, k), load3(p.arm_b, k)
        first, second = stiffness[k, 0], stiffness[k, 1]
        if mode[k] == STICK:
            if pair[k] >= 0:
                add_masses(masses, a, with_mass(NOTHING, first, x))
                add_masses(masses, b, with_mass(NOTHING, first, y))
                add_between(across, pair[k], 0, first, x, y)
                add_between(across, pair[k], 36, first, y, x)
                continue
            if max(a, b) != current:
                if current >= 0:
                    add_masses(masses, current, mass)
                current, mass = max(a, b), NOTHING
            mass = with_mass(mass, first, x if a >= 0 else y)
            continue
        n, d = load3(p.normal, k), load3(p.direction, k)
        lean = stiffness[k, 3] if mode[k] == WITHIN else p.friction[k]
        slope, t = add(n, scale(lean, d)), cross(n, d)
        if a >= 0:
            add_outer(own, a, 0, first, wrench_at(x, slope), wrench_at(x, n))
            add_outer(own, a, 0, second, wrench_at(x, t), wrench_at(x, t))
        if b >= 0:
            add_outer(own, b, 0, first, wrench_at(y, slope), wrench_at(y, n))
            add_outer(own, b, 0, second, wrench_at(y, t), wrench_at(y, t))
        if pair[k] >= 0:
            add_outer(across, pair[k], 0, -first, wrench_at(x, slope), wrench_at(y, n))
            add_outer(across, pair[k], 0, -second, wrench_at(x, t), wrench_at(y, t))
            add_outer(across, pair[k], 36, -first, wrench_at(y, slope), wrench_at(x, n))
            add_outer(across, pair[k], 36, -second, wrench_at(y, t), wrench_at(x, t))
        if mode[k] == WITHIN:
            add_along(p, k, stiffness[k, 2], d)
    if current >= 0:
        add_masses(masses, current, mass)
    for k in range(p.slot_begin[p.node_begin[i]], p.slot_begin[p.node_begin[i + 1]]):
        if p.slot_width[k] != 1:
            spread_masses(masses, own, k)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        first, ratio = p.row_stiffness[k], p.row_ratio[k]
        own[p.row_slots[k, 0], 0] += first
        if p.row_pair[k] >= 0:
            own[p.row_slots[k, 1], 0] += ratio * ratio * first
            across[p.row_pair[k], 0] -= ratio * first
            across[p.row_pair[k], 36] -= ratio * first


@kernel
def load_line(h: Array, k: int, begin: int) -> Vec3:
    """Three numbers of row k from ``begin`` on."""
    row = np.uintp(k)
    return h[row, U(begin)], h[row, U(begin + 1)], h[row, U(begin + 2)]


@kernel
def add_times_mixed(
    p: Handle, node: int, slot: int, other: int, h: Array, k: int, begin: int, place: int, stride: int, to: int
) -> None:
    """`add_times` where a body takes part by one point: of its 6x6 blocks H the last three rows or columns count."""
    n, rows, columns = width(p, node), p.slot_width[slot], p.slot_width[other]
    response, matrix, row = p.response, p.matrix, np.uintp(k)
    left = p.response_begin[node] + p.slot_coordinate[slot] - p.coordinate_begin[node]
    first, out = begin + 6 * (6 - rows) + 6 - columns, place + to
    if rows == columns:  # three
        a, b, c = load_line(h, k, first), load_line(h, k, first + 6), load_line(h, k, first + 12)
        for _ in range(n):
            x, y, z = response[U(left)], response[U(left + 1)], response[U(left + 2)]
            matrix[U(out)] += x * a[0] + y * b[0] + z * c[0]
            matrix[U(out + 1)] += x * a[1] + y * b[1] + z * c[1]
            matrix[U(out + 2)] += x * a[2] + y * b[2] + z * c[2]
            left += n
            out += stride
        return
    for j in range(n):
        for r in range(rows):
            for m in range(columns):
                matrix[U(out + j * stride + m)] += response[U(left + j * n + r)] * h[row, U(first + 6 * r + m)]


@kernel
def add_times(
    p: Handle, node: int, slot: int, other: int, h: Array, k: int, begin: int, place: int, stride: int, to: int
) -> None:
    """Add Λ[:, slot] H to the columns of a block from ``to`` on, those of the ``other`` slot.

    H is a block of row k of ``h``, 6x6 or 1x1.
    """
    n = width(p, node)
    response, matrix, row = p.response, p.matrix, np.uintp(k)
    left = p.response_begin[node] + p.slot_coordinate[slot] - p.coordinate_begin[node]
    if p.slot_width[slot] == 1:
        for j in range(n):
            matrix[U(place + j * stride + to)] += response[U(left + j * n)] * h[row, U(begin)]
        return
    if p.slot_width[slot] == 3 or p.slot_width[other] == 3:
        add_times_mixed(p, node, slot, other, h, k, begin, place, stride, to)
        return
    begin += h.shape[1] * k
    a, b, c = load6(h, U(begin)), load6(h, U(begin + 6)), load6(h, U(begin + 12))
    d, e, f = load6(h, U(begin + 18)), load6(h, U(begin + 24)), load6(h, U(begin + 30))
    for j in range(n):
        at, out = left + j * n, U(place + j * stride + to)
        line = plus6(plus6(load6(matrix, out), response[U(at)], a), response[U(at + 1)], b)
        line = plus6(plus6(line, response[U(at + 2)], c), response[U(at + 3)], d)
        store6(matrix, out, plus6(plus6(line, response[U(at + 4)], e), response[U(at + 5)], f))


@kernel
def assemble(p: Handle, i: int) -> None:
    """Fill the matrix of island i with 1 + Λ H."""
    matrix = p.matrix
    for k in range(p.count[ENTRIES]):
        matrix[k] = 0.0
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        n, place = width(p, node), p.diagonal_block[node]
        for j in range(n):
            matrix[place + j * n + j] = 1.0
        for slot in range(p.slot_begin[node], p.slot_begin[node + 1]):
            to = p.slot_coordinate[slot] - p.coordinate_begin[node]
            add_times(p, node, slot, slot, p.own, slot, 0, place, n, to)
    for k in range(p.pair_begin[i], p.pair_begin[i + 1]):
        if p.joined[k] == 0:
            continue
        a, b = p.pair_slots[k, 0], p.pair_slots[k, 1]
        s, t = p.slot_node[a], p.slot_node[b]
        to_a, to_b = p.slot_coordinate[a] - p.coordinate_begin[s], p.slot_coordinate[b] - p.coordinate_begin[t]
        add_times(p, s, a, b, p.across, k, 0, p.pair_block[k, 0], width(p, t), to_b)
        add_times(p, t, b, a, p.across, k, 36, p.pair_block[k, 1], width(p, s), to_a)


@kernel
def factor(p: Handle, i: int) -> None:
    """Factor the matrix of island i, node by node."""
    matrix, pivot, first = p.matrix, p.pivot, p.node_begin[i]
    fill_begin, fill_node, upper, lower = p.fill_begin, p.fill_node, p.fill_upper, p.fill_lower
    for row in range(first, p.node_begin[i + 1]):
        node = p.sequence[row]
        n, place, base = width(p, node), p.diagonal_block[node], p.coordinate_begin[node]
        factor_block(matrix, place, n, pivot, base)
        begin, end = fill_begin[row], fill_begin[row + 1]
        for k in range(begin, end):
            solve_block(matrix, place, n, pivot, base, matrix, upper[k], width(p, fill_node[k]))
        for k in range(begin, end):
            a = fill_node[k]
            m, at = width(p, a), first + p.rank[a]
            subtract_product(matrix, p.diagonal_block[a], lower[k], upper[k], m, n, m)
            j = fill_begin[at]
            for other in range(k + 1, end):
                b = fill_node[other]
                while fill_node[j] != b:
                    j += 1
                w = width(p, b)
                subtract_product(matrix, upper[j], lower[k], upper[other], m, n, w)
                subtract_product(matrix, lower[j], lower[other], upper[k], w, n, m)


@kernel
def solve(p: Handle, i: int, x: Array) -> None:
    """Replace the coordinates of island i in ``x`` by the inverse of the factored matrix times them."""
    matrix, first, last = p.matrix, p.node_begin[i], p.node_begin[i + 1]
    for row in range(first, last):
        node = p.sequence[row]
        n, base = width(p, node), p.coordinate_begin[node]
        solve_block(matrix, p.diagonal_block[node], n, p.pivot, base, x, base, 1)
        for k in range(p.fill_begin[row], p.fill_begin[row + 1]):
            a = p.fill_node[k]
            subtract_times(matrix, p.fill_lower[k], width(p, a), n, x, base, p.coordinate_begin[a])
    for row in range(last - 1, first - 1, -1):
        node = p.sequence[row]
        for k in range(p.fill_begin[row], p.fill_begin[row + 1]):
            a = p.fill_node[k]
            subtract_times(
                matrix, p.fill_upper[k], width(p, node), width(p, a), x, p.coordinate_begin[a], p.coordinate_begin[node]
            )


@kernel
def orientation(p: Handle, i: int) -> float:
    """The sign of the determinant of the matrix of island i, which has been factored."""
    sign = 1.0
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        n, place, base = width(p, node), p.diagonal_block[node], p.coordinate_begin[node]
        for j in range(n):
            if (p.matrix[place + j * n + j] < 0.0) != (p.pivot[base + j] != j):
                sign = -sign
    return sign


@kernel
def same_factor(p: Handle, i: int) -> None:
    """Fill change of island i with the inverse of the matrix as it has been factored times itself."""
    solve(p, i, p.change)


@kernel
def newton_direction(p: Handle, i: int) -> None:
    """Fill change of island i with (1 + Λ H)⁻¹ times itself, for the points and rows as they are linearised."""
    widen(p, i)
    collect(p, i)
    assemble(p, i)
    factor(p, i)
    solve(p, i, p.change)
