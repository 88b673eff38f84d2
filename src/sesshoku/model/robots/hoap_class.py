"""A small humanoid of the class of HOAP, in round numbers and boxes."""

from __future__ import annotations

from math import cos

from sesshoku.model.joint import Joint
from sesshoku.model.robots.limb import SIDES, Part, bend, hang, joint_names
from sesshoku.model.scene import Scene
from sesshoku.model.shape import Box, Sphere

__all__ = ["hoap_class"]

HIP = 0.04  # half the distance between the hips [m]
THIGH = SHANK = 0.10  # hip to knee, knee to ankle [m]
ANKLE = 0.04  # ankle to sole [m]
SOLE = (0.01, 0.0, -ANKLE)  # centre of the sole from the ankle [m]: 40 mm behind it, 60 mm before it
HAND = (0.0, 0.0, -0.10)  # palm from the elbow [m]
# N m s/rad, kg m², N m; the rotor is half of what shank and foot have about the knee
DRIVE = {"damping": 0.05, "armature": 0.002, "effort": 9.0}

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
    pelvis, chest, backpack = Box((0.07, 0.11, 0.04)), Box((0.09, 0.14, 0.09)), Box((0.04, 0.11, 0.10))
    height, root = THIGH + SHANK + ANKLE, Joint("root", "free")
    scene.body("trunk", root, position=(0, 0, height), mass=0.7, shape=pelvis, shape_position=(0, 0, 0.07))
    scene.body("chest", parent="trunk", position=(0.02, 0, 0.135), mass=1.8, shape=chest)
    scene.body("backpack", parent="trunk", position=(-0.045, 0, 0.13), mass=0.5, shape=backpack)
    scene.body("head", parent="trunk", position=(0.02, 0, 0.22), mass=0.3, shape=Sphere(0.04))
    for side in SIDES:
        hang(scene, side, LEG, "trunk", **DRIVE)
        scene.site(f"{side}_sole", f"{side}_foot", SOLE)
    for side in SIDES:
        hang(scene, side, ARM, "trunk", **DRIVE)
        scene.site(f"{side}_hand", f"{side}_forearm", HAND)
    # Stiff against the 17 N m/rad of the weight above the ankles; near critical damping of a swinging limb.
    scene.servo(200.0, 4.0, [name for side in SIDES for name in joint_names(side, LEG)])
    scene.servo(50.0, 1.0, [name for side in SIDES for name in joint_names(side, ARM)])
    scene.posture("straight", scene.model.q0)
    lowered = (THIGH + SHANK) * cos(CROUCH["hip_pitch"]) + ANKLE
    scene.posture("crouch", bend(scene, CROUCH, LEG + ARM, lowered))
    return scene
