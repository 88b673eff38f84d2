"""Directions of friction as paper 1 has them: one against the slip, or two with their opposites, turned at random."""

from __future__ import annotations

from math import cos, pi, sin
from typing import Final

import numpy as np

from sesshoku.constraint.problem import Handle
from sesshoku.contact.axes import Axes
from sesshoku.contact.coulomb import SLIP, STICK
from sesshoku.contact.points import KINETIC, STATIC, coefficient, slip_before
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.polyhedral.select import tangents
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import add, cross, norm, scale

__all__ = ["friction_axes", "random_angle"]

SLIPPING: Final = 1e-3  # tangential speed from which on a contact slips [m/s]
GOLDEN: Final = np.uint64(0x9E3779B97F4A7C15)


@kernel
def scramble(x: np.uint64) -> np.uint64:
    """Each bit of the result depends on all of x: the finaliser of SplitMix64."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel
def random_angle(seed: int, step: int, contact: int) -> float:
    """An angle in [0, π/2) by nothing but these numbers: so a state that is restored goes on with the same ones."""
    x = scramble(np.uint64(seed) + GOLDEN)
    x = scramble((x ^ np.uint64(step)) + GOLDEN)
    x = scramble((x ^ np.uint64(contact)) + GOLDEN)
    return 0.5 * pi * float(x >> np.uint64(11)) / 9007199254740992.0  # 2⁵³


@kernel
def friction_axes(s: SystemHandle, g: SpaceHandle, p: Handle, k: int, seed: int, step: int, fixed: bool) -> Axes:
    """Normal of contact k and two directions of friction; fills mode and friction by how it moves as the step begins.

    One that slips has the first direction only, against the slip.
    """
    n, slip = load3(p.normal, k), slip_before(s, g, p, k)
    speed = norm(slip)
    if speed > SLIPPING:
        p.mode[k], p.friction[k] = SLIP, coefficient(g, p, k, KINETIC)
        t = scale(-1.0 / speed, slip)
        return n, t, cross(n, t)
    p.mode[k], p.friction[k] = STICK, coefficient(g, p, k, STATIC)
    t, across = tangents(n)
    if not fixed:
        angle = random_angle(seed, step, p.source[k])
        t = add(scale(cos(angle), t), scale(sin(angle), across))
    return n, t, cross(n, t)
