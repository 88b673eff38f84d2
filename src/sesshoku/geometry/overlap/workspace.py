"""The memory that the overlap of two polyhedra is made in, and where it lies afterwards: one handle for the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sesshoku.geometry.space import Space
from sesshoku.handle import Arrays, HandleType, array_type, by_address

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["FACES", "HANDLE", "SECTION", "SIDE", "VERTICES", "Handle", "Workspace", "at"]

VERTICES, FACES, SIDE, SECTION = 0, 1, 2, 3  # places in `count`

FIELDS: Final = tuple(
    (name, array_type(integer, dimensions))
    for name, integer, dimensions in (
        ("count", True, 1),  # vertices, faces, which of two sets of faces is the present one, corners of the section
        ("slot", True, 1),  # (v) rows of vertices: those in use come first, then the free ones
        ("point", False, 2),  # (v, 3) in world axes, from the origin of the shape that is clipped [m]
        ("height", False, 1),  # (v) above the plane of the present cut [m]
        ("local", False, 2),  # (v, 3) along e1, e2 and the normal, from the centroid [m]
        # faces: of two sets, which take turns, a cut reads one and writes the other
        ("start", True, 2),  # (2, f + 1) where the loop of each face begins
        ("loop", True, 2),  # (2, c) rows of the vertices of the faces, anticlockwise seen from outside
        ("sign", False, 2),  # (2, f) 1 if a face lies on the surface of A, -1 on that of B, 0 on both
        # vertices made by the present cut
        ("edge", True, 2),  # (v, 2) ends of the edge each lies on: the one that stays, the one that goes
        ("link", True, 1),  # (v) the next one around the new face
        ("section", False, 2),  # (v, 2) corners of the section along e1 and e2, from the centroid, anticlockwise [m]
    )
)


class Handle:
    """How kernels see a `Workspace`: the same arrays, as attributes."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> NDArray[Any]: ...


HANDLE: Final = HandleType("Overlap", FIELDS)
at = by_address(HANDLE)


class Workspace(Arrays):
    """Room for the overlap of any two polyhedra of a space; attributes are numpy arrays as in the table.

    By Euler's formula f faces have at most 2 f vertices and 6 f corners, and a cut makes at most f new vertices.
    """

    def __init__(self, space: Space) -> None:
        f = max(8, 2 * int(np.diff(space.face_start).max(initial=0)))
        faces, vertices, corners = 2 * f, 4 * f, 12 * f
        arrays: dict[str, NDArray[Any]] = {
            "count": np.zeros(4, dtype=np.int64),
            "slot": np.arange(vertices),
            "point": np.zeros((vertices, 3)),
            "height": np.zeros(vertices),
            "local": np.zeros((vertices, 3)),
            "start": np.zeros((2, faces + 1), dtype=np.int64),
            "loop": np.zeros((2, corners), dtype=np.int64),
            "sign": np.zeros((2, faces)),
            "edge": np.zeros((vertices, 2), dtype=np.int64),
            "link": np.zeros(vertices, dtype=np.int64),
            "section": np.zeros((vertices, 2)),
        }
        super().__init__(FIELDS, arrays)
