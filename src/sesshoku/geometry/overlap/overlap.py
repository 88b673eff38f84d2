"""The overlap of two shapes, from Python."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import ModelError
from sesshoku.geometry.overlap.find import ContactVolume, find_overlap
from sesshoku.geometry.overlap.workspace import SECTION, Workspace
from sesshoku.geometry.overlap.workspace import at as work_at
from sesshoku.geometry.space import Space
from sesshoku.geometry.space import at as space_at
from sesshoku.kernel import kernel
from sesshoku.model import Box, Collider, Hull, Plane, Scene

__all__ = ["Overlap", "overlap", "overlap_here"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Overlap:
    """What two convex shapes A and B have in common, in world axes.

    Attributes:
        volume: [m³]; 0 if they do not overlap, or only touch.
        centroid: [m], shape (3,).
        normal: unit vector from A to B, shape (3,); zero if there is no direction, as where one lies inside the other.
        section: corners of the section through the centroid, square to the normal, anticlockwise seen from where the
            normal points [m], shape (k, 3); none without a normal.
    """

    volume: float
    centroid: Array
    normal: Array
    section: Array


@kernel
def overlap_here(space: int, workspace: int, a: int, b: int) -> ContactVolume:
    """The contact volume of two shapes of a space where they are, by the addresses of space and workspace."""
    return find_overlap(space_at(space), work_at(workspace), a, b, False)


def overlap(a: Collider, b: Collider) -> Overlap:
    """The overlap of two boxes or hulls, or of one with a plane, at their poses in the world."""
    for collider in (a, b):
        if not isinstance(collider.shape, Box | Hull | Plane):
            problem = f"the overlap of a {type(collider.shape).__name__} is not known"
            raise ModelError(problem, remedy="Give boxes, hulls or a plane, or the hull of points on its surface")
    if isinstance(a.shape, Plane) and isinstance(b.shape, Plane):
        raise ModelError("two planes overlap without end", remedy="Give one plane at most")
    scene = Scene("overlap")
    scene.environment += [a, b]
    space = Space(scene.model)
    work = Workspace(space)
    found = overlap_here(space.address, work.address, 0, 1)
    axes, corners = np.array([found.e1, found.e2]), work.section[: work.count[SECTION]]
    centroid = np.array(found.centroid)
    return Overlap(found.volume, centroid, np.array(found.normal), centroid + corners @ axes)
