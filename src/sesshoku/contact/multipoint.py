"""The law of paper 0: rigid contact at many points, with static and kinetic friction, as an active set.

Points in contact are to have the velocity that restitution gives them, and none along the surface where they stick. The
impulses of least norm that do so are found (`least_impulses`); points that would have to pull are left out, and it is
done again. Then friction: a point sticks if its force is within μ_s times its normal force, and if it was slower than
``slow`` at the start of the step; else it has μ_k times its normal force, against its slip, or, if slip is only
impending, along the force that would have been needed.

``faithful``: as printed. Points that slip keep their tangential velocity in the equations, and friction takes the place
of the force afterwards: normal forces are then those of other tangential forces. By default points that slip have one
unknown, with friction in it, and the equations are solved again; a point that would sink in is put back, and one that
friction would turn round stops, once each.

Read otherwise than printed: the cases of (6) are swapped; (12) holds for points that slip, others are to stop; friction
acts against the slip (27). Joint limits and joint friction are rows of the same equations, left out or held at their
bound by the same rule; loops are points that always stick. Gaps and restitution are those of every law.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sesshoku.constraint.problem import ISLANDS, TOLERANCE, Handle
from sesshoku.contact.coulomb import OPEN, SLIP, STICK, split
from sesshoku.contact.fit import evaluate, least_speed, nothing_yet, reference_speed, residual, take_stock
from sesshoku.contact.flow import relative, relative_row
from sesshoku.contact.law import Law
from sesshoku.contact.linear import newton_direction
from sesshoku.contact.minimum_norm import HELD, least_impulses
from sesshoku.contact.points import KINETIC, STATIC, coefficient, slip_before
from sesshoku.contact.rows import is_contact, solve_rows
from sesshoku.contact.sweep import sweep
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import add, dot, norm, scale

__all__ = ["Multipoint", "multipoint"]

FAITHFUL, SLOW = 1, 2  # of `options`
GIVEN: Final = 0  # of `row_mode`: its impulse is zero, or at its bound
TOUCHING: Final = 1e-6  # gap at which points touch [m]
ROUNDING: Final = 1e-9  # by which forces may miss what is asked of them, relative to the largest
LEAST: Final = 1e-6  # velocity at which a point is caught or put back, relative to the reference
WORST: Final = 0.5  # share of the worst excess from which on contacts slip in the same pass
MOST: Final = 60  # passes
LARGE: Final = 600  # coordinates of an island from which on it is left to sweeps: a pass takes their cube
SWEEPS: Final = 200


@kernel
def begin_point(s: SystemHandle, g: SpaceHandle, p: Handle, k: int, dt: float) -> None:
    """Fill friction, direction, target and mode of a contact by how it moves, and would move."""
    n, slip = load3(p.normal, k), slip_before(s, g, p, k)
    speed, kinetic = norm(slip), coefficient(g, p, k, KINETIC)
    gravity = norm((s.gravity[0], s.gravity[1], s.gravity[2]))
    slips = speed > max(p.options[SLOW], kinetic * gravity * dt)  # friction at rest must not turn it round
    free = add(relative(p, k, p.free), load3(p.bias, k))
    p.returned[k] = p.caught[k] = 0
    p.friction[k], p.mode[k] = coefficient(g, p, k, STATIC), STICK
    if slips:
        p.friction[k] = kinetic
        store3(p.direction, k, scale(-1.0 / speed, slip))
        if p.options[FAITHFUL] != 0.0:
            store3(p.target, k, slip)
        else:
            p.mode[k] = SLIP
    if g.gap[p.source[k]] > TOUCHING and dot(n, free) >= 0.0:
        p.mode[k] = OPEN


@kernel
def begin(s: SystemHandle, g: SpaceHandle, p: Handle, i: int, dt: float) -> None:
    """Every point and row of island i as it is before the first pass."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.target, k, (0.0, 0.0, 0.0))
        store3(p.direction, k, (0.0, 0.0, 0.0))
        p.mode[k] = STICK
        if is_contact(p, k):
            begin_point(s, g, p, k, dt)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        free = relative_row(p, k, p.free) + p.row_bias[k]
        acts = p.row_lower[k] < 0.0 if free > 0.0 else p.row_upper[k] > 0.0
        p.row_impulse[k], p.row_mode[k], p.row_returned[k] = 0.0, HELD if acts else GIVEN, 0


@kernel
def largest(p: Handle, i: int) -> float:
    """The largest impulse of a contact of island i."""
    most = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if is_contact(p, k):
            most = max(most, norm(load3(p.impulse, k)))
    return most


@kernel
def leave_out(p: Handle, i: int, all_at_once: bool) -> bool:
    """Open the contacts that pull, all or the one that pulls most, and give rows beyond a bound that bound."""
    worst, most, found = -1, ROUNDING * largest(p, i), False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if is_contact(p, k) and p.mode[k] != OPEN:
            pull = -dot(load3(p.normal, k), load3(p.impulse, k))
            if pull > most:
                found = True
                if all_at_once:
                    p.mode[k] = OPEN
                else:
                    worst, most = k, pull
    if worst >= 0:
        p.mode[worst] = OPEN
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        within = min(max(p.row_impulse[k], p.row_lower[k]), p.row_upper[k])
        if p.row_mode[k] == HELD and within != p.row_impulse[k]:
            p.row_impulse[k], p.row_mode[k], found = within, GIVEN, True
    return found


