"""The coefficients of every two surfaces of a model, as a table for the kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from sesshoku.model.material import Coefficients, Material, combine

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sesshoku.model import Model

__all__ = ["material_table"]

Surface = tuple[Material, str | None, str | None]  # with the names of body and collider, if a pair names them


def material_table(model: Model) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """The kind of surface of each collider (ns,), and the coefficients of each two kinds (m, m, 4)."""
    named = {name for pair in model.pair_materials for name in pair}
    surfaces: dict[Surface, int] = {}
    kinds = []
    for placed in model.colliders:
        body, name = placed.owner, placed.collider.name
        surface = (placed.collider.material, body if body in named else None, name if name in named else None)
        kinds.append(surfaces.setdefault(surface, len(surfaces)))
    table = np.array([[_coefficients(model, a, b) for b in surfaces] for a in surfaces], dtype=float)
    return np.array(kinds, dtype=np.int64), table.reshape(len(surfaces), len(surfaces), 4)


def _coefficients(model: Model, a: Surface, b: Surface) -> Coefficients:
    """Of two kinds of surfaces: what a named pair says goes before what the surfaces say; colliders before bodies."""
    both = combine(a[0], b[0])
    for one in (a[2], a[1]):
        for other in (b[2], b[1]):
            if one is None or other is None:
                continue
            stated = model.pair_materials.get(frozenset((one, other)))
            if stated is not None:
                static = both[0] if stated.static is None else stated.static
                kinetic = (
                    stated.kinetic if stated.kinetic is not None else static if stated.static is not None else both[1]
                )
                restitution = both[2] if stated.restitution is None else stated.restitution
                return static, kinetic, restitution, both[3] if stated.stiffness is None else stated.compliance
    return both
