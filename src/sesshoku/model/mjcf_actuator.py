"""Actuators of a MuJoCo model: the drives that are simulated here, and the names of those that are not."""

from __future__ import annotations

from collections.abc import Iterator
from math import inf
from typing import TYPE_CHECKING

import numpy as np

from sesshoku.model.actuator import Actuator
from sesshoku.model.mjcf_query import disabled, names

if TYPE_CHECKING:
    import mujoco

__all__ = ["Drives"]


class Drives:
    """The actuators of a MuJoCo model and what they add to its joints.

    Attributes:
        joints: name of each joint.
        unsimulated: what of them is not simulated, and why; complete once `actuators` is through.
    """

    def __init__(self, model: mujoco.MjModel) -> None:
        self.joints = names(model, "joint", model.njnt)
        self.unsimulated: list[str] = []
        self._model = model
        # Since MuJoCo 4 an actuator can have several controls (nu of all) and several outputs.
        self._count = getattr(model, "nactuator", model.nu)
        self._control = getattr(model, "actuator_ctrladr", range(model.nu))
        self._output = getattr(model, "actuator_outadr", range(model.nu))
        self._joint = [self._driven_joint(i) for i in range(self._count)]

    def actuators(self) -> Iterator[Actuator]:
        """The drives of one-degree joints by a force that is affine in control, coordinate and velocity."""
        model = self._model
        for i, name in enumerate(names(model, "actuator", self._count)):
            why = self._why_not(i)
            if why:
                self.unsimulated.append(f"actuator '{name}' ({why})")
                continue
            control = self._control[i]
            clamped = model.actuator_ctrllimited[control] and not disabled(model, "CLAMPCTRL")
            lower, upper = model.actuator_ctrlrange[control] if clamped else (-inf, inf)
            force_lower, force_upper = self._force_range(i)
            offset, stiffness, damping = model.actuator_biasprm[i, :3] if model.actuator_biastype[i] else (0, 0, 0)
            yield Actuator(
                name,
                self.joints[self._joint[i]],
                gain=float(model.actuator_gainprm[i, 0]),
                offset=float(offset),
                kp=-float(stiffness),
                kd=-float(damping),
                gear=self._gear(i),
                lower=float(lower),
                upper=float(upper),
                force_lower=force_lower,
                force_upper=force_upper,
            )
            if hasattr(model, "actuator_dampingpoly") and model.actuator_dampingpoly[i].any():
                self.unsimulated.append(f"polynomial damping of actuator '{name}'")
        for joint, name in enumerate(self.joints):
            if model.jnt_actfrclimited[joint] and self._joint.count(joint) > 1:
                self.unsimulated.append(f"force range of joint '{name}', which several actuators share")

    def armature(self, joint: int) -> float:
        """Rotor inertia that actuators add to a joint, seen through their gears [kg m² or kg]."""
        return self._added("actuator_armature", joint)

    def damping(self, joint: int) -> float:
        """Damping that actuators add to a joint, seen through their gears [N m s/rad or N s/m]."""
        return self._added("actuator_damping", joint)

    def effort(self, joint: int) -> float:
        """The largest force of all actuators together on a joint that the file allows [N m or N]."""
        model = self._model
        return float(abs(model.jnt_actfrcrange[joint]).max()) if model.jnt_actfrclimited[joint] else inf

    def _added(self, field: str, joint: int) -> float:
        values = getattr(self._model, field, np.zeros(self._count))  # since MuJoCo 4
        return sum(float(values[i]) * self._gear(i) ** 2 for i, j in enumerate(self._joint) if j == joint)

    def _gear(self, i: int) -> float:
        return float(self._model.actuator_gear[self._output[i], 0])

    def _driven_joint(self, i: int) -> int:
        """Number of the one-degree joint an actuator drives, -1 for any other transmission."""
        import mujoco

        model = self._model
        joint = int(model.actuator_trnid[i, 0])
        # int: the enumerations do not equal numpy's integers when they stand on the left
        if int(model.actuator_trntype[i]) not in (
            mujoco.mjtTrn.mjTRN_JOINT,
            mujoco.mjtTrn.mjTRN_JOINTINPARENT,
        ):
            return -1
        one = int(model.jnt_type[joint]) in (mujoco.mjtJoint.mjJNT_HINGE, mujoco.mjtJoint.mjJNT_SLIDE)
        return joint if one else -1

    def _force_range(self, i: int) -> tuple[float, float]:
        """Range of an actuator's force before the gear, with the range of its joint's force taken in."""
        model, joint, gear = self._model, self._joint[i], self._gear(i)
        own = model.actuator_forcerange[i] if model.actuator_forcelimited[i] else (-inf, inf)
        if model.jnt_actfrclimited[joint] and self._joint.count(joint) == 1 and gear != 0.0:
            own = np.clip(own, *sorted(model.jnt_actfrcrange[joint] / gear))
        return float(own[0]), float(own[1])

    def _why_not(self, i: int) -> str | None:
        import mujoco

        model, joint = self._model, self._joint[i]
        group = int(model.actuator_group[i])
        switched_off = disabled(model, "ACTUATION") or (group >= 0 and model.opt.disableactuator >> group & 1)
        delayed = hasattr(model, "actuator_delay") and model.actuator_delay[i] > 0
        fixed_gain = int(model.actuator_gaintype[i]) == mujoco.mjtGain.mjGAIN_FIXED
        affine_bias = int(model.actuator_biastype[i]) in (
            mujoco.mjtBias.mjBIAS_NONE,
            mujoco.mjtBias.mjBIAS_AFFINE,
        )
        reasons = {
            "disabled by the file": switched_off,
            "plugin": model.actuator_plugin[i] >= 0,
            "not on a one-degree joint": joint < 0,
            "dynamics": int(model.actuator_dyntype[i]) != mujoco.mjtDyn.mjDYN_NONE,
            "force not affine": not (fixed_gain and affine_bias),
            "delay": delayed,
        }
        return next((reason for reason, holds in reasons.items() if holds), None)
