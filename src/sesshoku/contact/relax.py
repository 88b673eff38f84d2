"""Sweeps only where something moves: what puts right the few points of a large island that a Newton step has lost.

After a Newton step on hundreds of points 1 to 10 of them, which have changed between open, stick and slip, hold nearly
all of the residual. So a round sweeps only points about those that have changed in the one before: a queue. A point has
a step of its own along the normal and one across: spheres yield across 3.5 times as much. Both are longer than what
would stop it (over-relaxation). Each of these spares Newton steps.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import off, split
from sesshoku.contact.flow import answer, relative_row, slide_of
from sesshoku.contact.sweep import nudge_point, nudge_row
from sesshoku.geometry.polyhedral.select import tangents
from sesshoku.kernel import U, kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, dot, scale, subtract

__all__ = ["prepare", "relax"]

ROUNDS: Final = 200
WORK: Final = 20  # sweeps over all points of the island that these may be worth: where all moves it does not help
LONGER: Final = 1.3  # than what would stop a point; 1.2 and 1.4 take more Newton steps in heaps
YIELDING: Final = 1e-3  # of a point's mean response: what yields less in a direction has a step as if it yielded so
LARGE: Final = 0.001  # of the largest residual of a point: those about points that have more are the first


@kernel
def find_steps(p: Handle, i: int) -> None:
    """Fill step of the points of island i: impulses per velocity along the normal, and in the plane of slip.

    One for both directions of slip, by the larger response: with a step each, the law that is solved is not Coulomb's.
    """
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        a, b = p.ends[k, 0], p.ends[k, 1]
        if p.friction[k] < 0.0 or (a >= 0 and b >= 0 and p.slot_node[a] == p.slot_node[b]):
            p.step[k, 0] = p.step[k, 1] = LONGER * p.scale[k]
            continue
        n = load3(p.normal, k)
        e, f = tangents(n)
        least, along = YIELDING / p.scale[k], answer(p, k, n, n)
        first, second, mixed = answer(p, k, e, e), answer(p, k, f, f), answer(p, k, e, f)
        half = 0.5 * (first - second)
        across = 0.5 * (first + second) + sqrt(half * half + mixed * mixed)
        p.step[k, 0] = LONGER / max(along + p.give[k], least)
        p.step[k, 1] = LONGER / max(across + p.give[k], least)


@kernel
def find_neighbours(p: Handle, i: int) -> None:
    """List the points of each node of island i."""
    begin, first, last = p.touching_begin, p.node_begin[i], p.node_begin[i + 1]
    for node in range(first, last + 1):
        begin[node] = 0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for end in range(2):
            if p.ends[k, end] >= 0:
                begin[p.slot_node[p.ends[k, end]]] += 1
    total = 0
    for node in range(first, last + 1):
        total += begin[node]
        begin[node] = total
    for k in range(p.point_begin[i + 1] - 1, p.point_begin[i] - 1, -1):  # from behind: so that they are in order
        for end in range(2):
            if p.ends[k, end] >= 0:
                node = p.slot_node[p.ends[k, end]]
                begin[node] -= 1
                p.touching[begin[node]] = k


@kernel
def stir_node(p: Handle, node: int, turn: int, number: int) -> int:
    """Put the points of a node into the queue of a turn, if they are not yet in it; its length, then."""
    if p.stirred[U(node)] == turn:
        return number
    p.stirred[U(node)] = turn
    for j in range(p.touching_begin[node], p.touching_begin[node + 1]):
        k = p.touching[j]
        if p.queued[U(k)] != turn:
            p.queued[U(k)] = turn
            p.queue[turn & 1, U(number)] = k
            number += 1
    return number


@kernel
def stir(p: Handle, k: int, turn: int, number: int) -> int:
    """Put the points of the nodes of a point into the queue of a turn; its length, then."""
    for end in range(2):
        if p.ends[k, end] >= 0:
            number = stir_node(p, p.slot_node[p.ends[k, end]], turn, number)
    return number


@kernel
def off_at(p: Handle, k: int) -> float:
    """The residual of a point, squared [m²/s²]."""
    return off(load3(p.normal, k), p.friction[k], load3(p.impulse, k), load3(p.slide, k), p.scale[k])


@kernel
def stir_the_worst(p: Handle, i: int) -> int:
    """Put the points about the worst ones of island i into the queue of the first turn; its length. Needs slides."""
    worst, number = 0.0, 0
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        p.stirred[node] = 0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        p.queued[k] = 0
        worst = max(worst, off_at(p, k))
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if off_at(p, k) > LARGE**2 * worst:
            number = stir(p, k, 1, number)
    return number


@kernel
def project_apart(n: Vec3, mu: float, r: Vec3, u: Vec3, h: float, across: float) -> Vec3:
    """The impulse of a point after steps of its own along the normal and in the plane of slip."""
    if mu < 0.0:
        return subtract(r, scale(h, u))
    along, tangent = split(n, r)
    speed, slip = split(n, u)
    along, tangent = max(along - h * speed, 0.0), subtract(tangent, scale(across, slip))
    square, most = dot(tangent, tangent), mu * along
    if square > most * most:  # before any root: most points stick
        tangent = scale(most / sqrt(square), tangent)
    return add(scale(along, n), tangent)


@kernel
def relax_points(p: Handle, turn: int, number: int, least: float) -> int:
    """Sweep the points of a turn; those about what changes by more than ``least`` are the next, their number."""
    following = 0
    for j in range(number):
        k = p.queue[turn & 1, j]
        r = load3(p.impulse, k)
        u = slide_of(p, k, r)
        projected = project_apart(load3(p.normal, k), p.friction[k], r, u, p.step[k, 0], p.step[k, 1])
        change = subtract(projected, r)
        store3(p.impulse, k, projected)
        nudge_point(p, p.twist, k, change)
        if dot(change, change) > (least * p.scale[k]) ** 2:
            following = stir(p, k, turn + 1, following)
    return following


@kernel
def relax_rows(p: Handle, i: int, turn: int, number: int, least: float) -> int:
    """Sweep all rows; the points about what changes by more than ``least`` [m/s, rad/s] are next, their number."""
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        y = p.row_impulse[k] - p.row_scale[k] * (relative_row(p, k, p.twist) + p.row_bias[k])
        change = min(max(y, p.row_lower[k]), p.row_upper[k]) - p.row_impulse[k]
        nudge_row(p, p.twist, k, change)
        p.row_impulse[k] += change
        if abs(change) > least * p.row_scale[k]:
            for end in range(2):
                number = stir_node(p, p.slot_node[p.row_slots[k, end]], turn + 1, number)
    return number


@kernel
def prepare(p: Handle, i: int) -> None:
    """What `relax` needs to know of island i."""
    find_neighbours(p, i)
    find_steps(p, i)


@kernel
def relax(p: Handle, i: int, least: float) -> None:
    """Rounds over what moves in island i, until nothing changes by more than ``least`` [m/s]; needs slides."""
    number = stir_the_worst(p, i)
    left = WORK * (p.point_begin[i + 1] - p.point_begin[i])
    for turn in range(1, ROUNDS + 1):
        left -= number
        number = relax_rows(p, i, turn, relax_points(p, turn, number, least), least)
        if number == 0 or left <= 0:
            return
