"""Scenes that come with the package: those in which contact laws differ."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, pi, sin

from sesshoku.model.joint import Joint
from sesshoku.model.robots import hoap_class, hrp2_class
from sesshoku.model.scene import Scene
from sesshoku.model.shape import Box

__all__ = ["SCENES"]

SLOPE = 20 * pi / 180
CUBE = 0.1  # edge [m]
STOREYS = 10


def sliding_box() -> Scene:
    """A tall box thrown along x at 1 m/s that nearly topples, friction 0.4 at rest and 0.3 in motion."""
    scene = Scene("sliding_box", velocity=(1.0, 0.0, 0.0, 0.0, 0.0, 0.0))
    scene.ground(static=0.4, kinetic=0.3)
    scene.body("box", Joint("box", "free"), position=(0.0, 0.0, 0.15), mass=1.0, shape=Box((0.1, 0.1, 0.3)))
    return scene


def box_on_slope() -> Scene:
    """A box at rest on a slope of 20 degrees, friction 0.7: about half of it is needed."""
    return _slope("box_on_slope", 0.7)


def box_giving_way() -> Scene:
    """The same box with friction 0.34, which is 7 % too little: it slides."""
    return _slope("box_giving_way", 0.34)


def _slope(name: str, friction: float) -> Scene:
    scene = Scene(name)
    turn, place = (0.0, SLOPE, 0.0), (CUBE / 2 * sin(SLOPE), 0.0, CUBE / 2 * cos(SLOPE))
    scene.ground(rpy=turn, static=friction)
    scene.body("box", Joint("box", "free"), position=place, rpy=turn, mass=1.0, shape=Box((CUBE, CUBE, CUBE)))
    return scene


def tower() -> Scene:
    """Ten cubes on each other, 1 kg each, friction 0.8."""
    scene = Scene("tower")
    scene.ground(static=0.8)
    for k in range(STOREYS):
        place = (0.0, 0.0, (k + 0.5) * CUBE)
        scene.body(f"box{k}", Joint(f"box{k}", "free"), position=place, mass=1.0, shape=Box((CUBE, CUBE, CUBE)))
    return scene


def standing_hoap() -> Scene:
    """The small humanoid `hoap_class`, standing on its servos, friction 0.8."""
    return _standing("standing_hoap", hoap_class())


def standing_hrp2() -> Scene:
    """The humanoid `hrp2_class`, standing on its servos, friction 0.8."""
    return _standing("standing_hrp2", hrp2_class())


def _standing(name: str, robot: Scene) -> Scene:
    robot.name = name
    robot.ground(static=0.8)
    return robot


SCENES: dict[str, Callable[[], Scene]] = {
    make.__name__: make for make in (sliding_box, box_on_slope, box_giving_way, tower, standing_hoap, standing_hrp2)
}
