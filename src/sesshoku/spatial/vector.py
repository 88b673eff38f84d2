"""3-vectors as tuples of three floats. Every function is frame-free: all arguments in the same axes."""

from __future__ import annotations

from math import sqrt
from typing import TypeAlias

from sesshoku.kernel import kernel

__all__ = ["Vec3", "add", "cross", "dot", "norm", "scale", "subtract"]

Vec3: TypeAlias = tuple[float, float, float]


@kernel
def add(a: Vec3, b: Vec3) -> Vec3:
    """a + b."""
    return (a[0] + b[0], a[1] + b[1], a[2] + b[2])


@kernel
def subtract(a: Vec3, b: Vec3) -> Vec3:
    """a − b."""
    return (a[0] - b[0], a[1] - b[1], a[2] - b[2])


@kernel
def scale(s: float, a: Vec3) -> Vec3:
    """s a."""
    return (s * a[0], s * a[1], s * a[2])


@kernel
def dot(a: Vec3, b: Vec3) -> float:
    """a · b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@kernel
def cross(a: Vec3, b: Vec3) -> Vec3:
    """a × b."""
    return (a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0])


@kernel
def norm(a: Vec3) -> float:
    """|a|."""
    return sqrt(dot(a, a))
