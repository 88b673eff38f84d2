"""Integrals over the contact plane, weighted by how deep the bodies overlap: what Q and c are made of (paper 3, eq. 9).

The plane goes through the centroid of the overlap, square to the normal. Its domain is the shadow of the overlap along
the normal, once for the upper and once for the lower surface, each with its own depth h = |n · (x − p_g)|: a slab of
depth d and area S has the area 2 S and the depth d / 2 everywhere.
"""

from __future__ import annotations

from typing import NamedTuple

from sesshoku.geometry.overlap.workspace import FACES, SIDE, Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3

__all__ = ["Moments", "integrate_depth"]


class Moments(NamedTuple):
    """Integrals over the contact plane, positions r = (x, y) along e1 and e2 from the centroid.

    Attributes:
        area: of 1 [m²].
        x, y: of r [m³].
        xx, xy, yy: of r rᵀ [m⁴].
        h: of the depth h [m³].
        hx, hy: of h r [m⁴].
    """

    area: float
    x: float
    y: float
    xx: float
    xy: float
    yy: float
    h: float
    hx: float
    hy: float


@kernel
def integrate_depth(w: Handle) -> Moments:
    """The integrals over all faces of the overlap; needs `local`."""
    start, loop, local = w.start, w.loop, w.local
    side = w.count[SIDE]
    m = Moments(0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    for f in range(w.count[FACES]):
        first = load3(local, loop[side, start[side, f]])
        last = load3(local, loop[side, start[side, f] + 1])
        for c in range(start[side, f] + 2, start[side, f + 1]):
            here = load3(local, loop[side, c])
            m = _add_triangle(m, first, last, here)
            last = here
    return m


@kernel
def _add_triangle(m: Moments, a: Vec3, b: Vec3, c: Vec3) -> Moments:
    """Add the projection of a triangle; corners along e1, e2 and the normal."""
    area = 0.5 * abs((b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0]))
    x, y = a[0] + b[0] + c[0], a[1] + b[1] + c[1]
    h, hx, hy = _depth(a, b, c)
    return Moments(
        m.area + area,
        m.x + area / 3.0 * x,
        m.y + area / 3.0 * y,
        m.xx + area / 12.0 * (a[0] * a[0] + b[0] * b[0] + c[0] * c[0] + x * x),
        m.xy + area / 12.0 * (a[0] * a[1] + b[0] * b[1] + c[0] * c[1] + x * y),
        m.yy + area / 12.0 * (a[1] * a[1] + b[1] * b[1] + c[1] * c[1] + y * y),
        m.h + area * h,
        m.hx + area * hx,
        m.hy + area * hy,
    )


@kernel
def _depth(a: Vec3, b: Vec3, c: Vec3) -> Vec3:
    """Means of h, h x and h y over a triangle, h = |z|."""
    if (a[2] < 0.0) == (b[2] < 0.0):
        a, b, c = c, a, b
    elif (a[2] < 0.0) == (c[2] < 0.0):
        a, b, c = b, c, a
    # now b and c are on one side of the plane; if a is not, what z has there counts with the other sign
    mean = _means(a, b, c)
    if (a[2] < 0.0) != (b[2] < 0.0):
        s, t = a[2] / (a[2] - b[2]), a[2] / (a[2] - c[2])
        tip = _means(
            a,
            (a[0] + s * (b[0] - a[0]), a[1] + s * (b[1] - a[1]), 0.0),
            (a[0] + t * (c[0] - a[0]), a[1] + t * (c[1] - a[1]), 0.0),
        )
        k = 2.0 * s * t
        mean = (mean[0] - k * tip[0], mean[1] - k * tip[1], mean[2] - k * tip[2])
    return (-mean[0], -mean[1], -mean[2]) if b[2] < 0.0 else mean


@kernel
def _means(a: Vec3, b: Vec3, c: Vec3) -> Vec3:
    """Means of z, z x and z y over a triangle."""
    z = a[2] + b[2] + c[2]
    return (
        z / 3.0,
        (a[2] * a[0] + b[2] * b[0] + c[2] * c[0] + z * (a[0] + b[0] + c[0])) / 12.0,
        (a[2] * a[1] + b[2] * b[1] + c[2] * c[1] + z * (a[1] + b[1] + c[1])) / 12.0,
    )
