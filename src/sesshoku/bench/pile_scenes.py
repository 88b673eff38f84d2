"""Feet under one plate, and piles, mounds and bins of spheres."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.model import Box, Joint, Material, Scene, Sphere

__all__ = ["FRICTION", "WOOD", "full_bin", "mound", "pile", "plate"]

Array = NDArray[np.float64]
FRICTION = 0.5  # of spheres, walls and ground
LAYERS = 4  # of a mound
WOOD = 4e6  # stiffness of a sphere [N/m]: by Hertz, under the weight of another, 3e6 with a modulus of 10 GPa


def plate(feet: int) -> Scene:
    """A plate of 10 kg on so many feet, in rows of four."""
    scene = Scene(f"plate on {feet} feet")
    scene.ground(static=0.8)
    scene.body("plate", Joint("root", "free"), position=(0.0, 0.0, 0.05), mass=10.0, shape=Box((2.0, 0.5, 0.04)))
    for x in np.linspace(-0.95, 0.95, feet // 4):
        for y in (-0.2, -0.07, 0.07, 0.2):
            scene.collider("plate", Sphere(0.02), (x, y, -0.03))
    return scene


def pile(spheres: int, stiffness: float | None = None, seed: int = 0) -> Scene:
    """Three layers of spheres that fall apart in a tray, and roll ever more slowly, nearly all side by side."""
    rough = Material(FRICTION, stiffness=stiffness)
    return heap(f"pile of {spheres}", spheres, rough, seed, room=1.75, height=0.2, disorder=0.01)


def mound(spheres: int, stiffness: float | None = None, seed: int = 0) -> Scene:
    """Four layers of spheres of 0.1 m, each in the hollows of the one below, as cannonballs lie, after a fall of 2 cm.

    A rim holds the lowest, which is four spheres wide: 30 are a pyramid, 10 more make it one sphere longer.
    """
    scene, rng, rough = (
        Scene(f"mound of {spheres}"),
        np.random.default_rng(seed),
        Material(FRICTION, stiffness=stiffness),
    )
    scene.ground(static=FRICTION)
    pitch, sides = 0.102, np.array((LAYERS, LAYERS + (spheres - 30) // 10))
    put_walls(scene, 0.5 * pitch * sides, 0.08, rough)
    number = 0
    for layer in range(LAYERS):
        for place in np.ndindex(*(sides - layer)):
            across = pitch * (np.array(place) - 0.5 * (sides - layer - 1))
            position = np.array((*across, 0.055 + 0.0907 * layer)) + rng.uniform(-5e-4, 5e-4, 3)
            put_sphere(scene, number, tuple(position), rough)
            number += 1
    return scene


def full_bin(spheres: int, stiffness: float | None = None, seed: int = 0) -> Scene:
    """The same between walls that leave no room to fall apart: they jam."""
    rough = Material(FRICTION, stiffness=stiffness)
    return heap(f"bin of {spheres}", spheres, rough, seed, room=1.0, height=1.0, disorder=0.004)


def heap(name: str, spheres: int, rough: Material, seed: int, *, room: float, height: float, disorder: float) -> Scene:
    """Spheres of 0.1 m, slightly out of order, between four walls ``room`` times as wide as they are."""
    scene, rng = Scene(name), np.random.default_rng(seed)
    scene.ground(static=FRICTION)
    side = max(2, round((spheres / 3) ** 0.5))
    put_walls(scene, np.full(2, 0.055 * side * room), height, rough)
    for k in range(spheres):
        layer, rest = divmod(k, side * side)
        across = 0.11 * (np.array(divmod(rest, side)) - 0.5 * (side - 1)) + rng.uniform(-disorder, disorder, 2)
        put_sphere(scene, k, (*across, 0.06 + 0.11 * layer), rough)
    return scene


def put_walls(scene: Scene, half: Array, height: float, material: Material) -> None:
    """Four walls about the origin, at these distances along x and y."""
    x, y = half
    for sign in (-1.0, 1.0):
        along_y, along_x = Box((0.1, 2.0 * y + 0.4, height)), Box((2.0 * x + 0.4, 0.1, height))
        scene.collider(None, along_y, (sign * (x + 0.05), 0.0, 0.5 * height), material=material)
        scene.collider(None, along_x, (0.0, sign * (y + 0.05), 0.5 * height), material=material)


def put_sphere(scene: Scene, number: int, position: tuple[float, ...], material: Material) -> None:
    """A sphere of 0.1 m and 0.1 kg."""
    name = f"sphere{number}"
    scene.body(name, Joint(name, "free"), position=position, mass=0.1, shape=Sphere(0.05), material=material)
