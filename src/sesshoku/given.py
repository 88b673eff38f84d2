"""Numbers as users give them: one clear sentence where they are none, or not as many as it takes."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import ModelError

__all__ = ["number", "numbers"]


def numbers(value: Any, count: int, what: str, *, finite: bool = False) -> NDArray[np.float64]:
    """So many numbers as an array of their own."""
    try:
        found = np.array(value)
    except ValueError:
        found = np.array(np.nan)
    if found.shape != (count,) or found.dtype.kind not in "biuf" or (finite and not np.isfinite(found).all()):
        raise ModelError(f"{what} is {value!r}", remedy=f"Give {count} {'finite ' if finite else ''}numbers")
    return found.astype(float)


def number(
    value: Any, what: str, *, above: float = -inf, least: float = -inf, error: type[ModelError] = ModelError
) -> float:
    """A finite number, larger than ``above`` and not below ``least``."""
    try:
        found = np.nan if isinstance(value, str) else float(value)
    except (TypeError, ValueError):
        found = np.nan
    if not (np.isfinite(found) and found > above and found >= least):
        bound = f" > {above:g}" if above > -inf else f" >= {least:g}" if least > -inf else ""
        raise error(f"{what} is {value!r}", remedy=f"Give a finite number{bound}")
    return found
