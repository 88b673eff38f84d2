"""What drives the joints: the user's forces, actuators, springs and dampers.

With a step dt > 0 springs, dampers and servo loops are taken at the end of the step (implicitly), so that they never
limit it: force = f − K dt v − (D dt + K dt²) v̇. The last term goes to the left, into ``diagonal``. Explicit springs
and dampers, as paper 1 has them in its foot bush, keep the force f of the start of the step instead.
"""

from __future__ import annotations

from typing import Final

from sesshoku.dynamics.system import SPRINGS, Handle
from sesshoku.kernel import kernel
from sesshoku.model.joint import BALL, FREE
from sesshoku.spatial.rotation import logarithm, normalise, quaternion_product
from sesshoku.spatial.row import load_quaternion
from sesshoku.spatial.vector import Vec3, dot

__all__ = ["HELD", "actuator_force", "applied_force", "spring_energy"]

HELD: Final = 2  # mark of a drive whose force does not depend on the acceleration, see saturation.py


@kernel
def applied_force(s: Handle, dt: float, held: bool) -> None:
    """Fill applied and diagonal from tau, control, q and v; dt = 0 gives the forces of this instant.

    ``held``: explicit springs and dampers keep the force they had when it was last called.
    """
    applied, passive, diagonal, tau, v = s.applied, s.passive, s.diagonal, s.tau, s.v
    damping, stiffness, armature, explicit = s.damping, s.stiffness, s.armature, s.explicit
    for d in range(len(v)):
        h = dt if explicit[d] == 0 else 0.0
        ahead = damping[d] + h * stiffness[d]
        diagonal[d] = armature[d] + h * ahead
        if not held or explicit[d] == 0:
            passive[d] = -ahead * v[d]
    if s.flags[SPRINGS] != 0:
        springs(s, held)
    for d in range(len(v)):
        applied[d] = tau[d] + passive[d]
    actuators(s, dt)


@kernel
def displacement(s: Handle, i: int) -> tuple[Vec3, Vec3]:
    """How far joint i is from its rest coordinates, by velocity: (first three, last three), zero where it has fewer."""
    q, rest, c = s.q, s.rest, s.q_start[i]
    if s.kind[i] != FREE and s.kind[i] != BALL:
        return (q[c] - rest[c], 0.0, 0.0), (0.0, 0.0, 0.0)
    shift = (0.0, 0.0, 0.0)
    if s.kind[i] == FREE:
        shift = (q[c] - rest[c], q[c + 1] - rest[c + 1], q[c + 2] - rest[c + 2])
        c += 3
    w, x, y, z = load_quaternion(rest, c)
    turn = logarithm(normalise(quaternion_product((w, -x, -y, -z), load_quaternion(q, c))))
    return (shift, turn) if s.kind[i] == FREE else (turn, shift)


@kernel
def springs(s: Handle, held: bool) -> None:
    """Subtract stiffness times displacement from the rest coordinates; ``held``: not of explicit joints."""
    stiffness, passive, v_start, explicit = s.stiffness, s.passive, s.v_start, s.explicit
    for i in range(len(v_start)):
        d = v_start[i]
        if stiffness[d] == 0.0 or (held and explicit[d] != 0):
            continue
        first, last = displacement(s, i)
        passive[d] -= stiffness[d] * first[0]
        if s.kind[i] == BALL or s.kind[i] == FREE:
            passive[d + 1] -= stiffness[d] * first[1]
            passive[d + 2] -= stiffness[d] * first[2]
        if s.kind[i] == FREE:
            passive[d + 3] -= stiffness[d] * last[0]
            passive[d + 4] -= stiffness[d] * last[1]
            passive[d + 5] -= stiffness[d] * last[2]


@kernel
def spring_energy(s: Handle) -> float:
    """Energy stored in the joint springs [J]."""
    total = 0.0
    for i in range(len(s.v_start)):
        k = s.stiffness[s.v_start[i]]
        if k != 0.0:
            first, last = displacement(s, i)
            total += 0.5 * k * (dot(first, first) + dot(last, last))
    return total


@kernel
def actuator_force(s: Handle, u: int) -> float:
    """Force of an actuator at this instant, before its limits."""
    d, gear, gain = s.actuator_dof[u], s.actuator_gear[u], s.actuator_gain
    control = min(max(s.control[u], s.actuator_range[u, 0]), s.actuator_range[u, 1])
    servo: float = gear * (gain[u, 2] * s.q[s.actuator_q[u]] + gain[u, 3] * s.v[d])
    return gain[u, 0] * control + gain[u, 1] - servo  # type: ignore[no-any-return]


@kernel
def actuators(s: Handle, dt: float) -> None:
    """Add the actuators; those not at a limit, nor held, are implicit in dt."""
    actuator_dof, actuator_gear, gain, limits = s.actuator_dof, s.actuator_gear, s.actuator_gain, s.actuator_range
    applied, diagonal, saturated, v = s.applied, s.diagonal, s.saturated, s.v
    for u in range(len(actuator_dof)):
        d, gear = actuator_dof[u], actuator_gear[u]
        force = actuator_force(s, u)
        if dt == 0.0:
            applied[d] += gear * min(max(force, limits[u, 2]), limits[u, 3])
        elif saturated[u] == HELD:
            applied[d] += gear * s.forces[u]
        elif saturated[u] != 0:
            applied[d] += gear * (limits[u, 2] if saturated[u] < 0 else limits[u, 3])
        else:
            # a negative gain (a drive that pushes away) stays explicit: it must not thin out the diagonal
            kp, kd = gear * gear * max(gain[u, 2], 0.0), gear * gear * max(gain[u, 3], 0.0)
            applied[d] += gear * force - dt * kp * v[d]
            diagonal[d] += dt * (kd + dt * kp)
