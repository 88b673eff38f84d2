"""Rotations: matrices as nine floats row by row, quaternions as four (w x y z).

A matrix R of frame A in frame B turns components in A into components in B.
"""

from __future__ import annotations

from math import atan2, sqrt
from typing import TypeAlias

from sesshoku.kernel import kernel
from sesshoku.spatial.angle import sine_cosine
from sesshoku.spatial.vector import Vec3, dot, norm, scale

__all__ = [
    "Mat3",
    "Quat",
    "axes_of",
    "exponential",
    "logarithm",
    "multiply",
    "normalise",
    "quaternion_product",
    "rotate",
    "rotate_back",
    "turn_z",
]

Mat3: TypeAlias = tuple[float, float, float, float, float, float, float, float, float]
Quat: TypeAlias = tuple[float, float, float, float]


@kernel
def rotate(r: Mat3, a: Vec3) -> Vec3:
    """R a: components in the inner frame become components in the outer one."""
    return (
        r[0] * a[0] + r[1] * a[1] + r[2] * a[2],
        r[3] * a[0] + r[4] * a[1] + r[5] * a[2],
        r[6] * a[0] + r[7] * a[1] + r[8] * a[2],
    )


@kernel
def rotate_back(r: Mat3, a: Vec3) -> Vec3:
    """Rᵀ a: components in the outer frame become components in the inner one."""
    return (
        r[0] * a[0] + r[3] * a[1] + r[6] * a[2],
        r[1] * a[0] + r[4] * a[1] + r[7] * a[2],
        r[2] * a[0] + r[5] * a[1] + r[8] * a[2],
    )


@kernel
def multiply(a: Mat3, b: Mat3) -> Mat3:
    """A B: the frame B, given in A, seen from outside A."""
    return (
        a[0] * b[0] + a[1] * b[3] + a[2] * b[6],
        a[0] * b[1] + a[1] * b[4] + a[2] * b[7],
        a[0] * b[2] + a[1] * b[5] + a[2] * b[8],
        a[3] * b[0] + a[4] * b[3] + a[5] * b[6],
        a[3] * b[1] + a[4] * b[4] + a[5] * b[7],
        a[3] * b[2] + a[4] * b[5] + a[5] * b[8],
        a[6] * b[0] + a[7] * b[3] + a[8] * b[6],
        a[6] * b[1] + a[7] * b[4] + a[8] * b[7],
        a[6] * b[2] + a[7] * b[5] + a[8] * b[8],
    )


@kernel
def turn_z(r: Mat3, c: float, s: float) -> Mat3:
    """R Rz(angle), with c and s its cosine and sine: a turn about the frame's own z."""
    return (
        c * r[0] + s * r[1], c * r[1] - s * r[0], r[2],
        c * r[3] + s * r[4], c * r[4] - s * r[3], r[5],
        c * r[6] + s * r[7], c * r[7] - s * r[6], r[8],
    )  # fmt: skip


@kernel
def normalise(q: Quat) -> Quat:
    """q / |q|; the unit quaternion of no rotation where q is zero."""
    length = sqrt(q[0] * q[0] + q[1] * q[1] + q[2] * q[2] + q[3] * q[3])
    if length == 0.0:
        return (1.0, 0.0, 0.0, 0.0)
    return (q[0] / length, q[1] / length, q[2] / length, q[3] / length)


@kernel
def axes_of(q: Quat) -> Mat3:
    """Rotation matrix of a unit quaternion."""
    w, x, y, z = q
    return (
        1.0 - 2.0 * (y * y + z * z), 2.0 * (x * y - w * z), 2.0 * (x * z + w * y),
        2.0 * (x * y + w * z), 1.0 - 2.0 * (x * x + z * z), 2.0 * (y * z - w * x),
        2.0 * (x * z - w * y), 2.0 * (y * z + w * x), 1.0 - 2.0 * (x * x + y * y),
    )  # fmt: skip


@kernel
def quaternion_product(a: Quat, b: Quat) -> Quat:
    """a ∘ b: the rotation b, given in the frame of a, seen from outside."""
    return (
        a[0] * b[0] - a[1] * b[1] - a[2] * b[2] - a[3] * b[3],
        a[0] * b[1] + a[1] * b[0] + a[2] * b[3] - a[3] * b[2],
        a[0] * b[2] - a[1] * b[3] + a[2] * b[0] + a[3] * b[1],
        a[0] * b[3] + a[1] * b[2] - a[2] * b[1] + a[3] * b[0],
    )


@kernel
def exponential(a: Vec3) -> Quat:
    """Quaternion of the rotation vector a [rad]."""
    angle2 = dot(a, a)
    angle = sqrt(angle2)
    sine, cosine = sine_cosine(0.5 * angle)
    # sin(x/2)/x by its series where x is small: the quotient is good down to 1e-4, but 0/0 must not occur
    s = sine / angle if angle > 1e-4 else 0.5 - angle2 / 48.0
    return (cosine, s * a[0], s * a[1], s * a[2])


@kernel
def logarithm(q: Quat) -> Vec3:
    """Rotation vector of a unit quaternion [rad], at most pi long."""
    sign = 1.0 if q[0] >= 0.0 else -1.0
    a = (sign * q[1], sign * q[2], sign * q[3])
    s = norm(a)
    return scale(2.0 * atan2(s, sign * q[0]) / s if s > 1e-9 else 2.0, a)
