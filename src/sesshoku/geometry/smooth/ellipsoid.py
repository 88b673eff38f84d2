"""The point of an ellipsoid that is nearest to a given one: one root of one equation."""

from __future__ import annotations

from math import sqrt

from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3

__all__ = ["nearest_on_ellipsoid"]


@kernel
def nearest_on_ellipsoid(e: Vec3, y: Vec3) -> Vec3:
    """The point x of the surface with semi-axes e that is nearest to y, in the frame of the ellipsoid.

    y − x is along the normal there: xᵢ = eᵢ² yᵢ / (t + eᵢ²), with t above −min eᵢ² such that S(t) = Σ (xᵢ / eᵢ)² is 1.
    1/√S rises and is concave, nearly straight: Newton's method climbs to the root from below in a few steps.
    """
    least = min(e[0], e[1], e[2])
    # each term alone is at most 1 at the root; on the symmetry plane of the shortest axis it may be nought
    t = max(e[0] * (abs(y[0]) - e[0]), e[1] * (abs(y[1]) - e[1]), e[2] * (abs(y[2]) - e[2]), -least * least)
    if t > -least * least or _sum(e, y, -least * least * (1.0 - 1e-14)) > 1.0:
        t = max(t, -least * least * (1.0 - 1e-14))
        for _ in range(40):
            s, slope = 0.0, 0.0
            for i in range(3):
                q = e[i] * y[i] / (t + e[i] * e[i])
                s += q * q
                slope += q * q / (t + e[i] * e[i])
            step = s * (sqrt(s) - 1.0) / slope
            t += step
            if not abs(step) > 1e-15 * (abs(t) + least * least):
                break
        return (_along(e[0], y[0], t), _along(e[1], y[1], t), _along(e[2], y[2], t))
    # deep inside on that plane: the nearest points stand on both sides of it, the upper one is taken
    x, y_, z = (
        0.0 if e[0] == least else _along(e[0], y[0], t),
        0.0 if e[1] == least else _along(e[1], y[1], t),
        0.0 if e[2] == least else _along(e[2], y[2], t),
    )
    rest = least * sqrt(max(0.0, 1.0 - (x / e[0]) ** 2 - (y_ / e[1]) ** 2 - (z / e[2]) ** 2))
    if e[2] == least:
        return (x, y_, rest)
    return (x, rest, z) if e[1] == least else (rest, y_, z)


@kernel
def _along(e: float, y: float, t: float) -> float:
    """One coordinate of the nearest point."""
    return e * e * y / (t + e * e)


@kernel
def _sum(e: Vec3, y: Vec3, t: float) -> float:
    """Σ (xᵢ / eᵢ)² at t."""
    a, b, c = e[0] * y[0] / (t + e[0] * e[0]), e[1] * y[1] / (t + e[1] * e[1]), e[2] * y[2] / (t + e[2] * e[2])
    return a * a + b * b + c * c
