"""Spatial motions (twists) and forces (wrenches) about one reference point O, in one set of axes.

A motion is (angular, linear): angular velocity, and the velocity of the point of the body that is at O.
A wrench is (moment, force): moment about O, and force. O is fixed in the world, so no term for its motion
appears.
"""

from __future__ import annotations

from typing import TypeAlias

from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale

__all__ = [
    "Motion",
    "Wrench",
    "add_motion",
    "cross_motion",
    "move_wrench",
    "power",
    "scale_motion",
    "velocity_at",
]

Motion: TypeAlias = tuple[Vec3, Vec3]
Wrench: TypeAlias = tuple[Vec3, Vec3]


@kernel
def add_motion(a: Motion, b: Motion) -> Motion:
    """a + b, for motions or wrenches."""
    return add(a[0], b[0]), add(a[1], b[1])


@kernel
def scale_motion(s: float, a: Motion) -> Motion:
    """s a, for motions or wrenches."""
    return scale(s, a[0]), scale(s, a[1])


@kernel
def cross_motion(v: Motion, a: Motion) -> Motion:
    """v × a: the rate of change of a motion a fixed in a body that moves with v."""
    return cross(v[0], a[0]), add(cross(v[0], a[1]), cross(v[1], a[0]))


@kernel
def power(v: Motion, f: Wrench) -> float:
    """v · f: the power of the wrench on the motion [W]."""
    return dot(v[0], f[0]) + dot(v[1], f[1])


@kernel
def velocity_at(v: Motion, point: Vec3) -> Vec3:
    """Velocity of the body's point at ``point``, given from O [m/s]."""
    return add(v[1], cross(v[0], point))


@kernel
def move_wrench(point: Vec3, f: Wrench) -> Wrench:
    """The wrench about O of a wrench f about ``point``, given from O."""
    return add(f[0], cross(point, f[1])), f[1]
