"""Points along axes of their own: what moves and answers there, as three numbers.

A point has a row of its Jacobian J to each axis, and a column Λ Jᵀ: what an impulse along that axis gives to the
coordinates. With both a Gauss–Seidel step takes a product with the one and an addition of the other.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import Handle
from sesshoku.kernel import U, kernel
from sesshoku.spatial.inertia import Sym3
from sesshoku.spatial.row import load3, load9, store3, store9
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale

__all__ = ["Axes", "add_columns", "axial_velocity", "fill_axes", "own_responses", "put_back"]

Array = NDArray[np.float64]
Axes: TypeAlias = tuple[Vec3, Vec3, Vec3]


@kernel
def components(axes: Axes, a: Vec3) -> Vec3:
    """Of a vector along the axes."""
    return dot(axes[0], a), dot(axes[1], a), dot(axes[2], a)


@kernel
def fill_end(p: Handle, k: int, end: int, axes: Axes, x: Vec3, sign: float) -> None:
    """Fill the rows of jacobian and column of one end of point k, at x from the origin of its tree."""
    slot, jacobian, column, response = p.ends[k, end], p.jacobian, p.column, p.response
    node = p.slot_node[slot]
    begin = p.coordinate_begin[node]
    n = p.coordinate_begin[node + 1] - begin
    for j, axis in enumerate(axes):
        row = U(k), U(3 * end + j)
        f = scale(sign, axis)
        m = cross(x, f)
        jacobian[row[0], row[1], 0], jacobian[row[0], row[1], 1], jacobian[row[0], row[1], 2] = m
        jacobian[row[0], row[1], 3], jacobian[row[0], row[1], 4], jacobian[row[0], row[1], 5] = f
        at = p.response_begin[node] + p.slot_coordinate[slot] - begin
        for c in range(n):
            column[row[0], row[1], U(c)] = (
                response[U(at)] * m[0] + response[U(at + 1)] * m[1] + response[U(at + 2)] * m[2]
                + response[U(at + 3)] * f[0] + response[U(at + 4)] * f[1] + response[U(at + 5)] * f[2]
            )  # fmt: skip
            at += n


@kernel
def fill_axes(p: Handle, k: int, axes: Axes) -> None:
    """Give point k its axes; needs bias, impulse and responses."""
    store9(p.axes, k, (*axes[0], *axes[1], *axes[2]))
    if p.ends[k, 0] >= 0:
        fill_end(p, k, 0, axes, load3(p.arm_a, k), -1.0)
    if p.ends[k, 1] >= 0:
        fill_end(p, k, 1, axes, load3(p.arm_b, k), 1.0)
    store3(p.axial_bias, k, components(axes, load3(p.bias, k)))
    store3(p.axial_impulse, k, components(axes, load3(p.impulse, k)))


@kernel
def put_back(p: Handle, k: int) -> None:
    """Fill impulse of point k from its components."""
    a, x = load9(p.axes, k), load3(p.axial_impulse, k)
    along, across = scale(x[1], (a[3], a[4], a[5])), scale(x[2], (a[6], a[7], a[8]))
    store3(p.impulse, k, add(scale(x[0], (a[0], a[1], a[2])), add(along, across)))


@kernel
def row_times(jacobian: Array, k: int, row: int, twist: Array, c: int) -> float:
    """A row of the Jacobian of point k times six coordinates from c on."""
    i, j = U(k), U(row)
    total: float = (
        jacobian[i, j, 0] * twist[U(c)] + jacobian[i, j, 1] * twist[U(c + 1)] + jacobian[i, j, 2] * twist[U(c + 2)]
    ) + (
        jacobian[i, j, 3] * twist[U(c + 3)] + jacobian[i, j, 4] * twist[U(c + 4)] + jacobian[i, j, 5] * twist[U(c + 5)]
    )
    return total


@kernel
def axial_velocity(jacobian: Array, k: int, end: int, twist: Array, c: int) -> Vec3:
    """What the coordinates of one end, from c on, give to the velocity of B against A along the axes of point k."""
    return (
        row_times(jacobian, k, 3 * end, twist, c),
        row_times(jacobian, k, 3 * end + 1, twist, c),
        row_times(jacobian, k, 3 * end + 2, twist, c),
    )


@kernel
def add_columns(column: Array, k: int, end: int, twist: Array, begin: int, n: int, x: Vec3) -> None:
    """Change the n coordinates from ``begin`` on, of the node of one end, by an impulse x along the axes of point k."""
    i, a, b, c = U(k), U(3 * end), U(3 * end + 1), U(3 * end + 2)
    for d in range(n):
        at = U(d)
        twist[U(begin + d)] += column[i, a, at] * x[0] + column[i, b, at] * x[1] + column[i, c, at] * x[2]


@kernel
def own_responses(p: Handle, k: int) -> Sym3:
    """Response of point k to impulses at itself: xx yy zz xy xz yz [1/kg]; needs its axes."""
    jacobian, column, i = p.jacobian, p.column, U(k)
    xx = yy = zz = xy = xz = yz = 0.0
    for end in range(2):
        slot = p.ends[i, U(end)]
        if slot < 0:
            continue
        node = p.slot_node[slot]
        at = p.slot_coordinate[slot] - p.coordinate_begin[node]
        for other in range(2):  # the other end answers, too, if it is of the same tree
            if p.ends[i, U(other)] < 0 or p.slot_node[p.ends[i, U(other)]] != node:
                continue
            for d in range(6):
                c, e, f = U(at + d), U(3 * end), U(3 * other)
                x, y, z = jacobian[i, e, U(d)], jacobian[i, e + U(1), U(d)], jacobian[i, e + U(2), U(d)]
                a, b, g = column[i, f, c], column[i, f + U(1), c], column[i, f + U(2), c]
                xx, yy, zz = xx + x * a, yy + y * b, zz + z * g
                xy, xz, yz = xy + x * b, xz + x * g, yz + y * g
    return xx, yy, zz, xy, xz, yz
