"""Depth is taken back by moving bodies, not by giving them speed.

What overlaps, or is beyond a joint's limit, is moved apart by velocities of their own that change the coordinates and
nothing else: so no speed stays behind, and the law is never asked for a motion that friction forbids (a wedged body
that must come out at once has no solution). They answer to normal impulses without friction, found by projected
Gauss–Seidel: what a few sweeps leave over comes with the next step. Loops and couplings hold meanwhile.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import COORDINATES, ISLANDS, Handle
from sesshoku.constraint.response import apply_impulses
from sesshoku.constraint.row import COUPLED, LOWER, UPPER, distance
from sesshoku.contact.flow import gather, relative, relative_row
from sesshoku.contact.points import SLOP
from sesshoku.contact.sweep import nudge_point, nudge_row
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import add, dot, scale, subtract

__all__ = ["separate"]

SHARE: Final = 0.2  # of the depth beyond SLOP that one step takes back
SPEED: Final = 1.0  # at which it does so at most, and at which any coordinate moves for it [m/s, rad/s]
SWEEPS: Final = 50  # at most
ENOUGH: Final = 0.01  # share of the largest speed asked for below which changes by a sweep end it
YIELDING: Final = 1e-4  # share of its response at which a point hardly yields along its normal, and is left alone


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
def prepare(s: SystemHandle, g: SpaceHandle, p: Handle, i: int, dt: float) -> None:
    """Fill stiffness of points with the speed they may still lose and their response, that of rows with the speed."""
    for c in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        p.change[c] = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.push, k, (0.0, 0.0, 0.0))
        if p.friction[k] < 0.0:
            continue
        gap, n = point_gap(g, p, k), load3(p.normal, k)
        nudge_point(p, p.change, k, n)  # there and back, to see how it responds
        response = dot(n, relative(p, k, p.change))
        nudge_point(p, p.change, k, scale(-1.0, n))
        speed, give = point_speed(p, k), p.give[k]
        p.stiffness[k, 0] = left(speed if give == 0.0 else max(speed, 0.0), gap, dt)
        p.stiffness[k, 1] = response if response > YIELDING * (1.0 / p.scale[k] - give) else 0.0
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_push[k] = p.row_stiffness[k] = 0.0
        if p.row_kind[k] <= UPPER:
            p.row_stiffness[k] = left(row_speed(p, k), distance(s, p.row_dof[k], p.row_kind[k]), dt)


@kernel
def sweep_normals(p: Handle, i: int) -> float:
    """One sweep over the points and limits of island i; the largest change of a speed."""
    most = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if p.friction[k] < 0.0:
            change = scale(-p.scale[k], relative(p, k, p.change))
            store3(p.push, k, add(load3(p.push, k), change))
            nudge_point(p, p.change, k, change)
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
    return most


@kernel
def limit_speed(s: SystemHandle, p: Handle) -> None:
    """Slow shift down in each island to the speed allowed: what is jammed yields slowly."""
    island, root, dof_body, fastest = p.island, s.root, s.dof_body, p.fastest
    for i in range(p.count[ISLANDS]):
        fastest[i] = SPEED
    for d in range(len(s.shift)):
        i = island[root[dof_body[d]]]
        if i >= 0:
            fastest[i] = max(fastest[i], abs(s.shift[d]))
    for d in range(len(s.shift)):
        i = island[root[dof_body[d]]]
        s.shift[d] = s.shift[d] * SPEED / fastest[i] if i >= 0 else 0.0


@kernel
def separate(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> bool:
    """Fill shift with the velocities that take depth back, if there is any; needs the law's slides and responses."""
    found = False
    for i in range(p.count[ISLANDS]):
        most = most_due(s, g, p, i, dt)
        if most == 0.0:
            continue
        if not found:
            found = True
            for c in range(p.count[COORDINATES]):
                p.parting[c] = 0.0
        prepare(s, g, p, i, dt)
        for _ in range(SWEEPS):
            if sweep_normals(p, i) <= ENOUGH * most:
                break
        gather(p, i, p.push, p.row_push, p.parting)
    if found:
        for d in range(len(s.reduced)):
            s.reduced[d], s.shift[d] = 0.0, s.acceleration[d]
        apply_impulses(s, p, p.parting, 1.0)
        for d in range(len(s.shift)):  # the acceleration of the step is still to be reported
            s.shift[d], s.acceleration[d] = s.acceleration[d], s.shift[d]
        limit_speed(s, p)
    return found
