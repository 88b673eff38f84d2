"""Joints as users describe them, and the four kinds the kernels know."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from math import inf
from typing import Final, Literal, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.errors import ModelError, UnsupportedError
from sesshoku.spatial.pose import rotation_to_z

__all__ = ["BALL", "FREE", "NQ", "NV", "PRISMATIC", "REVOLUTE", "Joint", "JointKind", "common_value"]

Array = NDArray[np.float64]
JointKind = Literal["free", "ball", "revolute", "continuous", "prismatic", "planar"]

# What a joint is to the kernels; every other kind is a chain of these.
REVOLUTE: Final = 0
PRISMATIC: Final = 1
BALL: Final = 2
FREE: Final = 3
NQ: Final = (1, 1, 4, 7)
NV: Final = (1, 1, 3, 6)
_CODE: Final = {"revolute": REVOLUTE, "continuous": REVOLUTE, "prismatic": PRISMATIC, "ball": BALL, "free": FREE}
_AXES: Final = {"x": (1.0, 0.0, 0.0), "y": (0.0, 1.0, 0.0), "z": (0.0, 0.0, 1.0)}


@dataclass(frozen=True)
class Joint:
    """How a body moves in its parent. Angles in rad, lengths in m, generalised forces in N m or N.

    Coordinates: revolute, continuous and prismatic have one; planar has x, y along the plane and the angle about
    its normal ``axis``; ball has a quaternion (w x y z), its velocity is angular in body axes; free has position
    and quaternion in the world, its velocity is linear in world axes and angular in body axes.

    Attributes:
        name: unique among the joints of a scene.
        kind: free, ball, revolute, continuous, prismatic or planar.
        axis: direction of motion (planar: normal) in body axes; "x", "y", "z" or a vector of any length.
        position: a point on the axis in the body frame.
        lower, upper: range of a one-degree joint; infinite means none.
        reference: coordinate at which the body lies at its pose in the parent.
        damping: viscous force per velocity.
        stiffness: force per displacement from ``rest``.
        rest: coordinate at which the spring is relaxed; None means the reference.
        armature: rotor inertia seen from the joint side, added to the diagonal of the inertia matrix.
        friction: largest dry friction force.
        effort, speed: largest drive force and velocity the file states; kept for controllers.
    """

    name: str
    kind: JointKind
    axis: ArrayLike | str = "z"
    position: ArrayLike = (0.0, 0.0, 0.0)
    lower: float = -inf
    upper: float = inf
    reference: float = 0.0
    damping: float = 0.0
    stiffness: float = 0.0
    rest: tuple[float, ...] | None = None
    armature: float = 0.0
    friction: float = 0.0
    effort: float = inf
    speed: float = inf
    _unit: Array = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        element = f"joint '{self.name}'"
        if self.kind not in get_args(JointKind):
            raise ModelError(
                f"unknown kind {self.kind!r}", element=element, remedy=f"Use one of {', '.join(get_args(JointKind))}"
            )
        axis = np.array(_AXES[self.axis] if isinstance(self.axis, str) else self.axis, dtype=float).reshape(3)
        length = np.linalg.norm(axis)
        if not np.isfinite(length) or length < 1e-12:
            raise ModelError(f"axis {axis.tolist()} has no direction", element=element, remedy="Give a non-zero axis")
        numbers = {
            "damping": self.damping, "stiffness": self.stiffness, "armature": self.armature, "friction": self.friction,
        }  # fmt: skip
        for label, value in numbers.items():
            if not (np.isfinite(value) and value >= 0.0):
                raise ModelError(f"{label} is {value}", element=element, remedy=f"Give a finite {label} >= 0")
        if np.isnan([self.lower, self.upper, self.effort, self.speed, self.reference]).any():
            raise ModelError("a limit or the reference is not a number", element=element, remedy="Correct it")
        if self.lower > self.upper:
            raise ModelError(
                f"lower limit {self.lower} exceeds upper limit {self.upper}", element=element, remedy="Swap them"
            )
        object.__setattr__(self, "_unit", axis / length)

    @property
    def code(self) -> int:
        """The kernel's number for this kind; planar has none, it is a chain."""
        return _CODE[self.kind]

    @property
    def direction(self) -> Array:
        """Unit vector along the axis, in body axes."""
        return self._unit

    def chain(self) -> tuple[Joint, ...]:
        """The joints the kernels simulate in place of this one, outermost last."""
        if self.kind != "planar":
            return (self,)
        x, y, _ = rotation_to_z(self._unit).T
        rests = self.rest or (0.0, 0.0, 0.0)
        return (
            replace(self, kind="prismatic", axis=x, rest=rests[:1]),
            replace(self, kind="prismatic", axis=y, rest=rests[1:2]),
            replace(self, kind="revolute", rest=rests[2:]),
        )


def common_value(values: Array, label: str, joint: str) -> float:
    """The one value that all directions of a joint share, from the array of a file's model."""
    if np.ptp(values) > 0.0:
        raise UnsupportedError(
            f"{label} differs between its directions, {values.tolist()}",
            element=f"joint '{joint}'",
            remedy="Give the joint one value, or describe it as a chain of one-degree joints",
        )
    return float(values[0])
