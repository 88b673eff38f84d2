"""The arm of paper 2, three thin rods in the y z plane whose tip slides on the ground, and its seven cases.

The paper gives neither the inertia of its links, nor gravity, nor how long it ran, nor what angles are measured from.
Thin rods, 9.81 m/s², 10 s from rest and the vertical are our reading: the normal force is positive in all cases.
With angles from the horizontal (`HANGING`) the tip is on the ground as well, but would have to be pulled.
"""

from __future__ import annotations

from functools import cache
from typing import Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint import NewtonEuler, Surface, SurfaceIntegrator, SurfacePoint, SurfaceRun
from sesshoku.constraint.surface.motion import Torque
from sesshoku.model import Inertia, Joint, Scene

__all__ = [
    "CASES",
    "DURATION",
    "FRICTION",
    "HANGING",
    "LENGTH",
    "Q0",
    "REST",
    "STEP",
    "Case",
    "arm",
    "on_ground",
    "run",
]

Array = NDArray[np.float64]
LENGTH: Final = 0.5  # of a link [m]
FRICTION: Final = 0.2  # K
STEP: Final = 1e-2  # the paper's [s]
DURATION: Final = 10.0  # [s]
Q0: Final = np.array([-np.pi / 6, -np.pi / 3, -np.pi / 3])  # the tip is 1 m from the base, on the ground
REST: Final = np.zeros(3)
HANGING: Final = np.array([-np.pi / 6 - np.pi / 2, -np.pi / 3, -np.pi / 3])  # the tip is 1 m below the base


class Case(NamedTuple):
    """Mass of a link [kg], damping of a joint [N m s/rad], and torques of the joints [N m]."""

    mass: float
    damping: float
    torque: Torque


def constant(time: float, q: Array, v: Array) -> Array:
    """−3 N m in all joints."""
    return np.full(3, -3.0)


def swaying(time: float, q: Array, v: Array) -> Array:
    """A sine of 10 s, the same in all joints."""
    return np.full(3, 3.0 * np.sin(2 * np.pi * time / 10))


def turning(time: float, q: Array, v: Array) -> Array:
    """Sines and cosines of 1 s."""
    angle = 2 * np.pi * time
    return 3.0 * np.array([-np.cos(angle), -np.sin(angle), np.cos(angle)])


def none(time: float, q: Array, v: Array) -> Array:
    """The arm is left to itself."""
    return np.zeros(len(v))


CASES: Final = {
    "i": Case(1.0, 3.0, constant),
    "ii": Case(1.0, 3.0, swaying),
    "iii": Case(1.0, 3.0, turning),
    "iv": Case(2.0, 3.0, none),
    "v": Case(0.5, 3.0, none),
    "vi": Case(1.0, 6.0, none),
    "vii": Case(1.0, 1.5, none),
}


def arm(
    mass: float = 1.0,
    damping: float = 3.0,
    links: int = 3,
    *,
    length: float = LENGTH,
    scene: Scene | None = None,
    prefix: str = "",
    position: tuple[float, float, float] = (0.0, 0.0, 0.0),
) -> Scene:
    """Rods with a site ``tip``, straight up at zero; positive angles turn about x. ``mass`` is that of each."""
    scene, parent = scene or Scene("arm"), None
    for k in range(links):
        name = f"{prefix}link{k + 1}"
        joint = Joint(f"{prefix}q{k + 1}", "revolute", "x", damping=damping)
        place = (0.0, 0.0, length) if k else position
        scene.body(name, joint, parent=parent, position=place, inertia=Inertia.rod(mass, (0.0, 0.0, length)))
        parent = name
    assert parent is not None
    scene.site(f"{prefix}tip", parent, (0.0, 0.0, length))
    return scene


def on_ground(
    mass: float = 1.0,
    damping: float = 3.0,
    friction: float = FRICTION,
    *,
    slip_speed: float = 0.0,
    unilateral: bool = False,
    height: float = 0.0,
) -> NewtonEuler:
    """The arm with its tip on the ground, its base at a height above it [m]."""
    tip = SurfacePoint("tip", Surface.plane(), friction)
    scene = arm(mass, damping, position=(0.0, 0.0, height))
    return NewtonEuler(scene, [tip], slip_speed=slip_speed, unilateral=unilateral)


@cache
def run(
    case: str,
    dt: float = STEP,
    duration: float = DURATION,
    slip_speed: float = 0.0,
    integrator: Literal["semi_implicit", "rk4"] = "semi_implicit",
    projection: bool = True,
    baumgarte: tuple[float, float] = (0.0, 0.0),
) -> SurfaceRun:
    """A case of the paper; each is computed once."""
    mass, damping, torque = CASES[case]
    method = on_ground(mass, damping, slip_speed=slip_speed)
    stepper = SurfaceIntegrator(method, dt, integrator=integrator, projection=projection, baumgarte=baumgarte)
    return stepper.run(Q0, REST, torque, duration)
