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
from sesshoku.geometry.environment.ridge import FLAT, OUTSIDE, fan, opposite
from sesshoku.geometry.environment.triangle import (
    Ground,
    across,
    corner,
    corner_place,
    corners,
    following,
    normal_of,
    unit,
)
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, rotate, rotate_back
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["INSIDE", "TINY", "View", "grow", "nearest_point", "touch_ball"]

TINY: Final = 1e-9  # lengths below this count as none [m]
SAME: Final = 1.0 - 1e-12  # cosine of directions that are one
INSIDE: Final = 6  # the nearest point lies in the face; 0–2: on that edge; 3–5: at corner 0–2
EXITS: Final = 3  # faces by which a point can leave
OBLIQUE: Final = (0.31, 0.17, 0.93)  # contacts of one ball are numbered along this: in line with no valley


class View(NamedTuple):
    """Coordinates y = S Rᵀ (x − centre), in which the shape is a ball about the origin; S is diagonal."""

    centre: Vec3
    axes: Mat3
    stretch: Vec3  # none below 1, so that no distance is longer than it is seen


@kernel
def grow(x: Vec3, r: float) -> Vec3:
    """A corner of a box moved by r along each axis."""
    return (x[0] + r, x[1] + r, x[2] + r)


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
def seen_corners(ground: Ground, view: View, t: int) -> tuple[Vec3, Vec3, Vec3]:
    """The corners of a triangle in the coordinates of a view."""
    a, b, c = corners(ground, t)
    return seen(view, a), seen(view, b), seen(view, c)


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
def nearest(ground: Ground, view: View, low: Vec3, high: Vec3) -> tuple[int, float, float]:
    """The triangle nearest to the origin of a view: its number or -1, its distance, and the height above its plane.

    Of several that share the nearest point it is the one most face on: its side is the side of the surface. What
    lies behind a triangle and beyond a border of the surface is not behind the surface.
    """
    found, best, height = -1, inf, 0.0
    t = ground.before
    while True:
        t = following(ground, t, low, high)
        if t < 0:
            break
        a, b, c = seen_corners(ground, view, t)
        n = normal_of(a, b, c)
        p, where = nearest_point(a, b, c, n)
        distance, h = norm(p), -dot(n, a)
        slack = TINY * (TINY + best) if found >= 0 else 0.0
        closer = distance < best - slack or (distance <= best + slack and abs(h) > abs(height))
        if closer and not (h < -TINY and where != INSIDE and _at_border(ground, t, where)):
            found, best, height = t, distance, h
            low, high = _shrink(view.centre, distance + TINY, low, high)
    return found, best, height


@kernel
def _at_border(ground: Ground, t: int, where: int) -> bool:
    if where < 3:
        return across(ground, t, where) < 0
    return across(ground, t, where - 3) < 0 or across(ground, t, (where - 1) % 3) < 0


@kernel
def _shrink(centre: Vec3, r: float, low: Vec3, high: Vec3) -> tuple[Vec3, Vec3]:
    """Part of a box not farther than r from a centre, along each axis."""
    return (
        (max(low[0], centre[0] - r), max(low[1], centre[1] - r), max(low[2], centre[2] - r)),
        (min(high[0], centre[0] + r), min(high[1], centre[1] + r), min(high[2], centre[2] + r)),
    )


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
    reach = depth + margin
    low, high = grow(view.centre, -reach), grow(view.centre, reach)
    start, left = view.centre, -1
    for _ in range(EXITS):
        t, distance, height = nearest(ground, view, low, high)
        if t < 0 or (height >= 0.0 and distance > _farthest(view, radius, margin)):
            return
        if height >= -TINY:
            break
        a, b, c = seen_corners(ground, view, t)
        n = normal_of(a, b, c)
        _note_seen(g, view, start, radius, n, height, margin, feature)
        centre = add(view.centre, rotate(view.axes, divide(scale(-height, n), view.stretch)))
        view, left = View(centre, view.axes, view.stretch), t
    else:
        return
    reach = _farthest(view, radius, margin) + TINY
    low, high = grow(view.centre, -reach), grow(view.centre, reach)
    _touch_in_front(g, ground, view, start, radius, low, high, margin, feature, t if left < 0 else left, left >= 0)


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
    g: Handle, ground: Ground, view: View, start: Vec3, radius: float, low: Vec3, high: Vec3, margin: float,
    feature: int, stand: int, done: bool,
) -> None:  # fmt: skip
    """Contacts of a ball whose centre is outside or on the surface.

    ``stand`` is the triangle it is nearest to or has left by. If the centre lies on it, others that meet it there
    count only where they rise above its plane, and it is not noted again if it is ``done``.
    """
    foot, second, third = seen_corners(ground, view, stand)
    up = normal_of(foot, second, third)
    t = ground.before
    while True:
        t = following(ground, t, low, high)
        if t < 0:
            break
        a, b, c = seen_corners(ground, view, t)
        n = normal_of(a, b, c)
        p, where = nearest_point(a, b, c, n)
        distance, height = norm(p), -dot(n, a)
        rises = max(dot(up, subtract(a, foot)), dot(up, subtract(b, foot)), dot(up, subtract(c, foot))) > TINY
        if distance < 2.0 * TINY:
            if rises or (t == stand and not done):
                _note_seen(g, view, start, radius, n, height, margin, feature)
        elif where == INSIDE:
            if height > 0.0:
                _note_seen(g, view, start, radius, n, height, margin, feature)
        else:
            face_on = height > SAME * distance
            u = n if face_on else scale(-1.0 / distance, p)
            if _in_cone(ground, view, t, where, u):
                _note_seen(g, view, start, radius, u, height if face_on else distance, margin, feature)


@kernel
def _in_cone(ground: Ground, view: View, t: int, where: int, u: Vec3) -> bool:
    """Whether u, seen from the nearest point on an edge or corner of t, is a normal of that feature.

    Only the lowest of the triangles that share the feature may answer yes.
    """
    if where >= 3:
        # a normal of planes turns against the stretch, so that its products with edges stay as they are seen
        return fan(ground, t, where - 3, rotate(view.axes, unit(times(u, view.stretch)))) != OUTSIDE
    other = across(ground, t, where)
    if 0 <= other < t:
        return False
    a, b = seen(view, corner_place(ground, t, where)), seen(view, corner_place(ground, t, (where + 1) % 3))
    n = unit(cross(subtract(b, a), subtract(seen(view, corner_place(ground, t, (where + 2) % 3)), a)))
    if other < 0:
        return dot(u, n) >= 0.0
    e = unit(subtract(b, a))
    arm = subtract(seen(view, opposite(ground, other, corner(ground, t, where))), a)
    far = unit(subtract(arm, scale(dot(arm, e), e)))
    return dot(u, far) <= TINY and dot(n, far) <= FLAT
