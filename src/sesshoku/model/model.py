"""The immutable model: flat arrays the kernels read, and the names users know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import ModelError
from sesshoku.model.collider import Collider
from sesshoku.model.joint import JointKind
from sesshoku.model.loop import LoopArrays
from sesshoku.model.material import Material
from sesshoku.model.sensor import Sensor
from sesshoku.model.shape import Shape
from sesshoku.spatial.pose import Pose

__all__ = ["Frame", "JointIndex", "Model", "Placed"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
VIEWS = ("frames", "postures", "pair_materials", "sensors")  # mappings nobody can change


@dataclass(frozen=True)
class JointIndex:
    """Where the coordinates of a joint stand.

    Attributes:
        name: the file's name.
        kind: see `Joint`.
        q, v: index in ``q`` and ``v`` for one-degree joints, slice for the others.
        body: number of the body it moves (the last one of its chain).
    """

    name: str
    kind: JointKind
    q: int | slice
    v: int | slice
    body: int


@dataclass(frozen=True)
class Frame:
    """A named place fixed on a body: every body of the file (also the merged ones) and every site.

    Attributes:
        name: the file's name.
        body: number of the moving body that carries it, -1 for the world.
        pose: its pose in that body's kernel frame, whose z is the joint axis.
    """

    name: str
    body: int
    pose: Pose


@dataclass(frozen=True)
class Placed:
    """A collider on the moving body that carries it.

    Attributes:
        body: number of that body, -1 for the world.
        owner: name of the body of the file it belongs to.
        pose: in the kernel frame of the moving body.
        collider: as described; its own pose is in the frame of the owner.
    """

    body: int
    owner: str
    pose: Pose
    collider: Collider

    @property
    def shape(self) -> Shape:
        """What it is."""
        return self.collider.shape


@dataclass(frozen=True)
class Model:
    """What is simulated. Built by `Scene.model`, never changed; arrays are read-only.

    A *body* here moves by exactly one joint: fixed joints are merged, a planar joint or several joints on one body
    of a file make a chain of massless bodies. The kernel frame of a body has its origin on the joint and its z along
    the joint axis. Body -1 is the world; parents come before children. ``n`` bodies, ``nq`` coordinates, ``nv``
    velocities, ``nu`` actuators.
    """

    name: str
    gravity: Array  # (3,) [m/s²], world axes
    medium: Array  # (5,) density [kg/m³], viscosity [Pa s], wind [m/s] in world axes

    # bodies
    body_names: tuple[str, ...]
    parent: Index  # (n,)
    kind: Index  # (n,) REVOLUTE, PRISMATIC, BALL or FREE
    above: Index  # (n,) the body that carries the parent body of the file: of a chain, the one before its first
    root: Index  # (n,) first body of the tree it belongs to
    q_start: Index  # (n,)
    v_start: Index  # (n,)
    placement_position: Array  # (n, 3) kernel frame at zero coordinate in the parent's kernel frame [m]
    placement_rotation: Array  # (n, 9) the same, row by row
    mass: Array  # (n,) [kg]
    com: Array  # (n, 3) in the kernel frame [m]
    inertia: Array  # (n, 6) about the centre of mass: xx yy zz xy xz yz [kg m²]

    # weights that are carried: one entry for each body of the file with gravity compensation
    lift_body: Index  # (nl,)
    lift_position: Array  # (nl, 3) where the weight acts, in the kernel frame of the body [m]
    lift_mass: Array  # (nl,) mass whose weight is carried [kg]

    # boxes of equal inertia, one for each body of the file, where the medium acts; none in empty space
    fluid_body: Index  # (nf,)
    fluid_position: Array  # (nf, 3) centre of mass in the kernel frame of the body [m]
    fluid_rotation: Array  # (nf, 9) principal axes in the kernel frame of the body
    fluid_size: Array  # (nf, 3) edges [m]

    # velocities
    dof_body: Index  # (nv,)
    dof_parent: Index  # (nv,) the next velocity towards the root, -1 at the root
    dof_depth: Index  # (nv,) number of velocities between it and the root
    armature: Array  # (nv,)
    damping: Array  # (nv,)
    stiffness: Array  # (nv,)
    explicit: Index  # (nv,) 1 where spring and damper keep the force of the start of a step
    friction: Array  # (nv,)
    lower: Array  # (nv,) coordinate limits, infinite where none
    upper: Array  # (nv,)
    effort: Array  # (nv,)
    speed: Array  # (nv,)
    v0: Array  # (nv,) what it begins with

    # coordinates
    rest: Array  # (nq,) where springs are relaxed
    q0: Array  # (nq,) the configuration of the file

    # actuators
    actuator_names: tuple[str, ...]
    actuator_dof: Index  # (nu,)
    actuator_q: Index  # (nu,)
    actuator_gear: Array  # (nu,)
    actuator_gain: Array  # (nu, 4) gain, offset, kp, kd
    actuator_range: Array  # (nu, 4) control lower, upper, force lower, upper

    # loops
    loops: LoopArrays

    # names
    joints: tuple[JointIndex, ...]
    frames: Mapping[str, Frame]
    postures: Mapping[str, Array]  # named configurations (nq,): SRDF reference postures, MJCF keyframes
    disabled_pairs: frozenset[frozenset[str]]  # pairs of frames whose contact is switched off
    colliders: tuple[Placed, ...]
    touching_pairs: frozenset[frozenset[str]]  # pairs of colliders that touch whatever their groups, by name
    pair_materials: Mapping[frozenset[str], Material]  # of two bodies or colliders, by name
    sensors: Mapping[str, Sensor]
    margin: float  # contacts are reported this far before they touch [m]
    unsimulated: tuple[str, ...]  # what the file has and this package does not simulate

    def __post_init__(self) -> None:
        for entry in fields(self):
            value = getattr(self, entry.name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        for posture in self.postures.values():
            posture.setflags(write=False)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, **{name: dict(getattr(self, name)) for name in VIEWS}}

    def __setstate__(self, state: dict[str, Any]) -> None:
        views = {name: MappingProxyType(state[name]) for name in VIEWS}
        self.__dict__.update({**state, **views})
        self.__post_init__()

    @property
    def n(self) -> int:
        """Number of moving bodies."""
        return len(self.parent)

    @property
    def nq(self) -> int:
        """Number of coordinates."""
        return len(self.q0)

    @property
    def nv(self) -> int:
        """Number of velocities."""
        return len(self.dof_body)

    @property
    def nu(self) -> int:
        """Number of actuators."""
        return len(self.actuator_dof)

    @property
    def total_mass(self) -> float:
        """Mass of all moving bodies [kg]."""
        return float(self.mass.sum())

    def joint(self, name: str) -> JointIndex:
        """The joint of that name."""
        for joint in self.joints:
            if joint.name == name:
                return joint
        raise ModelError(f"no joint '{name}'", file=self.name, remedy=_known([j.name for j in self.joints], name))

    def frame(self, name: str) -> Frame:
        """The body or site of that name."""
        try:
            return self.frames[name]
        except KeyError:
            remedy = _known(list(self.frames), name)
            raise ModelError(f"no body or site '{name}'", file=self.name, remedy=remedy) from None

    def body(self, name: str) -> int:
        """Number of the moving body that carries the body or site of that name; -1 for the world."""
        return self.frame(name).body


def _known(names: list[str], wanted: str) -> str:
    from difflib import get_close_matches

    near = get_close_matches(wanted, names, n=3) or names[:6]
    return f"Known are {', '.join(near)}{'' if len(near) == len(names) else ', ...'}" if near else "There are none"
