"""Signorini's and Coulomb's law of one point, on tuples: its projection, residual and linearisation.

An impulse r on B and a velocity u of B against A obey the law iff r is the projection of r − h u, for any h > 0, as
Alart and Curnier write it: of y = r − h u the normal part is cut at zero, the tangential part at μ times the normal.
Where μ is negative the force is not limited at all: such points stick (constraint/loop.py).
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = [
    "OPEN",
    "SLIP",
    "STICK",
    "WITHIN",
    "Linear",
    "linearise",
    "off",
    "project",
    "project_cone",
    "split",
]

OPEN: Final = 0  # no force
STICK: Final = 1  # a force inside the friction cone, no slip
SLIP: Final = 2  # a force on the cone, against the slip
WITHIN: Final = 3  # on the way, where the law is softened: see within.py

TINY: Final = 1e-300  # a frictionless point may have no direction of slip
Linear = tuple[int, Vec3, float, float, Vec3]


@kernel
def split(n: Vec3, y: Vec3) -> tuple[float, Vec3]:
    """Normal part, and tangential part as a vector."""
    along = dot(n, y)
    return along, subtract(y, scale(along, n))


@kernel
def project_cone(n: Vec3, mu: float, y: Vec3) -> Vec3:
    """The nearest point to y of the cone |r_T| ≤ μ r_N."""
    along, tangent = split(n, y)
    square, most = dot(tangent, tangent), mu * along
    if square <= most * most and along >= 0.0:  # before any root: most points stick
        return y
    a = sqrt(square)
    if mu * a <= -along:
        return (0.0, 0.0, 0.0)
    height = (along + mu * a) / (1.0 + mu * mu)
    return add(scale(height, n), scale(mu * height / a, tangent))


@kernel
def off(n: Vec3, mu: float, r: Vec3, u: Vec3, h: float) -> float:
    """How far off the law a point is, |r − P(r − h s)|²/h² [m²/s²], with De Saxcé's velocity s = u + μ|u_T| n.

    P projects on the friction cone; it is zero iff the law holds.
    """
    if mu < 0.0:
        return dot(u, u)
    (r_n, r_t), (u_n, u_t) = split(n, r), split(n, u)
    slip = dot(u_t, u_t)
    s_n = u_n + mu * sqrt(slip)
    y_n, y_t = r_n - h * s_n, subtract(r_t, scale(h, u_t))
    square, most = dot(y_t, y_t), mu * y_n
    if square <= most * most and y_n >= 0.0:  # before any root: most points stick
        return s_n * s_n + slip
    a = sqrt(square)
    if mu * a <= -y_n:
        return dot(r, r) / (h * h)
    height = (y_n + mu * a) / (1.0 + mu * mu)
    rest = subtract(r_t, scale(mu * height / a, y_t))
    return ((r_n - height) ** 2 + dot(rest, rest)) / (h * h)


@kernel
def linearise(n: Vec3, mu: float, r: Vec3, u: Vec3, h: float, eps: float, give: float) -> Linear:
    """Newton's step of one point, (1 + ε) dr = p − r + Dp (dr − h (J dV + γ dr)), as dr = e − A J dV.

    γ is ``give``, the velocity by which the point itself yields per impulse; it is part of u.
    Returns the state, e, two numbers a and b and the direction d of slip: A is zero where OPEN, a 1 where STICK, and
    a (n + μ d) nᵀ + b t tᵀ with t = n × d where SLIP.
    """
    y = subtract(r, scale(h, u))
    along, tangent = split(n, y)
    if along <= 0.0 and mu >= 0.0:
        return OPEN, scale(-1.0, r), 0.0, 0.0, n  # no ε: what is open has no impulse at all
    square, most, soft = dot(tangent, tangent), mu * along, eps + h * give
    if (square <= most * most and mu > 0.0) or mu < 0.0:
        return STICK, scale(1.0 / soft, subtract(y, r)), h / soft, 0.0, n
    a = sqrt(square)
    d = scale(1.0 / max(a, TINY), tangent)
    t = cross(n, d)
    k = mu * along / max(a, TINY)
    f = subtract(add(scale(along, n), scale(mu * along, d)), r)
    turning = 1.0 + eps - k * (1.0 - h * give)
    e_n = dot(f, n) / soft
    e_d = (mu * (1.0 - h * give) * e_n + dot(f, d)) / (1.0 + eps)
    e_t = dot(f, t) / turning
    return SLIP, add(scale(e_n, n), add(scale(e_d, d), scale(e_t, t))), h / soft, h * k / turning, d


@kernel
def project(n: Vec3, mu: float, r: Vec3, u: Vec3, h: float) -> Linear:
    """The projection p of r − h u with its derivative, p − A J dV: as `linearise` gives it, r held fixed."""
    y = subtract(r, scale(h, u))
    along, tangent = split(n, y)
    if along <= 0.0 and mu >= 0.0:
        return OPEN, (0.0, 0.0, 0.0), 0.0, 0.0, n
    square, most = dot(tangent, tangent), mu * along
    if (square <= most * most and mu > 0.0) or mu < 0.0:
        return STICK, y, h, 0.0, n
    a = sqrt(square)
    d = scale(1.0 / max(a, TINY), tangent)
    return SLIP, add(scale(along, n), scale(mu * along, d)), h, h * mu * along / max(a, TINY), d
