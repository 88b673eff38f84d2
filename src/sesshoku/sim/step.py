"""One step, stage by stage, and the three integrators."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

import numpy as np
from numba import types
from numpy.typing import NDArray

from sesshoku.constraint.problem import Handle as ProblemHandle
from sesshoku.constraint.problem import at as problem_at
from sesshoku.constraint.response import apply_impulses, hold_impulses
from sesshoku.constraint.row import forget_reached, overrun
from sesshoku.contact.law import call_law
from sesshoku.contact.near import passed, want_all, want_near
from sesshoku.contact.pose import keep_impulses, pose_problem
from sesshoku.contact.separate import separate
from sesshoku.dynamics.articulated import expand, factor
from sesshoku.dynamics.bias import body_wrenches
from sesshoku.dynamics.drive import applied_force
from sesshoku.dynamics.fast import find_lead, find_mean, forget_lead, is_fast, lead_all, may_be_fast
from sesshoku.dynamics.integrate import advance, normalise_quaternions, rates
from sesshoku.dynamics.kinematics import kinematics
from sesshoku.dynamics.load import held_wrenches, hold_nothing, loads
from sesshoku.dynamics.saturation import blend, consistent, guess_marks, hold, mark, record_forces
from sesshoku.dynamics.system import ENDING, Handle, at
from sesshoku.geometry.detect import find_contacts
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.geometry.space import at as space_at
from sesshoku.kernel import entry_point, kernel
from sesshoku.spatial.row import copy

__all__ = ["CROWDED", "DIVERGED", "INTEGRATORS", "accelerate", "stepper"]

Array = NDArray[np.float64]
HUGE: Final = 1e20  # sum of squared velocities at which a simulation has diverged
PASSES: Final = 20  # how often the marks of drives at their limits may change within one step; mostly not once
CONTACT_PASSES: Final = 8  # the same, where contact has changed what the drives do; after these they are held
FINE, DIVERGED, CROWDED = 0, 1, 2  # how the last step has ended

# Butcher tableaux of four stages: rows of a, then b. Gill's choice is the one of papers 0 and 1.
CLASSIC: Final = np.array(
    [[0, 0, 0, 0], [1 / 2, 0, 0, 0], [0, 1 / 2, 0, 0], [0, 0, 1, 0], [1 / 6, 1 / 3, 1 / 3, 1 / 6]], dtype=float
)
_R: Final = sqrt(2.0)
GILL: Final = np.array(
    [
        [0, 0, 0, 0],
        [1 / 2, 0, 0, 0],
        [(_R - 1) / 2, (2 - _R) / 2, 0, 0],
        [0, -_R / 2, (2 + _R) / 2, 0],
        [1 / 6, (2 - _R) / 6, (2 + _R) / 6, 1 / 6],
    ]
)
TABLEAUX: Final = {"rk4": CLASSIC, "rkg": GILL}
INTEGRATORS: Final = ("semi_implicit", *TABLEAUX)


def stepper(integrator: str) -> Callable[[int, int], int]:
    """The function (system, steps) that advances a system and returns how many steps it took.

    Fewer than asked for: the flag ENDING of the system says why.
    """
    if integrator == "semi_implicit":
        return entry_point(semi_implicit, types.int64, types.int64)
    tableau = TABLEAUX[integrator]
    return lambda system, steps: runge_kutta(system, steps, tableau)


@kernel
def accelerate_freely(s: Handle, dt: float) -> None:
    """v̇ with no contact, for the marks of saturated drives as they are; needs kinematics and wrenches."""
    applied_force(s, dt, False)
    for d in range(len(s.applied)):
        s.applied[d] += s.lead[d]
    factor(s, s.applied, s.wrench)
    expand(s)


@kernel
def settle_drives(s: Handle, dt: float) -> None:
    """Mark the drives at their limits, and find v̇ again, until both agree."""
    if consistent(s, dt):
        return
    record_forces(s, dt)
    for _ in range(PASSES):
        mark(s, dt)
        accelerate_freely(s, dt)
        if consistent(s, dt):
            return
        blend(s, dt)


@kernel
def free_acceleration(s: Handle, dt: float) -> None:
    """v̇ with no contact, springs, dampers and servos taken implicitly over dt; dt = 0: at this instant."""
    kinematics(s)
    body_wrenches(s)
    loads(s)
    guess_marks(s)
    forget_lead(s)
    accelerate_freely(s, dt)
    if dt > 0.0:
        settle_drives(s, dt)


@kernel
def unconstrained_acceleration(s: Handle, dt: float) -> None:
    """v̇ of a step in which nothing touches."""
    free_acceleration(s, dt)
    if not may_be_fast(s, dt):
        return
    hold_nothing(s)
    if is_fast(s, dt):
        find_lead(s, dt)
        accelerate_freely(s, dt)
        settle_drives(s, dt)


@kernel
def detected(s: Handle, g: SpaceHandle) -> bool:
    """Find the contacts; false if there are more than there is room for."""
    find_contacts(s, g)
    return g.count[0] <= len(g.gap) and g.pair_count[0] <= len(g.pairs)  # type: ignore[no-any-return]


@kernel
def mark_again(s: Handle, passes: int, dt: float) -> None:
    """Mark the drives anew after so many passes with contact; later on, hold those that do not settle."""
    if passes == 0:
        record_forces(s, dt)
    else:
        blend(s, dt)
    if passes >= CONTACT_PASSES:
        hold(s, dt)
    mark(s, dt)


@kernel
def constrained_acceleration(s: Handle, g: SpaceHandle, p: ProblemHandle, dt: float) -> bool:
    """v̇ with contact, limits and joint friction; false if there are more contacts than there is room for.

    Contact may drive a servo into its limit, or out of it, and any force a joint beyond a limit, or bodies into each
    other, that seemed far: then the step is solved again. It ends: what is held, reached or passed stays so. Where
    something turns fast it is solved once more, with what the motion that was found is like half a step ahead.
    """
    free_acceleration(s, dt)
    if not detected(s, g):
        return False
    forget_reached(p)
    want_near(s, g, p)
    passes, led = 0, False
    while True:
        if pose_problem(s, g, p, dt):
            call_law(p.law[0], (s, g, p, dt))
            apply_impulses(s, p, p.wrench, dt)
        if not consistent(s, dt):
            mark_again(s, passes, dt)
            passes += 1
        elif not (overrun(s, p, dt) | passed(s, g, p, dt)):  # both are looked at
            if led or not may_be_fast(s, dt):
                break
            hold_impulses(s, p, dt)
            if not is_fast(s, dt):
                break
            find_lead(s, dt)
            led = True
        accelerate_freely(s, dt)
    keep_impulses(g, p, dt)
    return True


@kernel
def held_acceleration(s: Handle, first: bool) -> None:
    """v̇ of this instant under forces held since the first stage: of contact, of explicit springs and dampers."""
    kinematics(s)
    body_wrenches(s)
    loads(s)
    held_wrenches(s)
    applied_force(s, 0.0, not first)
    for d in range(len(s.applied)):
        s.applied[d] += s.held_force[d]
    factor(s, s.applied, s.wrench)
    expand(s)


@kernel
def finite(s: Handle) -> bool:
    """Whether coordinates and velocities are still numbers, and these not absurd."""
    total = 0.0
    for c in range(len(s.q)):
        total += 0.0 * s.q[c]  # no number if that is none
    for d in range(len(s.v)):
        total += s.v[d] * s.v[d]
    return total < HUGE


@kernel
def accelerate(address: int) -> None:
    """Fill acceleration at this instant."""
    free_acceleration(at(address), 0.0)


@kernel
def semi_implicit(system: int, steps: int) -> int:
    """Take steps of velocity first, coordinates with the new one, or the mean where it turns fast; returns how many."""
    s = at(system)
    problem = s.contact[1]
    g, p = space_at(s.contact[0]), problem_at(problem)
    v, acceleration, dt = s.v, s.acceleration, s.clock[1]
    for k in range(steps):
        if problem == 0:
            unconstrained_acceleration(s, dt)
        elif not constrained_acceleration(s, g, p, dt):
            s.flags[ENDING] = CROWDED
            return k
        for d in range(len(v)):
            v[d] += dt * acceleration[d]
        shifted = False
        if problem == 0 or p.rigid[0] != 0:  # forces of depth at the start of a step need the velocity of its end
            shifted = find_mean(s, dt)
        if problem != 0 and p.rigid[0] != 0:
            shifted = separate(s, g, p, dt, shifted)
        for d in range(len(v)):
            s.shift[d] = v[d] + s.shift[d] if shifted else v[d]
        advance(s, s.q, s.shift, dt)
        s.clock[0] += dt
        if not finite(s):
            s.flags[ENDING] = DIVERGED
            return k
    return steps


@kernel
def runge_kutta(system: int, steps: int, tableau: Array) -> int:
    """Take explicit four-stage steps of (q, v) together; returns how many.

    Coordinates move with the velocities of the stages, quaternions as four numbers by q̇ = ½ q ∘ (0, ω): the pose of a
    free body has the order of the method, too. Contact forces are those of the start of the step, held over its stages.
    """
    s = at(system)
    problem = s.contact[1]
    g, p = space_at(s.contact[0]), problem_at(problem)
    q, v, dt = s.q, s.v, s.clock[1]
    for k in range(steps):
        copy(q, s.start_q)
        copy(v, s.start_v)
        apart = False
        if problem != 0:
            free_acceleration(s, 0.0)
            lead_all(s)
            if not detected(s, g):
                s.flags[ENDING] = CROWDED
                return k
            want_all(g, p)
            if pose_problem(s, g, p, dt):
                call_law(p.law[0], (s, g, p, dt))
            hold_impulses(s, p, dt)
            keep_impulses(g, p, dt)
            apart = p.rigid[0] != 0 and separate(s, g, p, dt, False)
        for stage in range(4):
            if stage > 0:
                combine(s, tableau, stage, dt)
            rates(s, q, v, s.slope_q, stage)
            held_acceleration(s, stage == 0)
            for d in range(len(v)):
                s.slope_v[stage, d] = s.acceleration[d]
        combine(s, tableau, 4, dt)
        normalise_quaternions(s, q)
        if apart:
            advance(s, q, s.shift, dt)
        s.clock[0] += dt
        if not finite(s):
            s.flags[ENDING] = DIVERGED
            return k
    return steps


@kernel
def combine(s: Handle, tableau: Array, stage: int, dt: float) -> None:
    """Set q and v to the start plus dt times the slopes found so far, weighted by a row of the tableau."""
    for c in range(len(s.q)):
        total = 0.0
        for j in range(min(stage, 4)):
            total += tableau[stage, j] * s.slope_q[j, c]
        s.q[c] = s.start_q[c] + dt * total
    for d in range(len(s.v)):
        total = 0.0
        for j in range(min(stage, 4)):
            total += tableau[stage, j] * s.slope_v[j, d]
        s.v[d] = s.start_v[d] + dt * total
