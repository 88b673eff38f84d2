"""The humanoid of paper 1, 30 joints and 6 of its bushes, on as many points as wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.model import Box, Collider, Scene, Sphere
from sesshoku.model.robots import hrp2_class
from sesshoku.spatial.pose import Pose

__all__ = ["FEET", "humanoid"]

RADIUS: Final = 0.005  # [m]
FEET: Final = ("left_foot", "right_foot")


def middles(cells: int) -> NDArray[np.float64]:
    """Of cells side by side, from -½ to ½."""
    return (np.arange(cells) + 0.5) / cells - 0.5


def humanoid(contacts: int) -> Scene:
    """`hrp2_class` with bushes on so many spheres, an even number, spread over its soles."""
    scene = hrp2_class(bush=True)
    scene.ground(static=0.8)
    half = contacts // 2
    columns = int(half**0.5)
    rows = -(-half // columns)
    for foot in FEET:
        sole = scene.bodies[foot].colliders[0]
        assert isinstance(sole.shape, Box)
        length, width, height = np.array(sole.shape.size) - 2 * RADIUS
        grid = [(x * length, y * width) for x in middles(rows) for y in middles(columns)]
        spheres = [Collider(Sphere(RADIUS), sole.pose @ Pose.at((x, y, -0.5 * height))) for x, y in grid[:half]]
        scene.bodies[foot] = replace(scene.bodies[foot], colliders=tuple(spheres))
    return scene
