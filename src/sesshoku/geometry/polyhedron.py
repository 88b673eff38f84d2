"""Convex polyhedra: polygons as faces, and how vertices, edges and faces hang together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.errors import ModelError

if TYPE_CHECKING:
    from scipy.spatial import ConvexHull

__all__ = ["Polyhedron", "box_polyhedron", "convex_hull"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
FLAT = 1e-6  # of the extent: triangles whose corners lie so near to one plane are one face
MOST_POINTS = 2_000_000
MOST_VERTICES = 10_000  # so that two edges fit in one number that names their contact, see polyhedral/feature.py


@dataclass(frozen=True, eq=False)
class Polyhedron:
    """A convex polyhedron with polygons as faces.

    Attributes:
        vertices: (k, 3) [m].
        faces: vertex numbers of each face, anticlockwise seen from outside, the lowest first.
        sides: of each face, the edges from these vertices to the next.
        normals: outward unit normals of the faces, (f, 3).
        offsets: normals · x on the faces, (f,) [m].
        edges: vertex numbers (e, 2), the lower one first.
        edge_faces: the two faces each edge lies between, (e, 2).
        neighbours: of each vertex, the vertices it shares an edge with.
        spokes: of each vertex, the edges to these neighbours.
        fans: of each vertex, the faces around it: as many as neighbours.
    """

    vertices: Array
    faces: tuple[Index, ...]
    sides: tuple[Index, ...]
    normals: Array
    offsets: Array
    edges: Index
    edge_faces: Index
    neighbours: tuple[Index, ...]
    spokes: tuple[Index, ...]
    fans: tuple[Index, ...]


def box_polyhedron(half: ArrayLike) -> Polyhedron:
    """A box; vertex k has bit 0, 1, 2 set where x, y, z is positive."""
    signs = np.array([[1 if k & (1 << axis) else -1 for axis in range(3)] for k in range(8)], dtype=float)
    rings = np.array([(0, 4, 6, 2), (1, 3, 7, 5), (0, 1, 5, 4), (2, 6, 7, 3), (0, 2, 3, 1), (4, 5, 7, 6)])
    return _assemble(signs * np.asarray(half, dtype=float), np.repeat(np.arange(6), 4), rings.ravel())


def convex_hull(points: ArrayLike, *, element: str = "hull", file: str | None = None) -> Polyhedron:
    """The convex hull of points; coplanar triangles become one polygon. Flat or broken input is a `ModelError`."""
    from scipy.spatial import ConvexHull, QhullError  # a third of the time of importing the package

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
    # first with faces as flat as rounding to single precision leaves them, then just triangles
    for options in (f"Qt C-{FLAT * extent}", "Qt"):
        try:
            hull = ConvexHull(cloud, qhull_options=options)
        except QhullError:
            raise refuse("its points lie in one plane", "Give it a thickness, or leave it out") from None
        if hull.volume < 1e-12 * extent**3:
            raise refuse(f"its volume is {hull.volume:.3g} m³", "Give it a thickness, or leave it out")
        if len(hull.vertices) > MOST_VERTICES:
            problem = f"its hull has {len(hull.vertices)} vertices"
            raise refuse(problem, f"Simplify the mesh until its hull has at most {MOST_VERTICES}")
        polyhedron = _assemble(*_polygons(cloud, hull, merged=options != "Qt"))
        if _is_closed(polyhedron):
            return polyhedron
    raise refuse("its hull is no closed surface", "Remove slivers and vertices that almost coincide")


def _polygons(cloud: Array, hull: ConvexHull, *, merged: bool) -> tuple[Array, Index, Index]:
    """Vertices of a hull; then face and vertex of each corner. Merged triangles of one face have one equation."""
    planes, groups = hull.equations, np.arange(len(hull.simplices))
    if merged:
        planes, groups = np.unique(planes, axis=0, return_inverse=True)
    pairs = np.unique(np.stack([np.repeat(groups.ravel(), 3), hull.simplices.ravel()], axis=1), axis=0)
    # where only one or two faces meet, a point lies inside a face or on an edge: it is no vertex
    pairs = pairs[np.bincount(pairs[:, 1], minlength=len(cloud))[pairs[:, 1]] >= 3]
    kept, face = np.unique(pairs[:, 0], return_inverse=True)
    used, corner = np.unique(pairs[:, 1], return_inverse=True)
    vertices = cloud[used]
    # around the middle of the face, beginning with its lowest vertex: anticlockwise
    number = np.bincount(face)[:, None]
    middle = np.stack([np.bincount(face, vertices[corner, axis]) for axis in range(3)], axis=1) / number
    arms = vertices[corner] - middle[face]
    leading = np.concatenate([[0], np.cumsum(number[:-1])]).astype(np.int64)
    first = arms[leading]
    across = np.cross(planes[kept, :3], first)
    angle = np.arctan2((arms * across[face]).sum(axis=1), (arms * first[face]).sum(axis=1)) % (2 * np.pi)
    angle[leading] = 0.0
    order = np.lexsort((angle, face))
    return vertices, face[order], corner[order]


def _is_closed(polyhedron: Polyhedron) -> bool:
    """Whether it is a sphere to topology, with convex corners and as many faces around a vertex as neighbours."""
    vertices, edges, faces = len(polyhedron.vertices), len(polyhedron.edges), len(polyhedron.faces)
    return (
        vertices - edges + faces == 2
        and sum(map(len, polyhedron.faces)) == 2 * edges
        and all(len(a) == len(b) >= 3 for a, b in zip(polyhedron.neighbours, polyhedron.fans, strict=True))
    )


def _assemble(vertices: Array, face: Index, corner: Index) -> Polyhedron:
    """A polyhedron from the face and vertex of each corner, faces in order and each anticlockwise."""
    leading = np.flatnonzero(np.diff(face, prepend=-1))
    following = np.arange(1, len(face) + 1)
    following[np.append(leading[1:], len(face)) - 1] = leading
    here, there = corner, corner[following]
    areas = np.cross(vertices[here] - vertices[corner[leading[face]]], vertices[there] - vertices[here])
    normals: Array = np.stack([np.bincount(face, area) for area in areas.T], axis=1)  # Newell: robust for slivers
    normals = normals / np.linalg.norm(normals, axis=1, keepdims=True)
    offsets = np.bincount(face, (normals[face] * vertices[corner]).sum(axis=1)) / np.bincount(face)
    edges, side = np.unique(np.sort(np.stack([here, there], axis=1), axis=1), axis=0, return_inverse=True)
    side = side.ravel()
    by_edge = np.argsort(side, kind="stable")
    first = np.searchsorted(side[by_edge], np.arange(len(edges)))
    last = np.searchsorted(side[by_edge], np.arange(len(edges)), side="right") - 1

    def by_vertex(vertex: Index, *lists: Index) -> list[tuple[Index, ...]]:
        order = np.lexsort((lists[0], vertex))
        cuts = np.searchsorted(vertex[order], np.arange(1, len(vertices)))
        return [tuple(np.split(entries[order], cuts)) for entries in lists]

    ends = np.concatenate([edges, edges[:, ::-1]])
    neighbours, spokes = by_vertex(ends[:, 0], ends[:, 1], np.tile(np.arange(len(edges)), 2))
    return Polyhedron(
        vertices,
        tuple(np.split(corner, leading[1:])),
        tuple(np.split(side, leading[1:])),
        normals,
        offsets,
        edges,
        np.stack([face[by_edge[first]], face[by_edge[last]]], axis=1),
        neighbours,
        spokes,
        by_vertex(corner, face)[0],
    )
