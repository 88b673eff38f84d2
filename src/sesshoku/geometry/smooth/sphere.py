"""A sphere and a shape whose distance from a point has a closed form."""

from __future__ import annotations

from math import copysign

from sesshoku.geometry.kind import BOX, CAPSULE, CYLINDER, ELLIPSOID
from sesshoku.geometry.smooth.ellipsoid import nearest_on_ellipsoid
from sesshoku.geometry.smooth.support import across, unit
from sesshoku.geometry.space import Handle, append
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, dot, norm, scale, subtract

__all__ = ["sphere_shape"]


@kernel
def sphere_shape(g: Handle, a: int, b: int, margin: float) -> None:
    """Sphere a on sphere, capsule, ellipsoid, cylinder or box b: one point."""
    centre, radius = load3(g.position, a), g.size[a, 0]
    p, r = load3(g.position, b), load9(g.rotation, b)
    up, distance = away(g.kind[b], load3(g.size, b), rotate_back(r, subtract(centre, p)))
    gap = distance - radius
    if gap < margin:
        n = scale(-1.0, rotate(r, up))
        append(g, a, b, add(centre, scale(radius + 0.5 * gap, n)), n, gap, 0)


@kernel
def away(kind: int, size: Vec3, y: Vec3) -> tuple[Vec3, float]:
    """Outward normal of a shape where it is nearest to y, and the distance of y from there; negative inside."""
    if kind == BOX:
        return away_from_box(size, y)
    if kind == CYLINDER:
        return away_from_cylinder(size, y)
    if kind == ELLIPSOID:
        x = nearest_on_ellipsoid(size, y)
        up = unit((x[0] / (size[0] * size[0]), x[1] / (size[1] * size[1]), x[2] / (size[2] * size[2])))
        return up, dot(up, subtract(y, x))
    if kind == CAPSULE:
        y = (y[0], y[1], y[2] - max(-size[1], min(size[1], y[2])))
    distance = norm(y)
    if distance > 0.0:
        return scale(1.0 / distance, y), distance - size[0]
    return (1.0, 0.0, 0.0), -size[0]  # the centre: every direction across the axis is as good


@kernel
def away_from_box(half: Vec3, y: Vec3) -> tuple[Vec3, float]:
    """See `away`."""
    beyond = (abs(y[0]) - half[0], abs(y[1]) - half[1], abs(y[2]) - half[2])
    side = (copysign(1.0, y[0]), copysign(1.0, y[1]), copysign(1.0, y[2]))
    most = max(beyond[0], beyond[1], beyond[2])
    if most > 0.0:
        d = (max(beyond[0], 0.0) * side[0], max(beyond[1], 0.0) * side[1], max(beyond[2], 0.0) * side[2])
        distance = norm(d)
        return scale(1.0 / distance, d), distance
    if most == beyond[0]:
        return (side[0], 0.0, 0.0), most
    return ((0.0, side[1], 0.0) if most == beyond[1] else (0.0, 0.0, side[2])), most


@kernel
def away_from_cylinder(size: Vec3, y: Vec3) -> tuple[Vec3, float]:
    """See `away`."""
    r = norm(across(y))
    out = scale(1.0 / r, across(y)) if r > 0.0 else (1.0, 0.0, 0.0)
    up = (0.0, 0.0, copysign(1.0, y[2]))
    sideways, endways = r - size[0], abs(y[2]) - size[1]
    if sideways > 0.0 and endways > 0.0:
        d = add(scale(sideways, out), scale(endways, up))
        distance = norm(d)
        return scale(1.0 / distance, d), distance
    return (out, sideways) if sideways > endways else (up, endways)
