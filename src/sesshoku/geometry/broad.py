"""The broad phase: where the shapes are, their bounding boxes, and the pairs whose boxes overlap.

Boxes are sorted along one axis and swept. The order of the last step is sorted again by insertion, which is nearly
linear while little has changed. The pairs found depend neither on it nor on the axis.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.kind import PLANE, SPHERE
from sesshoku.geometry.space import Handle
from sesshoku.kernel import U, kernel
from sesshoku.spatial.rotation import Mat3, multiply, rotate
from sesshoku.spatial.row import load3, load9, store3, store9
from sesshoku.spatial.vector import Vec3, add, dot, subtract

__all__ = ["bound_shapes", "find_pairs", "place_shapes"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
FEW: Final = 4  # boxes for each that overlap it along the axis: looking for a better one takes as long


@kernel
def place_shapes(s: SystemHandle, g: Handle) -> None:
    """Fill position and rotation of the shapes on moving bodies from the poses of the bodies; needs kinematics."""
    body, kind, local_position, local_rotation = g.body, g.kind, g.local_position, g.local_rotation
    position, rotation, root = g.position, g.rotation, s.root
    body_position, body_rotation, origin = s.position, s.rotation, s.origin
    for k in range(len(body)):
        i = body[k]
        if i < 0:
            continue  # placed once and for all
        r = load9(body_rotation, i)
        x = add(load3(origin, root[i]), load3(body_position, i))
        store3(position, k, add(x, rotate(r, load3(local_position, k))))
        if kind[k] != SPHERE:
            store9(rotation, k, multiply(r, load9(local_rotation, k)))


@kernel
def box_reach(r: Mat3, half: Vec3) -> Vec3:
    """Half the edges of the box along the world's axes around a turned box."""
    return (
        abs(r[0]) * half[0] + abs(r[1]) * half[1] + abs(r[2]) * half[2],
        abs(r[3]) * half[0] + abs(r[4]) * half[1] + abs(r[5]) * half[2],
        abs(r[6]) * half[0] + abs(r[7]) * half[1] + abs(r[8]) * half[2],
    )


@kernel
def bound_shapes(g: Handle) -> None:
    """Fill lower and upper, with what is to be looked at around a shape; planes have no box."""
    kind, position, rotation, centre, half = g.kind, g.position, g.rotation, g.centre, g.half
    lower, upper, ahead = g.lower, g.upper, g.ahead
    for k in range(len(kind)):
        if kind[k] == PLANE:
            continue
        middle, reach, m = load3(position, k), load3(half, k), ahead[k]
        if kind[k] != SPHERE:
            r = load9(rotation, k)
            middle, reach = add(middle, rotate(r, load3(centre, k))), box_reach(r, reach)
        reach = (reach[0] + m, reach[1] + m, reach[2] + m)
        store3(lower, k, subtract(middle, reach))
        store3(upper, k, add(middle, reach))


@kernel
def may_touch(allowed: Index, a: int, b: int) -> bool:
    """Whether the filters let two shapes touch; a < b."""
    return bool((allowed[a, b >> 6] >> (b & 63)) & 1)


@kernel
def add_pair(g: Handle, a: int, b: int) -> None:
    """Note a pair; beyond the room it is only counted."""
    k = g.pair_count[0]
    g.pair_count[0] = k + 1
    if k < len(g.pairs):
        g.pairs[k, 0], g.pairs[k, 1] = min(a, b), max(a, b)


@kernel
def sort_along(order: Index, lower: Array, axis: int, count: int) -> None:
    """Sort the first ``count`` shapes by the lower ends of their boxes, the lower number first where they are equal."""
    along = U(axis)
    for k in range(1, count):
        shape = order[U(k)]
        key, j = lower[U(shape), along], k - 1
        while j >= 0:
            other = order[U(j)]
            if lower[U(other), along] < key or (lower[U(other), along] == key and other < shape):
                break
            order[U(j + 1)] = other
            j -= 1
        order[U(j + 1)] = shape


