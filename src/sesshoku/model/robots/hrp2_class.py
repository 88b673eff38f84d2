"""A humanoid of the class of HRP-2, in round numbers and boxes, its feet on rubber bushes if wanted."""

from __future__ import annotations

from math import cos

from sesshoku.model.joint import Joint
from sesshoku.model.robots.limb import SIDES, Part, bend, hang, joint_names
from sesshoku.model.scene import Scene
from sesshoku.model.shape import Box

__all__ = ["hrp2_class"]

HIP, STEP = 0.06, 0.035  # half the distance between the hips, and how far the shanks stand outside of the thighs [m]
THIGH = SHANK = 0.30  # hip to knee, knee to ankle [m]
ANKLE = 0.105  # ankle to sole [m]
PLATE = 0.02  # thickness of the foot plate [m]; the bush is at its top, under the ankle
SOLE = (0.015, 0.0, -PLATE)  # centre of the sole from there [m]: 105 mm behind the ankle, 135 mm before it
HAND = (0.0, 0.0, -0.09)  # palm from the wrist [m]
# N m s/rad, kg m², N m; with the servos below kd dt/I stays below 1 at 1 ms
LEG_DRIVE = {"damping": 1.0, "armature": 0.35, "effort": 300.0}
BODY_DRIVE = {"damping": 1.0, "armature": 0.2, "effort": 100.0}

# Positive is outwards for yaw and roll of a left limb, and backwards for the lower end of a pitching body.
# Boxes of bodies that are not neighbours stay clear of each other in both postures.
# fmt: off
LEG = (
    Part("hip", "hip_yaw", "z", (0, HIP, 0), (-0.5, 0.8),
         mass=0.8, size=(0.10, 0.08, 0.04), centre=(0, 0, 0.065)),
    Part("hip_cross", "hip_roll", "x", (0, 0, 0), (-0.35, 0.6),
         mass=1.2, size=(0.08, 0.08, 0.08), centre=(0, 0, 0)),
    Part("thigh", "hip_pitch", "y", (0, 0, 0), (-2.0, 0.7),
         mass=3.6, size=(0.12, 0.10, 0.22), centre=(0, 0.02, -0.17)),
    Part("shank", "knee", "y", (0, STEP, -THIGH), (-0.05, 2.6),
         mass=2.0, size=(0.10, 0.09, 0.22), centre=(0, 0, -0.14)),
    Part("ankle_cross", "ankle_pitch", "y", (0, 0, -SHANK), (-1.3, 0.7),
         mass=0.8, size=(0.06, 0.06, 0.06), centre=(0, 0, 0)),
    Part("ankle", "ankle_roll", "x", (0, 0, 0), (-0.6, 0.6),
         mass=0.95, size=(0.14, 0.10, 0.03), centre=(0, 0, -0.06)),
)
CHEST = (
    Part("waist", "chest_yaw", "z", (0, 0, 0.25), (-0.8, 0.8),
         mass=1.0, size=(0.10, 0.10, 0.04), centre=(0, 0, 0)),
    Part("chest", "chest_pitch", "y", (0, 0, 0), (-0.1, 1.0),
         mass=18.0, size=(0.22, 0.28, 0.30), centre=(0, 0, 0.20)),
)
HEAD = (
    Part("neck", "head_yaw", "z", (0, 0, 0.40), (-0.8, 0.8),
         mass=0.5, size=(0.06, 0.06, 0.04), centre=(0, 0, 0)),
    Part("head", "head_pitch", "y", (0, 0, 0), (-0.5, 0.8),
         mass=1.5, size=(0.16, 0.14, 0.16), centre=(0.02, 0, 0.105)),
)
ARM = (
    Part("shoulder", "shoulder_pitch", "y", (0, 0.20, 0.28), (-3.0, 1.0),
         mass=0.8, size=(0.10, 0.08, 0.10), centre=(0, 0, 0)),
    Part("shoulder_cross", "shoulder_roll", "x", (0, 0, 0), (-0.2, 1.6),
         mass=0.7, size=(0.08, 0.08, 0.03), centre=(0, 0, -0.075)),
    Part("upper_arm", "arm_yaw", "z", (0, 0, -0.10), (-1.6, 1.6),
         mass=1.0, size=(0.08, 0.08, 0.12), centre=(0, 0, -0.06)),
    Part("forearm", "elbow", "y", (0, 0, -0.15), (-2.3, 0.05),
         mass=0.9, size=(0.07, 0.07, 0.10), centre=(0, 0, -0.07)),
    Part("wrist", "wrist_yaw", "z", (0, 0, -0.14), (-1.6, 1.6),
         mass=0.4, size=(0.06, 0.06, 0.08), centre=(0, 0, -0.04)),
    Part("palm", "wrist_pitch", "y", (0, 0, -0.11), (-1.6, 1.6),
         mass=0.5, size=(0.04, 0.08, 0.06), centre=(0, 0, -0.05)),
    Part("fingers", "hand", "y", (0, 0, -0.09), (-0.5, 1.5),
         mass=0.2, size=(0.02, 0.08, 0.06), centre=(0, 0, -0.04)),
)
# fmt: on
CROUCH = {  # rad, of the left limbs; thigh and shank lean alike, so the hips stay over the ankles
    "hip_pitch": -0.45,
    "knee": 0.9,
    "ankle_pitch": -0.45,
    "shoulder_pitch": 0.2,
    "shoulder_roll": 0.2,
    "elbow": -0.5,
}


