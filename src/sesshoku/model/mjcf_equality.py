"""Equality constraints of a MuJoCo model as loops and couplings. They hold exactly: softness is not read."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

import numpy as np
from numpy.polynomial import Polynomial
from numpy.typing import NDArray

from sesshoku.model.loop import Coupling, Loop, places
from sesshoku.model.mjcf_query import disabled, names
from sesshoku.spatial.pose import Pose

if TYPE_CHECKING:
    import mujoco

__all__ = ["equalities", "unsimulated_equalities"]

Array = NDArray[np.float64]
SIZE: Final = 0.1  # distance between the places of a weld [m]


def equalities(model: mujoco.MjModel, bodies: list[str | None], joints: list[str]) -> Iterator[Loop | Coupling]:
    """The active ones that have a counterpart here; names of bodies and joints are those of the scene."""
    import mujoco

    for e, name, kind in _active(model):
        first, second, data = model.eq_obj1id[e], model.eq_obj2id[e], model.eq_data[e]
        if kind == mujoco.mjtEq.mjEQ_JOINT:
            yield _coupling(model, name, joints, first, second, data[:5])
        elif kind in (mujoco.mjtEq.mjEQ_CONNECT, mujoco.mjtEq.mjEQ_WELD):
            weld = kind == mujoco.mjtEq.mjEQ_WELD
            if int(model.eq_objtype[e]) == mujoco.mjtObj.mjOBJ_SITE:
                poses = [Pose.at(model.site_pos[s], quaternion=model.site_quat[s]) for s in (first, second)]
                first, second = model.site_bodyid[first], model.site_bodyid[second]
            elif weld:  # anchor in body 2, place of the anchor in body 1, turn of body 2 in body 1
                poses = [Pose.at(data[3:6], quaternion=data[6:10]), Pose.at(data[:3])]
            else:
                poses = [Pose.at(data[:3]), Pose.at(data[3:6])]
            here = places("weld" if weld else "ball", (0.0, 0.0, 0.0), (0.0, 0.0, 1.0), SIZE)
            ends = [np.array([pose.apply(place) for place in here]) for pose in poses]
            yield Loop(name, bodies[first], bodies[second], *ends)


def _coupling(model: mujoco.MjModel, name: str, joints: list[str], first: int, second: int, data: Array) -> Coupling:
    """MuJoCo's polynomial is between the distances of both coordinates from their references."""
    offset = model.qpos0[model.jnt_qposadr[first]]
    if second < 0:
        return Coupling(name, joints[first], None, (float(data[0] + offset),))
    shifted = Polynomial(data)(Polynomial([-model.qpos0[model.jnt_qposadr[second]], 1.0])) + offset
    return Coupling(name, joints[first], joints[second], tuple(float(c) for c in shifted.coef))


def unsimulated_equalities(model: mujoco.MjModel) -> Iterator[str]:
    """Name the others."""
    import mujoco

    known = (mujoco.mjtEq.mjEQ_JOINT, mujoco.mjtEq.mjEQ_CONNECT, mujoco.mjtEq.mjEQ_WELD)
    yield from (f"equality '{name}'" for _, name, kind in _active(model) if kind not in known)


def _active(model: mujoco.MjModel) -> Iterator[tuple[int, str, int]]:
    """Number, name and kind of the equalities that are switched on."""
    if not disabled(model, "EQUALITY"):
        for e, name in enumerate(names(model, "equality", model.neq)):
            if model.eq_active0[e]:
                yield e, name, int(model.eq_type[e])
