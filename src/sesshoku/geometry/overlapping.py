"""Links of a robot that overlap as the file has them: they are meant to, and must not be pressed apart.

Files describe links by simple or swollen shapes, and neighbours but one often overlap in every posture.
"""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import System
from sesshoku.geometry.detect import detect_here
from sesshoku.geometry.space import Space
from sesshoku.model import Model

__all__ = ["overlapping"]

DEPTH: Final = 5e-5  # beyond what a file in tenths of a millimetre has by rounding [m]


def overlapping(model: Model) -> NDArray[np.int64]:
    """Pairs of colliders on one tree of bodies that overlap in the configuration of the file, (k, 2)."""
    system, space = System(model), Space(model)
    while detect_here(system.address, space.address) > len(space.gap) or space.crowded:
        space = Space(model, capacity=2 * len(space.gap))
    n = int(space.count[0])
    pairs = space.shapes[:n]
    bodies = space.body[pairs]
    moving = (bodies >= 0).all(axis=1) & (space.gap[:n] < -DEPTH)
    together = moving & (model.root[bodies[:, 0]] == model.root[bodies[:, 1]])
    return np.unique(np.sort(pairs[together], axis=1), axis=0)
