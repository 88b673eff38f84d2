"""Bare contact problems on disk: W, q and mu in an .npz file."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import Any, Final
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import FileFormatError

__all__ = ["read_problem"]

NAMES: Final = ("W", "q", "mu")


def read_problem(file: Path) -> list[NDArray[Any]]:
    """W, q and mu of the file, as they are; `contact.solve` checks their shapes."""
    remedy = f"Give an .npz file with the arrays {', '.join(NAMES)}"
    try:
        with np.load(file, allow_pickle=False) as arrays:
            missing = [name for name in NAMES if name not in arrays.files]
            if missing:
                raise FileFormatError(f"no array {' and no '.join(missing)}", remedy=remedy)
            return [arrays[name] for name in NAMES]
    except (ValueError, EOFError, TypeError, AttributeError, BadZipFile, zlib.error) as error:
        raise FileFormatError("not an .npz file of numbers", remedy=remedy) from error
