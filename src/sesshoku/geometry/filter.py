"""Which shapes can touch at all: decided once, when the space is built."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.model import Model

__all__ = ["allowed_pairs", "as_bits"]


def allowed_pairs(model: Model, apart: NDArray[np.int64] | None = None) -> NDArray[np.bool_]:
    """(ns, ns), true above the diagonal where two colliders can touch.

    Not if one body carries both, if one's body is the parent of the other's (the world is nobody's parent), if their
    bodies are a disabled pair or close a loop, if they are a pair of ``apart`` (k, 2), or if no group of one meets the
    mask of the other. Named touching pairs always can.
    """
    colliders = model.colliders
    n = len(colliders)
    body = np.array([placed.body for placed in colliders], dtype=np.int64)
    group = np.array([placed.collider.group for placed in colliders], dtype=np.int64)
    mask = np.array([placed.collider.mask for placed in colliders], dtype=np.int64)
    above = np.append(model.above, -1)[body]  # of the world: itself
    child = (above[:, None] == body[None, :]) & (body[None, :] >= 0)
    allowed = (body[:, None] != body[None, :]) & ~child & ~child.T
    allowed &= ((group[:, None] & mask[None, :]) | (mask[:, None] & group[None, :])) != 0
    owned: dict[str, list[int]] = {}
    for k, placed in enumerate(colliders):
        owned.setdefault(placed.owner, []).append(k)
    for pair in model.disabled_pairs:
        first, last = [owned.get(name, []) for name in (*pair, *pair)[:2]]
        allowed[np.ix_(first, last)] = allowed[np.ix_(last, first)] = False
    for a, b in model.loops.body:
        if a >= 0 and b >= 0:
            joined = (body[:, None] == a) & (body[None, :] == b)
            allowed &= ~joined & ~joined.T
    if apart is not None:
        allowed[apart[:, 0], apart[:, 1]] = allowed[apart[:, 1], apart[:, 0]] = False
    named = {placed.collider.name: k for k, placed in enumerate(colliders) if placed.collider.name}
    for pair in model.touching_pairs:
        ends = [named[name] for name in pair if name in named]
        if len(ends) == 2:
            allowed[ends[0], ends[1]] = allowed[ends[1], ends[0]] = True
    upper: NDArray[np.bool_] = np.triu(allowed, 1).reshape(n, n)
    return upper


def as_bits(matrix: NDArray[np.bool_]) -> NDArray[np.int64]:
    """Rows of truth values, 64 to a word: a thousand shapes take 128 kB."""
    n = len(matrix)
    words = (n + 63) // 64
    padded = np.zeros((n, 64 * words), dtype=np.uint8)
    padded[:, :n] = matrix
    return np.packbits(padded, axis=1, bitorder="little").view("<u8").astype(np.uint64).view(np.int64).reshape(n, words)
