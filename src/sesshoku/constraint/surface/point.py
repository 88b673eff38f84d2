"""Points of bodies on surfaces: where they are, how they move relative to the surface, and how it curves there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.surface.surface import Surface
from sesshoku.dynamics import Dynamics
from sesshoku.dynamics.dynamics import frame_pose
from sesshoku.errors import SurfaceError
from sesshoku.kernel import kernel
from sesshoku.spatial.pose import Pose
from sesshoku.spatial.row import store3
from sesshoku.spatial.vector import cross, dot, norm, scale, subtract

__all__ = ["Places", "SurfacePoint", "find_places"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class SurfacePoint:
    """The origin of a body or site, held on a surface.

    Attributes:
        frame: name of the body or site.
        surface: in the frame of the carrier.
        friction: Coulomb's coefficient K.
        carrier: name of the body or site that the surface moves with; None for the world.
    """

    frame: str
    surface: Surface
    friction: float = 0.0
    carrier: str | None = None

    def __post_init__(self) -> None:
        if not (np.isfinite(self.friction) and self.friction >= 0.0):
            raise SurfaceError(
                f"its friction is {self.friction}", element=f"point '{self.frame}'", remedy="Give a finite number >= 0"
            )


@dataclass(frozen=True)
class Places:
    """Points on surfaces at one instant, one row each. Motion is relative to the surface; C is divided by |dC/dr|.

    Attributes:
        position: r in the world [m], (k, 3).
        local: r in the frame of the carrier [m], (k, 3).
        rotation: axes of that frame as columns in the world, (k, 3, 3).
        axes: unit vectors in world axes, (k, 3, 3): the normal ν, a tangent along the slip if there is any, another.
        gap: C, the distance to first order [m], (k,).
        velocity: of the point, along the axes [m/s], (k, 3); the first is dC/dt.
        drift: its rate at zero v̇, along the axes [m/s²], (k, 3); the first, with the surface's curvature, is d²C/dt².
    """

    position: Array
    local: Array
    rotation: Array
    axes: Array
    gap: Array
    velocity: Array
    drift: Array

    @property
    def normal(self) -> Array:
        """ν, (k, 3)."""
        return self.axes[:, 0]

    def slip_direction(self, regularised: float = 0.0) -> Array:
        """t = ṙ_t / √(|ṙ_t|² + v²) for v = ``regularised`` [m/s], along the two tangents, (k, 2); zero at rest."""
        slip = self.velocity[:, 1:]
        speed = np.hypot(np.linalg.norm(slip, axis=1), regularised)[:, None]
        direction: Array = np.divide(slip, speed, out=np.zeros_like(slip), where=speed > 0.0)
        return direction

    def moved(self, before: Places) -> Array:
        """How far points have gone on their surfaces since they were at ``before``, along the axes [m], (k, 3)."""
        moved: Array = np.einsum("kax,kxy,ky->ka", self.axes, self.rotation, self.local - before.local)
        return moved


def find_places(dynamics: Dynamics, points: Sequence[SurfacePoint], q: Array, v: Array) -> Places:
    """Where points are, and how they move, in a configuration with velocities."""
    frames = [dynamics.model.frame(point.frame) for point in points]
    carriers = [dynamics.model.frame(point.carrier or "world") for point in points]
    bodies = np.array([[frame.body for frame in frames], [carrier.body for carrier in carriers]], dtype=np.int64)
    origins = np.array([frame.pose.position for frame in frames])
    position, velocity, drift = dynamics.relative_motion(bodies[0], origins, bodies[1], q, v)
    rotation, axes = np.empty((2, len(points), 3, 3))
    places = Places(position, np.empty_like(position), rotation, axes, np.empty(len(points)), velocity, drift)
    for k, (point, carrier) in enumerate(zip(points, carriers, strict=True)):
        _put_on_surface(places, k, point, frame_pose(dynamics.system, carrier))
    return places


def _put_on_surface(places: Places, k: int, point: SurfacePoint, carrier: Pose) -> None:
    """Fill the rest of row k, and turn its motion from world axes to those of the surface."""
    local = carrier.rotation.T @ (places.position[k] - carrier.position)
    gradient = carrier.rotation @ point.surface.gradient(local)
    size = sqrt(gradient @ gradient)
    if not size > 0.0:
        raise SurfaceError(
            f"its gradient is {gradient.tolist()} at {local.tolist()}",
            element=f"point '{point.frame}'",
            remedy="Give a function C(r) whose gradient does not vanish on the surface",
        )
    velocity, axes = places.velocity[k], places.axes[k]
    along = carrier.rotation.T @ velocity
    curvature = along @ point.surface.hessian(local) @ along / size
    fill_axes(gradient / size, velocity, axes)
    places.local[k], places.rotation[k] = local, carrier.rotation
    places.gap[k] = point.surface.value(local) / size
    places.velocity[k] = axes @ velocity
    places.drift[k] = axes @ places.drift[k]
    places.drift[k, 0] += curvature


@kernel
def fill_axes(normal: Array, velocity: Array, axes: Array) -> None:
    """Fill rows: the normal, the direction of slip, and what completes them; at rest any tangents."""
    nu = (normal[0], normal[1], normal[2])
    speed = (velocity[0], velocity[1], velocity[2])
    slip = subtract(speed, scale(dot(nu, speed), nu))
    if norm(slip) < 1e-9:  # no direction to speak of: across the coordinate axis most across the normal
        x, y, z = abs(nu[0]), abs(nu[1]), abs(nu[2])
        least = (1.0, 0.0, 0.0) if x <= y and x <= z else (0.0, 1.0, 0.0) if y <= z else (0.0, 0.0, 1.0)
        slip = cross(nu, least)
    slip = scale(1.0 / norm(slip), slip)
    # once more: a slip much slower than what was taken off it is not yet quite across the normal
    slip = subtract(slip, scale(dot(nu, slip), nu))
    tangent = scale(1.0 / norm(slip), slip)
    store3(axes, 0, nu)
    store3(axes, 1, tangent)
    store3(axes, 2, cross(nu, tangent))
