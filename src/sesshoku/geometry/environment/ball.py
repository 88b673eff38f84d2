"""Points, spheres and ellipsoids against a surface: one routine, in coordinates where the shape is a ball.

The centre of the ball is either outside, and then every local minimum of its distance is a contact: a face below it,
a convex edge or corner whose normal cone holds it, two faces in a valley. Or it is inside, the surface having no
thickness of its own: then it leaves by the nearest face, along the normal of that face, and from there once more as
long as it is inside another one. So a corner of a box below floor and wall touches both, each with its own depth.
"""

from __future__ import annotations

from math import inf
from typing import Final, NamedTuple

from sesshoku.geometry.environment.patch import note
from sesshoku.geometry.environment.ridge import OUTSIDE, fan, opposite
from sesshoku.geometry.environment.triangle import (
    Ground,
    across,
    close_triangle,
    corner,
    corner_place,
    corners,
    gather,
    normal_of,
    unit,
)
from sesshoku.geometry.space import Handle
from sesshoku.geometry.surface import FLAT
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, rotate, rotate_back
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["INSIDE", "SAME", "TINY", "View", "nearest_point", "touch_ball"]

TINY: Final = 1e-9  # lengths below this count as none [m]
SAME: Final = 1.0 - 1e-12  # cosine of directions that are one
INSIDE: Final = 6  # the nearest point lies in the face; 0–2: on that edge; 3–5: at corner 0–2
EXITS: Final = 3  # faces by which a point can leave
OBLIQUE: Final = (0.31, 0.17, 0.93)  # contacts of one ball are numbered along this: in line with no valley


class Sight(NamedTuple):
    """A triangle as it is seen: its corners and normal, its nearest point to the origin and where that lies."""

    a: Vec3
    b: Vec3
    c: Vec3
    normal: Vec3
    nearest: Vec3
    where: int  # see INSIDE
    distance: float  # of the nearest point
    height: float  # of the origin above its plane


class View(NamedTuple):
    """Coordinates y = S Rᵀ (x − centre), in which the shape is a ball about the origin; S is diagonal."""

    centre: Vec3
    axes: Mat3
    stretch: Vec3  # none below 1, so that no distance is longer than it is seen


@kernel
def divide(a: Vec3, b: Vec3) -> Vec3:
    """a / b, component by component."""
    return (a[0] / b[0], a[1] / b[1], a[2] / b[2])


@kernel
def times(a: Vec3, b: Vec3) -> Vec3:
    """a b, component by component."""
    return (a[0] * b[0], a[1] * b[1], a[2] * b[2])


@kernel
def seen(view: View, x: Vec3) -> Vec3:
    """A point in the coordinates of a view."""
    return times(rotate_back(view.axes, subtract(x, view.centre)), view.stretch)


@kernel
def nearest_point(a: Vec3, b: Vec3, c: Vec3, n: Vec3) -> tuple[Vec3, int]:
    """Point of a triangle with normal n nearest to the origin, and where it lies (see INSIDE)."""
    point, where, best = scale(dot(n, a), n), INSIDE, inf
    for k in range(3):
        e = subtract(b, a)
        if dot(cross(n, e), a) > 0.0:  # the origin lies beyond this edge
            s = -dot(a, e) / dot(e, e)
            here, candidate = k, add(a, scale(s, e))
            if s <= 0.0:
                here, candidate = 3 + k, a
            elif s >= 1.0:
                here, candidate = 3 + (k + 1) % 3, b
            distance = dot(candidate, candidate)
            if distance < best:
                best, point, where = distance, candidate, here
        a, b, c = b, c, a
    return point, where


@kernel
def look(g: Handle, view: View, t: int) -> Sight:
    """A triangle in the coordinates of a view."""
    a, b, c = corners(g, t)
    a, b, c = seen(view, a), seen(view, b), seen(view, c)
    n = normal_of(a, b, c)
    p, where = nearest_point(a, b, c, n)
    return Sight(a, b, c, n, p, where, norm(p), -dot(n, a))


@kernel
def nearest(g: Handle, ground: Ground, view: View, start: float, most: float) -> tuple[int, Sight]:
    """The triangle nearest to the origin of a view, not farther than ``most``: its number or -1, and how it is seen.

    Of several that share the nearest point it is the one most face on: its side is the side of the surface. What
    lies behind a triangle and beyond a border of the surface is not behind the surface. Looked for within ``start``
    first: there are few triangles.
    """
    near, centre, reach, found = g.nearer, view.centre, start, -1
    close = look(g, view, close_triangle(g, ground, centre))
    best = close
    while True:
        for i in range(gather(g, near, ground, centre, centre, reach)):
            it = look(g, view, near[i])
            slack = TINY * (TINY + best.distance)
            closer = it.distance < best.distance - slack
            level = it.distance <= best.distance + slack and abs(it.height) > abs(best.height)
            if it.distance <= reach and (found < 0 or closer or level) and not _beyond_border(g, near[i], it):
                found, best = near[i], it
        if found >= 0 or reach >= most:
            return found, best
        # the close one is an upper bound, unless what is nearer is seen from beyond a border
        reach = min(close.distance + TINY, most) if reach < close.distance else most


