"""Rigid placements for building models: plain numpy, never in a step."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.given import numbers

__all__ = ["Pose", "rotation_from_quaternion", "rotation_from_rpy", "rotation_to_z"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Pose:
    """Where a frame lies in its parent: a point x of the frame is ``rotation @ x + position`` in the parent.

    Attributes:
        position: origin of the frame in parent axes [m], shape (3,).
        rotation: the frame's axes as columns in parent axes, shape (3, 3).
    """

    position: Array = field(default_factory=lambda: np.zeros(3))
    rotation: Array = field(default_factory=lambda: np.eye(3))

    @staticmethod
    def at(
        position: ArrayLike = (0.0, 0.0, 0.0),
        *,
        rpy: ArrayLike | None = None,
        quaternion: ArrayLike | None = None,
        rotation: ArrayLike | None = None,
    ) -> Pose:
        """A pose from a position and, at most once, roll–pitch–yaw [rad], quaternion (w x y z) or matrix."""
        if sum(given is not None for given in (rpy, quaternion, rotation)) > 1:
            raise ValueError("give the rotation once: as rpy, as quaternion or as matrix")
        if rpy is not None:
            matrix = rotation_from_rpy(rpy)
        elif quaternion is not None:
            matrix = rotation_from_quaternion(quaternion)
        else:
            matrix = np.eye(3) if rotation is None else np.array(rotation, dtype=float).reshape(3, 3)
        return Pose(numbers(position, 3, "position"), matrix)

    def __matmul__(self, other: Pose) -> Pose:
        """The pose of ``other``, given in this frame, in this frame's parent."""
        return Pose(self.position + self.rotation @ other.position, self.rotation @ other.rotation)

    def inverse(self) -> Pose:
        """The parent as seen from the frame."""
        return Pose(-self.rotation.T @ self.position, self.rotation.T)

    def apply(self, point: ArrayLike) -> Array:
        """A point of the frame, or rows of points, in parent axes [m]."""
        return np.asarray(point, dtype=float) @ self.rotation.T + self.position


def rotation_from_quaternion(quaternion: ArrayLike) -> Array:
    """Rotation matrix of a quaternion (w x y z), normalised first."""
    q = numbers(quaternion, 4, "quaternion")
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def rotation_from_rpy(rpy: ArrayLike) -> Array:
    """Rotation matrix Rz(yaw) Ry(pitch) Rx(roll), the order of URDF [rad]."""
    angles = numbers(rpy, 3, "rpy")
    (cr, cp, cy), (sr, sp, sy) = np.cos(angles), np.sin(angles)
    return np.array(
        [
            [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
            [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
            [-sp, cp * sr, cp * cr],
        ]
    )


def rotation_to_z(axis: ArrayLike) -> Array:
    """A rotation whose third column is ``axis`` (normalised): the frame in which that axis is local z."""
    z = np.array(axis, dtype=float).reshape(3)
    z = z / np.linalg.norm(z)
    if z[0] == z[1] == 0.0:  # exactly along z: keep the file's axes, or turn half around x
        return np.diag([1.0, z[2], z[2]])
    x = np.array([-z[1], z[0], 0.0]) / np.hypot(z[0], z[1])
    return np.column_stack([x, np.cross(z, x), z])
