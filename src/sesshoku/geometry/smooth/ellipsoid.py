"""The point of an ellipsoid that is nearest to a given one: one root of one equation."""

from __future__ import annotations

from math import sqrt

from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3

__all__ = ["nearest_on_ellipsoid"]

TINY = 1e-200


@kernel
def nearest_on_ellipsoid(e: Vec3, y: Vec3) -> Vec3:
    """The point x of the surface with semi-axes e that is nearest to y, in the frame of the ellipsoid.

    y − x is along the normal there: xᵢ = eᵢ² yᵢ / (t + eᵢ²), with t above −min eᵢ² such that S(t) = Σ (xᵢ / eᵢ)² is 1.
    1/√S rises and is concave, nearly straight: Newton's method climbs to the root from below in a few steps. t is
    counted from −min eᵢ², so that nothing cancels where it is near.
    """
    least = min(e[0], e[1], e[2])
    d = ((e[0] - least) * (e[0] + least), (e[1] - least) * (e[1] + least), (e[2] - least) * (e[2] + least))
    # each term of S alone is at most 1 at the root
    t = max(e[0] * abs(y[0]) - d[0], e[1] * abs(y[1]) - d[1], e[2] * abs(y[2]) - d[2], TINY)
    if t == TINY and not sum_and_slope(e, y, d, t)[0] > 1.0:
        return above_middle(e, y, d, least)
    for _ in range(40):
        s, slope = sum_and_slope(e, y, d, t)
        step = s * (sqrt(s) - 1.0) / slope
        t += step
        if not abs(step) > 1e-15 * t:
            break
    return (along(e[0], y[0], d[0], t), along(e[1], y[1], d[1], t), along(e[2], y[2], d[2], t))


@kernel
def along(e: float, y: float, d: float, t: float) -> float:
    """One coordinate of the nearest point."""
    return e * e * y / (t + d)


@kernel
def sum_and_slope(e: Vec3, y: Vec3, d: Vec3, t: float) -> tuple[float, float]:
    """S at t, and minus half its slope."""
    a, b, c = e[0] * y[0] / (t + d[0]), e[1] * y[1] / (t + d[1]), e[2] * y[2] / (t + d[2])
    return a * a + b * b + c * c, a * a / (t + d[0]) + b * b / (t + d[1]) + c * c / (t + d[2])


@kernel
def above_middle(e: Vec3, y: Vec3, d: Vec3, least: float) -> Vec3:
    """Deep inside on the plane of symmetry across the shortest axis: of the two nearest points the upper one."""
    x = (
        0.0 if e[0] == least else along(e[0], y[0], d[0], 0.0),
        0.0 if e[1] == least else along(e[1], y[1], d[1], 0.0),
        0.0 if e[2] == least else along(e[2], y[2], d[2], 0.0),
    )
    rest = least * sqrt(max(0.0, 1.0 - (x[0] / e[0]) ** 2 - (x[1] / e[1]) ** 2 - (x[2] / e[2]) ** 2))
    if e[2] == least:
        return (x[0], x[1], rest)
    return (x[0], rest, x[2]) if e[1] == least else (rest, x[1], x[2])
