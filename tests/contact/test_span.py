"""Rank-revealing factors of Gram matrices, against NumPy."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.contact.span import backward, forward, span


def spanned(c: np.ndarray) -> tuple[np.ndarray, np.ndarray, int]:
    """B, order and rank of the rows of c."""
    n = c.shape[1]
    b, order = np.zeros(n * n), np.zeros(n, dtype=np.int64)
    rank = span((c.T @ c).ravel(), n, b, order, np.zeros(n))
    return b, order, rank


@pytest.mark.parametrize("rank", [1, 3, 5, 8])
def test_factor_has_the_rank_of_the_vectors(rank: int) -> None:
    rng = np.random.default_rng(rank)
    c = rng.normal(size=(20, rank)) @ rng.normal(size=(rank, 8))
    b, _, found = spanned(c)
    assert found == rank
    rows = b.reshape(8, 8)[:rank]
    np.testing.assert_allclose(rows.T @ rows, c.T @ c, atol=1e-10 * np.abs(c.T @ c).max())


@pytest.mark.parametrize("rank", [2, 6])
def test_columns_are_orthonormal_and_give_the_pseudo_inverse(rank: int) -> None:
    """C W by `backward`, Wᵀ g by `forward`: C⁺ᵀ g = C W Wᵀ g for g in the row space."""
    rng = np.random.default_rng(rank)
    c = rng.normal(size=(15, rank)) @ rng.normal(size=(rank, 6))
    b, order, found = spanned(c)
    w = np.zeros((6, found))
    for k in range(found):
        column = np.zeros(6)
        backward(b, 6, order, found, np.eye(found)[k].copy(), column, 0)
        w[:, k] = column
    np.testing.assert_allclose((c @ w).T @ (c @ w), np.eye(found), atol=1e-9)
    g = c.T @ rng.normal(size=15)
    t = np.zeros(6)
    forward(b, 6, order, found, g, 0, t)
    np.testing.assert_allclose(t[:found], w.T @ g, atol=1e-9)
    np.testing.assert_allclose(c @ w @ t[:found], np.linalg.pinv(c.T) @ g, atol=1e-9)


def test_nothing_spans_nothing() -> None:
    assert spanned(np.zeros((4, 6)))[2] == 0


def test_points_on_one_body_have_the_rank_of_the_paper() -> None:
    """One point has rank 3, two have 5, from three on 6: M is singular from the second point on."""
    points = np.array([[0.1, 0.05, 0.0], [-0.1, 0.05, 0.0], [-0.1, -0.05, 0.0], [0.1, -0.05, 0.0]])
    for count, rank in zip(range(1, 5), (3, 5, 6, 6), strict=True):
        blocks = [np.hstack([np.cross(x, np.eye(3)), np.eye(3)]) for x in points[:count]]
        assert spanned(np.vstack(blocks))[2] == rank
