"""Limbs of humanoids: chains of boxes on hinges, the right ones mirror images of the left ones."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sesshoku.model.joint import Joint
from sesshoku.model.scene import Scene
from sesshoku.model.shape import Box

__all__ = ["SIDES", "Part", "bend", "hang", "joint_names"]

Vector = tuple[float, float, float]

SIDES = ("left", "right")


class Part(NamedTuple):
    """One joint of a left limb, or of the middle, and the box it moves; the right one is its mirror image in y."""

    body: str
    joint: str
    axis: Literal["x", "y", "z"]
    position: Vector  # of the joint in the parent body [m]
    limits: tuple[float, float]  # [rad]
    mass: float  # [kg]
    size: Vector  # of the box [m]
    centre: Vector  # of the box, from the joint [m]


def hang(
    scene: Scene,
    side: str | None,
    parts: tuple[Part, ...],
    trunk: str,
    *,
    damping: float,
    armature: float,
    effort: float,
) -> None:
    """Hang a limb on the trunk: of a side, its names prefixed, or in the middle (None).

    Of every joint: damping [N m s/rad], rotor inertia seen through the gear [kg m²], largest torque [N m].
    """
    mirror = np.array([1.0, -1.0 if side == "right" else 1.0, 1.0])
    before = parent = trunk
    for part, name in zip(parts, joint_names(side, parts), strict=True):
        lower, upper = sorted(_sign(side, part) * limit for limit in part.limits)
        joint = Joint(
            name,
            "revolute",
            part.axis,
            lower=lower,
            upper=upper,
            damping=damping,
            armature=armature,
            effort=effort,
        )
        body = scene.body(
            _named(side, part.body),
            joint,
            parent=parent,
            position=mirror * part.position,
            mass=part.mass,
            shape=Box(part.size),
            shape_position=mirror * part.centre,
        )
        # Axes meet in hip, ankle and shoulder, so bodies two joints apart overlap at large angles.
        scene.disabled_pairs.add(frozenset((before, body.name)))
        before, parent = parent, body.name


def joint_names(side: str | None, parts: tuple[Part, ...]) -> list[str]:
    """The joints of a limb, from the trunk outwards."""
    return [_named(side, part.joint) for part in parts]


def bend(scene: Scene, angles: Mapping[str, float], parts: tuple[Part, ...], height: float) -> NDArray[np.float64]:
    """The start with the trunk at a height [m] and the limbs of both sides bent [rad, of the left ones], (nq,)."""
    q = scene.model.q0.copy()
    q[2] = height
    for side in SIDES:
        for part, name in zip(parts, joint_names(side, parts), strict=True):
            q[scene.joint(name).q] = _sign(side, part) * angles.get(part.joint, 0.0)
    return q


def _named(side: str | None, name: str) -> str:
    return name if side is None else f"{side}_{name}"


def _sign(side: str | None, part: Part) -> float:
    """Of an angle given for the left limb: mirrored in y, roll and yaw turn the other way."""
    return -1.0 if side == "right" and part.axis != "y" else 1.0
