"""One step, stage by stage, and the three integrators."""

from __future__ import annotations

from collections.abc import Callable
from math import sqrt
from typing import Final

import numpy as np
from numba import types
from numpy.typing import NDArray

from sesshoku.dynamics.articulated import expand, factor
from sesshoku.dynamics.bias import body_wrenches
from sesshoku.dynamics.drive import applied_force
from sesshoku.dynamics.integrate import advance, normalise_quaternions, rates
from sesshoku.dynamics.kinematics import kinematics
from sesshoku.dynamics.load import loads
from sesshoku.dynamics.saturation import blend, consistent, guess_marks, mark, record_forces
from sesshoku.dynamics.system import Handle, at
from sesshoku.kernel import entry_point, kernel

__all__ = ["INTEGRATORS", "accelerate", "stepper"]

Array = NDArray[np.float64]
HUGE: Final = 1e20  # sum of squared velocities at which a simulation has diverged
PASSES: Final = 20  # how often the marks of drives at their limits may change within one step; mostly not once

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
    """The function (address, steps) that advances a system and returns how many steps stayed finite."""
    if integrator == "semi_implicit":
        return entry_point(semi_implicit, types.int64, types.int64)
    tableau = TABLEAUX[integrator]
    return lambda address, steps: runge_kutta(address, steps, tableau)


@kernel
def accelerate_freely(s: Handle, dt: float) -> None:
    """v̇ with no contact, for the marks of saturated drives as they are; needs kinematics and wrenches."""
    applied_force(s, dt)
    factor(s, s.applied, s.wrench)
    expand(s)


@kernel
def free_acceleration(s: Handle, dt: float) -> None:
    """v̇ with no contact, springs, dampers and servos taken implicitly over dt; dt = 0: at this instant."""
    kinematics(s)
    body_wrenches(s)
    loads(s)
    guess_marks(s)
    accelerate_freely(s, dt)
    if dt == 0.0 or consistent(s, dt):
        return
    record_forces(s, dt)
    for _ in range(PASSES):
        mark(s, dt)
        accelerate_freely(s, dt)
        if consistent(s, dt):
            return
        blend(s, dt)


@kernel
def finite(s: Handle) -> bool:
    """Whether the velocities are still numbers, and not absurd."""
    total = 0.0
    for d in range(len(s.v)):
        total += s.v[d] * s.v[d]
    return total < HUGE


@kernel
def accelerate(address: int) -> None:
    """Fill acceleration at this instant."""
    free_acceleration(at(address), 0.0)


@kernel
def semi_implicit(address: int, steps: int) -> int:
    """Take steps of velocity first, coordinates with the new velocity; returns how many stayed finite."""
    s = at(address)
    v, acceleration, dt = s.v, s.acceleration, s.clock[1]
    for k in range(steps):
        free_acceleration(s, dt)
        for d in range(len(v)):
            v[d] += dt * acceleration[d]
        advance(s, s.q, v, dt)
        s.clock[0] += dt
        if not finite(s):
            return k
    return steps


@kernel
def runge_kutta(address: int, steps: int, tableau: Array) -> int:
    """Take explicit four-stage steps of (q, v) together; returns how many stayed finite.

    Coordinates move with the velocities of the stages, quaternions as four numbers by q̇ = ½ q ∘ (0, ω): the pose of a
    free body has the order of the method, too.
    """
    s = at(address)
    q, v, dt = s.q, s.v, s.clock[1]
    for k in range(steps):
        s.start_q[:] = q
        s.start_v[:] = v
        for stage in range(4):
            if stage > 0:
                combine(s, tableau, stage, dt)
            rates(s, q, v, s.slope_q, stage)
            free_acceleration(s, 0.0)
            for d in range(len(v)):
                s.slope_v[stage, d] = s.acceleration[d]
        combine(s, tableau, 4, dt)
        normalise_quaternions(s, q)
        s.clock[0] += dt
        if not finite(s):
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
