"""A shape against a terrain or height field: one routine for each family of shapes.

The inside of the surface is below its triangles; it is one-sided and has no thickness. What is below it is pushed out
along the normals of faces, from as deep as the reach of the shape.

Features do not name triangles, so that they survive sliding over seams. A corner or edge of the shape has a block of
`RANKS` numbers, and the contacts it has at one time are numbered in it in a fixed order: those of a corner, sphere or
end of a capsule by their normals, those of an edge along it. Corners of the surface that poke into the shape have
their own numbers.
"""

from __future__ import annotations

from math import inf

from sesshoku.geometry.environment.ball import SAME, View, touch_ball
from sesshoku.geometry.environment.missed import touch_missed
from sesshoku.geometry.environment.patch import RANKS, begin, keep_along, report
from sesshoku.geometry.environment.rounded import LOWEST, RIM, STANDING, lowest_point, rim_point, touch_ends, touch_side
from sesshoku.geometry.environment.solid import touch_solid
from sesshoku.geometry.environment.triangle import Ground, gather, ground_of
from sesshoku.geometry.kind import ELLIPSOID
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, multiply, rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, scale, subtract

__all__ = ["collide_capsule", "collide_cylinder", "collide_round", "collide_solid"]

NO_STRETCH = (1.0, 1.0, 1.0)


@kernel
def collide_round(g: Handle, a: int, b: int, margin: float) -> None:
    """Contacts of a sphere or ellipsoid with the surface b."""
    finite, ground, position, rotation, _, _ = _approach(g, a, b)
    if finite:
        size, radius, stretch = load3(g.size, a), g.reach[a], NO_STRETCH
        if g.kind[a] == ELLIPSOID:
            # in stretched coordinates: exact where it touches faces, at convex edges and corners the error of the
            # gap is of the order of its square over the smallest radius of curvature
            stretch = (radius / size[0], radius / size[1], radius / size[2])
        touch_ball(g, ground, View(position, rotation, stretch), radius, radius, margin, 0)
        report(g)


@kernel
def collide_capsule(g: Handle, a: int, b: int, margin: float) -> None:
    """Contacts of a capsule with the surface b."""
    finite, ground, position, rotation, low, high = _approach(g, a, b)
    if finite:
        count = gather(g, g.near, ground, low, high, margin)
        size = load3(g.size, a)
        for end in range(2):
            centre = add(position, rotate(rotation, (0.0, 0.0, size[1] if end == 1 else -size[1])))
            touch_ball(g, ground, View(centre, rotation, NO_STRETCH), size[0], g.reach[a], margin, end * RANKS)
        touch_side(g, a, count, position, rotation, margin)
        report(g)


@kernel
def collide_cylinder(g: Handle, a: int, b: int, margin: float) -> None:
    """Contacts of a cylinder with the surface b.

    Its corners are points fixed on the rims, on which it stands, and those lowest above one of the triangles near it.
    """
    finite, ground, position, rotation, low, high = _approach(g, a, b)
    if finite:
        count = gather(g, g.near, ground, low, high, margin)
        radius, half, z = g.size[a, 0], g.size[a, 1], (rotation[2], rotation[5], rotation[8])
        for i in range(2 * (RIM + count)):
            block, along, cosine, x = (
                i * RANKS,
                z,
                STANDING,
                add(position, rotate(rotation, rim_point(radius, half, i))),
            )
            if i >= 2 * RIM:
                centre = add(position, scale(half if i & 1 else -half, z))
                touches, x, along = lowest_point(g, g.near[(i >> 1) - RIM], centre, z, radius, g.reach[a], margin)
                if not touches:
                    continue
                block, cosine = LOWEST + (i & 1) * RANKS, SAME
            noted = g.patch_count[0]
            touch_ball(g, ground, View(x, rotation, NO_STRETCH), 0.0, g.reach[a], margin, block)
            keep_along(g, noted, along, cosine)
        touch_side(g, a, count, position, rotation, margin)
        touch_ends(g, a, count, position, rotation, margin)
        report(g)


@kernel
def collide_solid(g: Handle, a: int, b: int, margin: float) -> None:
    """Contacts of a box or hull with the surface b."""
    finite, ground, position, rotation, low, high = _approach(g, a, b)
    if finite:
        count = gather(g, g.near, ground, low, high, margin)
        vertex, first, last = g.vertex, g.vertex_start[g.solid[a]], g.vertex_start[g.solid[a] + 1]
        for i in range(first, last):
            x = add(position, rotate(rotation, load3(vertex, i)))
            touch_ball(g, ground, View(x, rotation, NO_STRETCH), 0.0, g.reach[a], margin, (i - first) * RANKS)
        touch_solid(g, a, ground, count, position, rotation, margin)
        touch_missed(g, a, count, position, rotation)
        report(g)


@kernel
def _approach(g: Handle, a: int, b: int) -> tuple[bool, Ground, Vec3, Mat3, Vec3, Vec3]:
    """Forget the last pair. Then the surface b, the pose of shape a in its frame, and the box that holds a there.

    First of all, whether that box is finite.
    """
    begin(g, a, b)
    axes = load9(g.rotation, b)
    position = rotate_back(axes, subtract(load3(g.position, a), load3(g.position, b)))
    back = (axes[0], axes[3], axes[6], axes[1], axes[4], axes[7], axes[2], axes[5], axes[8])
    r = multiply(back, load9(g.rotation, a))
    centre, h = add(position, rotate(r, load3(g.centre, a))), load3(g.half, a)
    x = abs(r[0]) * h[0] + abs(r[1]) * h[1] + abs(r[2]) * h[2]
    y = abs(r[3]) * h[0] + abs(r[4]) * h[1] + abs(r[5]) * h[2]
    z = abs(r[6]) * h[0] + abs(r[7]) * h[1] + abs(r[8]) * h[2]
    low, high = subtract(centre, (x, y, z)), add(centre, (x, y, z))
    finite = -inf < low[0] and high[0] < inf and -inf < low[1] and high[1] < inf and -inf < low[2] and high[2] < inf
    return finite, ground_of(g, b), position, r, low, high
