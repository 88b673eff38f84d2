"""Bare problems on disk: what is written is read, and what is wrong is said with a remedy."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from sesshoku.contact.problem_file import read_problem
from sesshoku.errors import FileFormatError


def test_arrays_come_back(tmp_path: Path) -> None:
    written = {"mu": np.array([0.5]), "W": np.eye(3), "q": np.array([-1.0, 0.2, 0.0]), "more": np.zeros(2)}
    np.savez(tmp_path / "block.npz", **written)
    for name, array in zip(("W", "q", "mu"), read_problem(tmp_path / "block.npz"), strict=True):
        np.testing.assert_array_equal(array, written[name])


def test_missing_arrays_are_named(tmp_path: Path) -> None:
    np.savez(tmp_path / "half.npz", W=np.eye(3))
    with pytest.raises(FileFormatError, match="no array q and no mu"):
        read_problem(tmp_path / "half.npz")


@pytest.mark.parametrize("content", [b"", b"PK", b"W = 1", bytes(range(256))])
def test_other_files_are_refused(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "other.npz").write_bytes(content)
    with pytest.raises(FileFormatError, match=r"not an \.npz file of numbers"):
        read_problem(tmp_path / "other.npz")
