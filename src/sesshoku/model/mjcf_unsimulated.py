"""What a MuJoCo model has and is not simulated here, by name."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from sesshoku.model.mjcf_equality import unsimulated_equalities
from sesshoku.model.mjcf_geom import can_touch
from sesshoku.model.mjcf_query import disabled, names

if TYPE_CHECKING:
    import mujoco

__all__ = ["unsimulated"]


def unsimulated(model: mujoco.MjModel) -> Iterator[str]:
    """Name each element without a counterpart here; actuators are named by `Drives`."""
    yield from _joints(model)
    yield from (f"tendon '{name}'" for name in names(model, "tendon", model.ntendon))
    yield from unsimulated_equalities(model)
    yield from (f"flex '{name}'" for name in names(model, "flex", model.nflex))
    yield from _contact(model)
    ellipsoids = set(model.geom_bodyid[model.geom_fluid[:, 0] > 0])
    in_medium = model.opt.density > 0 or model.opt.viscosity > 0
    for b, name in enumerate(names(model, "body", model.nbody)):
        if model.body_mocapid[b] >= 0:
            yield f"mocap of body '{name}'"
        if model.body_plugin[b] >= 0:
            yield f"plugin of body '{name}'"
        if b in ellipsoids and in_medium:
            yield f"ellipsoid fluid model of body '{name}'"


def _joints(model: mujoco.MjModel) -> Iterator[str]:
    import mujoco

    for j, name in enumerate(names(model, "joint", model.njnt)):
        v = model.jnt_dofadr[j]
        ball = int(model.jnt_type[j]) == mujoco.mjtJoint.mjJNT_BALL
        if ball and model.jnt_limited[j] and not disabled(model, "LIMIT"):
            yield f"limit of ball joint '{name}'"
        if _any(model, "jnt_stiffnesspoly", j) and not disabled(model, "SPRING"):
            yield f"polynomial stiffness of joint '{name}'"
        if _any(model, "jnt_springyield", j) and not disabled(model, "SPRING"):
            yield f"yielding spring of joint '{name}'"
        if _any(model, "dof_dampingpoly", v) and not disabled(model, "DAMPER"):
            yield f"polynomial damping of joint '{name}'"
        if model.jnt_actgravcomp[j] and model.jnt_actfrclimited[j]:
            yield f"force range for gravity compensation of joint '{name}'"


def _contact(model: mujoco.MjModel) -> Iterator[str]:
    import mujoco

    if disabled(model, "CONTACT"):
        return
    touching = can_touch(model)
    for g, name in enumerate(names(model, "geom", model.ngeom)):
        if touching[g] and int(model.geom_type[g]) == mujoco.mjtGeom.mjGEOM_SDF:
            yield f"signed distance field of geom '{name}'"
    if disabled(model, "FILTERPARENT"):
        yield "contact between parent and child bodies"


def _any(model: mujoco.MjModel, field: str, index: int) -> bool:
    """Whether a field that came with MuJoCo 4 is not zero."""
    return hasattr(model, field) and bool(np.any(getattr(model, field)[index]))
