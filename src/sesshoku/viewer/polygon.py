"""Shapes as quadrilaterals, for pictures."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull

from sesshoku.model.shape import Box, Capsule, Cylinder, Ellipsoid, HeightField, Hull, Plane, Shape, Terrain

__all__ = ["quadrilaterals"]

Array = NDArray[np.float64]

ANGLE = np.linspace(0.0, 2 * np.pi, 49)  # corners of a circle
QUARTER = ANGLE[:13]
TILE = 0.005  # edge of a box's tiles [m]: matplotlib sorts whole polygons by depth, so small ones hide well
MOST_TILES = 60  # along one edge, for large boxes


def quadrilaterals(shape: Shape) -> Array:
    """Surface of a shape, (n, 4, 3): corners in its frame [m], anticlockwise seen from outside.

    Two corners coincide where a round shape has its pole.
    """
    if isinstance(shape, Box):
        return _box(np.array(shape.size) / 2)
    if isinstance(shape, Hull):
        return _triangles(shape.points[ConvexHull(shape.points).simplices], shape.points.mean(axis=0))
    if isinstance(shape, Terrain):
        corners = shape.vertices[shape.triangles]
        return corners[:, [0, 1, 2, 2]]
    if isinstance(shape, HeightField):
        x, y = (np.linspace(-s / 2, s / 2, k) for s, k in zip(shape.size, shape.heights.shape, strict=True))
        return _cells(np.stack([*np.meshgrid(x, y, indexing="ij"), shape.heights], axis=2))
    if isinstance(shape, Plane):
        return np.empty((0, 4, 3))  # without end: shown by the shadows on it
    scale = np.ones(3)
    if isinstance(shape, Cylinder):
        radius, height = np.array([0.0, shape.radius]), np.full(2, shape.length / 2)
    else:
        middle = shape.length / 2 if isinstance(shape, Capsule) else 0.0
        size = 1.0 if isinstance(shape, Ellipsoid) else shape.radius
        scale = np.array(shape.radii) if isinstance(shape, Ellipsoid) else scale
        radius, height = size * np.sin(QUARTER), size * np.cos(QUARTER) + middle
    profile = np.concatenate([radius, radius[::-1]]), np.concatenate([height, -height[::-1]])
    return _turned(*profile) * scale


def _triangles(corners: Array, inside: Array) -> Array:
    """Triangles (k, 3, 3) as quadrilaterals, turned so that they face away from a point inside."""
    a, b, c = corners.transpose(1, 0, 2)
    inward = np.einsum("ki,ki->k", np.cross(b - a, c - a), a - inside) < 0
    corners[inward] = corners[inward][:, ::-1]
    return corners[:, [0, 1, 2, 2]]


def _box(half: Array) -> Array:
    """Six faces of a box, cut into tiles."""
    cuts = [np.linspace(-h, h, 1 + min(MOST_TILES, int(np.ceil(2 * h / TILE)))) for h in half]
    faces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        grid = np.empty((len(cuts[u]), len(cuts[v]), 3))
        grid[..., u], grid[..., v] = np.meshgrid(cuts[u], cuts[v], indexing="ij")
        grid[..., axis] = half[axis]
        front = _cells(grid)
        faces += [front, -front[:, ::-1]]  # the back is its point reflection, turned over
    return np.concatenate(faces)


def _turned(radius: Array, height: Array) -> Array:
    """Surface swept about z by a profile from the top down."""
    ring = np.stack([np.cos(ANGLE), np.sin(ANGLE), np.ones_like(ANGLE)], axis=1)
    return _cells(np.stack([radius, radius, height], axis=1)[:, None] * ring)


def _cells(grid: Array) -> Array:
    """Quadrilaterals between neighbours of a grid of points (rows, columns, 3)."""
    return np.stack([grid[:-1, :-1], grid[1:, :-1], grid[1:, 1:], grid[:-1, 1:]], axis=2).reshape(-1, 4, 3)
