"""Shapes a body can have, with the inertia of a uniform solid."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sesshoku.model.inertia import Inertia

__all__ = ["Box", "Capsule", "Cylinder", "Shape", "Sphere"]


@dataclass(frozen=True)
class Box:
    """A box centred on its frame; ``size`` is the full length of its edges [m]."""

    size: tuple[float, float, float]

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        x, y, z = (length * length for length in self.size)
        return Inertia.of(mass, matrix=np.array([y + z, x + z, x + y]) * mass / 12)


@dataclass(frozen=True)
class Sphere:
    """A sphere centred on its frame, radius [m]."""

    radius: float

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        return Inertia.of(mass, matrix=np.full(3, 0.4 * mass * self.radius**2))


@dataclass(frozen=True)
class Cylinder:
    """A cylinder about local z, centred on its frame: radius and full length [m]."""

    radius: float
    length: float

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        across = mass * (3 * self.radius**2 + self.length**2) / 12
        return Inertia.of(mass, matrix=(across, across, mass * self.radius**2 / 2))


@dataclass(frozen=True)
class Capsule:
    """A cylinder about local z with hemispheres on both ends: radius, and length between their centres [m]."""

    radius: float
    length: float

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        r, h = self.radius, self.length
        middle = mass * h / (h + 4 * r / 3)  # the cylinder's share of the volume
        caps = mass - middle
        along = middle * r**2 / 2 + caps * 0.4 * r**2
        across = middle * (3 * r**2 + h**2) / 12 + caps * (0.4 * r**2 + h**2 / 4 + 3 * h * r / 8)
        return Inertia.of(mass, matrix=(across, across, along))


Shape = Box | Sphere | Cylinder | Capsule
