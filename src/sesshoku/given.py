"""Numbers as users give them: one clear sentence where they are none, or not as many as it takes."""

from __future__ import annotations

from math import inf
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import ModelError

__all__ = ["number", "numbers"]


def numbers(value: Any, count: int, what: str) -> NDArray[np.float64]:
    """So many numbers as an array of their own; they need not be finite."""
    try:
        found = np.array(value, dtype=float)
    except (TypeError, ValueError):
        found = np.array(np.nan)
    if found.shape != (count,):
        raise ModelError(f"{what} is {value!r}", remedy=f"Give {count} numbers")
    return found


def number(
    value: Any, what: str, *, above: float = -inf, least: float = -inf, error: type[ModelError] = ModelError
) -> float:
    """A finite number, larger than ``above`` and not below ``least``."""
    try:
        found = float(value)
    except (TypeError, ValueError):
        found = np.nan
    if not (np.isfinite(found) and found > above and found >= least):
        bound = f" > {above:g}" if above > -inf else f" >= {least:g}" if least > -inf else ""
        raise error(f"{what} is {value!r}", remedy=f"Give a finite number{bound}")
    return found
