"""Thin rods on hinges: textbook systems with closed forms, and the arm of the Newton–Euler paper."""

from __future__ import annotations

from math import pi

from sesshoku.model.actuator import Actuator
from sesshoku.model.inertia import Inertia
from sesshoku.model.joint import Joint
from sesshoku.model.scene import Scene
from sesshoku.model.shape import Box, Capsule

__all__ = ["cart", "double_pendulum", "pendulum", "three_link"]

THICKNESS = 0.02  # radius of the rods' shape [m]; their inertia is that of a thin rod


def pendulum() -> Scene:
    """A thin rod on a hinge, 1 kg, 1 m, starting 1 rad from hanging down."""
    scene = Scene("pendulum")
    _rod(scene, "rod", Joint("hinge", "revolute", "y", reference=1.0), None, (0.0, 0.0, 1.5), 1.0, -1.0)
    return scene


def double_pendulum() -> Scene:
    """Two thin rods in a chain, 1 kg and 0.5 m each, starting level: chaotic."""
    scene = Scene("double_pendulum")
    upper = Joint("shoulder", "revolute", "y", reference=pi / 2)
    lower = Joint("elbow", "revolute", "y")
    _rod(scene, "upper", upper, None, (0.0, 0.0, 1.5), 1.0, -0.5)
    _rod(scene, "lower", lower, "upper", (0.0, 0.0, -0.5), 1.0, -0.5)
    return scene


def three_link(*, mass: float = 1.0, damping: float = 3.0) -> Scene:
    """A planar arm of three thin rods, 1 kg and 0.5 m each, its tip on the ground: the Newton–Euler paper's.

    It moves in the vertical y–z plane; each angle is from straight on (the first: straight up), about x.
    ``mass`` [kg] is of each rod, ``damping`` [N m s/rad] of each joint. It starts as an arch of 1 m along y.
    """
    scene = Scene("three_link")
    parent, position = None, (0.0, 0.0, 0.0)
    for number, angle in enumerate((-pi / 6, -pi / 3, -pi / 3), start=1):
        joint = Joint(f"joint{number}", "revolute", "x", reference=angle, damping=damping)
        _rod(scene, f"rod{number}", joint, parent, position, mass, 0.5)
        scene.actuator(Actuator.torque(joint.name))
        parent, position = f"rod{number}", (0.0, 0.0, 0.5)
    scene.site("tip", parent, position)
    return scene


def cart() -> Scene:
    """A cart on a rail with a pole balanced on it: 1 kg, pole 0.1 kg and 1 m, pushed by at most 10 N."""
    scene = Scene("cart")
    slide = Joint("slide", "prismatic", "x", lower=-2.4, upper=2.4)
    scene.body("cart", slide, position=(0.0, 0.0, 0.2), mass=1.0, shape=Box((0.3, 0.2, 0.1)))
    _rod(scene, "pole", Joint("hinge", "revolute", "y", reference=0.1), "cart", (0.0, 0.0, 0.05), 0.1, 1.0)
    scene.actuator(Actuator.torque("slide", limit=10.0))
    return scene


def _rod(
    scene: Scene,
    name: str,
    joint: Joint,
    parent: str | None,
    position: tuple[float, float, float],
    mass: float,
    tip: float,
) -> None:
    """Hang a thin rod, from its hinge to ``tip`` on its own z [m], turned to the joint's reference."""
    scene.body(
        name,
        joint,
        parent=parent,
        position=position,
        rpy=joint.direction * joint.reference,
        inertia=Inertia.rod(mass, (0.0, 0.0, tip)),
        shape=Capsule(THICKNESS, abs(tip)),
        shape_position=(0.0, 0.0, tip / 2),
    )
