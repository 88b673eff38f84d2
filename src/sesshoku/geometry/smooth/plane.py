"""A plane and a smooth shape: the lowest points above it, in closed form. All in world axes."""

from __future__ import annotations

from sesshoku.geometry.smooth.support import (
    CLOSE,
    FLAT,
    RIM,
    TILT,
    across,
    support_of_cylinder,
    support_of_ellipsoid,
)
from sesshoku.geometry.space import Handle, append
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, dot, norm, scale, subtract

__all__ = ["plane_capsule", "plane_cylinder", "plane_ellipsoid", "plane_sphere"]


@kernel
def upward(g: Handle, a: int) -> Vec3:
    """Normal of a plane."""
    rotation = g.rotation
    return (rotation[a, 2], rotation[a, 5], rotation[a, 8])


@kernel
def touch(g: Handle, a: int, b: int, margin: float, n: Vec3, x: Vec3, feature: int) -> None:
    """Report the point x of shape b if it is near the plane a with normal n."""
    gap = dot(n, subtract(x, load3(g.position, a)))
    if gap < margin:
        append(g, a, b, add(x, scale(-0.5 * gap, n)), n, gap, feature)


@kernel
def plane_sphere(g: Handle, a: int, b: int, margin: float) -> None:
    """The lowest point of a sphere."""
    n = upward(g, a)
    touch(g, a, b, margin, n, add(load3(g.position, b), scale(-g.size[b, 0], n)), 0)


@kernel
def plane_capsule(g: Handle, a: int, b: int, margin: float) -> None:
    """The lowest points of both ends of a capsule."""
    n = upward(g, a)
    centre, arm = axis_of(g, b)
    lowest = add(centre, scale(-g.size[b, 0], n))
    touch(g, a, b, margin, n, subtract(lowest, arm), 0)
    touch(g, a, b, margin, n, add(lowest, arm), 1)


@kernel
def axis_of(g: Handle, b: int) -> tuple[Vec3, Vec3]:
    """Centre of a capsule or cylinder and the arm from there to its upper end."""
    r = load9(g.rotation, b)
    return load3(g.position, b), scale(g.size[b, 1], (r[2], r[5], r[8]))


@kernel
def plane_ellipsoid(g: Handle, a: int, b: int, margin: float) -> None:
    """The lowest point of an ellipsoid."""
    n = upward(g, a)
    r = load9(g.rotation, b)
    lowest = support_of_ellipsoid(load3(g.size, b), scale(-1.0, rotate_back(r, n)))
    touch(g, a, b, margin, n, add(load3(g.position, b), rotate(r, lowest)), 0)


@kernel
def plane_cylinder(g: Handle, a: int, b: int, margin: float) -> None:
    """Points of a cylinder: four fixed on its lower rim and the lowest one, or both ends of its lowest line."""
    n = upward(g, a)
    p, r, size = load3(g.position, b), load9(g.rotation, b), load3(g.size, b)
    down = scale(-1.0, rotate_back(r, n))  # in the frame of the cylinder
    lowest = support_of_cylinder(size, down)
    end = 1 if lowest[2] > 0.0 else 0
    if abs(down[2]) < FLAT:
        touch(g, a, b, margin, n, add(p, rotate(r, lowest)), 8 + end)
        touch(g, a, b, margin, n, add(p, rotate(r, (lowest[0], lowest[1], -lowest[2]))), 9 - end)
        return
    tilted = norm(across(down)) > TILT
    if tilted:
        touch(g, a, b, margin, n, add(p, rotate(r, lowest)), 8 + end)
    for k in range(4):
        x = add(scale(size[0], RIM[4 * k]), (0.0, 0.0, lowest[2]))
        if not tilted or norm(subtract(x, lowest)) > CLOSE * size[0]:
            touch(g, a, b, margin, n, add(p, rotate(r, x)), 4 * end + k)
