"""Scenes in which every contact law has to do: a heap, and a leg whose joints have friction and limits."""

from __future__ import annotations

import numpy as np

import sesshoku as sk
from sesshoku.contact import Law
from sesshoku.sim import Simulation

DT = 1e-3


def heap(law: Law, boxes: int = 3, seed: int = 3) -> Simulation:
    """Boxes and an arm with limits and joint friction fall on the ground and on each other."""
    rng = np.random.default_rng(seed)
    scene = sk.Scene("heap")
    scene.ground(static=0.6, kinetic=0.4, restitution=0.2)
    for k in range(boxes):
        place, box = (*rng.uniform(-0.05, 0.05, 2), 0.15 + 0.2 * k), sk.Box((0.2, 0.15, 0.1))
        turn = rng.uniform(-1.0, 1.0, 3)
        scene.body(f"box{k}", sk.Joint(f"root{k}", "free"), position=place, rpy=turn, mass=1.0 + k, shape=box)
    joint = sk.Joint("hinge", "revolute", "y", lower=-0.3, upper=0.8, friction=0.2)
    beam = sk.Box((0.6, 0.1, 0.05))
    scene.body("beam", joint, position=(-0.6, 0.0, 0.5), mass=1.0, shape=beam, shape_position=(0.3, 0.0, 0.0))
    return Simulation(scene, law=law, dt=DT)


def leg(friction: float, law: Law) -> Simulation:
    """A ball foot on two joints, under a trunk of 5 kg on a rail: the foot presses, both joints carry a load."""
    scene = sk.Scene("leg")
    scene.ground(static=0.8)
    scene.body("trunk", sk.Joint("rail", "prismatic", "z"), position=(0, 0, 0.6), inertia=sk.Inertia.of(5.0))
    limb = sk.Inertia.of(1.0, (0.0, 0.0, -0.15), (0.01, 0.01, 0.01))
    hip = sk.Joint("hip", "revolute", "y", friction=friction, lower=-1.0, upper=1.0)
    scene.body("thigh", hip, parent="trunk", inertia=limb)
    knee = sk.Joint("knee", "revolute", "y", friction=friction, lower=0.0, upper=1.2)
    ball = {"shape": sk.Sphere(0.02), "shape_position": (0.0, 0.0, -0.3)}
    scene.body("shank", knee, parent="thigh", position=(0, 0, -0.3), inertia=limb, **ball)
    scene.posture("bent", [-0.6 + 0.3 * (np.cos(0.3) + np.cos(0.4)) + 0.02, -0.3, 0.7])
    return Simulation(scene, law=law, dt=DT, posture="bent")
