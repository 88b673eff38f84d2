"""The scenes of the contact benchmark: robots that stand on their servos, a box on a slope, a grasp."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from sesshoku.bench.engine import Case
from sesshoku.bench.peers import robot_file
from sesshoku.dynamics import entry
from sesshoku.dynamics.system import System
from sesshoku.geometry.detect import detect
from sesshoku.geometry.kind import PLANE
from sesshoku.geometry.space import Space
from sesshoku.model import Actuator, Box, Capsule, Collider, Joint, Scene, Sphere, load
from sesshoku.spatial.pose import Pose

__all__ = ["cases"]

G1 = "g1_description/urdf/g1_29dof_rev_1_0.urdf"
GO2 = "go2_description/urdf/go2.urdf"


def cases() -> dict[str, Callable[[], Case]]:
    """The scenes by name."""
    robots = {
        f"g1_{points}_{how}": lambda points=points, how=how: g1(points, how == "pushed")
        for how in ("still", "pushed")
        for points in (8, 16, 32)
    }
    return {**robots, "go2": go2, "box_on_slope": slope, "grasp": grasp}


def g1(points: int, pushed: bool) -> Case:
    """G1 on servos, on spheres under its feet and nothing else."""
    scene = load(robot_file(G1), floating=True)
    for name, body in list(scene.bodies.items()):
        scene.bodies[name] = replace(body, colliders=())
    feet = ("left_ankle_roll_link", "right_ankle_roll_link")
    for foot in feet:
        places = [(x, y, -0.03) for x in np.linspace(-0.05, 0.12, points // 4) for y in (-0.025, 0.025)]
        spheres = tuple(Collider(Sphere(0.005), Pose.at(place)) for place in places)
        scene.bodies[foot] = replace(scene.bodies[foot], colliders=spheres)
    scene.servo(500.0, 20.0)
    _stand(scene, {})
    return Case(scene, 0.8, feet, "pelvis" if pushed else None)


def go2() -> Case:
    """Go2 on servos, with the shapes of its file."""
    scene = load(robot_file(GO2), floating=True)
    scene.servo(100.0, 4.0)
    bend = {"hip": 0.0, "thigh": 0.8, "calf": -1.6}
    _stand(scene, bend)
    feet = tuple(f"{leg}_calf" for leg in ("FL", "FR", "RL", "RR"))
    return Case(scene, 0.8, feet)


def _stand(scene: Scene, bend: dict[str, float]) -> None:
    """Put a robot on the ground, its joints bent by parts of their names, as its posture 'stand'."""
    scene.ground(static=0.8)
    model = scene.model
    system, space = System(model), Space(model)
    for joint in model.joints:
        for part, angle in bend.items():
            if f"_{part}_" in joint.name:
                system.q[joint.q] = angle
    entry.run_kinematics(system.address)
    detect(system.address, space.address)
    system.q[2] -= space.lower[space.kind != PLANE, 2].min() + space.margin.max()
    scene.posture("stand", system.q)


def slope() -> Case:
    """A box of 1 kg at rest on a slope of 20 degrees with friction 0.7."""
    return Case(load("box_on_slope"), 0.7, ("box",))


def grasp() -> Case:
    """A capsule of 45 g between two pads that press with 12 N, friction 0.7."""
    scene = Scene("grasp")
    scene.body("object", Joint("object", "free"), mass=0.045, shape=Capsule(0.02, 0.05))
    for name, side in (("left", -1.0), ("right", 1.0)):
        slide = Joint(name, "prismatic", axis=(-side, 0.0, 0.0))
        scene.body(name, slide, position=(0.03 * side, 0.0, 0.0), mass=0.1, shape=Box((0.02, 0.04, 0.04)))
        scene.actuator(Actuator(name, name, offset=12.0))
        scene.material("object", name, static=0.7)
    return Case(scene, 0.7, ("object",))