@kernel
def widest_axis(lower: Array, order: Index, count: int) -> int:
    """The axis along which the shapes are spread most, by the variance of their lower ends."""
    best, axis = -1.0, 0
    for k in range(3):
        total, square = 0.0, 0.0
        for j in range(count):
            x = lower[U(order[U(j)]), k]
            total += x
            square += x * x
        spread = square * count - total * total
        if spread > best:
            best, axis = spread, k
    return axis


@kernel
def sweep(g: Handle, count: int) -> None:
    """Note all allowed pairs of overlapping boxes among the first ``count`` of the order.

    Where too many overlap along the axis, the next sweep has another one.
    """
    order, lower, upper, allowed, axis, overlapping = g.order, g.lower, g.upper, g.allowed, g.axis[0], 0
    sort_along(order, lower, axis, count)
    first, second, third = U(axis), U((axis + 1) % 3), U((axis + 2) % 3)
    for k in range(count):
        a = order[U(k)]
        i = U(a)
        begin, end, low2, up2, low3, up3 = (
            lower[i, first],
            upper[i, first],
            lower[i, second],
            upper[i, second],
            lower[i, third],
            upper[i, third],
        )
        for m in range(k + 1, count):
            b = order[U(m)]
            j = U(b)
            if lower[j, first] > end:
                break
            overlapping += 1
            if (
                upper[j, first] >= begin  # not if either is no number
                and lower[j, second] <= up2
                and upper[j, second] >= low2
                and lower[j, third] <= up3
                and upper[j, third] >= low3
                and may_touch(allowed, min(a, b), max(a, b))
            ):
                add_pair(g, a, b)
    if overlapping > FEW * count:
        g.axis[0] = widest_axis(lower, order, count)


@kernel
def against_planes(g: Handle, first: int) -> None:
    """Note the shapes that reach a plane: those from ``first`` on in the order are planes."""
    order, margin, allowed = g.order, g.margin, g.allowed
    lower, upper = g.lower, g.upper
    for k in range(first, len(order)):
        plane = order[k]
        r = load9(g.rotation, plane)
        normal, foot, m = (r[2], r[5], r[8]), load3(g.position, plane), margin[plane]
        for j in range(first):
            b = order[U(j)]
            # the corner of its box that is deepest under the plane
            corner = (
                lower[U(b), 0] if normal[0] > 0.0 else upper[U(b), 0],
                lower[U(b), 1] if normal[1] > 0.0 else upper[U(b), 1],
                lower[U(b), 2] if normal[2] > 0.0 else upper[U(b), 2],
            )
            if dot(normal, subtract(corner, foot)) <= m and may_touch(allowed, min(plane, b), max(plane, b)):
                add_pair(g, plane, b)


@kernel
def sort_pairs(g: Handle) -> None:
    """Bring the pairs into the order of a, then b, by counting: contacts then come in a fixed order."""
    pairs, out, bucket = g.pairs, g.sorted_pairs, g.bucket
    count = min(g.pair_count[0], len(pairs))
    for a in range(len(bucket)):
        bucket[a] = 0
    for k in range(count):
        bucket[pairs[k, 0] + 1] += 1
    for a in range(1, len(bucket)):
        bucket[a] += bucket[a - 1]
    for k in range(count):
        a = pairs[k, 0]
        out[bucket[a], 0], out[bucket[a], 1] = a, pairs[k, 1]
        bucket[a] += 1
    for k in range(1, count):
        a, b, j = out[k, 0], out[k, 1], k
        while j > 0 and out[j - 1, 0] == a and out[j - 1, 1] > b:
            out[j, 1] = out[j - 1, 1]
            j -= 1
        out[j, 1] = b


@kernel
def find_pairs(g: Handle) -> None:
    """Fill sorted_pairs and pair_count with the allowed pairs whose boxes overlap; needs bound_shapes."""
    kind, order = g.kind, g.order
    count = len(order)
    while count > 0 and kind[order[count - 1]] == PLANE:
        count -= 1
    g.pair_count[0] = 0
    sweep(g, count)
    against_planes(g, count)
    sort_pairs(g)
