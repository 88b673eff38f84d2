"""How far two bodies are from each other."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.dynamics import entry
from sesshoku.dynamics.system import System
from sesshoku.errors import ModelError
from sesshoku.geometry.detect import collide_pair
from sesshoku.geometry.space import Space
from sesshoku.model import Model

__all__ = ["Distance", "distance"]

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Distance:
    """The nearest points of two bodies A and B, in the world.

    Attributes:
        gap: distance of the surfaces [m]; negative where they overlap.
        normal: unit vector from A to B, shape (3,).
        on_a, on_b: the nearest points, or those deepest in the other [m], shape (3,).
    """

    gap: float
    normal: Array
    on_a: Array
    on_b: Array


def distance(model: Model, a: str, b: str, q: ArrayLike | None = None) -> Distance:
    """Between two bodies of the file, or two colliders, by name, in a configuration (default: the file's)."""
    space, system = Space(model), System(model)
    if q is not None:
        system.q[:] = np.asarray(q, dtype=float).reshape(model.nq)
    entry.run_kinematics(system.address)
    best: Distance | None = None
    for i in _shapes(model, a):
        for j in _shapes(model, b):
            count = min(collide_pair(system.address, space.address, i, j), len(space.gap))
            for k in range(count):
                if best is None or space.gap[k] < best.gap:
                    turned = bool(space.shapes[k, 0] != i)
                    gap, normal, point = float(space.gap[k]), space.normal[k].copy(), space.point[k].copy()
                    half = 0.5 * gap * normal
                    ends = (point - half, point + half)
                    best = Distance(gap, -normal if turned else normal, ends[turned], ends[not turned])
    if best is None:
        remedy = "Name two different bodies, not both of the environment"
        raise ModelError(f"'{a}' and '{b}' have no distance", file=model.name, remedy=remedy)
    return best


def _shapes(model: Model, name: str) -> list[int]:
    """Colliders of a body, or the collider of that name."""
    found = [k for k, placed in enumerate(model.colliders) if name in (placed.owner, placed.collider.name)]
    if not found:
        model.frame(name)  # raises with the known names if there is no such body
        raise ModelError("it has no shape", file=model.name, element=f"body '{name}'", remedy="Give it a shape")
    return found
