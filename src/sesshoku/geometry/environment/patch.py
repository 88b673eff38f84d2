"""The contacts of one pair before they are reported: none twice, and not too many."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.geometry.space import Handle, append
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add, dot, scale, subtract

__all__ = ["EDGES", "PEAKS", "RANKS", "begin", "keep_along", "note", "report"]

Array = NDArray[np.float64]

MOST: Final = 8  # contacts of a pair; of more, the deepest and the outermost are kept: one and MOST − 1
RANKS: Final = 64  # features come in blocks of this size: the contacts of one vertex or edge of the shape
PEAKS: Final = 1 << 29  # features from here on: a vertex of the surface pokes into the shape
EDGES: Final = 1 << 30  # features from here on: an edge of the shape crosses a ridge
SAME_PLACE: Final = 1e-6  # contacts nearer than this, over the reach of the shape, and with one normal are one
SAME_NORMAL: Final = 1.0 - 1e-6

_k = np.arange(MOST - 1) + 0.5
_z, _turn = 1 - 2 * _k / (MOST - 1), np.pi * (1 + 5**0.5) * _k
# spread over the sphere and in line with nothing, so that symmetric shapes have no ties
DIRECTIONS: Final = np.column_stack([np.sqrt(1 - _z**2) * np.cos(_turn), np.sqrt(1 - _z**2) * np.sin(_turn), _z])


@kernel
def begin(g: Handle, a: int, b: int) -> None:
    """Forget the contacts of the last pair; now shape a touches the surface b."""
    g.patch_count[0], g.patch_count[1], g.patch_count[2] = 0, a, b


@kernel
def note(g: Handle, point: Vec3, normal: Vec3, gap: float, feature: int, rank: float) -> None:
    """Keep a contact, all in the frame of the surface.

    Args:
        g: the space.
        point: on the shape.
        normal: out of the surface.
        gap: along the normal.
        feature: the first number of a block, or a number of its own beyond `PEAKS`.
        rank: contacts of one block are numbered in the order of this.
    """
    patch, features = g.patch, g.patch_feature
    n = g.patch_count[0]
    near = (SAME_PLACE * g.reach[g.patch_count[1]]) ** 2
    for i in range(n):
        d = subtract(point, load3(patch, i))
        if dot(d, d) < near and dot(normal, load_normal(patch, i)) > SAME_NORMAL:
            return
    if n == len(patch):
        n = _thin_out(g)
    patch[n, 0], patch[n, 1], patch[n, 2] = point
    patch[n, 3], patch[n, 4], patch[n, 5] = normal
    patch[n, 6], patch[n, 7] = gap, rank
    features[n] = feature
    g.patch_count[0] = n + 1


@kernel
def report(g: Handle) -> None:
    """Append what was noted, in world axes."""
    a, b = g.patch_count[1], g.patch_count[2]
    patch, features = g.patch, g.patch_feature
    n = g.patch_count[0]
    for i in range(n):
        patch[i, 8] = 0.0
        for j in range(n):
            before = patch[j, 7] < patch[i, 7] or (patch[j, 7] == patch[i, 7] and j < i)
            if features[j] == features[i] and before:
                patch[i, 8] += 1.0
    for i in range(n):
        features[i] += int(patch[i, 8])
    if n > MOST:
        n = _thin_out(g)
    origin, axes = load3(g.position, b), load9(g.rotation, b)
    for i in range(n):
        gap = patch[i, 6]
        normal = rotate(axes, scale(-1.0, load_normal(patch, i)))
        point = add(origin, rotate(axes, load3(patch, i)))
        append(g, a, b, add(point, scale(0.5 * gap, normal)), normal, gap, features[i])


@kernel
def keep_along(g: Handle, first: int, direction: Vec3, cosine: float) -> None:
    """Of the contacts noted from ``first`` on, keep those whose normals are within an angle of a line."""
    kept = min(first, g.patch_count[0])  # notes may have been thinned out since
    for i in range(kept, g.patch_count[0]):
        if abs(dot(load_normal(g.patch, i), direction)) >= cosine:
            _move(g, i, kept)
            kept += 1
    g.patch_count[0] = kept


@kernel
def load_normal(patch: Array, i: int) -> Vec3:
    """Normal of a contact noted."""
    return (patch[i, 3], patch[i, 4], patch[i, 5])


@kernel
def _move(g: Handle, i: int, j: int) -> None:
    """Put contact i in the place of contact j."""
    patch, features = g.patch, g.patch_feature
    for k in range(9):
        patch[j, k] = patch[i, k]
    features[j] = features[i]


@kernel
def _thin_out(g: Handle) -> int:
    """Keep the deepest contact and the outermost in fixed directions of the shape; how many these are.

    Of contacts at one place, or of one depth, it is the first: not the one that rounding favours.
    """
    patch, n, slack = g.patch, g.patch_count[0], SAME_PLACE * g.reach[g.patch_count[1]]
    shape, surface = load9(g.rotation, g.patch_count[1]), load9(g.rotation, g.patch_count[2])
    deepest = 0
    for i in range(n):
        patch[i, 8] = 0.0
        if patch[i, 6] < patch[deepest, 6] - slack:
            deepest = i
    patch[deepest, 8] = 1.0
    for k in range(len(DIRECTIONS)):
        direction = rotate_back(surface, rotate(shape, load3(DIRECTIONS, k)))
        outermost = 0
        for i in range(1, n):
            if dot(direction, subtract(load3(patch, i), load3(patch, outermost))) > slack:
                outermost = i
        patch[outermost, 8] = 1.0
    kept = 0
    for i in range(n):
        if patch[i, 8] == 1.0:
            _move(g, i, kept)
            kept += 1
    g.patch_count[0] = kept
    return kept
