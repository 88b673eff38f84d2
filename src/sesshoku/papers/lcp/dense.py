"""The law of paper 1 in the form of the paper, to be compared with `contact.Lcp`."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sesshoku.constraint.problem import ISLANDS, TOLERANCE, Handle
from sesshoku.contact.fit import least_speed, nothing_yet, reference_speed, residual, take_stock
from sesshoku.contact.law import Law
from sesshoku.contact.linear import newton_direction
from sesshoku.contact.rows import is_contact, solve_rows
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.papers.lcp.contact_space import assemble, free_velocity, unknowns
from sesshoku.papers.lcp.gauss_seidel import projected_gauss_seidel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import add, scale

__all__ = ["DenseLcp"]

SWEEPS, CHANGE, SEED, FIXED = 1, 2, 3, 4  # of `options`


@kernel
def solve_contacts(s: SystemHandle, g: SpaceHandle, p: Handle, i: int, dt: float) -> int:
    """Impulses of the contacts of island i; the sweeps taken."""
    options, begin, end = p.options, p.point_begin[i], p.point_begin[i + 1]
    most = 5 * (end - begin)
    point, owner, direction = np.empty(most, np.int64), np.empty(most, np.int64), np.empty((most, 3))
    seed, step, fixed = int(options[SEED]), round(s.clock[0] / dt), options[FIXED] != 0.0
    count = unknowns(s, g, p, begin, end, seed, step, fixed, point, direction, owner)
    K, b, friction, x = np.empty((count, count)), np.empty(count), np.empty(count), np.zeros(count)
    assemble(s, p, point, direction, count, K)
    free_velocity(p, point, direction, count, b)
    for j in range(count):
        friction[j] = p.friction[point[j]]
    sweeps: int = projected_gauss_seidel(K, b, owner, friction, int(options[SWEEPS]), options[CHANGE], x)
    for k in range(begin, end):
        if is_contact(p, k):
            store3(p.impulse, k, (0.0, 0.0, 0.0))
    for j in range(count):
        store3(p.impulse, point[j], add(load3(p.impulse, point[j]), scale(x[j], load3(direction, j))))
    return sweeps


@kernel
def dense_lcp(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> None:
    """The law: contacts first, as if there were nothing else; then joint limits, joint friction and loops."""
    tol, floor = p.options[TOLERANCE], least_speed(s, dt)
    nothing_yet(p)
    for i in range(p.count[ISLANDS]):
        sweeps, reference = solve_contacts(s, g, p, i, dt), reference_speed(p, i, floor)
        solve_rows(p, i, tol, reference)
        take_stock(p, i, sweeps, residual(p, i, tol, reference), tol, reference)


@dataclass(frozen=True, kw_only=True)
class DenseLcp(Law):
    """Paper 1 as printed, but for its misprints: K by test forces, four nonnegative frictions, sweeps over rows of K.

    Attributes:
        sweeps, change, seed, fixed: as of `contact.Lcp`.
    """

    name = "dense-lcp"
    summary = "paper 1 in its own form: contact space by test forces, sweeps over a full matrix"
    kernel = dense_lcp
    stages = (newton_direction,)

    tolerance: float = 1e-6
    sweeps: int = 120
    change: float = 1e-6
    seed: int = 0
    fixed: bool = False
