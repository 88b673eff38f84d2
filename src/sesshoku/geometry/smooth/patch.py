"""Where two shapes touch once the direction is known: a point, both ends of a line, or the corners of a face.

Both outlines are looked at along the normal; what they have in common is the patch, and each of its corners has its
own gap. All in the frame of the first shape until it is reported.
"""

from __future__ import annotations

from math import copysign, sqrt

from sesshoku.geometry.kind import CAPSULE, CYLINDER
from sesshoku.geometry.smooth.clip import (
    clip_line,
    clip_rim,
    clip_rims,
    flat,
    nearest_on_outline,
    spread,
)
from sesshoku.geometry.smooth.outline import ROOM, outline
from sesshoku.geometry.smooth.support import CLOSE, FLAT, TILT, Core, Pair, across, support_of_cylinder, unit
from sesshoku.geometry.space import Handle, append
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, dot, norm, scale, subtract

__all__ = ["touch_pair"]

DEEPEST = 1 << 30  # feature of the deepest point where no corner of the patch is as deep
MISSED = 1e-7  # of the radius or length: how much deeper it must be
HERE = ((1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0), (0.0, 0.0, 0.0))


@kernel
def touch_pair(g: Handle, a: int, b: int, margin: float, pair: Pair, n: Vec3, gap: float) -> None:
    """Report the contacts of shapes a and b, whose distance is least along n, in the frame of a: ``gap``."""
    first, second, r, p = pair
    corners, face = outline(g, first, HERE[0], HERE[1], n, 0, True)
    others, other_face = outline(g, second, r, p, scale(-1.0, n), ROOM, True) if corners > 1 else (0, n)
    if others > 2:
        if corners == 2:
            touched = touch_line_on_face(g, a, b, margin, n, gap, others, second[0] == CYLINDER, other_face)
        else:
            touched = touch_cap_on_face(g, a, b, margin, pair, n, gap, others, face, other_face)
        if touched:
            return
        # another face than the nearest one in direction holds the contact: it is on an edge or a vertex
        corners, face = outline(g, first, HERE[0], HERE[1], n, 0, True)  # cutting has written over it
        others, other_face = outline(g, second, r, p, scale(-1.0, n), ROOM, False)
    if corners == 1:
        x = add(load3(g.work_point, 0), scale(0.5 * gap, n))
        report(g, a, b, margin, n, x, gap, g.work_face[0, 0])
    elif others == 1:
        x = subtract(load3(g.work_point, ROOM), scale(0.5 * gap, n))
        report(g, a, b, margin, n, x, gap, g.work_face[ROOM, 0])
    elif corners == 2:
        touch_lines(g, a, b, margin, n, gap, bulge(first) + bulge(second))
    else:
        kept = clip_line(g, ROOM, 0, corners, True, n, face)
        measure(g, n, 2 * ROOM, kept, -1.0, load3(g.work_point, 0), face)
        touch_corners(g, a, b, margin, n, 2 * ROOM, kept, -1.0, n, -1.0)


@kernel
def touch_lines(g: Handle, a: int, b: int, margin: float, n: Vec3, gap: float, radius: float) -> None:
    """Two lines, of shapes whose radii of curvature across them add up to ``radius``.

    The point where they cross, and where they are nearly parallel both ends of their common length, which are farther
    from each other the more the lines part sideways.
    """
    point = g.work_point
    start, other = load3(point, 0), load3(point, ROOM)
    way, other_way = subtract(load3(point, 1), start), subtract(load3(point, ROOM + 1), other)
    arm = subtract(other, start)
    u, v = flat(n, way), flat(n, other_way)
    uu, uv, vv = dot(u, u), dot(u, v), dot(v, v)
    determinant = uu * vv - uv * uv
    least = 1e300
    if determinant < FLAT * FLAT * uu * vv:
        # the common length, along the mean of both directions
        ahead = 1.0 if uv > 0.0 else -1.0
        axis = unit(add(scale(1.0 / sqrt(uu), u), scale(ahead / sqrt(vv), v)))
        length, other_length, from_ = dot(axis, u), dot(axis, v), dot(axis, arm)
        low, high = max(0.0, min(from_, from_ + other_length)), min(length, max(from_, from_ + other_length))
        for k in range(2 if low < high else 0):
            reached = low if k == 0 else high
            s, t = reached / length, (reached - from_) / other_length
            x, y = add(start, scale(s, way)), add(other, scale(t, other_way))
            along = dot(n, subtract(y, x))
            sideways = flat(n, subtract(y, x))
            beyond = along + radius
            apart = sqrt(beyond * beyond + dot(sideways, sideways)) - radius if beyond > 0.0 else along
            least = min(least, apart)
            report(g, a, b, margin, n, scale(0.5, add(x, y)), apart, k)
    if not least < gap + MISSED * radius:
        s = (dot(u, arm) * vv - dot(v, arm) * uv) / determinant if determinant > 1e-14 * uu * vv else dot(u, arm) / uu
        s = max(0.0, min(1.0, s))
        t = max(0.0, min(1.0, (s * uv - dot(v, arm)) / vv))
        s = max(0.0, min(1.0, (t * uv + dot(u, arm)) / uu))
        report(g, a, b, margin, n, add(start, add(scale(s, way), scale(0.5 * gap, n))), gap, 2)


