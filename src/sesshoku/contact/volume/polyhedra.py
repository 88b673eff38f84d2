"""Smooth shapes as polyhedra: what contact by volume takes spheres, capsules, cylinders and ellipsoids for.

With the unit ball B, a polyhedron P stands for a convex shape K up to a distance δ if K ⊖ δB ⊂ P ⊂ K ⊕ δB. Its vertices
lie on the outer one of these two surfaces and its faces do not cut the inner one: it is too large where it has vertices
and too small between them, and its volume is about right.
"""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from itertools import product
from math import acos, ceil, cos, pi

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import ModelError, UnsupportedError
from sesshoku.model import Capsule, Cylinder, Ellipsoid, HeightField, Hull, Model, Sphere, Terrain
from sesshoku.model.model import Placed
from sesshoku.model.shape import Shape

__all__ = ["polyhedral"]

Array = NDArray[np.float64]
MIRRORS = np.array(list(product((1.0, -1.0), repeat=3)))  # of the three planes between the axes
ROUNDING = 1e-9  # what differs by less in direction, or in depth of the smallest radius, is the same


def polyhedral(model: Model, deviation: float = 0.01) -> Model:
    """The model with a hull for each smooth shape; inertia is not touched.

    The surface of a hull is nowhere farther from that of its shape than ``deviation`` times the smallest radius, and is
    its own image in the three planes between the axes of the shape. Ends of cylinders are flat and where they were. At
    0.01 a sphere gets 190 vertices and the rim of a cylinder 16. Terrain, height fields and meshes with hollows are
    refused.
    """
    if not 1e-3 <= deviation <= 0.1:
        raise ModelError(f"a deviation of {deviation} from smooth shapes", remedy="Give one from 0.001 to 0.1")
    return replace(model, colliders=tuple(_polyhedral(placed, model.name, deviation) for placed in model.colliders))


def _polyhedral(placed: Placed, file: str, deviation: float) -> Placed:
    """The same collider, as a hull if it is smooth."""
    shape = placed.shape
    name, wish = f" '{placed.collider.name}'" if placed.collider.name else "", None
    if isinstance(shape, Terrain | HeightField):
        wish = "Split it into convex parts, boxes or hulls, or choose another contact law"
    elif isinstance(shape, Hull) and shape.filled:
        wish = "Load it with hulls=True (--hulls) to have the convex hull, or split it by sesshoku.decompose"
    if wish is not None:
        what = "mesh" if isinstance(shape, Hull) else type(shape).__name__.lower()
        problem = f"its {what}{name} is not convex, and has no contact volume"
        raise UnsupportedError(problem, file=file, element=f"body '{placed.owner}'", remedy=wish)
    points = _points(shape, deviation)
    return placed if points is None else replace(placed, collider=replace(placed.collider, shape=Hull(points)))


def _points(shape: Shape, deviation: float) -> Array | None:
    """Vertices for a smooth shape in its own frame [m]; None for another shape."""
    if isinstance(shape, Sphere):
        return shape.radius * _ellipsoid((1.0, 1.0, 1.0), deviation)
    if isinstance(shape, Ellipsoid):
        return _ellipsoid(shape.radii, deviation)
    if isinstance(shape, Capsule):  # the sum of a sphere and a segment: its error is that of the sphere
        sphere = shape.radius * _ellipsoid((1.0, 1.0, 1.0), deviation)
        half = np.array([0.0, 0.0, shape.length / 2])
        return np.concatenate([sphere[sphere[:, 2] >= 0.0] + half, sphere[sphere[:, 2] <= 0.0] - half])
    if isinstance(shape, Cylinder):
        rim = shape.radius * _circle(deviation)
        return np.concatenate([np.insert(rim, 2, z, axis=1) for z in (-shape.length / 2, shape.length / 2)])
    return None


def _circle(deviation: float) -> Array:
    """Corners (n, 2) of the regular polygon that is too large at them by as much as too small in between."""
    corners = 2 * ceil(pi / acos((1.0 - deviation) / (1.0 + deviation)) / 2)  # an even number, for both mirrors
    angle = 2 * pi / corners * np.arange(corners)
    radius = 2.0 / (1.0 + cos(pi / corners))
    return radius * np.stack([np.cos(angle), np.sin(angle)], axis=1)


@lru_cache
def _ellipsoid(radii: tuple[float, float, float], deviation: float) -> Array:
    """Vertices (n, 3) for an ellipsoid of these radii.

    Begins with the ends of the axes. Where a face is deepest inside there is a new vertex, and its mirror images, until
    no face is too deep. With h(u) = |D u|, how far the ellipsoid reaches along a unit vector u, and D the radii as a
    diagonal matrix, the place that u is normal to is D² u / h(u).
    """
    from scipy.spatial import ConvexHull

    D, depth = np.array(radii), deviation * min(radii)
    u = np.concatenate([np.eye(3), -np.eye(3)])
    while True:
        vertices: Array = D * D * u / np.linalg.norm(D * u, axis=1, keepdims=True) + depth * u
        planes = ConvexHull(vertices).equations  # unit normal, minus the distance from the middle
        deep = np.linalg.norm(D * planes[:, :3], axis=1) + planes[:, 3]
        if deep.max() <= depth:
            vertices.setflags(write=False)
            return vertices
        # Mirror images, and axes of equal radii, are equally deep: rounding must not choose among them.
        normals = np.abs(planes[deep > deep.max() - ROUNDING * min(radii), :3])
        normal = np.array(max(map(tuple, np.round(normals / ROUNDING))))
        u = np.concatenate([u, np.unique(MIRRORS * (normal / np.linalg.norm(normal)) + 0.0, axis=0)])  # -0 is 0
