"""Fast motion: what inertia and its bias change within a step must not be left to its start.

A step that takes both from its start errs by dt² times the square of the joint speeds, mostly towards more energy: a
humanoid that has fallen on its side, with arms at 100 rad/s, gains joules. The acceleration half a step ahead has no
such error. It enters as the generalised force `lead` that gives it at the start, so that everything else (implicit
servos, contact) stays as it is. It costs two more passes over the tree, hence only where something turns fast.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.articulated import expand, factor
from sesshoku.dynamics.bias import body_wrenches
from sesshoku.dynamics.integrate import advance
from sesshoku.dynamics.inverse import inverse_dynamics
from sesshoku.dynamics.kinematics import kinematics
from sesshoku.dynamics.load import loads
from sesshoku.dynamics.system import Handle, at
from sesshoku.kernel import kernel
from sesshoku.model.joint import FREE, PRISMATIC
from sesshoku.spatial.row import copy

__all__ = ["acceleration_of_start", "find_lead", "forget_lead", "is_fast"]

Array = NDArray[np.float64]
FAST: Final = 0.02  # turn of a joint within a step [rad]
BEYOND: Final = 0.5  # turn within a step that no extrapolation follows [rad]


@kernel
def is_fast(s: Handle, dt: float) -> bool:
    """Whether a joint turns by more than FAST within a step, and none by more than BEYOND."""
    v, kind, v_start, v_end = s.v, s.kind, s.v_start, s.v_end
    most = 0.0
    for i in range(len(kind)):
        if kind[i] == PRISMATIC:
            continue
        for d in range(v_start[i] + (3 if kind[i] == FREE else 0), v_end[i]):
            most = max(most, abs(v[d]))
    return FAST < most * dt < BEYOND


@kernel
def forget_lead(s: Handle) -> None:
    """No lead."""
    for d in range(len(s.lead)):
        s.lead[d] = 0.0


@kernel
def find_lead(s: Handle, dt: float) -> None:
    """Fill lead = M (a′ − a): a is the acceleration just found, a′ the one half a step ahead under the same forces.

    Leaves kinematics and wrenches of the start.
    """
    q, v, a, lead, force = s.q, s.v, s.acceleration, s.lead, s.held_force
    copy(q, s.start_q)
    for d in range(len(v)):
        s.start_v[d] = v[d]
        # the forces that the joints really give: implicit ones depend on the acceleration
        force[d] = s.applied[d] - (s.diagonal[d] - s.armature[d]) * a[d]
        s.diagonal[d] = s.armature[d]
    advance(s, q, v, 0.5 * dt)
    for d in range(len(v)):
        v[d] += 0.5 * dt * a[d]
    kinematics(s)
    body_wrenches(s)
    loads(s)
    factor(s, force, s.wrench)
    expand(s)
    copy(s.start_q, q)
    copy(s.start_v, v)
    kinematics(s)
    body_wrenches(s)
    loads(s)
    inverse_dynamics(s, a, lead)
    for d in range(len(v)):
        lead[d] -= force[d]


@kernel
def acceleration_of_start(address: int) -> Array:
    """The acceleration of the last step less M⁻¹ lead: the one that the forces which have acted give at its start."""
    s = at(address)
    taken = s.acceleration.copy()
    copy(s.armature, s.diagonal)  # what dampers and servos give is a force that has acted
    factor(s, s.lead, np.zeros((len(s.kind), 6)))
    expand(s)
    found: Array = taken - s.acceleration
    copy(taken, s.acceleration)
    return found
