"""What friction a patch can bear without slipping: force and torque together (paper 3, eqs. 26–31).

Corners suffice: a force anywhere in a convex section is the sum of forces at its corners within the same cones. Each
cone has ``edges`` edges, the first along e1; without edges it is the true cone, where every direction is one.

With the centre of pressure given, friction is (f1, f2, tn). The linear program asks how far it can grow along its own
direction, so it can always begin at nought. The dual values are a slip of the patch, and the best column of a corner is
the edge along its velocity: no table of columns is needed, and the true cone takes less time than one with edges.
"""

from __future__ import annotations

from math import atan2, cos, inf, pi, sin, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact.volume.patch import Point, lever
from sesshoku.contact.volume.pressure import Pressure, coordinates, press
from sesshoku.contact.volume.simplex import COLUMN, VALUE, Column, dual, enter, objective
from sesshoku.geometry.polyhedral.select import tangents
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Wrench
from sesshoku.spatial.vector import Vec3, add, dot, norm, scale, subtract

__all__ = ["can_stick", "limit", "reach", "separate_limit"]

Array = NDArray[np.float64]

TOLERANCE: Final = 1e-7  # of the friction that sticks, by which it may be beyond the limit
GAIN: Final = 1e-10  # of the largest friction: so near to the limit the search ends
PIVOTS: Final = 500  # most columns that enter


@kernel
def can_stick(section: Array, number: int, basis: Array, wrench: Wrench, friction: float, edges: int) -> bool:
    """Whether forces in the cones at the corners sum up to this wrench."""
    if not wrench[1][2] > 0.0:
        return False
    p = press(section, number, basis, wrench)
    need = _need(p, wrench, friction)
    far = norm(need)
    if need[0] * need[0] + need[1] * need[1] > 1.0 + TOLERANCE or abs(need[2]) > 1.0 + TOLERANCE:
        return False
    if far == 0.0 or _sticks_rigidly(p, basis, need, edges):
        return True
    enough = far * (1.0 - TOLERANCE)
    return bool(reach(p, basis, scale(1.0 / far, need), edges, enough)[0] >= enough)


@kernel
def limit(section: Array, number: int, basis: Array, wrench: Wrench, friction: float, edges: int) -> float:
    """By how much the friction (f1, f2, tn) of a wrench can be scaled until it slips; there must be some."""
    p = press(section, number, basis, wrench)
    need = _need(p, wrench, friction)
    far = norm(need)
    return reach(p, basis, scale(1.0 / far, need), edges, inf)[0] / far


@kernel
def separate_limit(section: Array, number: int, wrench: Wrench, friction: float) -> float:
    """The same by the older test: force and torque each have a limit of their own, mu fn and mu fn times the lever."""
    moment, force = wrench
    most = friction * force[2]
    f, t = sqrt(force[0] * force[0] + force[1] * force[1]), abs(moment[2])
    return min(most / f if f > 0.0 else inf, most * lever(section, number, (0.0, 0.0)) / t if t > 0.0 else inf)


@kernel
def _need(p: Pressure, wrench: Wrench, friction: float) -> Vec3:
    """(f1, f2, tn) about the centre of pressure over the most each could be.

    A point bears no torque, so none is asked of it.
    """
    moment, force = wrench
    torque = moment[2] - p.centre[0] * force[1] + p.centre[1] * force[0] if p.number > 1 else 0.0
    most = 1.0 / (friction * force[2])
    return most * force[0], most * force[1], most / p.lever * torque


@kernel
def _arm(p: Pressure, k: int) -> Point:
    """Corner k from the centre of pressure, over the lever."""
    return (p.section[k, 0] - p.centre[0]) / p.lever, (p.section[k, 1] - p.centre[1]) / p.lever


@kernel
def _sticks_rigidly(p: Pressure, basis: Array, need: Vec3, edges: int) -> bool:
    """Whether the first three corners bear it if each has a share f + w × r by its load: often so, and soon known."""
    inertia = 0.0
    for i in range(min(p.number, 3)):
        x, y = _arm(p, int(basis[i, COLUMN]))
        inertia += basis[i, VALUE] * (x * x + y * y)
    w = need[2] / inertia if need[2] != 0.0 else 0.0
    apothem = cos(pi / edges) if edges > 0 else 1.0
    for i in range(min(p.number, 3)):
        x, y = _arm(p, int(basis[i, COLUMN]))
        if not (need[0] - w * y) ** 2 + (need[1] + w * x) ** 2 <= apothem * apothem:
            return False
    return True


@kernel
def reach(p: Pressure, basis: Array, direction: Vec3, edges: int, enough: float) -> tuple[float, float]:
    """How far friction reaches along a unit direction, and a bound of how far it might.

    In units of mu fn, torque about the centre also of the lever. Ends as soon as it is clear whether it is ``enough``.
    """
    across = tangents(direction)
    reached, bound = 0.0, inf
    for _ in range(PIVOTS):
        prices = dual(basis)
        slip = subtract(direction, add(scale(prices[3], across[0]), scale(prices[4], across[1])))
        corner, edge, gain = _steepest(p, prices, slip, edges)
        reached = objective(basis)
        bound = min(bound, reached + gain)  # as all loads sum up to 1
        if gain <= GAIN or reached >= enough or bound < enough < inf:
            break
        x, y = _arm(p, corner)
        t = (edge[0], edge[1], x * edge[1] - y * edge[0])
        b = coordinates(p.triangle, (p.section[corner, 0], p.section[corner, 1]))
        column = (b[0], b[1], b[2], dot(across[0], t), dot(across[1], t))
        if not enter(basis, column, dot(direction, t), corner):
            break
    return reached, bound


@kernel
def _steepest(p: Pressure, y: Column, slip: Vec3, edges: int) -> tuple[int, Point, float]:
    """The corner and the edge of its cone that raise the objective most, and by how much per unit of load."""
    corner, best, gain = 0, (1.0, 0.0), 0.0
    for k in range(p.number):
        b = coordinates(p.triangle, (p.section[k, 0], p.section[k, 1]))
        price = y[0] * b[0] + y[1] * b[1] + y[2] * b[2]
        r = _arm(p, k)
        v = (slip[0] - slip[2] * r[1], slip[1] + slip[2] * r[0])
        if sqrt(v[0] * v[0] + v[1] * v[1]) - price > gain:  # else no edge is good enough
            edge = _along(v, edges)
            more = v[0] * edge[0] + v[1] * edge[1] - price
            if more > gain:
                corner, best, gain = k, edge, more
    return corner, best, gain


@kernel
def _along(v: Point, edges: int) -> Point:
    """The horizontal part of the edge nearest to a direction; any, if that is nought."""
    if edges == 0:
        speed = sqrt(v[0] * v[0] + v[1] * v[1])
        return (v[0] / speed, v[1] / speed) if speed > 0.0 else (1.0, 0.0)
    step = 2.0 * pi / edges
    angle = step * round(atan2(v[1], v[0]) / step)
    return cos(angle), sin(angle)
