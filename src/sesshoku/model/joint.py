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
        reference: coordinate of a one-degree joint at which the body lies at its pose in the parent.
        damping: viscous force per velocity.
        stiffness: force per displacement from ``rest``.
        rest: coordinate at which the spring is relaxed; None means the reference.
        armature: rotor inertia seen from the joint side, added to the diagonal of the inertia matrix.
        friction: largest dry friction force.
        effort, speed: largest drive force and velocity the file states; kept for controllers.
        explicit: hold the force that spring and damper have at the start of a step over the whole step. It limits
            the step (see `least_inertia`); otherwise ``semi_implicit`` takes them at the end of the step.
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
    rest: float | tuple[float, ...] | None = None
    armature: float = 0.0
    friction: float = 0.0
    effort: float = inf
    speed: float = inf
    explicit: bool = False
    _unit: Array = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        kinds = get_args(JointKind)
        self._require(self.kind in kinds, f"unknown kind {self.kind!r}", f"Use one of {', '.join(kinds)}")
        known = not isinstance(self.axis, str) or self.axis in _AXES
        self._require(known, f"unknown axis {self.axis!r}", "Give x, y, z or three numbers")
        axis = np.array(_AXES[self.axis] if isinstance(self.axis, str) else self.axis, dtype=float)
        direct = axis.shape == (3,) and bool(np.isfinite(axis).all()) and float(np.linalg.norm(axis)) >= 1e-12
        self._require(direct, f"axis {axis.tolist()} has no direction", "Give three finite numbers, not all zero")
        place = np.array(self.position, dtype=float)
        placed = place.shape == (3,) and bool(np.isfinite(place).all())
        self._require(placed, f"position is {place.tolist()}", "Give three finite numbers")
        for label in ("damping", "stiffness", "armature", "friction"):
            value = getattr(self, label)
            self._require(bool(np.isfinite(value)) and value >= 0, f"{label} is {value}", f"Give a finite {label} >= 0")
        limits = (self.lower, self.upper, self.effort, self.speed)
        self._require(not np.isnan(limits).any(), "a limit is not a number", "Correct it")
        self._require(
            self.lower <= self.upper, f"lower limit {self.lower} exceeds upper limit {self.upper}", "Swap them"
        )
        self._require(bool(np.isfinite(self.reference)), f"reference is {self.reference}", "Give a finite number")
        one_degree = self.kind in ("revolute", "continuous", "prismatic")
        plain = one_degree or self.reference == 0.0
        self._require(plain, f"a {self.kind} joint takes no reference", "Put it into the pose of the body")
        if self.rest is not None:
            count = {"free": 7, "ball": 4, "planar": 3}.get(self.kind, 1)
            rest = np.array(self.rest, dtype=float).reshape(-1)
            fits = len(rest) == count and bool(np.isfinite(rest).all())
            self._require(fits, f"rest is {rest.tolist()}", f"Give {count} finite numbers, one for each coordinate")
            object.__setattr__(self, "rest", tuple(rest.tolist()))
        object.__setattr__(self, "_unit", axis / np.linalg.norm(axis))

    def _require(self, holds: bool, problem: str, remedy: str) -> None:
        if not holds:
            raise ModelError(problem, element=f"joint '{self.name}'", remedy=remedy)

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
        rests = self.rest if isinstance(self.rest, tuple) else (0.0, 0.0, 0.0)
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
