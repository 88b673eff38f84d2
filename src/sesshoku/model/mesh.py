"""Meshes from files: triangles, and the convex hull that stands for them in contact."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import FileFormatError
from sesshoku.model.mesh_dae import read_dae
from sesshoku.model.mesh_obj import read_obj
from sesshoku.model.mesh_stl import read_stl
from sesshoku.model.shape import Terrain

__all__ = ["ConvexPart", "convex_part", "read_mesh"]

Array = NDArray[np.float64]
READERS = {".stl": read_stl, ".obj": read_obj, ".dae": read_dae}
HOLLOW = 0.01  # share of the volume by which a mesh and its hull may differ and still be one shape


@dataclass(frozen=True, eq=False)
class ConvexPart:
    """What of a mesh can touch.

    Attributes:
        points: the corners of its convex hull; all its vertices if they span no volume. Shape (k, 3).
        hollow: whether the volumes of the hull and the mesh differ by more than 1 %.
    """

    points: Array
    hollow: bool


def read_mesh(path: str | Path) -> Terrain:
    """The triangles of an STL, OBJ or DAE file, or of any other that Coal reads (PLY, GLB...), in the unit of the file.

    A file that cannot be read, is broken or has no triangles is a `FileFormatError`.
    """
    path = Path(path)
    try:
        reader = READERS.get(path.suffix.lower())
        vertices, triangles = reader(path.read_bytes()) if reader else _through_coal(path)
    except (OSError, ValueError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise _broken(f"is not a mesh ({reason})", path) from error
    if len(triangles) == 0:
        raise _broken("has no triangles", path)
    if triangles.min() < 0 or triangles.max() >= len(vertices):
        raise _broken(f"names vertices that are not among its {len(vertices)}", path)
    if not np.isfinite(vertices).all():
        raise _broken("has vertices that are not finite", path)
    return Terrain(vertices, triangles)


def convex_part(path: Path) -> ConvexPart:
    """The convex hull of a mesh file; computed once for as long as the file does not change."""
    state = path.stat()
    return _convex_part(path, state.st_mtime_ns, state.st_size)


@lru_cache(maxsize=1024)
def _convex_part(path: Path, _changed: int, _size: int) -> ConvexPart:
    from scipy.spatial import ConvexHull, QhullError

    mesh = read_mesh(path)
    points = mesh.vertices[np.unique(mesh.triangles)]
    try:
        hull = ConvexHull(points)
    except (QhullError, ValueError):  # flat, or fewer than four points: refused when its contacts are needed
        return ConvexPart(points, False)
    corners = mesh.vertices[mesh.triangles] - points.mean(axis=0)
    volume = abs(np.einsum("tx,tx->", corners[:, 0], np.cross(corners[:, 1], corners[:, 2]))) / 6
    return ConvexPart(points[hull.vertices], bool(abs(hull.volume - volume) > HOLLOW * hull.volume))


def _through_coal(path: Path) -> tuple[Array, NDArray[np.int64]]:
    import coal

    try:
        mesh = coal.MeshLoader().load(str(path))
    except (ValueError, RuntimeError) as error:
        _, _, message = str(error).partition("message: ")  # before it: a line of Coal's source
        raise ValueError(" ".join(message.split())) from error
    corners = (mesh.tri_indices(t) for t in range(mesh.num_tris))
    triangles = np.array([(t[0], t[1], t[2]) for t in corners], dtype=np.int64)
    return np.array(mesh.vertices()), triangles.reshape(-1, 3)


def _broken(problem: str, path: Path) -> FileFormatError:
    return FileFormatError(problem, file=str(path), remedy="Export the mesh again")
