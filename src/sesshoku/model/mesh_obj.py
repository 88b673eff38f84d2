"""Triangles of Wavefront OBJ files."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

__all__ = ["read_obj"]


def read_obj(data: bytes) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Vertices (k, 3) and triangles (m, 3) of an OBJ file, polygons cut into fans.

    Only ``v`` and ``f`` lines count. Raises ValueError if one of them is broken.
    """
    vertices: list[list[bytes]] = []
    triangles: list[tuple[int, int, int]] = []
    for number, line in enumerate(data.replace(b"\\\n", b"  ").splitlines(), 1):
        words = line.split()
        if not words:
            continue
        if words[0] == b"v":
            if len(words) < 4:
                raise ValueError(f"line {number}: a vertex needs three numbers")
            vertices.append(words[1:4])
        elif words[0] == b"f":
            corners = [_vertex(word, len(vertices), number) for word in words[1:]]
            triangles += [(corners[0], a, b) for a, b in pairwise(corners[1:])]
    return (
        np.array(vertices, dtype=float).reshape(-1, 3),
        np.array(triangles, dtype=np.int64).reshape(-1, 3),
    )


def _vertex(word: bytes, count: int, line: int) -> int:
    """The vertex that a corner ``vertex/texture/normal`` names: from 1 on, or backwards from -1."""
    try:
        index = int(word.partition(b"/")[0])
    except ValueError:
        raise ValueError(f"line {line}: '{word.decode(errors='replace')}' is not a corner of a face") from None
    if index == 0 or index < -count:
        raise ValueError(f"line {line}: there is no vertex {index}")
    return index - 1 if index > 0 else count + index
