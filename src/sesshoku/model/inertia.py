"""Rigid-body inertia for building models."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.spatial.pose import Pose

__all__ = ["Inertia"]

Array = NDArray[np.float64]


def _parallel_axis(mass: float, offset: Array) -> Array:
    """Inertia of a point mass at ``offset`` about the origin [kg m²]."""
    return mass * (offset @ offset * np.eye(3) - np.outer(offset, offset))


@dataclass(frozen=True)
class Inertia:
    """Mass, centre of mass and rotational inertia of one body, in the axes of its frame.

    Attributes:
        mass: [kg].
        com: centre of mass from the frame's origin [m], shape (3,).
        matrix: inertia about the centre of mass [kg m²], shape (3, 3), symmetric.
        axes: principal axes as columns, where a file states them: equal moments leave them open, drag does not.
    """

    mass: float = 0.0
    com: Array = field(default_factory=lambda: np.zeros(3))
    matrix: Array = field(default_factory=lambda: np.zeros((3, 3)))
    axes: Array | None = None

    @staticmethod
    def of(mass: float, com: ArrayLike = (0.0, 0.0, 0.0), matrix: ArrayLike = (0.0, 0.0, 0.0)) -> Inertia:
        """From plain numbers; ``matrix`` may be the three principal moments [kg m²]."""
        moments = np.array(matrix, dtype=float)
        return Inertia(
            float(mass), np.array(com, dtype=float).reshape(3), np.diag(moments) if moments.ndim == 1 else moments
        )

    @staticmethod
    def rod(mass: float, tip: ArrayLike) -> Inertia:
        """A uniform thin rod from the frame's origin to ``tip`` [m]."""
        end = np.array(tip, dtype=float).reshape(3)
        return Inertia(float(mass), end / 2, _parallel_axis(mass / 12, end))

    def moved(self, pose: Pose) -> Inertia:
        """The same body seen from the parent of ``pose``, in which its frame lies."""
        axes = None if self.axes is None else pose.rotation @ self.axes
        return Inertia(self.mass, pose.apply(self.com), pose.rotation @ self.matrix @ pose.rotation.T, axes)

    def __add__(self, other: Inertia) -> Inertia:
        """Two bodies welded together, both given in the same frame."""
        mass = self.mass + other.mass
        if mass == 0.0:
            return Inertia(0.0, np.zeros(3), self.matrix + other.matrix)
        com = (self.mass * self.com + other.mass * other.com) / mass
        return Inertia(
            mass,
            com,
            self.matrix
            + other.matrix
            + _parallel_axis(self.mass, self.com - com)
            + _parallel_axis(other.mass, other.com - com),
        )

    def about(self, origin: ArrayLike) -> Array:
        """Rotational inertia about another point of the frame [kg m²], shape (3, 3)."""
        return self.matrix + _parallel_axis(self.mass, self.com - np.asarray(origin, dtype=float))
