"""The triangles of a surface, one by one, in its frame, and how to find those near to something."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sesshoku.geometry.space import Handle
from sesshoku.geometry.surface import LEAF
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, cross, norm, scale, subtract

__all__ = [
    "Ground",
    "across",
    "close_triangle",
    "corner",
    "corner_place",
    "corners",
    "gather",
    "ground_of",
    "normal_of",
    "numbers",
    "unit",
]

Array = NDArray[np.float64]
Index = NDArray[np.int64]


class Ground(NamedTuple):
    """Where the triangles of one surface and the boxes above them begin in the arrays of the space."""

    first: int
    number: int  # of triangles
    node: int  # first box
    leaves: int


@kernel
def ground_of(g: Handle, b: int) -> Ground:
    """The surface of shape b."""
    s, table = g.solid[b], g.ground
    return Ground(table[s, 0], table[s, 1], table[s, 2], table[s, 3])


@kernel
def unit(a: Vec3) -> Vec3:
    """a / |a|."""
    return scale(1.0 / norm(a), a)


@kernel
def numbers(g: Handle, t: int) -> tuple[int, int, int]:
    """The vertices of triangle t, anticlockwise seen from outside."""
    triangle = g.ground_triangle
    return triangle[t, 0], triangle[t, 1], triangle[t, 2]


@kernel
def corner(g: Handle, t: int, k: int) -> int:
    """Number of the vertex at corner k of triangle t."""
    return g.ground_triangle[t, k]  # type: ignore[no-any-return]


@kernel
def corner_place(g: Handle, t: int, k: int) -> Vec3:
    """Position of corner k of triangle t."""
    return load3(g.ground_vertex, corner(g, t, k))


@kernel
def corners(g: Handle, t: int) -> tuple[Vec3, Vec3, Vec3]:
    """Positions of the corners of triangle t."""
    vertex = g.ground_vertex
    a, b, c = numbers(g, t)
    return load3(vertex, a), load3(vertex, b), load3(vertex, c)


@kernel
def across(g: Handle, t: int, k: int) -> int:
    """The triangle beyond edge k of triangle t, which runs from corner k to the next; -1 if there is none."""
    return g.ground_beyond[t, k]  # type: ignore[no-any-return]


@kernel
def normal_of(a: Vec3, b: Vec3, c: Vec3) -> Vec3:
    """Outward unit normal of a triangle."""
    return unit(cross(subtract(b, a), subtract(c, a)))


@kernel
def gather(g: Handle, found: Index, ground: Ground, low: Vec3, high: Vec3, reach: float) -> int:
    """List the triangles whose bounding boxes are within reach of the box from low to high; how many these are.

    A node of the tree that is too far is passed over with all below it.
    """
    box, leaves, limit = g.ground_box, ground.leaves, reach * reach
    count, node = 0, 1
    while True:
        if _box_distance(box, ground.node + node, low, high) <= limit:
            if node < leaves:
                node *= 2
                continue
            k = (node - leaves) * LEAF
            for t in range(ground.first + k, ground.first + min(k + LEAF, ground.number)):
                lowest, highest = _bounds(g, t)
                if _square_distance(lowest, highest, low, high) <= limit:
                    found[count] = t
                    count += 1
        node += 1
        while node & 1 == 0:
            node >>= 1
        if node == 1:
            return count


@kernel
def close_triangle(g: Handle, ground: Ground, x: Vec3) -> int:
    """A triangle close to a point, seldom the nearest: down the tree, at each node to the nearer side."""
    box, node = g.ground_box, 1
    while node < ground.leaves:
        node *= 2
        node += _box_distance(box, ground.node + node + 1, x, x) < _box_distance(box, ground.node + node, x, x)
    return ground.first + (node - ground.leaves) * LEAF


@kernel
def _bounds(g: Handle, t: int) -> tuple[Vec3, Vec3]:
    """Lowest and highest corner of the bounding box of a triangle."""
    a, b, c = corners(g, t)
    return (
        (min(a[0], b[0], c[0]), min(a[1], b[1], c[1]), min(a[2], b[2], c[2])),
        (max(a[0], b[0], c[0]), max(a[1], b[1], c[1]), max(a[2], b[2], c[2])),
    )


@kernel
def _box_distance(box: Array, i: int, low: Vec3, high: Vec3) -> float:
    """Square of the distance of a node of the tree to the box from low to high."""
    lowest, highest = (box[i, 0], box[i, 1], box[i, 2]), (box[i, 3], box[i, 4], box[i, 5])
    return _square_distance(lowest, highest, low, high)


@kernel
def _square_distance(low: Vec3, high: Vec3, other_low: Vec3, other_high: Vec3) -> float:
    """Of two boxes; 0 if they meet."""
    x = max(low[0] - other_high[0], other_low[0] - high[0], 0.0)
    y = max(low[1] - other_high[1], other_low[1] - high[1], 0.0)
    z = max(low[2] - other_high[2], other_low[2] - high[2], 0.0)
    return x * x + y * y + z * z
