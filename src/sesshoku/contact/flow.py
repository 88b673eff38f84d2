"""Between points and coordinates: wrenches from impulses, motions from wrenches, velocities of points from motions."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import Handle
from sesshoku.kernel import U, kernel
from sesshoku.spatial.motion import Motion, Wrench, velocity_at
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, scale, subtract

__all__ = ["answer", "gather", "relative", "relative_row", "respond", "responding", "slide_of", "slides"]

Array = NDArray[np.float64]


@kernel
def add_force(p: Handle, out: Array, slot: int, sign: float, x: Vec3, f: Vec3) -> None:
    """Add a force at x, or take it away, to the coordinates of a body's slot."""
    c = p.slot_coordinate[U(slot)]
    if p.slot_width[U(slot)] == 6:
        m = cross(x, f)
        out[U(c)] += sign * m[0]
        out[U(c + 1)] += sign * m[1]
        out[U(c + 2)] += sign * m[2]
        c += 3
    out[U(c)] += sign * f[0]
    out[U(c + 1)] += sign * f[1]
    out[U(c + 2)] += sign * f[2]


@kernel
def gather(p: Handle, i: int, force: Array, row_force: Array, out: Array) -> None:
    """Fill the coordinates of island i in ``out`` with the wrenches of forces at its points and on its rows."""
    ends, arm_a, arm_b, slot_coordinate = p.ends, p.arm_a, p.arm_b, p.slot_coordinate
    for c in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        out[c] = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        f, a, b = load3(force, k), ends[U(k), 0], ends[U(k), 1]
        if a >= 0:
            add_force(p, out, a, -1.0, load3(arm_a, k), f)
        if b >= 0:
            add_force(p, out, b, 1.0, load3(arm_b, k), f)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        out[slot_coordinate[p.row_slots[k, 0]]] += row_force[k]
        out[slot_coordinate[p.row_slots[k, 1]]] -= p.row_ratio[k] * row_force[k]


@kernel
def respond(p: Handle, i: int, wrench: Array, out: Array) -> None:
    """Fill the coordinates of island i in ``out`` with Λ wrench."""
    response = p.response
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        begin, end, at = p.coordinate_begin[node], p.coordinate_begin[node + 1], p.response_begin[node]
        for a in range(begin, end):
            total = 0.0
            for b in range(begin, end):
                total += response[U(at + b - begin)] * wrench[U(b)]
            out[U(a)] = total
            at += end - begin


@kernel
def velocity_of(p: Handle, slot: int, x: Vec3, twist: Array) -> Vec3:
    """Velocity at x of the body of a slot, x from where its motion is taken."""
    c = p.slot_coordinate[U(slot)]
    first = (twist[U(c)], twist[U(c + 1)], twist[U(c + 2)])
    if p.slot_width[U(slot)] == 3:
        return first
    return velocity_at((first, (twist[U(c + 3)], twist[U(c + 4)], twist[U(c + 5)])), x)


@kernel
def relative(p: Handle, k: int, twist: Array) -> Vec3:
    """Velocity of B against A at a point."""
    u = (0.0, 0.0, 0.0)
    a, b = p.ends[U(k), 0], p.ends[U(k), 1]
    if b >= 0:
        u = velocity_of(p, b, load3(p.arm_b, k), twist)
    if a >= 0:
        u = subtract(u, velocity_of(p, a, load3(p.arm_a, k), twist))
    return u


@kernel
def responding(p: Handle, at: int, slot: int, wrench: Wrench) -> float:
    """Change of one coordinate by a wrench on the body of a slot: Λ of that coordinate and slot begins at ``at``."""
    response, (m, f), total = p.response, wrench, 0.0
    if p.slot_width[U(slot)] == 6:
        total = response[U(at)] * m[0] + response[U(at + 1)] * m[1] + response[U(at + 2)] * m[2]
        at += 3
    return total + response[U(at)] * f[0] + response[U(at + 1)] * f[1] + response[U(at + 2)] * f[2]  # type: ignore[no-any-return]


@kernel
def between(p: Handle, node: int, first: int, second: int, motion: Motion, wrench: Wrench) -> float:
    """What a wrench on the second slot of a node gives the first one along ``motion``."""
    begin, total = p.coordinate_begin[node], 0.0
    n = p.coordinate_begin[node + 1] - begin
    at = p.response_begin[node] + (p.slot_coordinate[first] - begin) * n + p.slot_coordinate[second] - begin
    if p.slot_width[U(first)] == 6:
        for part in motion[0]:
            total += part * responding(p, at, second, wrench)
            at += n
    for part in motion[1]:
        total += part * responding(p, at, second, wrench)
        at += n
    return total


@kernel
def answer(p: Handle, k: int, f: Vec3, g: Vec3) -> float:
    """Velocity of point k along g per impulse along f at itself."""
    a, b = p.ends[k, 0], p.ends[k, 1]
    x, y, total = load3(p.arm_a, k), load3(p.arm_b, k), 0.0
    if a >= 0:
        total += between(p, p.slot_node[a], a, a, (cross(x, g), g), (cross(x, f), f))
    if b >= 0:
        total += between(p, p.slot_node[b], b, b, (cross(y, g), g), (cross(y, f), f))
    if a >= 0 and b >= 0 and p.slot_node[a] == p.slot_node[b]:
        total -= between(p, p.slot_node[a], a, b, (cross(x, g), g), (cross(y, f), f))
        total -= between(p, p.slot_node[a], b, a, (cross(y, g), g), (cross(x, f), f))
    return total


@kernel
def relative_row(p: Handle, k: int, twist: Array) -> float:
    """Velocity of a row."""
    first, second = p.slot_coordinate[p.row_slots[k, 0]], p.slot_coordinate[p.row_slots[k, 1]]
    return twist[first] - p.row_ratio[k] * twist[second]  # type: ignore[no-any-return]


@kernel
def slide_of(p: Handle, k: int, r: Vec3) -> Vec3:
    """Velocity of B against A at a point, with bias and give, for the twist as it is and an impulse r of the point."""
    return add(add(relative(p, k, p.twist), load3(p.bias, k)), scale(p.give[k], r))


@kernel
def slides(p: Handle, i: int, twist: Array) -> None:
    """Fill slide of the points and rows of island i: velocity and bias."""
    slide, bias = p.slide, p.bias
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(slide, k, add(relative(p, k, twist), load3(bias, k)))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_slide[k] = relative_row(p, k, twist) + p.row_bias[k]
