"""Two polyhedra at poses of one's own, their overlap, and the same by Qhull."""

from typing import NamedTuple

import numpy as np
from hypothesis import strategies as st
from scipy.optimize import linprog
from scipy.spatial import ConvexHull, HalfspaceIntersection

from polyhedra import place, solid, space_of
from sesshoku.geometry.overlap.overlap import overlap_here
from sesshoku.geometry.overlap.workspace import SECTION, Workspace
from sesshoku.model import Box

CUBE = Box((1.0, 1.0, 1.0))
RANDOM = ("box-box", "box-hull", "hull-hull 8", "hull-hull 20-60")
seeds = st.integers(0, 2**32 - 1)


class Found(NamedTuple):
    volume: float
    centroid: np.ndarray
    normal: np.ndarray
    section: np.ndarray  # (k, 2) along e1, e2
    axes: np.ndarray  # rows e1, e2, normal
    moments: tuple


class Two:
    """Shapes A and B at poses of one's own."""

    def __init__(self, first, second):
        self.space = space_of(first, second)
        self.work = Workspace(self.space)

    def at(self, *poses):
        for k, pose in enumerate(poses):
            place(self.space, k, *pose)
        return self

    def find(self, a=0, b=1):
        v = overlap_here(self.space.address, self.work.address, a, b)
        corners = self.work.section[: self.work.count[SECTION]].copy()
        axes = np.array([v.e1, v.e2, v.normal])
        found = Found(v.volume, np.array(v.centroid), axes[2], corners, axes, tuple(v.moments))
        assert all(np.isfinite(part).all() for part in found)
        return found


def halfspaces(two):
    """n · x <= d of the faces of A, then of B, and how many are of A."""
    faces = [np.column_stack(solid(two.space, k)[1:3]) for k in (0, 1)]
    return np.concatenate(faces), len(faces[0])


def radius(planes):
    """Of the largest ball inside half-spaces; negative if they have nothing in common."""
    lp = linprog(
        [0, 0, 0, -1], np.column_stack([planes[:, :3], np.ones(len(planes))]), planes[:, 3], bounds=(None, None)
    )
    return lp.x[3]


def corners_of(planes, inside):
    """Vertices of what half-spaces have in common, by Qhull, given a point inside."""
    return HalfspaceIntersection(np.column_stack([planes[:, :3], -planes[:, 3]]), inside).intersections


def triangles_of(corners):
    """The surface of the hull of points: triangles (t, 3, 3), and their areas times outward normals (t, 3)."""
    hull = ConvexHull(corners)
    triangles = corners[hull.simplices]
    areas = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) / 2
    turned = (areas * hull.equations[:, :3]).sum(axis=1) < 0
    areas[turned] *= -1
    return triangles, areas


def area(polygon):
    x, y = polygon.T
    return (x * np.roll(y, -1) - np.roll(x, -1) * y).sum() / 2


def cut_through(corners, point, axes):
    """Area of the section of a convex body: all lines between its vertices that cross the plane, and their hull."""
    local = (corners - point) @ axes.T
    below, above = local[local[:, 2] < 0], local[local[:, 2] >= 0]
    part = below[:, None, 2:] / (below[:, None, 2:] - above[None, :, 2:])
    crossings = below[:, None] + part * (above[None] - below[:, None])
    return ConvexHull(crossings[..., :2].reshape(-1, 2)).volume


def centre_of(vertices):
    triangles, areas = triangles_of(vertices)
    inside = vertices.mean(axis=0)
    volumes = np.einsum("tx,tx->t", triangles[:, 0] - inside, areas) / 3
    return inside + volumes @ (triangles - inside).sum(axis=1) / (4 * volumes.sum())
