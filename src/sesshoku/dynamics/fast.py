"""Fast motion: what inertia and its bias change within a step must not be left to its start.

A step that takes both from its start errs by dt² times the square of the joint speeds, mostly towards more energy: a
humanoid that has fallen on its side, with arms at 100 rad/s, gains joules. The acceleration half a step ahead has no
such error. It enters as the generalised force `lead` that gives it at the start, so that everything else (implicit
servos, contact) stays as it is. It needs the motion that contact and limits allow, so the step is solved twice: only
where something turns fast. There coordinates move by the mean velocity of the step; by that of its end they would go
dt²/2 v̇ too far, and the inertia with them. Not where they touch what moves otherwise, see contact/separate.py. Trees
that are struck move by the velocity after the blow, and take their bias from it, too.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.articulated import expand, factor
from sesshoku.dynamics.bias import body_wrenches
from sesshoku.dynamics.integrate import advance
from sesshoku.dynamics.inverse import inverse_dynamics
from sesshoku.dynamics.kinematics import kinematics
from sesshoku.dynamics.load import held_wrenches, loads
from sesshoku.dynamics.system import LEAF, Handle, at
from sesshoku.dynamics.tumble import tumble
from sesshoku.kernel import kernel
from sesshoku.model.joint import FREE, PRISMATIC
from sesshoku.spatial.row import copy, load3
from sesshoku.spatial.vector import norm

__all__ = [
    "acceleration_of_start",
    "find_lead",
    "find_mean",
    "forget_lead",
    "is_fast",
    "is_led",
    "lead_all",
    "may_be_fast",
    "takes_mean",
    "turns_fast",
]

Array = NDArray[np.float64]
# A plain step takes or gives a share of half the square of its turn of the energy of what turns. From TURN on, or from
# where that makes FAST/2 in a second (at 10 rad/s with a step of 1 ms), a tree is fast; a body by itself from
# ALONE/2 on, since in heaps many roll.
TURN: Final = 0.02  # [rad]
FAST: Final = 0.1  # [1/s]
ALONE: Final = 0.4
BEYOND: Final = 0.5  # turn within a step that no extrapolation follows [rad]; of what flies by itself see tumble.py
SMOOTH: Final = 0.25  # of the turn: where it changes more within a step something is struck, and has no half step ahead


@kernel
def is_alone(s: Handle, i: int) -> bool:
    """Whether a tree, by its first body, is a free body and nothing else."""
    return s.kind[i] == FREE and s.offspring[i] == LEAF  # type: ignore[no-any-return]


@kernel
def threshold(s: Handle, tree: int) -> float:
    """Turn within a step from which on a tree is fast [rad]."""
    return min(TURN, sqrt((ALONE if is_alone(s, tree) else FAST) * s.clock[1]))


@kernel
def is_smooth(s: Handle, i: int) -> bool:
    """Whether half a step ahead of a tree can be told; needs turns."""
    return s.turn[i, 0] < BEYOND and s.turn[i, 1] < SMOOTH * s.turn[i, 0]  # type: ignore[no-any-return]


@kernel
def tumbles(s: Handle, i: int) -> bool:
    """Whether a tree is a body that turns by itself: nothing touches it, or half a step ahead cannot be told."""
    free = True
    for j in range(6):
        free &= s.held_wrench[i, j] == 0.0
    return is_alone(s, i) and (free or not is_smooth(s, i))


@kernel
def find_turns(s: Handle, dt: float) -> None:
    """Fill turn of all trees, at the speeds of the start and the end of the step; needs the acceleration.

    Also whether contact or limits hold them; needs what these do, held.
    """
    v, a, turn = s.v, s.acceleration, s.turn
    for i in range(len(s.kind)):
        turn[i, 0] = turn[i, 1] = turn[i, 2] = 0.0
        tree, spin = s.root[i], dt * norm(load3(s.velocity, i))
        if spin > BEYOND:  # of many joints, none of them so fast
            turn[tree, 0] = max(turn[tree, 0], spin)
        for j in range(6):
            turn[tree, 2] = max(turn[tree, 2], abs(s.held_wrench[i, j]))
        for d in range(s.v_start[i], s.v_end[i]):
            turn[tree, 2] = max(turn[tree, 2], abs(s.held_force[d]))
        if s.kind[i] == PRISMATIC:
            continue
        for d in range(s.v_start[i] + (3 if s.kind[i] == FREE else 0), s.v_end[i]):
            turn[tree, 0] = max(turn[tree, 0], dt * abs(v[d]), dt * abs(v[d] + dt * a[d]))
            turn[tree, 1] = max(turn[tree, 1], dt * dt * abs(a[d]))


@kernel
def is_led(s: Handle, tree: int) -> bool:
    """Whether a tree turns fast, and smoothly or by itself; needs turns."""
    return s.turn[tree, 0] > threshold(s, tree) and (is_alone(s, tree) or is_smooth(s, tree))


@kernel
def is_struck(s: Handle, tree: int) -> bool:
    """Whether a tree of several bodies turns fast, and not smoothly, since something holds it; needs turns.

    Not one that loops hold: light chains that are drawn taut open by it.
    """
    fast = threshold(s, tree) < s.turn[tree, 0] < BEYOND and s.turn[tree, 2] > 0.0
    return fast and not (s.tied[tree] != 0 or is_alone(s, tree) or is_smooth(s, tree))


@kernel
def may_be_fast(s: Handle, dt: float) -> bool:
    """Whether any velocity is so large that something may turn fast: what mostly is not, and soon seen."""
    v, a, fastest = s.v, s.acceleration, 0.0
    for d in range(len(v)):
        fastest = max(fastest, abs(v[d]), abs(v[d] + dt * a[d]))
    return dt * fastest > min(TURN, sqrt(FAST * dt))


@kernel
def is_fast(s: Handle, dt: float) -> bool:
    """Whether something turns so fast that the step must look ahead. Fills turn; needs what contact does, held."""
    find_turns(s, dt)
    fast = False
    for i in range(len(s.kind)):
        fast |= s.root[i] == i and (is_led(s, i) or is_struck(s, i))
    return fast


@kernel
def turns_fast(s: Handle, i: int, dt: float) -> bool:
    """Whether a joint that carries body i turns fast, at the start of a step."""
    d, fast, most = s.v_end[i] - 1, False, threshold(s, s.root[i])
    while d >= 0:
        kind = s.kind[s.dof_body[d]]
        linear = kind == PRISMATIC or (kind == FREE and d < s.v_start[s.dof_body[d]] + 3)
        fast |= not linear and dt * abs(s.v[d]) > most
        d = s.dof_parent[d]
    return fast


@kernel
def lead_all(s: Handle) -> None:
    """Let all trees count as smooth: methods whose stages look ahead themselves."""
    for i in range(len(s.turn)):
        s.turn[i, 0], s.turn[i, 1] = 0.5 * BEYOND, 0.0


@kernel
def forget_lead(s: Handle) -> None:
    """No lead, and no tree that has one."""
    for d in range(len(s.lead)):
        s.lead[d] = 0.0
    for i in range(len(s.turn)):
        s.turn[i, 0] = 0.0


@kernel
def give_forces(s: Handle) -> None:
    """Add to held_force what the joints really give: implicit forces depend on the acceleration, which has been found.

    What is left on the diagonal is armature.
    """
    for d in range(len(s.v)):
        s.held_force[d] += s.applied[d] - (s.diagonal[d] - s.armature[d]) * s.acceleration[d]
        s.diagonal[d] = s.armature[d]


@kernel
def look(s: Handle) -> None:
    """Kinematics and wrenches of the state as it is, contact among them as it is held."""
    kinematics(s)
    body_wrenches(s)
    loads(s)
    held_wrenches(s)


@kernel
def go_ahead(s: Handle, dt: float) -> None:
    """Fill acceleration with that half a step ahead as it leads there itself, under the forces that are held."""
    q, v, a = s.q, s.v, s.acceleration
    copy(q, s.start_q)
    copy(v, s.start_v)
    for d in range(len(v)):
        v[d] += 0.25 * dt * a[d]
    advance(s, q, v, 0.5 * dt)
    for d in range(len(v)):
        v[d] += 0.25 * dt * a[d]
    look(s)
    factor(s, s.held_force, s.wrench)
    expand(s)
    copy(s.start_q, q)
    copy(s.start_v, v)


@kernel
def see_change(s: Handle, dt: float) -> None:
    """Let also what half a step changes count as change of turn: of a limb with hardly any inertia it may be any."""
    for i in range(len(s.kind)):
        if s.kind[i] != PRISMATIC:
            for d in range(s.v_start[i] + (3 if s.kind[i] == FREE else 0), s.v_end[i]):
                change = dt * dt * abs(s.acceleration[d] - s.slope_v[0, d])
                s.turn[s.root[i], 1] = max(s.turn[s.root[i], 1], change)


@kernel
def lead_struck(s: Handle, dt: float) -> None:
    """Fill lead of trees that are struck with what their bias changes by the velocity of the end of the step.

    A blow comes at its start, so to speak: coordinates move by the velocity after it, and the bias must be that of the
    same motion. By that before it energy rises by dt times the cube of the speeds.
    """
    several = False
    for i in range(len(s.root)):
        several |= s.root[i] == i and is_struck(s, i)
    if not several:
        return
    for d in range(len(s.v)):
        s.start_v[d] = s.v[d]
        s.v[d] += dt * s.slope_v[0, d]
    look(s)
    inverse_dynamics(s, s.slope_v[0], s.slope_v[1])
    copy(s.start_v, s.v)
    for d in range(len(s.v)):
        if is_struck(s, s.root[s.dof_body[d]]):
            s.lead[d] = s.held_force[d] - s.slope_v[1, d]
    kinematics(s)


@kernel
def find_lead(s: Handle, dt: float) -> None:
    """Fill lead = M (a′ − a): a is the acceleration just found, a′ the one half a step ahead under the same forces.

    Contact is among these, as it is held in held_wrench and held_force: what it stops must not be thought to move on.
    Bodies that tumble have their own a′, see tumble.py. Leaves kinematics and wrenches of the start; adds to held_force
    what the joints give, and leaves armature alone on the diagonal. Needs turns.
    """
    a, found, lead, root = s.acceleration, s.slope_v, s.lead, s.root
    give_forces(s)
    several = False
    for i in range(len(root)):
        several |= root[i] == i and is_led(s, i) and not tumbles(s, i)
    for d in range(len(a)):
        found[0, d] = a[d]
    if several:
        go_ahead(s, dt)
        for d in range(len(a)):
            found[1, d] = a[d]
        go_ahead(s, dt)  # after one time only legs at 70 rad/s gain a quarter of a thousandth in a step
        for d in range(len(a)):
            if is_alone(s, root[s.dof_body[d]]):  # what holds a body turns with it less than it should: once is better
                a[d] = found[1, d]
        see_change(s, dt)
    look(s)
    for i in range(len(root)):
        if tumbles(s, root[i]) or not is_led(s, root[i]):
            for d in range(s.v_start[i], s.v_end[i]):
                a[d] = found[0, d]
        if root[i] == i and tumbles(s, i) and is_led(s, i):
            tumble(s, i, dt)
    inverse_dynamics(s, a, lead)
    for d in range(len(a)):
        lead[d] = lead[d] - s.held_force[d] if is_led(s, root[s.dof_body[d]]) else 0.0
    lead_struck(s, dt)
    body_wrenches(s)
    loads(s)


@kernel
def takes_mean(s: Handle, tree: int) -> bool:
    """Whether a tree moves by the mean velocity of the step, where what it touches does, too; needs turns.

    Free bodies do not: they tumble by the velocity of the end, see tumble.py, and tops that stand on the ground lose
    energy by it and gain some by the mean. Nor trees that loops hold: the places of these are posed for the end.
    """
    return is_led(s, tree) and not is_alone(s, tree) and s.tied[tree] == 0


@kernel
def find_mean(s: Handle, dt: float) -> bool:
    """Fill shift with what the mean velocity of the step has over that of its end, −dt/2 v̇, of trees that take it.

    Whether there are any.
    """
    found = False
    for d in range(len(s.v)):
        mean = takes_mean(s, s.root[s.dof_body[d]])
        s.shift[d] = -0.5 * dt * s.acceleration[d] if mean else 0.0
        found |= mean
    return found


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
