"""Convex shapes seen through their supports: the farthest point in a direction.

A *core* is a shape without the skin of constant thickness around it: a sphere is a point with a skin, a capsule a
segment with a skin; the others have none. Cores are tuples of kind, size and number of the polyhedron. A pair of
cores is looked at in the frame of the first; their *difference* is the set of a − b, a in A and b in B.
"""

from __future__ import annotations

from math import copysign, cos, pi, sin, sqrt
from typing import Final, TypeAlias

from sesshoku.geometry.kind import BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, SPHERE
from sesshoku.geometry.polyhedral.support import farthest
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, multiply, rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = [
    "CLOSE", "FLAT", "RIM", "TILT", "Core", "Pair", "across", "bend", "difference", "height", "pair_of",
    "perpendicular", "roundness", "skin", "support", "support_of_cylinder", "support_of_ellipsoid", "unit",
]  # fmt: skip

Core: TypeAlias = tuple[int, Vec3, int]
Pair: TypeAlias = tuple[Core, Core, Mat3, Vec3]  # two cores, rotation and position of the second one in the first
FLAT: Final = 0.1  # sine of the angle between a face or line and the plane of contact below which it lies in it
RIM: Final = tuple((cos(k * pi / 8), sin(k * pi / 8), 0.0) for k in range(16))  # points of a cap, fixed on its body
TILT: Final = 5e-6  # sine of the tilt of a cap below which its fixed points miss its depth by less than 1e-6 diameters
CLOSE: Final = 0.3  # of the radius: a fixed point of a rim this near to its lowest point adds nothing


@kernel
def unit(a: Vec3) -> Vec3:
    """a / |a|."""
    return scale(1.0 / norm(a), a)


@kernel
def across(a: Vec3) -> Vec3:
    """The part of a that is perpendicular to z."""
    return (a[0], a[1], 0.0)


@kernel
def perpendicular(a: Vec3) -> Vec3:
    """A unit vector perpendicular to a."""
    x, y, z = abs(a[0]), abs(a[1]), abs(a[2])
    if x <= y and x <= z:
        return unit(cross(a, (1.0, 0.0, 0.0)))
    return unit(cross(a, (0.0, 1.0, 0.0))) if y <= z else unit(cross(a, (0.0, 0.0, 1.0)))


@kernel
def support_of_ellipsoid(size: Vec3, d: Vec3) -> Vec3:
    """The farthest point of an ellipsoid in direction d, in its own frame."""
    x, y, z = size[0] * d[0], size[1] * d[1], size[2] * d[2]
    s = 1.0 / sqrt(x * x + y * y + z * z)
    return (s * size[0] * x, s * size[1] * y, s * size[2] * z)


@kernel
def support_of_cylinder(size: Vec3, d: Vec3) -> Vec3:
    """The farthest point of a cylinder in direction d, in its own frame."""
    length = norm(across(d))
    s = size[0] / length if length > 0.0 else 0.0
    x = s * d[0] if s > 0.0 else size[0]
    return (x, s * d[1], copysign(size[1], d[2]))


@kernel
def support(g: Handle, core: Core, d: Vec3) -> Vec3:
    """The farthest point of a core in direction d, in its own frame."""
    kind, size, solid = core
    if kind == ELLIPSOID:
        return support_of_ellipsoid(size, d)
    if kind == CYLINDER:
        return support_of_cylinder(size, d)
    if kind == BOX:
        return (copysign(size[0], d[0]), copysign(size[1], d[1]), copysign(size[2], d[2]))
    if kind == CAPSULE:
        return (0.0, 0.0, copysign(size[1], d[2]))
    if kind == HULL:
        return load3(g.vertex, farthest(g, solid, d))
    return (0.0, 0.0, 0.0)


@kernel
def bend(core: Core, n: Vec3, t: Vec3) -> Vec3:
    """How fast the farthest point moves while the direction n, a unit vector, turns towards t; in its own frame."""
    kind, size, _ = core
    if kind == ELLIPSOID:
        s = support_of_ellipsoid(size, n)
        h = dot(s, n)
        stretched = (size[0] * size[0] * t[0], size[1] * size[1] * t[1], size[2] * size[2] * t[2])
        return scale(1.0 / h, subtract(stretched, scale(dot(s, t), s)))
    if kind == CYLINDER:
        sine = norm(across(n))
        if sine > 0.0:
            along = (-n[1] / sine, n[0] / sine, 0.0)
            return scale(size[0] / sine * dot(along, t), along)
    return (0.0, 0.0, 0.0)


@kernel
def pair_of(g: Handle, a: int, b: int) -> Pair:
    """The cores of two shapes."""
    kind, solid = g.kind, g.solid
    turn, place = load9(g.rotation, a), load3(g.position, a)
    other = load9(g.rotation, b)
    back = (turn[0], turn[3], turn[6], turn[1], turn[4], turn[7], turn[2], turn[5], turn[8])
    return (
        (kind[a], load3(g.size, a), solid[a]),
        (kind[b], load3(g.size, b), solid[b]),
        multiply(back, other),
        rotate(back, subtract(load3(g.position, b), place)),
    )


@kernel
def skin(core: Core) -> float:
    """Thickness of the skin around a core [m]."""
    return core[1][0] if core[0] in (SPHERE, CAPSULE) else 0.0


@kernel
def roundness(core: Core) -> float:
    """Radius of a ball that can roll inside a core, touching every point of its surface [m]."""
    _, e, _ = core
    return min(e[0], e[1], e[2]) ** 2 / max(e[0], e[1], e[2]) if core[0] == ELLIPSOID else 0.0


@kernel
def difference(g: Handle, pair: Pair, n: Vec3) -> Vec3:
    """The farthest point of A − B in direction n."""
    a, b, r, p = pair
    there = support(g, b, scale(-1.0, rotate_back(r, n)))
    return subtract(support(g, a, n), add(p, rotate(r, there)))


@kernel
def height(g: Handle, pair: Pair, n: Vec3) -> float:
    """How far A − B reaches in the unit direction n: the depth of both along n, or minus their distance."""
    return dot(n, difference(g, pair, n))
