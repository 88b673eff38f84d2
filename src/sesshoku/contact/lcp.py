"""The law of paper 1: contact as a linear complementarity problem with bounds, by projected Gauss–Seidel.

Each contact has a normal impulse x_N ≥ 0 and friction along fixed directions. One that slips at the start of the step,
|v_T| > 1 mm/s, has the direction d = −v_T/|v_T| and 0 ≤ x_T ≤ μ_k x_N; one that sticks has ±t₁ and ±t₂, each up to
μ_s x_N, in axes turned by a random angle. In (11)–(16) z = A x + b, with x at its lower bound where z ≥ 0, at its upper
where z ≤ 0, between them where z = 0. A sweep is x_i ← x_i − z_i/A_ii within the bounds, those of friction by the x_N
of the same sweep.

Read otherwise than printed: b = a₀ − a_d (with + bodies fall through the ground), and friction i is of contact i − m.

Departures: velocities and impulses instead of accelerations and forces, with v + dt v̇ as velocity with no contact, in
which J̇ v has no part. Opposite directions are one signed impulse, and friction comes directly after its own normal
impulse: the same solutions. A sweep goes over the coordinates of the bodies (contact/axes.py), not over rows of A: its
time is linear in the contacts; `papers.lcp` has the form of the paper. Joint limits, joint friction and loops take part
in the sweeps, and are then solved for once more with the contacts as they are.

The four directions are a square around Coulomb's disc: friction is up to √2 too large towards its corners, by 4/π at
most where axes are random. ``disc`` is the true disc: both directions by one step, projected together.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Final

from sesshoku.constraint.problem import ISLANDS, TOLERANCE, Handle
from sesshoku.contact.axes import add_columns, axial_velocity, fill_axes, own_responses, put_back
from sesshoku.contact.coulomb import SLIP
from sesshoku.contact.directions import friction_axes
from sesshoku.contact.fit import evaluate, least_speed, nothing_yet, reference_speed, residual, take_stock
from sesshoku.contact.law import Law
from sesshoku.contact.linear import newton_direction
from sesshoku.contact.rows import is_contact, solve_rows
from sesshoku.contact.sweep import sweep_rows
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import U, kernel
from sesshoku.spatial.inertia import Sym3
from sesshoku.spatial.row import load3, load6, store3, store6
from sesshoku.spatial.vector import Vec3, add, dot, subtract

__all__ = ["Lcp", "lcp", "prepare", "sweep"]

SWEEPS, CHANGE, SEED, FIXED, DISC, WARM = 1, 2, 3, 4, 5, 6  # of `options`
YIELDING: Final = 1e-9  # share of its response at which a point does not yield along an axis, which is left alone
TINY: Final = 1e-300  # [N s]
WORLD: Final = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))


@kernel
def step_length(response: float, least: float) -> float:
    """1/A_ii; none along an axis that does not yield."""
    return 1.0 / response if response > least else 0.0


@kernel
def step_lengths(p: Handle, k: int, disc: bool) -> Sym3:
    """What point k answers to itself, with the length of a step in the place of each number of the diagonal."""
    x, y, z, xy, xz, yz = own_responses(p, k)
    if disc:  # one step along both directions: that of the largest response in their plane
        half = 0.5 * (y - z)
        y = z = 0.5 * (y + z) + sqrt(half * half + yz * yz)
    least = YIELDING / p.scale[k]
    return step_length(x, least), step_length(y, least), step_length(z, least), xy, xz, yz


@kernel
def prepare(s: SystemHandle, g: SpaceHandle, p: Handle, i: int, dt: float) -> None:
    """Give the points of island i their axes and steps; contacts begin without impulse, if not warm."""
    seed, step, fixed = int(p.options[SEED]), round(s.clock[0] / dt), p.options[FIXED] != 0.0
    warm, disc = p.options[WARM] != 0.0, p.options[DISC] != 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        contact = is_contact(p, k)
        if contact and not warm:
            store3(p.impulse, k, (0.0, 0.0, 0.0))
        fill_axes(p, k, friction_axes(s, g, p, k, seed, step, fixed) if contact else WORLD)
        store6(p.delassus, k, step_lengths(p, k, contact and disc))
    evaluate(p, i)


@kernel
def clamp(x: float, low: float, high: float) -> float:
    """The number within the bounds that is nearest to x."""
    return min(max(x, low), high)


@kernel
def project_contact(x: Vec3, u: Vec3, own: Sym3, mu: float, slips: bool, disc: bool) -> Vec3:
    """Impulses of a contact for its velocities: normal, then friction within the bounds that follow from it."""
    normal = max(x[0] - own[0] * u[0], 0.0)
    change, high = normal - x[0], mu * normal
    along = x[1] - own[1] * (u[1] + own[3] * change)
    if slips:
        return normal, clamp(along, 0.0, high), 0.0
    if disc:
        across = x[2] - own[2] * (u[2] + own[4] * change)
        share = high / max(sqrt(along * along + across * across), high, TINY)
        return normal, share * along, share * across
    along = clamp(along, -high, high)
    across = x[2] - own[2] * (u[2] + own[4] * change + own[5] * (along - x[1]))
    return normal, along, clamp(across, -high, high)


@kernel
def project_loop(x: Vec3, u: Vec3, own: Sym3) -> Vec3:
    """The same at a point of a loop: no bounds."""
    a = x[0] - own[0] * u[0]
    b = x[1] - own[1] * (u[1] + own[3] * (a - x[0]))
    return a, b, x[2] - own[2] * (u[2] + own[4] * (a - x[0]) + own[5] * (b - x[1]))


@kernel
def sweep(p: Handle, i: int) -> tuple[float, float]:
    """One sweep over island i, impulses and twist kept in step; squares of the impulses' change and of themselves."""
    ends, slot_node, slot_coordinate, coordinate_begin = p.ends, p.slot_node, p.slot_coordinate, p.coordinate_begin
    jacobian, column, delassus, bias, impulse = p.jacobian, p.column, p.delassus, p.axial_bias, p.axial_impulse
    friction, mode, twist, disc = p.friction, p.mode, p.twist, p.options[DISC] != 0.0
    changed = total = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        x, u, own, mu = load3(impulse, k), load3(bias, k), load6(delassus, k), friction[U(k)]
        for end in range(2):
            slot = ends[U(k), U(end)]
            if slot >= 0:
                u = add(u, axial_velocity(jacobian, k, end, twist, slot_coordinate[U(slot)]))
        y = project_contact(x, u, own, mu, mode[U(k)] == SLIP, disc) if mu >= 0.0 else project_loop(x, u, own)
        change = subtract(y, x)
        for end in range(2):
            slot = ends[U(k), U(end)]
            if slot >= 0:
                node = slot_node[U(slot)]
                begin = coordinate_begin[U(node)]
                add_columns(column, k, end, twist, begin, coordinate_begin[U(node + 1)] - begin, change)
        store3(impulse, k, y)
        changed, total = changed + dot(change, change), total + dot(y, y)
    sweep_rows(p, i)
    return changed, total


