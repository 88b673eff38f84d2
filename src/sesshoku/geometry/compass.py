"""Directions sorted into cells: where to begin the search for the vertex farthest along one.

The cells are the squares of a cube around the origin, GRID × GRID to a face. Begun at the vertex that is farthest
along the middle of its cell, a climb over the edges of a hull takes a step or two.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3

__all__ = ["MIDDLES", "cell_of"]

GRID: Final = 8


@kernel
def cell_of(d: Vec3) -> int:
    """The cell a direction points into; any, if it is not finite."""
    x, y, z = abs(d[0]), abs(d[1]), abs(d[2])
    if x >= y and x >= z:
        face, u, v, w = 0, d[1], d[2], d[0]
    elif y >= z:
        face, u, v, w = 2, d[2], d[0], d[1]
    else:
        face, u, v, w = 4, d[0], d[1], d[2]
    s = 0.5 * GRID / abs(w)
    i = min(max(int(s * u + 0.5 * GRID), 0), GRID - 1)
    j = min(max(int(s * v + 0.5 * GRID), 0), GRID - 1)
    return ((face + (1 if w > 0.0 else 0)) * GRID + i) * GRID + j


_STEPS = (np.arange(GRID) + 0.5) * 2.0 / GRID - 1.0
MIDDLES: Final = np.array(
    [np.roll((w, u, v), axis) for axis in range(3) for w in (-1.0, 1.0) for u in _STEPS for v in _STEPS]
)  # (cells, 3)
