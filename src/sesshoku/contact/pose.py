"""The problem of one step: posed from contacts, loops and rows, and what is kept of its solution."""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.island import begin, is_heap, number
from sesshoku.constraint.loop import fill_loop, loop_tree, touch_loops
from sesshoku.constraint.problem import ISLANDS, PAIRS, POINTS, ROWS, TOLERANCE, Handle
from sesshoku.constraint.response import free_twists, responses
from sesshoku.constraint.row import KINDS, fill_rows, touch_rows
from sesshoku.contact.coulomb import OPEN, SLIP, STICK, off, split
from sesshoku.contact.elastic import elongate
from sesshoku.contact.flow import relative, relative_row
from sesshoku.contact.near import take_part
from sesshoku.contact.points import SLOP, STILL, contact_tree, fill_point, recall
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import add, dot, norm, scale

__all__ = ["keep_impulses", "pose_problem", "slow_at"]

ROUNDING: Final = 1e-13  # a gap that is none [m]; with 1e-12 it decides which points of a standing robot bear
STRUCK: Final = 2.0  # times what gravity gives in a step: a sticking contact found faster than this has been torn off
SLOW: Final = 100.0  # times what the tolerance admits at a point, in the mean: a contact that is faster slips
UNSURE: Final = 2.0  # times what it is off the law by itself: in heaps it must be faster than this, too


@kernel
def island_of(s: SystemHandle, g: SpaceHandle, p: Handle, k: int) -> int:
    """The island of a contact, or of a point of a loop, which come after the contacts."""
    contacts = g.count[0]
    tree = contact_tree(s, g, k) if k < contacts else loop_tree(s, p, k - contacts)
    return p.island[tree]  # type: ignore[no-any-return]


@kernel
def takes_part(g: SpaceHandle, p: Handle, k: int) -> bool:
    """Whether a contact does, or a point of a loop, which always does."""
    return k >= g.count[0] or p.taken[k] != 0  # type: ignore[no-any-return]


@kernel
def sort_points(s: SystemHandle, g: SpaceHandle, p: Handle, loops: int) -> None:
    """Fill source: contacts that take part, and points of loops, by island."""
    begins, cursor, islands = p.point_begin, p.rank, p.count[ISLANDS]
    last, count = g.count[0] + loops, 0
    if islands <= 1:
        for k in range(last):
            if takes_part(g, p, k):
                p.source[count] = k
                count += 1
        begins[0], begins[islands] = 0, count
        return
    for i in range(islands + 1):
        begins[i] = 0
    for k in range(last):
        if takes_part(g, p, k):
            begins[island_of(s, g, p, k) + 1] += 1
    for i in range(islands):
        cursor[i] = begins[i]
        begins[i + 1] += begins[i]
    for k in range(last):
        if takes_part(g, p, k):
            i = island_of(s, g, p, k)
            p.source[cursor[i]] = k
            cursor[i] += 1


@kernel
def fill_island(s: SystemHandle, g: SpaceHandle, p: Handle, i: int, dt: float) -> None:
    """Fill the points, rows and pairs of island i, and free_speed: the norm of their velocities with no impulse.

    In a heap, gaps of micrometres would decide which of many redundant contacts bear, anew in each step; elsewhere,
    those of rounding would let what rests rock by as much.
    """
    contacts, total, slop = g.count[0], 0.0, SLOP if is_heap(p, i) else ROUNDING
    struck = STRUCK * dt * norm((s.gravity[0], s.gravity[1], s.gravity[2])) + STILL
    p.pair_begin[i], p.elastic[i] = p.count[PAIRS], 0
    for q in range(p.point_begin[i], p.point_begin[i + 1]):
        k = p.source[q]
        if k < contacts:
            total += fill_point(s, g, p, q, k, slop, struck, dt)
            p.elastic[i] |= p.give[q] > 0.0
        else:
            fill_loop(s, p, q, k - contacts, dt)
            free = add(relative(p, q, p.free), load3(p.bias, q))
            total += dot(free, free)
    fill_rows(s, p, i, dt)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        total += (relative_row(p, k, p.free) + p.row_bias[k]) ** 2
    p.free_speed[i] = sqrt(total)
    p.pair_begin[i + 1] = p.count[PAIRS]