@kernel
def _beyond_border(g: Handle, t: int, it: Sight) -> bool:
    """Whether the origin is behind a triangle and beyond a border of the surface."""
    if it.height >= -TINY or it.where == INSIDE:
        return False
    if it.where < 3:
        return across(g, t, it.where) < 0
    return across(g, t, it.where - 3) < 0 or across(g, t, (it.where - 1) % 3) < 0


@kernel
def touch_ball(g: Handle, ground: Ground, view: View, radius: float, depth: float, margin: float, feature: int) -> None:
    """Note the contacts of a ball about the origin of a view, with a gap below the margin.

    Args:
        g: where they are noted.
        ground: what is touched.
        view: from where.
        radius: of the ball in the view [m]; 0 for a point.
        depth: how far below the surface the centre may be, at least the radius [m].
        margin: see above [m].
        feature: first of the block of features of this ball.
    """
    start, stand, left, within = view.centre, -1, False, _farthest(view, radius, margin)
    for _ in range(EXITS):
        t, it = nearest(g, ground, view, within, max(depth + margin, within))
        if t < 0 or (it.height >= 0.0 and it.distance > within):
            return
        if it.height >= -TINY:
            break
        _note_seen(g, view, start, radius, it.normal, it.height, margin, feature)
        centre = add(view.centre, rotate(view.axes, divide(scale(-it.height, it.normal), view.stretch)))
        view, stand, left = View(centre, view.axes, view.stretch), t, True
    else:
        return
    _touch_in_front(g, ground, view, start, radius, within + TINY, margin, feature, stand if left else t, left)


@kernel
def _farthest(view: View, radius: float, margin: float) -> float:
    """Beyond this distance in the view nothing is within the margin."""
    return radius + margin * max(view.stretch[0], view.stretch[1], view.stretch[2])


@kernel
def _note_seen(
    g: Handle, view: View, start: Vec3, radius: float, n: Vec3, height: float, margin: float, feature: int
) -> None:
    """Note a contact seen with normal n, the centre at this height above the surface, if its gap is below the margin.

    Planes keep their distances in proportion: the gap along the true normal is exact for faces, and right to first
    order in the gap for edges and corners seen by an ellipsoid. The centre began at ``start``, before it left.
    """
    steep = times(n, view.stretch)
    normal = rotate(view.axes, unit(steep))
    gap = (height - radius) / norm(steep) + dot(normal, subtract(start, view.centre))
    if gap < margin:
        point = subtract(start, rotate(view.axes, divide(scale(radius, n), view.stretch)))
        note(g, point, normal, gap, feature, -dot(normal, OBLIQUE))


@kernel
def _touch_in_front(
    g: Handle, ground: Ground, view: View, start: Vec3, radius: float, within: float, margin: float,
    feature: int, stand: int, done: bool,
) -> None:  # fmt: skip
    """Contacts of a ball whose centre is outside or on the surface.

    ``stand`` is the triangle it is nearest to or has left by. If the centre lies on it, others that meet it there
    count only where they rise above its plane, and it is not noted again if it is ``done``.
    """
    near, foot = g.nearer, look(g, view, stand)
    for i in range(gather(g, near, ground, view.centre, view.centre, within)):
        t = near[i]
        it = look(g, view, t)
        u, height, touches = it.normal, it.height, False
        if it.distance < 2.0 * TINY:
            touches = _rises(it, foot) or (t == stand and not done)
        elif it.where == INSIDE:
            touches = height > 0.0
        else:
            if height <= SAME * it.distance:
                u, height = scale(-1.0 / it.distance, it.nearest), it.distance
            touches = _in_cone(g, view, t, it.where, u)
        if touches:
            _note_seen(g, view, start, radius, u, height, margin, feature)


@kernel
def _rises(it: Sight, foot: Sight) -> bool:
    """Whether a triangle rises above the plane of another."""
    return max(dot(foot.normal, it.a), dot(foot.normal, it.b), dot(foot.normal, it.c)) - dot(foot.normal, foot.a) > TINY


@kernel
def _in_cone(g: Handle, view: View, t: int, where: int, u: Vec3) -> bool:
    """Whether u, seen from the nearest point on an edge or corner of t, is a normal of that feature.

    Only the lowest of the triangles that share the feature may answer yes.
    """
    if where >= 3:
        # a normal of planes turns against the stretch, so that its products with edges stay as they are seen
        return fan(g, t, where - 3, rotate(view.axes, unit(times(u, view.stretch)))) != OUTSIDE
    other = across(g, t, where)
    if 0 <= other < t:
        return False
    a, b = seen(view, corner_place(g, t, where)), seen(view, corner_place(g, t, (where + 1) % 3))
    n = unit(cross(subtract(b, a), subtract(seen(view, corner_place(g, t, (where + 2) % 3)), a)))
    if other < 0:
        return dot(u, n) >= 0.0
    e = unit(subtract(b, a))
    arm = subtract(seen(view, opposite(g, other, corner(g, t, where))), a)
    far = unit(subtract(arm, scale(dot(arm, e), e)))
    return dot(u, far) <= TINY and dot(n, far) <= FLAT
