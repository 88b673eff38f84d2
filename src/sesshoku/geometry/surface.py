"""Terrain and height fields as the kernels need them: neighbours across edges, and a tree of bounding boxes.

A height field becomes triangles, too: about 100 bytes for each. A million triangles are prepared in about two seconds,
by sorting, without a loop over triangles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import ModelError
from sesshoku.model import HeightField, Terrain

__all__ = ["FLAT", "LEAF", "PEAK", "RIDGE", "Surface", "height_surface", "pack_surfaces", "terrain_surface"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]

LEAF: Final = 4  # triangles in a leaf of the tree
FLAT: Final = 1e-6  # radians below which an edge is no edge
RIDGE: Final = 1  # this bit of `sharp`, shifted by k: edge k is a ridge
PEAK: Final = 8  # the same: corner k can be a peak
SLIVER: Final = 1e-12  # double area over the square of the longest edge, below which a triangle has no normal


@dataclass(frozen=True, eq=False)
class Surface:
    """Triangles in the order of their leaves.

    Attributes:
        vertices: (k, 3) in the frame of the shape [m].
        triangles: (m, 3) vertex numbers; edge i runs from corner i to corner i + 1.
        beyond: (m, 3) the triangle across each edge, -1 where there is none.
        sharp: (m,) bits, see RIDGE and PEAK; of the two triangles of an edge only the lower has its bit.
        boxes: (2 · leaves, 6) lowest and highest corner of each node [m]; node i has the children 2i and 2i + 1, the
            root is node 1, leaf i is node leaves + i and holds triangles LEAF · i and following.
    """

    vertices: Array
    triangles: Index
    beyond: Index
    sharp: Index
    boxes: Array


def terrain_surface(shape: Terrain, *, element: str = "terrain", file: str | None = None) -> Surface:
    """Check and prepare a terrain.

    Triangles without area are left out. An edge of more than two triangles, or of two that disagree about outside,
    counts as a border for all of them. Vertices at the same place are one vertex.
    """

    def refuse(problem: str, remedy: str) -> ModelError:
        return ModelError(problem, file=file, element=element, remedy=remedy)

    vertices = np.asarray(shape.vertices, dtype=float)
    triangles = np.asarray(shape.triangles)
    if vertices.ndim != 2 or vertices.shape[1] != 3 or triangles.ndim != 2 or triangles.shape[1] != 3:
        sizes = f"{vertices.shape} and {triangles.shape}"
        raise refuse(f"its vertices and triangles have shapes {sizes}", "Give them as (k, 3) and (m, 3)")
    if not np.issubdtype(triangles.dtype, np.integer):
        raise refuse(f"its triangles are of type {triangles.dtype}", "Give vertex numbers as integers")
    if len(triangles) == 0:
        raise refuse("it has no triangles", "Give it at least one, or leave it out")
    if not np.isfinite(vertices).all():
        raise refuse("it has vertices that are not finite", "Correct its vertices")
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise refuse(f"its triangles name vertices outside 0–{len(vertices) - 1}", "Correct its triangles")
    vertices, number = _merged(vertices)
    triangles = number[triangles]
    triangles = triangles[_double_area(vertices, triangles) > SLIVER]
    if len(triangles) == 0:
        raise refuse("all its triangles are without area", "Give it at least one that is not, or leave it out")
    return _surface(vertices, triangles)


def height_surface(shape: HeightField, *, element: str = "height field", file: str | None = None) -> Surface:
    """Check and prepare a height field: two triangles for each cell, the diagonal along x and y."""

    def refuse(problem: str, remedy: str) -> ModelError:
        return ModelError(problem, file=file, element=element, remedy=remedy)

    heights, size = np.asarray(shape.heights, dtype=float), np.asarray(shape.size, dtype=float)
    if heights.ndim != 2 or min(heights.shape) < 2:
        raise refuse(f"its heights have shape {heights.shape}", "Give at least two columns and two rows")
    if not np.isfinite(heights).all():
        raise refuse("it has heights that are not finite", "Correct its heights")
    if size.shape != (2,) or not np.isfinite(size).all() or not (size > 0).all():
        raise refuse(f"its size is {shape.size}", "Give two positive lengths")
    x, y = (np.linspace(-length / 2, length / 2, n) for length, n in zip(size, heights.shape, strict=True))
    vertices = np.stack([*np.meshgrid(x, y, indexing="ij"), heights], axis=-1).reshape(-1, 3)
    number = np.arange(heights.size).reshape(heights.shape)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    return _surface(vertices, np.stack([a, b, c, a, c, d], axis=-1).reshape(-1, 3))


def _surface(vertices: Array, triangles: Index) -> Surface:
    """A surface of triangles that all have an area."""
    triangles = triangles[_order(vertices[triangles].mean(axis=1))]
    beyond = _beyond(triangles)
    return Surface(vertices, triangles, beyond, _sharp(vertices, triangles, beyond), _boxes(vertices[triangles]))


def _merged(vertices: Array) -> tuple[Array, Index]:
    """Vertices without repetition, and the new number of each old one."""
    order = np.lexsort(vertices.T)
    fresh = np.ones(len(vertices), dtype=bool)
    fresh[1:] = (vertices[order[1:]] != vertices[order[:-1]]).any(axis=1)
    if fresh.all():
        return vertices, np.arange(len(vertices))
    number = np.empty(len(vertices), dtype=np.int64)
    number[order] = np.cumsum(fresh) - 1
    return vertices[order[fresh]], number


def _double_area(vertices: Array, triangles: Index) -> Array:
    """Twice the area over the square of the longest edge; 0 where a triangle is a point."""
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    longest = np.maximum.reduce([((q - p) ** 2).sum(axis=1) for p, q in ((a, b), (b, c), (c, a))])
    area: Array = np.linalg.norm(np.cross(b - a, c - a), axis=1) / np.where(longest > 0, longest, 1.0)
    return area


def _order(points: Array) -> Index:
    """An order of points (m, 3) in which those of a node of the tree are close together: slabs, columns, cells."""
    count = -(-len(points) // LEAF)
    levels = (count - 1).bit_length()
    extent, splits = np.ptp(points, axis=0), [0, 0, 0]
    for _ in range(levels):
        axis = int(extent.argmax())
        extent[axis] /= 2
        splits[axis] += 1
    order = np.concatenate([np.arange(len(points)), np.full((LEAF << levels) - len(points), -1)])[None]
    for axis, split in enumerate(splits):
        place = np.where(order < 0, np.inf, points[order, axis])  # what is left over stays at the end
        order = np.take_along_axis(order, place.argsort(axis=1, kind="stable"), axis=1)
        order = order.reshape(len(order) << split, -1)
    return order[order >= 0]


def _beyond(triangles: Index) -> Index:
    """The triangle across each edge (m, 3): the one that runs along the same edge the other way."""
    start, end = triangles.ravel(), np.roll(triangles, -1, axis=1).ravel()
    key = np.minimum(start, end) * (triangles.max() + 1) + np.maximum(start, end)
    order = np.argsort(key, kind="stable")
    key = key[order]
    edge_of = np.cumsum(np.concatenate([[0], key[1:] != key[:-1]]))
    first = np.flatnonzero(np.bincount(edge_of) == 2)
    place = np.searchsorted(edge_of, first)
    one, two = order[place], order[place + 1]
    opposite = start[one] == end[two]
    one, two = one[opposite], two[opposite]
    beyond = np.full(triangles.size, -1, dtype=np.int64)
    beyond[one], beyond[two] = two // 3, one // 3
    return beyond.reshape(-1, 3)


def _sharp(vertices: Array, triangles: Index, beyond: Index) -> Index:
    """Bits for what of each triangle is convex, see `Surface`.

    A border counts as a ridge, and as enough of them. Where fewer than three meet, no direction has a peak.
    """
    a, b, c = (vertices[triangles[:, k]] for k in range(3))
    normals = np.cross(b - a, c - a)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    border = beyond < 0
    ridge = border.copy()
    own = border | (beyond > np.arange(len(triangles))[:, None])
    t, k = np.nonzero(own & ~border)
    edge = vertices[triangles[t, (k + 1) % 3]] - vertices[triangles[t, k]]
    turn = (edge * np.cross(normals[t], normals[beyond[t, k]])).sum(axis=1)
    ridge[t, k] = turn > FLAT * np.linalg.norm(edge, axis=1)
    weight = np.where(border, 3, 1)[ridge]
    ends = (triangles[ridge], np.roll(triangles, -1, axis=1)[ridge])
    meeting = np.bincount(np.concatenate(ends), np.tile(weight, 2), minlength=len(vertices))
    peak = (meeting >= 3)[triangles] & own & np.roll(own, 1, axis=1)
    bits: Index = (ridge * (RIDGE << np.arange(3)) + peak * (PEAK << np.arange(3))).sum(axis=1)
    return bits


def _boxes(corners: Array) -> Array:
    """Boxes of the nodes above triangles (m, 3 corners, 3), see `Surface`."""
    count = -(-len(corners) // LEAF)
    leaves = 1 << (count - 1).bit_length()
    boxes = np.tile([np.inf, np.inf, np.inf, -np.inf, -np.inf, -np.inf], (2 * leaves, 1))
    starts = np.arange(0, len(corners), LEAF)
    boxes[leaves : leaves + count, :3] = np.minimum.reduceat(corners.min(axis=1), starts)
    boxes[leaves : leaves + count, 3:] = np.maximum.reduceat(corners.max(axis=1), starts)
    while leaves > 1:
        pairs = boxes[leaves : 2 * leaves].reshape(-1, 2, 6)
        boxes[leaves // 2 : leaves, :3] = pairs[:, :, :3].min(axis=1)
        boxes[leaves // 2 : leaves, 3:] = pairs[:, :, 3:].max(axis=1)
        leaves //= 2
    return boxes


def pack_surfaces(surfaces: list[Surface]) -> dict[str, NDArray[Any]]:
    """Surfaces side by side in flat arrays, with vertices and triangles numbered through."""
    points, faces, nodes = (
        np.cumsum([0, *(len(rows) for rows in lists)])
        for lists in ([s.vertices for s in surfaces], [s.triangles for s in surfaces], [s.boxes for s in surfaces])
    )
    number, leaves = np.diff(faces), np.diff(nodes) // 2
    beyond = [np.where(s.beyond < 0, -1, s.beyond + k) for s, k in zip(surfaces, faces, strict=False)]
    return {
        "ground": np.stack([faces[:-1], number, nodes[:-1], leaves], axis=1),
        "ground_vertex": np.concatenate([*(s.vertices for s in surfaces), np.zeros((0, 3))]),
        "ground_triangle": np.concatenate(
            [*(s.triangles + k for s, k in zip(surfaces, points, strict=False)), np.zeros((0, 3), dtype=np.int64)]
        ),
        "ground_beyond": np.concatenate([*beyond, np.zeros((0, 3), dtype=np.int64)]),
        "ground_sharp": np.concatenate([*(s.sharp for s in surfaces), np.zeros(0, dtype=np.int64)]),
        "ground_box": np.concatenate([*(s.boxes for s in surfaces), np.zeros((0, 6))]),
        "near": np.zeros(number.max(initial=0), dtype=np.int64),
        "nearer": np.zeros(number.max(initial=0), dtype=np.int64),
    }
