"""Shapes a body can have, with the inertia of a uniform solid, and shapes of the environment."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import ModelError
from sesshoku.given import numbers
from sesshoku.model.inertia import Inertia

__all__ = [
    "Box",
    "Capsule",
    "Cylinder",
    "Ellipsoid",
    "HeightField",
    "Hull",
    "Plane",
    "Shape",
    "Solid",
    "Sphere",
    "Terrain",
]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Box:
    """A box centred on its frame; ``size`` is the full length of its edges [m]."""

    size: tuple[float, float, float]

    def __post_init__(self) -> None:
        numbers(self.size, 3, "the size of a box")

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        x, y, z = (length * length for length in self.size)
        return Inertia.of(mass, matrix=np.array([y + z, x + z, x + y]) * mass / 12)


@dataclass(frozen=True)
class Sphere:
    """A sphere centred on its frame, radius [m]."""

    radius: float

    def __post_init__(self) -> None:
        numbers((self.radius,), 1, "the radius of a sphere")

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        return Inertia.of(mass, matrix=np.full(3, 0.4 * mass * self.radius**2))


@dataclass(frozen=True)
class Cylinder:
    """A cylinder about local z, centred on its frame: radius and full length [m]."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        numbers((self.radius, self.length), 2, f"radius and length of a {type(self).__name__.lower()}")

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        across = mass * (3 * self.radius**2 + self.length**2) / 12
        return Inertia.of(mass, matrix=(across, across, mass * self.radius**2 / 2))


@dataclass(frozen=True)
class Capsule:
    """A cylinder about local z with hemispheres on both ends: radius, and length between their centres [m]."""

    radius: float
    length: float

    def __post_init__(self) -> None:
        numbers((self.radius, self.length), 2, f"radius and length of a {type(self).__name__.lower()}")

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        r, h = self.radius, self.length
        middle = mass * h / (h + 4 * r / 3)  # the cylinder's share of the volume
        caps = mass - middle
        along = middle * r**2 / 2 + caps * 0.4 * r**2
        across = middle * (3 * r**2 + h**2) / 12 + caps * (0.4 * r**2 + h**2 / 4 + 3 * h * r / 8)
        return Inertia.of(mass, matrix=(across, across, along))


@dataclass(frozen=True)
class Ellipsoid:
    """An ellipsoid centred on its frame; ``radii`` are its semi-axes [m]."""

    radii: tuple[float, float, float]

    def __post_init__(self) -> None:
        numbers(self.radii, 3, "radii of an ellipsoid")

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        x, y, z = (radius * radius for radius in self.radii)
        return Inertia.of(mass, matrix=np.array([y + z, x + z, x + y]) * mass / 5)


@dataclass(frozen=True, eq=False)
class Hull:
    """A convex polyhedron: the convex hull of points.

    Attributes:
        points: shape (k, 3) [m]; points inside the hull are allowed.
        filled: whether it stands for a mesh that is not convex, whose hollows it fills. Contact by volume refuses it.
    """

    points: Array
    filled: bool = False

    def inertia(self, mass: float) -> Inertia:
        """Inertia of the uniform solid of this mass [kg]."""
        from scipy.spatial import ConvexHull, QhullError

        points = np.asarray(self.points, dtype=float)
        try:
            hull = ConvexHull(points.reshape(-1, 3))
        except (QhullError, ValueError):
            remedy = "Give at least four points, all finite and not all in one plane"
            raise ModelError("its points span no volume", element="hull", remedy=remedy) from None
        inside = points[hull.vertices].mean(axis=0)
        corners = points[hull.simplices] - inside
        volumes = np.abs(np.linalg.det(corners)) / 6  # of the tetrahedra to a point inside
        com = np.einsum("t,tkx->x", volumes, corners) / (4 * volumes.sum())
        total = corners.sum(axis=1)
        second = np.einsum("t,tkx,tky->xy", volumes, corners, corners) + np.einsum("t,tx,ty->xy", volumes, total, total)
        second = second / (20 * volumes.sum()) - np.outer(com, com)
        second = (second + second.T) / 2  # symmetric but for rounding, which large hulls would show
        return Inertia.of(mass, inside + com, mass * (np.trace(second) * np.eye(3) - second))


@dataclass(frozen=True)
class Plane:
    """The half-space below local z = 0, for the environment: solid underneath, its normal is +z."""


@dataclass(frozen=True, eq=False)
class Terrain:
    """A surface of triangles, for the environment: solid on the side their normals point away from.

    Attributes:
        vertices: shape (k, 3) [m].
        triangles: shape (m, 3), vertex numbers anticlockwise seen from outside.
    """

    vertices: Array
    triangles: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class HeightField:
    """Heights over a grid in local x and y, for the environment, solid underneath.

    Attributes:
        heights: shape (columns along x, rows along y) [m].
        size: full extent along x and y, centred on the frame [m].
    """

    heights: Array
    size: tuple[float, float]


Solid = Box | Sphere | Cylinder | Capsule | Ellipsoid | Hull
Shape = Solid | Plane | Terrain | HeightField