def hrp2_class(*, bush: bool = False) -> Scene:
    """A humanoid, 58 kg and 1.54 m, with 30 servo-driven joints: legs 6 + 6, chest 2, head 2, arms 7 + 7.

    z up, x forward, y left. The pelvis' origin is midway between the hips. Postures `straight` (also the
    start) and `crouch` stand with both soles on z = 0. ``bush`` puts both feet on rubber: see `Bush`.
    """
    scene = Scene("hrp2_class")
    height, root = THIGH + SHANK + ANKLE, Joint("root", "free")
    pelvis, plate = Box((0.20, 0.24, 0.10)), Box((0.24, 0.14, PLATE))
    scene.body("pelvis", root, position=(0, 0, height), mass=8.0, shape=pelvis, shape_position=(0, 0, 0.14))
    for side in SIDES:
        hang(scene, side, LEG, "pelvis", **LEG_DRIVE)
        place, middle = (0, 0, PLATE - ANKLE), (SOLE[0], 0, -PLATE / 2)
        foot = scene.body(
            f"{side}_foot", parent=f"{side}_ankle", position=place, mass=0.65, shape=plate, shape_position=middle
        )
        scene.disabled_pairs.add(frozenset((f"{side}_ankle_cross", foot.name)))
        scene.site(f"{side}_sole", foot.name, SOLE)
    hang(scene, None, CHEST, "pelvis", **BODY_DRIVE)
    hang(scene, None, HEAD, "chest", **BODY_DRIVE)
    for side in SIDES:
        hang(scene, side, ARM, "chest", **BODY_DRIVE)
        scene.site(f"{side}_hand", f"{side}_palm", HAND)
    scene.servo(20000.0, 300.0, [name for side in SIDES for name in joint_names(side, LEG)])
    scene.servo(5000.0, 75.0, joint_names(None, CHEST + HEAD))
    scene.servo(5000.0, 75.0, [name for side in SIDES for name in joint_names(side, ARM)])
    scene.posture("straight", scene.model.q0)
    lowered = (THIGH + SHANK) * cos(CROUCH["hip_pitch"]) + ANKLE
    scene.posture("crouch", bend(scene, CROUCH, LEG + ARM, lowered))
    if bush:
        for side in SIDES:
            scene.bush(f"{side}_foot")
    return scene
