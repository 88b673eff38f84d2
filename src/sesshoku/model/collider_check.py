"""Check what of a scene can touch, however it was described."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from sesshoku.errors import ModelError
from sesshoku.model.collider import Collider
from sesshoku.model.model import Placed
from sesshoku.model.shape import Box, Capsule, Cylinder, Ellipsoid, HeightField, Plane, Shape, Sphere, Terrain

__all__ = ["check_collider", "check_touching_pairs"]


def check_collider(collider: Collider, owner: str, moves: bool, file: str | None) -> None:
    """Sizes, pose and margin that make sense, and shapes of the environment only where nothing moves.

    Points and triangles are checked where they are put to use, in `geometry`.
    """
    shape, pose = collider.shape, collider.pose
    environment = isinstance(shape, Plane | Terrain | HeightField)
    for wrong, problem, remedy in (
        (moves and environment, "cannot move", "Put it on the world or on a fixed body"),
        (not all(0 < size < np.inf for size in _sizes(shape)), f"has size {_sizes(shape)}", "Give lengths above zero"),
        (not np.isfinite([*pose.position, *pose.rotation.ravel()]).all(), "has no finite pose", "Correct its origin"),
        (not 0 <= collider.margin < np.inf, f"has margin {collider.margin}", "Give a distance >= 0"),
    ):
        if wrong:
            what = type(shape).__name__.lower() + (f" '{collider.name}'" if collider.name else "")
            raise ModelError(f"its {what} {problem}", file=file, element=f"body '{owner}'", remedy=remedy)


def check_touching_pairs(pairs: Iterable[frozenset[str]], colliders: Iterable[Placed], file: str | None) -> None:
    """Each name of a pair must be that of exactly one collider."""
    names = Counter(placed.collider.name for placed in colliders)
    for name in {name for pair in pairs for name in pair if names[name] != 1}:
        problem = f"of a touching pair is the name of {names[name]} colliders"
        raise ModelError(problem, file=file, element=f"'{name}'", remedy="Name exactly one")


def check_pair_materials(pairs: Iterable[frozenset[str]], colliders: Iterable[Placed], file: str | None) -> None:
    """Each name of a pair must be that of a collider, or of a body that has one."""
    known = {name for placed in colliders for name in (placed.collider.name, placed.owner)}
    for name in {name for pair in pairs for name in pair if name not in known}:
        raise ModelError(
            "of a pair of materials has no shape", file=file, element=f"'{name}'", remedy="Name what touches"
        )


def _sizes(shape: Shape) -> tuple[float, ...]:
    """The lengths of a shape that must be positive."""
    if isinstance(shape, Box):
        return shape.size
    if isinstance(shape, Ellipsoid):
        return shape.radii
    if isinstance(shape, Cylinder | Capsule):
        return shape.radius, shape.length
    return (shape.radius,) if isinstance(shape, Sphere) else ()
