"""A capsule and a box. Where the capsule lies over a face, as in most grasps, their distance has a closed form."""

from __future__ import annotations

from math import copysign, sqrt
from typing import Final

from sesshoku.geometry.smooth.collide import convex_convex
from sesshoku.geometry.smooth.patch import touch_pair
from sesshoku.geometry.smooth.support import Pair, pair_of, skin
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.vector import Vec3, add, scale

__all__ = ["capsule_box"]

SQUARE: Final = 1e-14  # part of a direction that is none


@kernel
def capsule_box(g: Handle, a: int, b: int, margin: float) -> None:
    """Both ends of what lies on a face, or a point; see patch.py."""
    pair = pair_of(g, a, b)
    n, distance, known = over_face(pair)
    if not known:
        convex_convex(g, a, b, margin)
    elif distance - skin(pair[0]) < margin:
        touch_pair(g, a, b, margin, pair, n, distance - skin(pair[0]))


@kernel
def over_face(pair: Pair) -> tuple[Vec3, float, bool]:
    """Direction from segment A to box B, their distance, and whether these are known.

    Two bodies are at least as far apart as along the axis of a face. Where the end of A that is lower along that axis
    lies over the face, they are just as far; where it is beyond an edge, the edge may be nearest.
    """
    (_, (_, length, _), _), (_, half, _), r, p = pair
    middle, way = scale(-1.0, rotate_back(r, p)), (length * r[6], length * r[7], length * r[8])  # seen from the box
    axis, gap = 0, -1.0
    for i in range(3):
        apart = abs(middle[i]) - half[i] - abs(way[i])
        if apart > gap:
            axis, gap = i, apart
    side = copysign(1.0, middle[axis])
    n = (-side * r[axis], -side * r[axis + 3], -side * r[axis + 6])
    if gap <= 0.0:
        return n, gap, False
    low, over = add(middle, scale(-side * copysign(1.0, way[axis]), way)), True
    for i in range(3):
        if i != axis and abs(low[i]) > half[i]:
            over = False
            edge, distance, known = over_edge(middle, way, half, axis, i, copysign(1.0, low[i]))
            if known:
                return rotate(r, edge), distance, True
    return n, gap, over


@kernel
def over_edge(middle: Vec3, way: Vec3, half: Vec3, axis: int, across: int, outer: float) -> tuple[Vec3, float, bool]:
    """The same for the edge of the face along ``axis`` that is at the ``outer`` end of the face ``across``.

    Seen along the edge, which is a point there, the nearest point of A must be between its ends, and not beyond those
    of the edge; and the box must not reach farther towards it than by the edge.
    """
    side = copysign(1.0, middle[axis])
    up, out = side * half[axis] - middle[axis], outer * half[across] - middle[across]
    u, v = way[axis], way[across]
    square = u * u + v * v
    if not square > 0.0:
        return middle, 0.0, False
    share, along = (up * u + out * v) / square, 3 - axis - across
    inside = abs(share) < 1.0 and abs(middle[along] + share * way[along]) <= half[along]
    up, out = up - share * u, out - share * v
    distance = sqrt(up * up + out * out)
    inside = inside and side * up <= 0.0 and outer * out <= SQUARE * distance
    n = (
        up if axis == 0 else out if across == 0 else 0.0,
        up if axis == 1 else out if across == 1 else 0.0,
        up if axis == 2 else out if across == 2 else 0.0,
    )
    return scale(1.0 / distance, n) if inside else n, distance, inside
