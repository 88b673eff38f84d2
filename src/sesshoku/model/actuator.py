"""Drives of a joint: torque, position servo, velocity servo."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf

import numpy as np

from sesshoku.errors import ModelError

__all__ = ["Actuator"]


@dataclass(frozen=True)
class Actuator:
    """A drive on a one-degree joint: force = gain · control + offset − kp · x − kd · ẋ, clamped, times gear.

    x = gear · q is the actuator's own coordinate, so kp and kd are on the actuator's side of the gear.

    Attributes:
        name: unique among the actuators of a scene.
        joint: name of the joint it drives.
        gain: force per control.
        offset: constant force.
        kp, kd: stiffness and damping of the servo loop, taken implicitly by the step.
        gear: actuator displacement per joint displacement.
        lower, upper: range of the control.
        force_lower, force_upper: range of the force, before the gear.
    """

    name: str
    joint: str
    gain: float = 1.0
    offset: float = 0.0
    kp: float = 0.0
    kd: float = 0.0
    gear: float = 1.0
    lower: float = -inf
    upper: float = inf
    force_lower: float = -inf
    force_upper: float = inf

    def __post_init__(self) -> None:
        numbers = (self.gain, self.offset, self.kp, self.kd, self.gear)
        ranges = ((self.lower, self.upper), (self.force_lower, self.force_upper))
        if not np.isfinite(numbers).all() or np.isnan(ranges).any() or any(low > high for low, high in ranges):
            raise ModelError(
                "gains must be finite numbers and each range ordered",
                element=f"actuator '{self.name}'",
                remedy="Correct gain, kp, kd, gear or the ranges",
            )

    @staticmethod
    def torque(joint: str, *, limit: float = inf, gear: float = 1.0, name: str | None = None) -> Actuator:
        """A motor: its control is the force, at most ``limit`` [N m or N]."""
        return Actuator(name or joint, joint, gear=gear, force_lower=-limit, force_upper=limit)

    @staticmethod
    def position(
        joint: str, *, kp: float, kd: float = 0.0, limit: float = inf, gear: float = 1.0, name: str | None = None
    ) -> Actuator:
        """A position servo: its control is the wanted coordinate; kp [N m/rad], kd [N m s/rad]."""
        return Actuator(name or joint, joint, gain=kp, kp=kp, kd=kd, gear=gear, force_lower=-limit, force_upper=limit)

    @staticmethod
    def velocity(joint: str, *, kd: float, limit: float = inf, gear: float = 1.0, name: str | None = None) -> Actuator:
        """A velocity servo: its control is the wanted velocity; kd [N m s/rad]."""
        return Actuator(name or joint, joint, gain=kd, kd=kd, gear=gear, force_lower=-limit, force_upper=limit)
