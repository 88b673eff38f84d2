"""Convex polyhedra: polygons as faces, edges with their two faces, neighbours of each vertex."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.spatial import ConvexHull, QhullError

from sesshoku.errors import ModelError

__all__ = ["Polyhedron", "box_polyhedron", "convex_hull"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
COPLANAR = 1e-6  # radians between triangles that are one face
MOST_POINTS = 2_000_000


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """A convex polyhedron with polygons as faces.

    Attributes:
        vertices: (k, 3) [m].
        faces: vertex numbers of each face, anticlockwise seen from outside.
        normals: outward unit normals of the faces, (f, 3).
        offsets: normals · x on the faces, (f,) [m].
        edges: vertex numbers (e, 2), the lower one first.
        edge_faces: the two faces each edge lies between, (e, 2).
        neighbours: of each vertex, the vertices it shares an edge with.
    """

    vertices: Array
    faces: tuple[Index, ...]
    normals: Array
    offsets: Array
    edges: Index
    edge_faces: Index
    neighbours: tuple[Index, ...]


def box_polyhedron(half: ArrayLike) -> Polyhedron:
    """A box; vertex k has bit 0, 1, 2 set where x, y, z is positive."""
    signs = np.array([[1 if k & (1 << axis) else -1 for axis in range(3)] for k in range(8)], dtype=float)
    faces = ((0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6))
    return _assemble(signs * np.asarray(half, dtype=float), [np.array(face, dtype=np.int64) for face in faces])


def convex_hull(points: ArrayLike, *, element: str = "hull", file: str | None = None) -> Polyhedron:
    """The convex hull of points; coplanar triangles become one polygon. Flat or broken input is a `ModelError`."""
    cloud = np.asarray(points, dtype=float).reshape(-1, 3)

    def refuse(problem: str, remedy: str) -> ModelError:
        return ModelError(problem, file=file, element=element, remedy=remedy)

    if not np.isfinite(cloud).all():
        raise refuse("it has points that are not finite", "Correct its vertices")
    if len(cloud) < 4:
        raise refuse(f"{len(cloud)} points span no volume", "Give at least four points that are not in one plane")
    if len(cloud) > MOST_POINTS:
        raise refuse(f"{len(cloud)} points are too many", f"Simplify the mesh to at most {MOST_POINTS} points")
    extent = np.ptp(cloud, axis=0).max()
    try:
        hull = ConvexHull(cloud)
    except QhullError:
        raise refuse("its points lie in one plane, it has no volume", "Give it a thickness, or leave it out") from None
    if hull.volume < 1e-12 * extent**3:
        raise refuse(f"its volume is {hull.volume:.3g} m³", "Give it a thickness, or leave it out")
    number = np.full(len(cloud), -1)
    number[hull.vertices] = np.arange(len(hull.vertices))
    vertices = cloud[hull.vertices]
    triangles, equations = number[hull.simplices], hull.equations
    groups = _coplanar_groups(equations[:, :3], hull.neighbors)
    faces = []
    for group in range(groups.max() + 1):
        members = np.flatnonzero(groups == group)
        corners = np.unique(triangles[members])
        weights = equations[members, :3].mean(axis=0)
        face = _around(vertices[corners], weights / np.linalg.norm(weights))
        faces.append(corners[face])
    return _assemble(vertices, faces)


def _coplanar_groups(normals: Array, neighbours: Index) -> Index:
    """Number the flat patches of a triangulated hull."""
    groups = np.full(len(normals), -1)
    count = 0
    for seed in range(len(normals)):
        if groups[seed] >= 0:
            continue
        groups[seed], queue = count, [seed]
        while queue:
            here = queue.pop()
            for there in neighbours[here]:
                # against the seed, so that a round surface is not unrolled into one face
                if groups[there] < 0 and np.linalg.norm(np.cross(normals[seed], normals[there])) < COPLANAR:
                    groups[there] = count
                    queue.append(int(there))
        count += 1
    return groups


def _around(points: Array, normal: Array) -> Index:
    """Order of the corners of a convex polygon, anticlockwise about its normal, lowest number first."""
    arms = points - points.mean(axis=0)
    first = arms[0] / np.linalg.norm(arms[0])
    order = np.argsort(np.arctan2(arms @ np.cross(normal, first), arms @ first) % (2 * np.pi), kind="stable")
    return np.roll(order, -int(np.argmin(order)))


def _assemble(vertices: Array, faces: list[Index]) -> Polyhedron:
    normals = np.empty((len(faces), 3))
    sides: dict[tuple[int, int], list[int]] = {}
    for f, face in enumerate(faces):
        corners = vertices[face]
        normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)  # Newell: robust for slivers
        normals[f] = normal / np.linalg.norm(normal)
        for a, b in zip(face, np.roll(face, -1), strict=True):
            sides.setdefault((min(a, b), max(a, b)), []).append(f)
    edges = np.array(sorted(sides), dtype=np.int64).reshape(-1, 2)
    neighbours: list[list[int]] = [[] for _ in vertices]
    for a, b in edges:
        neighbours[a].append(int(b))
        neighbours[b].append(int(a))
    return Polyhedron(
        vertices,
        tuple(faces),
        normals,
        np.array([normals[f] @ vertices[face].mean(axis=0) for f, face in enumerate(faces)]),
        edges,
        np.array([(sides[a, b] * 2)[:2] for a, b in edges], dtype=np.int64).reshape(-1, 2),
        tuple(np.array(sorted(near), dtype=np.int64) for near in neighbours),
    )
