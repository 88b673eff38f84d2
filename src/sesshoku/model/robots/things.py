"""Single free bodies, lying on z = 0."""

from __future__ import annotations

from sesshoku.model.joint import Joint
from sesshoku.model.scene import Scene
from sesshoku.model.shape import Box, Sphere

__all__ = ["box", "sphere"]


def box() -> Scene:
    """A free box, 1 kg, 0.2 m wide and 0.1 m high."""
    scene = Scene("box")
    scene.body("box", Joint("root", "free"), position=(0.0, 0.0, 0.05), mass=1.0, shape=Box((0.2, 0.2, 0.1)))
    return scene


def sphere() -> Scene:
    """A free sphere, 1 kg, radius 0.1 m."""
    scene = Scene("sphere")
    scene.body("sphere", Joint("root", "free"), position=(0.0, 0.0, 0.1), mass=1.0, shape=Sphere(0.1))
    return scene
