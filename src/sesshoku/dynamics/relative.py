"""How a point of one body moves as another body sees it, in world axes."""

from __future__ import annotations

from sesshoku.dynamics.jacobian import linear_drift
from sesshoku.dynamics.load import place
from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import velocity_at
from sesshoku.spatial.row import load3, load_motion
from sesshoku.spatial.vector import Vec3, add, cross, scale, subtract

__all__ = ["relative_motion"]

ZERO = (0.0, 0.0, 0.0)


@kernel
def point_motion(s: Handle, i: int, x: Vec3) -> tuple[Vec3, Vec3]:
    """Velocity, and acceleration at zero v̇ without gravity, of the material point of body i (-1: the world) at x."""
    if i < 0:
        return ZERO, ZERO
    here = subtract(x, load3(s.origin, s.root[i]))
    return velocity_at(load_motion(s.velocity, i), here), linear_drift(s, i, here)


@kernel
def relative_motion(s: Handle, i: int, point: Vec3, carrier: int) -> tuple[Vec3, Vec3, Vec3]:
    """Where a point given in the kernel frame of body i is, and its velocity and J̇ v as the carrier sees them.

    Less the motion of the carrier's own point there, and the Coriolis acceleration; needs kinematics.
    """
    x = add(load3(s.origin, s.root[i]), place(s, i, point)) if i >= 0 else point
    speed, rate = point_motion(s, i, x)
    carrier_speed, carrier_rate = point_motion(s, carrier, x)
    velocity, drift = subtract(speed, carrier_speed), subtract(rate, carrier_rate)
    if carrier >= 0:
        drift = subtract(drift, scale(2.0, cross(load_motion(s.velocity, carrier)[0], velocity)))
    return x, velocity, drift
