"""The state of a simulation as a value."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

__all__ = ["State"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class State:
    """Everything the future depends on: restore it and go on, and the same bits follow.

    Attributes:
        time: [s].
        q: coordinates, shape (nq,).
        v: velocities, shape (nv,).
        control: what the actuators are told, shape (nu,).
        external: force [N] and moment [N m] on each body about its centre of mass, world axes, shape (n, 6).
    """

    time: float
    q: Array
    v: Array
    control: Array
    external: Array

    def __post_init__(self) -> None:
        for array in (self.q, self.v, self.control, self.external):
            array.setflags(write=False)

    def __eq__(self, other: object) -> bool:
        """The same bits (NaN differs from everything, also from itself)."""
        if not isinstance(other, State):
            return NotImplemented
        return self.time == other.time and all(
            np.array_equal(getattr(self, name), getattr(other, name)) for name in ("q", "v", "control", "external")
        )

    __hash__ = None  # type: ignore[assignment]
