"""Servos at their limits: the force that acts is the law of the end of the step, clamped.

Marked as inside, at the lower or at the upper limit, every drive is linear in v̇ and one solve gives the step; the
marks must then agree with the forces that follow. Each force falls with its own velocity, so the right v̇ minimises a
convex function, quadratic between the limits: Newton's method with an exact line search finds it, mostly at once.
The gradient of that function needs no product with the inertia matrix: it is the difference between the forces that
v̇ was solved for (``forces``) and those that the clamped laws give.

With contact v̇ minimises nothing, since friction does not. There the same steps mostly end, too; drives that they do
not settle are held: their force is that of the last trial for the whole step.
"""

from __future__ import annotations

from typing import Final

from sesshoku.dynamics.drive import HELD, actuator_force
from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel

__all__ = ["blend", "consistent", "guess_marks", "hold", "mark", "record_forces"]

HALVINGS: Final = 40  # of the line search


@kernel
def side(force: float, lower: float, upper: float) -> int:
    """On which side of its range a force lies: -1, 0 or 1."""
    return -1 if force < lower else (1 if force > upper else 0)


@kernel
def law_at_end(s: Handle, u: int, dt: float, a: float) -> float:
    """Force of an actuator at the end of the step, before its limits, if its joint accelerates by a."""
    gain, d = s.actuator_gain, s.actuator_dof[u]
    kp, kd = max(gain[u, 2], 0.0), max(gain[u, 3], 0.0)
    return actuator_force(s, u) - s.actuator_gear[u] * dt * (kp * (s.v[d] + dt * a) + kd * a)  # type: ignore[no-any-return]


@kernel
def guess_marks(s: Handle) -> None:
    """Mark the actuators by their force of this instant."""
    limits, saturated = s.actuator_range, s.saturated
    for u in range(len(saturated)):
        saturated[u] = side(actuator_force(s, u), limits[u, 2], limits[u, 3])


@kernel
def mark(s: Handle, dt: float) -> None:
    """Mark the actuators by their force at the end of the step under the trial acceleration."""
    limits, saturated = s.actuator_range, s.saturated
    for u in range(len(saturated)):
        if saturated[u] != HELD:
            law = law_at_end(s, u, dt, s.trial[s.actuator_dof[u]])
            saturated[u] = side(law, limits[u, 2], limits[u, 3])


@kernel
def consistent(s: Handle, dt: float) -> bool:
    """Whether the acceleration found with the marks confirms them, those of held actuators apart."""
    limits, saturated = s.actuator_range, s.saturated
    for u in range(len(saturated)):
        law = law_at_end(s, u, dt, s.acceleration[s.actuator_dof[u]])
        if side(law, limits[u, 2], limits[u, 3]) != saturated[u] and saturated[u] != HELD:
            return False
    return True


@kernel
def hold(s: Handle, dt: float) -> None:
    """Hold the actuators whose marks are not confirmed at their force under the trial acceleration, clamped."""
    limits, saturated = s.actuator_range, s.saturated
    for u in range(len(saturated)):
        d = s.actuator_dof[u]
        if saturated[u] not in (HELD, side(law_at_end(s, u, dt, s.acceleration[d]), limits[u, 2], limits[u, 3])):
            saturated[u] = HELD
            s.forces[u] = min(max(law_at_end(s, u, dt, s.trial[d]), limits[u, 2]), limits[u, 3])


@kernel
def marked_force(s: Handle, u: int, dt: float) -> float:
    """The force of an actuator that the acceleration was solved for."""
    if s.saturated[u] == HELD:
        return s.forces[u]  # type: ignore[no-any-return]
    if s.saturated[u] != 0:
        return s.actuator_range[u, 2 if s.saturated[u] < 0 else 3]  # type: ignore[no-any-return]
    return law_at_end(s, u, dt, s.acceleration[s.actuator_dof[u]])


@kernel
def record_forces(s: Handle, dt: float) -> None:
    """Take the acceleration just found as the trial."""
    for d in range(len(s.trial)):
        s.trial[d] = s.acceleration[d]
    for u in range(len(s.saturated)):
        s.forces[u] = marked_force(s, u, dt)


@kernel
def slope(s: Handle, dt: float, share: float) -> float:
    """Derivative of the convex function at a share of the way from the trial to the acceleration just found."""
    total = 0.0
    for u in range(len(s.saturated)):
        d, limits = s.actuator_dof[u], s.actuator_range
        way = s.acceleration[d] - s.trial[d]
        solved = s.forces[u] + share * (marked_force(s, u, dt) - s.forces[u])
        law = law_at_end(s, u, dt, s.trial[d] + share * way)
        total += s.actuator_gear[u] * way * (solved - min(max(law, limits[u, 2]), limits[u, 3]))
    return total


@kernel
def blend(s: Handle, dt: float) -> None:
    """Move the trial towards the acceleration just found, to the least value on the way."""
    share = 1.0
    if slope(s, dt, 1.0) > 0.0:
        low, high = 0.0, 1.0
        for _ in range(HALVINGS):
            share = 0.5 * (low + high)
            if slope(s, dt, share) > 0.0:
                high = share
            else:
                low = share
    for u in range(len(s.saturated)):
        s.forces[u] += share * (marked_force(s, u, dt) - s.forces[u])
    for d in range(len(s.trial)):
        s.trial[d] += share * (s.acceleration[d] - s.trial[d])
