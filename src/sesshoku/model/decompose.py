"""Convex decomposition: a mesh that is not convex as several hulls that are. Offline, through an extra."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from sesshoku.errors import ModelError, SesshokuError
from sesshoku.model.shape import Hull

__all__ = ["decompose"]


def decompose(
    vertices: ArrayLike, triangles: ArrayLike, *, concavity: float = 0.05, parts: int | None = None, seed: int = 0
) -> list[Hull]:
    """Convex hulls that cover a mesh, by CoACD; the same ones for the same seed.

    Give each to `Scene.collider`. It takes seconds to minutes: store the result.

    Args:
        vertices: shape (k, 3) [m].
        triangles: shape (m, 3), vertex numbers.
        concavity: how deep hollows may stay filled, as a share of the mesh's size; 0.01 (fine) to 1 (one hull).
        parts: at most this many hulls, also where that leaves deeper hollows.
        seed: of the search for good cuts.
    """
    try:
        import coacd
    except ImportError as error:
        raise SesshokuError(
            "convex decomposition needs the package coacd. Install it with: pip install 'sesshoku[decompose]'."
        ) from error
    points, corners = np.asarray(vertices, dtype=float), np.asarray(triangles, dtype=np.int32)
    if points.ndim != 2 or points.shape[1] != 3 or corners.ndim != 2 or corners.shape[1] != 3:
        raise ModelError(f"shapes {points.shape} and {corners.shape}", element="mesh", remedy="Give (k, 3) and (m, 3)")
    if len(corners) == 0 or corners.min() < 0 or corners.max() >= len(points) or not np.isfinite(points).all():
        raise ModelError("is empty, not finite or names missing vertices", element="mesh", remedy="Export it again")
    coacd.set_log_level("error")
    mesh = coacd.Mesh(points, corners)
    hulls = coacd.run_coacd(mesh, threshold=concavity, max_convex_hull=-1 if parts is None else parts, seed=seed)
    return [Hull(np.asarray(hull[0], dtype=float)) for hull in hulls]
