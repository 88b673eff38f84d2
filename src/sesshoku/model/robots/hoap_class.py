"""A small humanoid of the class of HOAP, in round numbers and boxes."""

from __future__ import annotations

from math import cos
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sesshoku.model.joint import Joint
from sesshoku.model.scene import Scene
from sesshoku.model.shape import Box, Sphere

__all__ = ["hoap_class"]

Vector = tuple[float, float, float]

SIDES = ("left", "right")
HIP = 0.04  # half the distance between the hips [m]
THIGH = SHANK = 0.10  # hip to knee, knee to ankle [m]
ANKLE = 0.04  # ankle to sole [m]
SOLE = (0.01, 0.0, -ANKLE)  # centre of the sole from the ankle [m]: 40 mm behind it, 60 mm before it
HAND = (0.0, 0.0, -0.10)  # palm from the elbow [m]
EFFORT = 9.0  # N m
ARMATURE = 0.002  # kg m², rotor seen through the gear: half of what shank and foot have about the knee
DAMPING = 0.05  # N m s/rad


class Part(NamedTuple):
    """One joint of a left limb and the box it moves; the right one is its mirror image in y."""

    body: str
    joint: str
    axis: Literal["x", "y", "z"]
    position: Vector  # of the joint in the parent body [m]
    limits: tuple[float, float]  # [rad]
    mass: float  # [kg]
    size: Vector  # of the box [m]
    centre: Vector  # of the box, from the joint [m]


# Positive is outwards for yaw and roll of a left limb, and backwards for the lower end of a pitching body.
# Boxes of bodies that are not neighbours stay clear of each other in both postures.
# fmt: off
LEG = (
    Part("hip", "hip_yaw", "z", (0, HIP, 0), (-0.6, 1.2),
         mass=0.12, size=(0.05, 0.05, 0.02), centre=(0, 0, 0.04)),
    Part("hip_cross", "hip_roll", "x", (0, 0, 0), (-0.4, 1.0),
         mass=0.18, size=(0.04, 0.04, 0.04), centre=(0, 0, 0)),
    Part("thigh", "hip_pitch", "y", (0, 0, 0), (-1.6, 1.2),
         mass=0.44, size=(0.05, 0.05, 0.08), centre=(0, 0, -0.06)),
    Part("shank", "knee", "y", (0, 0, -THIGH), (-0.05, 2.2),
         mass=0.24, size=(0.04, 0.04, 0.09), centre=(0, 0, -0.045)),
    Part("ankle", "ankle_pitch", "y", (0, 0, -SHANK), (-1.1, 1.1),
         mass=0.12, size=(0.03, 0.03, 0.03), centre=(0, 0, -0.005)),
    Part("foot", "ankle_roll", "x", (0, 0, 0), (-0.6, 0.6),
         mass=0.15, size=(0.10, 0.06, 0.02), centre=(0.01, 0, 0.01 - ANKLE)),
)
ARM = (
    Part("shoulder", "shoulder_pitch", "y", (0, 0.1, 0.15), (-3.0, 1.5),
         mass=0.12, size=(0.04, 0.05, 0.04), centre=(0, -0.005, 0)),
    Part("shoulder_cross", "shoulder_roll", "x", (0, 0, 0), (-0.1, 1.6),
         mass=0.12, size=(0.04, 0.04, 0.03), centre=(0, 0, -0.035)),
    Part("upper_arm", "arm_yaw", "z", (0, 0, -0.05), (-1.6, 1.6),
         mass=0.20, size=(0.04, 0.04, 0.05), centre=(0, 0, -0.025)),
    Part("forearm", "elbow", "y", (0, 0, -0.05), (-2.2, 0.05),
         mass=0.16, size=(0.03, 0.03, 0.10), centre=(0, 0, -0.05)),
)
# fmt: on
CROUCH = {  # rad, of the left limbs; thigh and shank lean alike, so the hips stay over the ankles
    "hip_pitch": -0.4,
    "knee": 0.8,
    "ankle_pitch": -0.4,
    "shoulder_pitch": 0.2,
    "shoulder_roll": 0.2,
    "elbow": -0.8,
}


def hoap_class() -> Scene:
    """A small humanoid, 7 kg and 0.5 m, with 20 servo-driven joints: legs 6 + 6, arms 4 + 4.

    z up, x forward, y left. The trunk's origin is midway between the hips. Postures `straight` (also the
    start) and `crouch` stand with both soles on z = 0.
    """
    scene = Scene("hoap_class")
    height = THIGH + SHANK + ANKLE
    pelvis, chest, backpack = Box((0.07, 0.11, 0.04)), Box((0.09, 0.14, 0.09)), Box((0.04, 0.11, 0.10))
    root = Joint("root", "free")
    scene.body("trunk", root, position=(0, 0, height), mass=0.7, shape=pelvis, shape_position=(0, 0, 0.07))
    scene.body("chest", parent="trunk", position=(0.02, 0, 0.135), mass=1.8, shape=chest)
    scene.body("backpack", parent="trunk", position=(-0.045, 0, 0.13), mass=0.5, shape=backpack)
    scene.body("head", parent="trunk", position=(0.02, 0, 0.22), mass=0.3, shape=Sphere(0.04))
    for side in SIDES:
        _limb(scene, side, LEG)
        scene.site(f"{side}_sole", f"{side}_foot", SOLE)
    for side in SIDES:
        _limb(scene, side, ARM)
        scene.site(f"{side}_hand", f"{side}_forearm", HAND)
    # Stiff against the 17 N m/rad of the weight above the ankles; near critical damping of a swinging limb.
    scene.servo(200.0, 4.0, [f"{side}_{part.joint}" for side in SIDES for part in LEG])
    scene.servo(50.0, 1.0, [f"{side}_{part.joint}" for side in SIDES for part in ARM])
    scene.posture("straight", scene.model.q0)
    scene.posture("crouch", _crouch(scene))
    return scene


def _limb(scene: Scene, side: str, parts: tuple[Part, ...]) -> None:
    """Hang a leg or an arm on the trunk."""
    mirror = np.array([1.0, 1.0 if side == "left" else -1.0, 1.0])
    before, parent = "trunk", "trunk"
    for part in parts:
        lower, upper = sorted(_sign(side, part) * limit for limit in part.limits)
        joint = Joint(
            f"{side}_{part.joint}",
            "revolute",
            part.axis,
            lower=lower,
            upper=upper,
            damping=DAMPING,
            armature=ARMATURE,
            effort=EFFORT,
        )
        body = scene.body(
            f"{side}_{part.body}",
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


def _sign(side: str, part: Part) -> float:
    """Of an angle given for the left limb: mirrored in y, roll and yaw turn the other way."""
    return -1.0 if side == "right" and part.axis != "y" else 1.0


def _crouch(scene: Scene) -> NDArray[np.float64]:
    """Bend the knees, the hips over the ankles and both soles on z = 0: a configuration, shape (nq,)."""
    q = scene.model.q0.copy()
    q[2] = (THIGH + SHANK) * cos(CROUCH["hip_pitch"]) + ANKLE
    for side in SIDES:
        for part in LEG + ARM:
            q[scene.joint(f"{side}_{part.joint}").q] = _sign(side, part) * CROUCH.get(part.joint, 0.0)
    return q
