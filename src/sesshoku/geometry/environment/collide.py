"""Any shape against a terrain or height field."""

from __future__ import annotations

from math import inf

from sesshoku.geometry.environment.ball import View, grow, touch_ball
from sesshoku.geometry.environment.patch import RANKS, begin, keep_shallowest, report
from sesshoku.geometry.environment.ridge import ridge
from sesshoku.geometry.environment.rounded import (
    RIM,
    keep_standing,
    rim_point,
    touch_disc_peak,
    touch_disc_ridge,
    touch_rim,
    touch_side,
)
from sesshoku.geometry.environment.solid import touch_peak, touch_ridge
from sesshoku.geometry.environment.triangle import Ground, following, ground_of
from sesshoku.geometry.kind import BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, SPHERE
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, multiply, rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, scale, subtract

__all__ = ["collide_environment"]


@kernel
def collide_environment(g: Handle, a: int, b: int, margin: float) -> None:
    """Contacts of shape a with the terrain or height field b, whose inside is below its triangles.

    The surface is one-sided and has no thickness. What is below it is pushed out along the normals of faces, from as
    deep as the reach of the shape.

    Features do not name triangles, so that they survive sliding over seams. A corner or edge of the shape has a
    block of `RANKS` numbers, and the contacts it has at one time are numbered in it in a fixed order: those of a
    corner, sphere or end of a capsule by their normals, those of an edge along it. Corners of the surface that poke
    into the shape have their own numbers.
    """
    position, rotation = _relative(g, a, b)
    low, high = _bounds(g, a, position, rotation, margin)
    for i in range(3):
        if not (-inf < low[i] and high[i] < inf):
            return
    ground = ground_of(g, b)
    begin(g, a, b)
    _touch_balls(g, a, ground, position, rotation, margin)
    if g.kind[a] not in (SPHERE, ELLIPSOID):
        for strict in (True, False):
            if strict or g.patch_count[0] == 0:
                _touch_edges(g, a, ground, position, rotation, low, high, margin, strict)
                if not strict:  # amid steep spikes each crossing can be sooner parted otherwise, yet none is found
                    keep_shallowest(g)
    report(g)


@kernel
def _touch_balls(g: Handle, a: int, ground: Ground, position: Vec3, rotation: Mat3, margin: float) -> None:
    """What of shape a is a ball: itself, the ends of a capsule, corners, points on the rims of a cylinder."""
    kind, solid, size, reach, vertex = g.kind[a], g.solid[a], load3(g.size, a), g.reach[a], g.vertex
    first = g.vertex_start[solid] if kind in (BOX, HULL) else 0
    count = g.vertex_start[solid + 1] - first if kind in (BOX, HULL) else 1
    count = 2 if kind == CAPSULE else (2 * RIM if kind == CYLINDER else count)
    for i in range(count):
        radius, local, stretch = 0.0, (0.0, 0.0, 0.0), (1.0, 1.0, 1.0)
        if kind == SPHERE:
            radius = size[0]
        elif kind == ELLIPSOID:
            # in stretched coordinates: exact where it touches faces, at convex edges and corners the error of the
            # gap is of the order of its square over the smallest radius of curvature
            radius = max(size[0], size[1], size[2])
            stretch = (radius / size[0], radius / size[1], radius / size[2])
        elif kind == CAPSULE:
            radius, local = size[0], (0.0, 0.0, size[1] if i == 1 else -size[1])
        elif kind == CYLINDER:
            local = rim_point(size[0], size[1], i)
        else:
            local = load3(vertex, first + i)
        noted = g.patch_count[0]
        view = View(add(position, rotate(rotation, local)), rotation, stretch)
        touch_ball(g, ground, view, radius, reach, margin, i * RANKS)
        if kind == CYLINDER:
            keep_standing(g, noted, (rotation[2], rotation[5], rotation[8]))


@kernel
def _touch_edges(
    g: Handle, a: int, ground: Ground, position: Vec3, rotation: Mat3, low: Vec3, high: Vec3, margin: float,
    strict: bool,
) -> None:  # fmt: skip
    """Ridges and peaks of the surface within the bounds of shape a, and the rims of a cylinder."""
    kind, size = g.kind[a], load3(g.size, a)
    radius, length, z = size[0], 2.0 * size[1], (rotation[2], rotation[5], rotation[8])
    start, axis = subtract(position, scale(size[1], z)), scale(length, z)
    t = ground.before
    while True:
        t = following(ground, t, low, high)
        if t < 0:
            break
        for k in range(3):
            found, edge = ridge(ground, t, k)
            if kind in (CAPSULE, CYLINDER):
                touch_side(g, ground, t, k, found, edge, start, axis, radius, margin)
            else:
                touch_peak(g, a, ground, t, k, position, rotation, margin)
                if found:
                    touch_ridge(g, a, ground, edge, position, rotation, margin, strict)
            if kind == CYLINDER:
                for end in range(2):
                    centre, top = add(start, scale(float(end), axis)), scale(2.0 * end - 1.0, z)
                    touch_disc_peak(g, ground, t, k, centre, top, radius, length, margin)
                    if found:
                        touch_disc_ridge(g, edge, centre, top, radius, length, margin, end)
                    if k == 0:
                        touch_rim(g, ground, t, centre, z, radius, length + radius, margin, end)


@kernel
def _relative(g: Handle, a: int, b: int) -> tuple[Vec3, Mat3]:
    """Pose of shape a in the frame of shape b."""
    axes, other = load9(g.rotation, b), load9(g.rotation, a)
    turned = (axes[0], axes[3], axes[6], axes[1], axes[4], axes[7], axes[2], axes[5], axes[8])
    position = rotate_back(axes, subtract(load3(g.position, a), load3(g.position, b)))
    return position, multiply(turned, other)


@kernel
def _bounds(g: Handle, a: int, position: Vec3, r: Mat3, margin: float) -> tuple[Vec3, Vec3]:
    """Lowest and highest corner of the box that holds shape a at this pose, with the margin."""
    centre, h = add(position, rotate(r, load3(g.centre, a))), load3(g.half, a)
    x = abs(r[0]) * h[0] + abs(r[1]) * h[1] + abs(r[2]) * h[2]
    y = abs(r[3]) * h[0] + abs(r[4]) * h[1] + abs(r[5]) * h[2]
    z = abs(r[6]) * h[0] + abs(r[7]) * h[1] + abs(r[8]) * h[2]
    half = (x, y, z)
    return grow(subtract(centre, half), -margin), grow(add(centre, half), margin)