@kernel
def touch_line_on_face(
    g: Handle, a: int, b: int, margin: float, n: Vec3, gap: float, others: int, rim: bool, face: Vec3
) -> bool:
    """The line of a on a face of b with so many corners, or its cap; whether that is where they touch."""
    point = g.work_point
    kept = clip_line(g, 0, ROOM, others, rim, scale(-1.0, n), face)
    least = measure(g, n, 2 * ROOM, kept, 1.0, load3(point, ROOM), face)
    if not rim and least > gap + MISSED * norm(subtract(load3(point, 1), load3(point, 0))):
        return False
    touch_corners(g, a, b, margin, n, 2 * ROOM, kept, 1.0, n, -1.0)
    return True


@kernel
def touch_cap_on_face(
    g: Handle, a: int, b: int, margin: float, pair: Pair, n: Vec3, gap: float, others: int, face: Vec3, other_face: Vec3
) -> bool:
    """The cap of a on a face of b with so many corners, or its cap; whether that is where they touch."""
    back, rim = scale(-1.0, n), pair[1][0] == CYLINDER
    here, kept = (2 * ROOM, clip_rims(g, n, face, other_face)) if rim else clip_rim(g, ROOM, others, back)
    least = measure(g, n, here, kept, 1.0, load3(g.work_point, ROOM), other_face)
    radius, tilt, x = lowest_of_rims(pair, n, gap, rim)
    clear = -1.0
    if tilt > TILT:
        report(g, a, b, margin, n, x, gap, DEEPEST)
        clear = CLOSE * radius
    elif least > gap + 0.3 * TILT * radius:  # more than four points of a rim miss that is tilted by less than that
        if not rim and (kept > 0 or dot(n, other_face) > -1.0 + 1e-14):
            return False
        # the rim reaches over an edge between two of the corners that stand for it
        middle = (0.0, 0.0, copysign(pair[0][1][1], n[2]))
        x = add(nearest_on_outline(g, ROOM, others, back, middle), scale(-0.5 * gap, n))
        report(g, a, b, margin, n, x, gap, DEEPEST)
    touch_corners(g, a, b, margin, n, here, kept, 1.0, x, clear)
    return True


@kernel
def lowest_of_rims(pair: Pair, n: Vec3, gap: float, both: bool) -> tuple[float, float, Vec3]:
    """Of the caps of the first cylinder, or of both, the one that is tilted more: radius, sine and lowest point.

    The point is moved to halfway between the two shapes.
    """
    first, second, r, p = pair
    there = scale(-1.0, rotate_back(r, n))
    if both and norm(across(there)) > norm(across(n)):
        lowest = add(p, rotate(r, support_of_cylinder(second[1], there)))
        return second[1][0], norm(across(there)), subtract(lowest, scale(0.5 * gap, n))
    return first[1][0], norm(across(n)), add(support_of_cylinder(first[1], n), scale(0.5 * gap, n))


@kernel
def measure(g: Handle, n: Vec3, here: int, kept: int, side: float, q: Vec3, normal: Vec3) -> float:
    """Fill in the gaps of corners to the plane through q, along n; gives the least. ``side``: 1 if they are of A."""
    point, gap, slope = g.work_point, g.work_plane, side / dot(n, normal)
    least = 1e300
    for k in range(kept):
        gap[k, 0] = slope * dot(normal, subtract(q, load3(point, here + k)))
        least = min(least, gap[k, 0])
    return least


@kernel
def touch_corners(
    g: Handle, a: int, b: int, margin: float, n: Vec3, here: int, kept: int, side: float, x: Vec3, clear: float
) -> None:
    """Report the corners of a patch, but for those nearer than ``clear`` to x, seen along n."""
    point, gap, label = g.work_point, g.work_plane, g.work_face
    for k in range(spread(g, here, kept)):
        corner = load3(point, here + k)
        if norm(flat(n, subtract(corner, x))) > clear:
            middle = add(corner, scale(0.5 * side * gap[k, 0], n))
            report(g, a, b, margin, n, middle, gap[k, 0], label[here + k, 0])


@kernel
def bulge(core: Core) -> float:
    """Radius of curvature across the line of a shape."""
    return core[1][0] if core[0] in (CAPSULE, CYLINDER) else 0.0


@kernel
def report(g: Handle, a: int, b: int, margin: float, n: Vec3, x: Vec3, gap: float, feature: int) -> None:
    """Report a contact given in the frame of shape a, if it is within the margin."""
    if gap < margin:
        r = load9(g.rotation, a)
        append(g, a, b, add(load3(g.position, a), rotate(r, x)), rotate(r, n), gap, feature)
