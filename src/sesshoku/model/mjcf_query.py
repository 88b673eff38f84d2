"""Questions to a MuJoCo model: what are things called, what is switched off, where are force sensors."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import mujoco

__all__ = ["disabled", "force_sensors", "names"]


def names(model: mujoco.MjModel, kind: str, count: int) -> list[str]:
    """Names of all bodies, joints, ...; the unnamed are called body3, joint5, ..., unless that is taken."""
    given = [getattr(model, kind)(i).name for i in range(count)]
    return [name or _unused(f"{kind}{i}", given) for i, name in enumerate(given)]


def disabled(model: mujoco.MjModel, feature: str) -> bool:
    """Whether the file switches a feature off: GRAVITY, LIMIT, SPRING, DAMPER, FRICTIONLOSS, and so on."""
    import mujoco

    flags = [feature]
    if feature in ("LIMIT", "FRICTIONLOSS", "EQUALITY", "CONTACT"):
        flags.append("CONSTRAINT")
    if feature in ("SPRING", "DAMPER"):
        flags.append("PASSIVE")  # one flag for both until MuJoCo 3.3
    bits = (getattr(mujoco.mjtDisableBit, f"mjDSBL_{flag}", 0) for flag in flags)
    return any(model.opt.disableflags & int(bit) for bit in bits)


def force_sensors(model: mujoco.MjModel) -> Iterator[tuple[str, int]]:
    """Names and sites of the sensors of force and torque that sit in a body that moves."""
    import mujoco

    kinds = (mujoco.mjtSensor.mjSENS_FORCE, mujoco.mjtSensor.mjSENS_TORQUE)
    for k, name in enumerate(names(model, "sensor", model.nsensor)):
        site = int(model.sensor_objid[k])
        if int(model.sensor_type[k]) in kinds and model.body_weldid[model.site_bodyid[site]] > 0:
            yield name, site


def _unused(name: str, taken: list[str]) -> str:
    return _unused(name + "_", taken) if name in taken else name