@kernel
def excess(p: Handle, k: int, allowed: float) -> float:
    """By how much the force of a sticking contact is beyond its cone, over what it is; 0: not at all."""
    if not is_contact(p, k) or p.mode[k] != STICK:
        return 0.0
    along, tangent = split(load3(p.normal, k), load3(p.impulse, k))
    needed = norm(tangent)
    beyond = needed - p.friction[k] * along
    return beyond / needed if beyond > allowed else 0.0


@kernel
def let_slip(g: SpaceHandle, p: Handle, i: int, share: float) -> bool:
    """Let the contacts slip that cannot stick, along the friction they would need; whether there were any.

    Only those beyond their cone by a share of what the worst one is: others may stick once it slips.
    """
    worst, allowed = 0.0, ROUNDING * largest(p, i)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        worst = max(worst, excess(p, k, allowed))
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        beyond = excess(p, k, allowed)
        if beyond > 0.0 and beyond >= share * worst:
            _, tangent = split(load3(p.normal, k), load3(p.impulse, k))
            store3(p.direction, k, scale(1.0 / norm(tangent), tangent))
            p.mode[k], p.friction[k] = SLIP, coefficient(g, p, k, KINETIC)
    return worst > 0.0


@kernel
def catch(p: Handle, i: int, allowed: float) -> bool:
    """Let the contacts stick that friction would turn round within the step, once each; whether there were any."""
    found = False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if p.mode[k] == SLIP and p.caught[k] == 0 and dot(load3(p.direction, k), load3(p.slide, k)) > allowed:
            p.mode[k], p.caught[k], found = STICK, 1, True
    return found


@kernel
def put_back(p: Handle, i: int, allowed: float) -> bool:
    """Take contacts that would sink in, and rows that give way wrongly, into the equations again, once each."""
    found = False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if p.mode[k] == OPEN and p.returned[k] == 0 and dot(load3(p.normal, k), load3(p.slide, k)) < -allowed:
            slips = dot(load3(p.direction, k), load3(p.direction, k)) > 0.0
            p.mode[k], p.returned[k], found = SLIP if slips else STICK, 1, True
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        if p.row_mode[k] == GIVEN and p.row_returned[k] == 0:
            u, r = p.row_slide[k], p.row_impulse[k]
            if (u < -allowed and r < p.row_upper[k]) or (u > allowed and r > p.row_lower[k]):
                p.row_mode[k], p.row_returned[k], found = HELD, 1, True
    return found


@kernel
def printed_friction(g: SpaceHandle, p: Handle, i: int) -> None:
    """Steps 6 to 8 of the flow chart: judge each contact by the force found, and replace what cannot stick."""
    let_slip(g, p, i, 0.0)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if not is_contact(p, k) or p.mode[k] == OPEN:
            continue
        n, d = load3(p.normal, k), load3(p.direction, k)
        if dot(d, d) > 0.0:
            press = max(dot(n, load3(p.impulse, k)), 0.0)
            store3(p.impulse, k, scale(press, add(n, scale(p.friction[k], d))))


@kernel
def clip(p: Handle, i: int) -> None:
    """Contacts that pull within rounding have no force."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if is_contact(p, k) and dot(load3(p.normal, k), load3(p.impulse, k)) <= 0.0:
            store3(p.impulse, k, (0.0, 0.0, 0.0))


@kernel
def solve_island(g: SpaceHandle, p: Handle, i: int, reference: float) -> int:
    """Impulses of island i; passes taken."""
    coordinates = p.coordinate_begin[p.node_begin[i + 1]] - p.coordinate_begin[p.node_begin[i]]
    faithful = p.options[FAITHFUL] != 0.0
    for passes in range(MOST if coordinates <= LARGE else 0):
        least_impulses(p, i)
        if leave_out(p, i, faithful):
            continue
        if faithful:
            printed_friction(g, p, i)
            return passes + 1
        if let_slip(g, p, i, WORST) or catch(p, i, LEAST * reference) or put_back(p, i, LEAST * reference):
            continue
        clip(p, i)
        return passes + 1
    evaluate(p, i)
    for _ in range(SWEEPS):
        sweep(p, i)
    return MOST


@kernel
def multipoint(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> None:
    """The law: impulses of all islands, and what the exact law says to them."""
    tol, floor = p.options[TOLERANCE], least_speed(s, dt)
    nothing_yet(p)
    for i in range(p.count[ISLANDS]):
        reference = reference_speed(p, i, floor)
        begin(s, g, p, i, dt)
        passes = solve_island(g, p, i, reference)
        solve_rows(p, i, tol, reference)  # evaluates
        take_stock(p, i, passes, residual(p, i, tol, reference), tol, reference)


@dataclass(frozen=True, kw_only=True)
class Multipoint(Law):
    """Paper 0: contact velocities are prescribed, by impulses of least norm. Its residual is that of the exact law.

    Attributes:
        faithful: the flow chart as printed; else points that slip are solved for anew, and those that sink put back.
        slow: speed along the surface up to which a contact may stick [m/s].
    """

    name = "multipoint"
    summary = "paper 0: prescribed velocities by impulses of least norm, static and kinetic friction"
    kernel = multipoint
    stages = (newton_direction,)

    faithful: bool = False
    slow: float = 5e-3
