"""What friction a rectangle bears, in closed form: with a pressure that is free, and with a uniform one.

Of half sizes a along e1 and b along e2 [m], pressed in its middle, in units of mu fn.
"""

from __future__ import annotations

from math import asinh, hypot

__all__ = ["free_pressure_limit", "uniform_pressure_torque"]


def free_pressure_limit(a: float, b: float, y: float) -> tuple[float, float]:
    """The largest force along e1 [1] and torque [m] of a slip around the point (0, y), y >= 0: one of the boundary.

    Equal loads at the corners are the best ones by symmetry, and each force is perpendicular to its radius.
    """
    near, far = hypot(a, b - y), hypot(a, b + y)
    force = 0.5 * ((y - b) / near + (y + b) / far)
    torque = 0.5 * ((a * a + b * (b - y)) / near + (a * a + b * (b + y)) / far)
    return force, torque


def uniform_pressure_torque(a: float, b: float) -> float:
    """The largest torque [m]: the mean distance from the middle."""
    return hypot(a, b) / 3.0 + (a * a / b * asinh(b / a) + b * b / a * asinh(a / b)) / 6.0
