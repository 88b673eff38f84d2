"""Depth is taken back by moving bodies, not by giving them speed; and what moves otherwise than it ends keeps apart.

What overlaps, or is beyond a joint's limit, is moved apart by velocities of their own that change the coordinates and
nothing else: so no speed stays behind, and the law is never asked for a motion that friction forbids (a wedged body
that must come out at once has no solution). They answer to normal impulses without friction, found by projected
Gauss–Seidel: what a few sweeps leave over comes with the next step. Loops and couplings hold meanwhile.

Trees that turn fast (dynamics/fast.py) have such velocities before: they move by the mean velocity of the step, while
the law has posed gaps and limits for that of its end. What would close further than they allow is held in the same way.
What sticks together must move alike, or it creeps by dt/2 of its change of velocity: the trees of an island all take
the mean or none does. Not free bodies along with the others, though energy would be kept better: the law holds them for
the axes of the start, and by the mean they would leave a hand that turns twice as fast.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import COORDINATES, ISLANDS, Handle
from sesshoku.constraint.response import apply_impulses, slot_twist
from sesshoku.constraint.row import COUPLED, LOWER, UPPER, distance
from sesshoku.contact.flow import gather, relative, relative_row
from sesshoku.contact.points import SLOP
from sesshoku.contact.sweep import nudge_point, nudge_row
from sesshoku.dynamics.fast import takes_mean
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import copy, load3, store3
from sesshoku.spatial.vector import add, dot, norm, scale, subtract

__all__ = ["separate"]

Array = NDArray[np.float64]
SHARE: Final = 0.2  # of the depth beyond SLOP that one step takes back
SPEED: Final = 1.0  # at which it does so at most, and at which any coordinate moves for it [m/s, rad/s]
SWEEPS: Final = 50  # at most
ENOUGH: Final = 0.01  # share of the largest speed asked for below which changes by a sweep end it
YIELDING: Final = 1e-4  # share of its response at which a point hardly yields along its normal, and is left alone
# The same of points between bodies of one tree: two links that overlap next to their hinge would turn at tens of
# radians a second for it, and nothing else in the island get its share of speed.
JAMMED: Final = 1e-2


@kernel
def due(depth: float, dt: float) -> float:
    """Speed at which depth is taken back."""
    return min(SHARE * max(depth - SLOP, 0.0) / dt, SPEED)


@kernel
def point_speed(p: Handle, k: int) -> float:
    """Speed at which a point comes apart under the law."""
    given = scale(p.give[k], load3(p.impulse, k))
    return dot(load3(p.normal, k), subtract(subtract(load3(p.slide, k), load3(p.bias, k)), given))


@kernel
def point_gap(g: SpaceHandle, p: Handle, k: int) -> float:
    """Gap of a contact [m]; the depth of an elastic one is not an error."""
    gap: float = g.gap[p.source[k]]
    return gap if p.give[k] == 0.0 else max(gap, 0.0)


@kernel
def row_speed(p: Handle, k: int) -> float:
    """Speed at which a row leaves its limit under the law."""
    speed: float = p.row_slide[k] - p.row_bias[k]
    return -speed if p.row_kind[k] == UPPER else speed


@kernel
def left(speed: float, gap: float, dt: float) -> float:
    """Speed that may still be lost; negative: that is to be gained.

    What the law lets close within the step is not held apart here: it would gain speed without a motion.
    """
    return max(speed + gap / dt, 0.0) if gap > 0.0 else speed - due(-gap, dt)


@kernel
def least_share(p: Handle, k: int) -> float:
    """Share of its response that a point must yield along its normal, or it is left alone."""
    a, b = p.ends[k, 0], p.ends[k, 1]
    return JAMMED if a >= 0 and b >= 0 and p.slot_node[a] == p.slot_node[b] else YIELDING


@kernel
def most_due(s: SystemHandle, g: SpaceHandle, p: Handle, i: int, dt: float) -> float:
    """The largest speed asked for in island i that the law does not give anyway."""
    most = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if p.friction[k] >= 0.0:
            wanted = due(-point_gap(g, p, k), dt)
            if wanted > most and wanted > point_speed(p, k):
                most = wanted
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        if p.row_kind[k] <= UPPER:
            wanted = due(-distance(s, p.row_dof[k], p.row_kind[k]), dt)
            if wanted > most and wanted > row_speed(p, k):
                most = wanted
    return most


@kernel
def prepare(s: SystemHandle, g: SpaceHandle, p: Handle, i: int, dt: float) -> float:
    """Fill stiffness of points with the speed they may still lose and their response, that of rows with the speed.

    Begins with change by shift; returns the largest speed that is lacking, of couplings that is too much.
    """
    most = 0.0
    for k in range(p.slot_begin[p.node_begin[i]], p.slot_begin[p.node_begin[i + 1]]):
        slot_twist(s, p, k, s.shift, s.shift, 0.0, p.change)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.push, k, (0.0, 0.0, 0.0))
        if p.friction[k] < 0.0:
            continue
        gap, n = point_gap(g, p, k), load3(p.normal, k)
        before = dot(n, relative(p, k, p.change))
        nudge_point(p, p.change, k, n)  # there and back, to see how it responds
        response = dot(n, relative(p, k, p.change)) - before
        nudge_point(p, p.change, k, scale(-1.0, n))
        speed, give = point_speed(p, k), p.give[k]
        p.stiffness[k, 0] = left(speed if give == 0.0 else max(speed, 0.0), gap, dt)
        if response > least_share(p, k) * (1.0 / p.scale[k] - give):
            p.stiffness[k, 1] = response
            most = max(most, -before - p.stiffness[k, 0])
        else:
            p.stiffness[k, 1] = 0.0
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_push[k] = p.row_stiffness[k] = 0.0
        if p.row_kind[k] <= UPPER:
            p.row_stiffness[k] = left(row_speed(p, k), distance(s, p.row_dof[k], p.row_kind[k]), dt)
            sign = 1.0 if p.row_kind[k] == LOWER else -1.0
            most = max(most, -sign * relative_row(p, k, p.change) - p.row_stiffness[k])
        elif p.row_kind[k] == COUPLED:
            most = max(most, abs(relative_row(p, k, p.change)))
    return most


@kernel
def sweep_normals(p: Handle, i: int) -> float:
    """One sweep over the points and rows of island i; the largest change of a speed."""
    most = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if p.friction[k] < 0.0:
            change = scale(-p.scale[k], relative(p, k, p.change))
            store3(p.push, k, add(load3(p.push, k), change))
            nudge_point(p, p.change, k, change)
            most = max(most, norm(change) / p.scale[k])
            continue
        n, response = load3(p.normal, k), p.stiffness[k, 1]
        if response == 0.0:
            continue
        before = dot(n, load3(p.push, k))
        after = max(before - (dot(n, relative(p, k, p.change)) + p.stiffness[k, 0]) / response, 0.0)
        if after != before:
            store3(p.push, k, scale(after, n))
            nudge_point(p, p.change, k, scale(after - before, n))
            most = max(most, abs(after - before) * response)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        sign = 1.0 if p.row_kind[k] == LOWER else -1.0
        if p.row_kind[k] <= UPPER:
            speed = sign * relative_row(p, k, p.change) + p.row_stiffness[k]
            turn = sign * max(sign * p.row_push[k] - p.row_scale[k] * speed, 0.0) - p.row_push[k]
            p.row_push[k] += turn
            nudge_row(p, p.change, k, turn)
            most = max(most, abs(turn) / p.row_scale[k])
        elif p.row_kind[k] == COUPLED:
            turn = -p.row_scale[k] * relative_row(p, k, p.change)
            p.row_push[k] += turn
            nudge_row(p, p.change, k, turn)
            most = max(most, abs(turn) / p.row_scale[k])
    return most


@kernel
def find_fastest(s: SystemHandle, p: Handle, rates: Array, out: Array) -> None:
    """Fill the largest of some rates in each island."""
    island, root, dof_body = p.island, s.root, s.dof_body
    for i in range(p.count[ISLANDS]):
        out[i] = 0.0
    for d in range(len(rates)):
        i = island[root[dof_body[d]]]
        if i >= 0:
            out[i] = max(out[i], abs(rates[d]))


@kernel
def add_parting(s: SystemHandle, p: Handle) -> None:
    """Add what parts bodies to shift, in each island no faster than allowed."""
    island, root, dof_body, fastest = p.island, s.root, s.dof_body, p.fastest
    for d in range(len(s.reduced)):
        s.reduced[d], s.trial[d] = 0.0, s.acceleration[d]  # that of the step is still to be reported
    apply_impulses(s, p, p.parting, 1.0)
    find_fastest(s, p, s.acceleration, fastest)
    for d in range(len(s.shift)):
        i = island[root[dof_body[d]]]
        if i >= 0:
            s.shift[d] += s.acceleration[d] * min((SPEED + p.shifted[i]) / max(fastest[i], SPEED), 1.0)
    copy(s.trial, s.acceleration)


@kernel
def move_alike(s: SystemHandle, p: Handle) -> None:
    """Keep shift of islands all of whose trees take the mean velocity, and of trees that nothing touches."""
    island, root, dof_body, mean = p.island, s.root, s.dof_body, p.mean
    if p.count[ISLANDS] == 0:
        return
    for i in range(p.count[ISLANDS]):
        mean[i] = 1
        for node in range(p.node_begin[i], p.node_begin[i + 1]):
            if not takes_mean(s, p.tree[node]):
                mean[i] = 0
    for d in range(len(s.shift)):
        i = island[root[dof_body[d]]]
        if i >= 0 and mean[i] == 0:
            s.shift[d] = 0.0


@kernel
def separate(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float, led: bool) -> bool:
    """Fill shift with the velocities that take depth back; ``led``: it has others already, to which they are added.

    Whether there are any. Needs the law's slides and responses.
    """
    if led:
        move_alike(s, p)
    else:
        for d in range(len(s.shift)):
            s.shift[d] = 0.0
    find_fastest(s, p, s.shift, p.shifted)
    parted = False
    for i in range(p.count[ISLANDS]):
        most = most_due(s, g, p, i, dt)
        if most == 0.0 and p.shifted[i] == 0.0:
            continue
        most = max(most, prepare(s, g, p, i, dt))
        if most == 0.0:
            continue
        if not parted:
            parted = True
            for c in range(p.count[COORDINATES]):
                p.parting[c] = 0.0
        for _ in range(SWEEPS):
            if sweep_normals(p, i) <= ENOUGH * most:
                break
        gather(p, i, p.push, p.row_push, p.parting)
    if parted:
        add_parting(s, p)
    return led or parted