@kernel
def lcp(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> None:
    """The law: impulses of all islands, and what the exact law says to them."""
    tol, enough, floor = p.options[TOLERANCE], p.options[CHANGE] ** 2, least_speed(s, dt)
    nothing_yet(p)
    for i in range(p.count[ISLANDS]):
        prepare(s, g, p, i, dt)
        sweeps, changed, total = 0, 1.0, 0.0
        while sweeps < p.options[SWEEPS] and changed > enough * total:
            changed, total = sweep(p, i)
            sweeps += 1
        for k in range(p.point_begin[i], p.point_begin[i + 1]):
            put_back(p, k)
        reference = reference_speed(p, i, floor)
        solve_rows(p, i, tol, reference)
        take_stock(p, i, sweeps, residual(p, i, tol, reference), tol, reference)


@dataclass(frozen=True, kw_only=True)
class Lcp(Law):
    """Paper 1: bounds instead of cones, by projected Gauss–Seidel. Its residual is that of the exact law.

    Attributes:
        sweeps: the most in a step; what they leave over stays, as creep.
        change: of the impulses by a sweep, relative to themselves, at which sweeps end.
        seed: of the angles of the friction axes, drawn for each contact and step.
        fixed: whether the axes keep one angle instead.
        disc: whether friction at rest is limited by the true disc, and not by the square of four directions.
        warm: whether a step begins with the impulses of the last one; in the paper with none.
    """

    name = "lcp"
    summary = "paper 1: friction along fixed directions, by projected Gauss–Seidel"
    kernel = lcp
    stages = (newton_direction,)

    tolerance: float = 1e-6
    sweeps: int = 120
    change: float = 1e-6
    seed: int = 0
    fixed: bool = False
    disc: bool = False
    warm: bool = True