@kernel
def pose_problem(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> bool:
    """Make the problem of this step from the contacts found and the free acceleration; false if there is none."""
    begin(p)
    recall(g, p)
    contacts, loops, rows = take_part(s, g, p, dt), touch_loops(s, p), touch_rows(s, p, dt)
    points = contacts + loops
    if points == 0 and rows == 0:
        p.statistics[0] = p.statistics[1] = p.statistics[2] = 0.0
        return False
    p.count[POINTS] = points
    number(s, p)
    responses(s, p)
    free_twists(s, p, dt)
    sort_points(s, g, p, loops)
    for i in range(p.count[ISLANDS]):
        fill_island(s, g, p, i, dt)
    return True


@kernel
def keep_identity(g: SpaceHandle, p: Handle, k: int, state: int) -> None:
    """Report the state of a contact, and keep it for the next step, with what the contact is known by."""
    a, b = g.shapes[k, 0], g.shapes[k, 1]
    p.kept_shapes[k, 0], p.kept_shapes[k, 1], p.kept_feature[k] = min(a, b), max(a, b), g.feature[k]
    p.state[k] = p.kept_mode[k] = state


@kernel
def keep_apart(g: SpaceHandle, p: Handle, k: int) -> None:
    """Report a contact that has not taken part; its slip is known."""
    nothing = (0.0, 0.0, 0.0)
    store3(p.force, k, nothing)
    store3(p.kept_impulse, k, nothing)
    store3(p.kept_shear, k, nothing)
    keep_identity(g, p, k, OPEN)


@kernel
def keep_point(g: SpaceHandle, p: Handle, q: int, slow: float, unsure: float, dt: float) -> None:
    """Report force, slip and state of a contact, or keep what a loop bears.

    It sticks if it is not faster than ``slow``, nor than ``unsure`` times what it is off the law by.
    """
    k = p.source[q]
    r, n = load3(p.impulse, q), load3(p.normal, q)
    if k >= g.count[0]:
        store3(p.kept_loop, k - g.count[0], r)
        return
    u = load3(p.slide, q)
    _, tangent = split(n, u)
    state, speed = OPEN, norm(tangent)
    if dot(n, r) > 0.0:
        state = SLIP if speed > slow else STICK
        if state == SLIP and unsure > 0.0 and speed < unsure * sqrt(off(n, p.friction[q], r, u, p.scale[q])):
            state = STICK
    store3(p.force, k, scale(1.0 / dt, r))
    store3(p.slip, k, tangent)
    store3(p.kept_impulse, k, r)
    store3(p.kept_shear, k, elongate(p, q, load3(p.shear, k), state, dt))
    keep_identity(g, p, k, state)


@kernel
def slow_at(admitted: float, points: int) -> float:
    """Speed up to which contacts stick; ``admitted`` is what the tolerance admits of so many points together [m/s]."""
    return SLOW * admitted / sqrt(max(points, 1.0))


@kernel
def keep_impulses(g: SpaceHandle, p: Handle, dt: float) -> None:
    """Report forces, slips and states, and keep what the next step begins with."""
    for i in range(p.count[ISLANDS]):
        slow = slow_at(p.options[TOLERANCE] * p.reference[i], p.point_begin[i + 1] - p.point_begin[i])
        unsure = UNSURE if p.admitted[i] > p.options[TOLERANCE] else 0.0
        for q in range(p.point_begin[i], p.point_begin[i + 1]):
            keep_point(g, p, q, slow, unsure, dt)
    for k in range(g.count[0]):
        if p.taken[k] == 0:
            keep_apart(g, p, k)
    p.kept_count[0] = g.count[0]
    for tree in range(len(p.kept_steps)):
        p.kept_steps[tree] = 0
    for i in range(p.count[ISLANDS]):
        for node in range(p.node_begin[i], p.node_begin[i + 1]):
            p.kept_steps[p.tree[node]] = p.steps[i]
    for d in range(len(p.kept_row)):
        for kind in range(KINDS):
            p.kept_row[d, kind] = 0.0
    for k in range(p.count[ROWS]):
        p.kept_row[p.row_dof[k], p.row_kind[k]] = p.row_impulse[k]
