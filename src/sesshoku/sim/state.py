"""The state of a simulation as a value."""

from __future__ import annotations

from dataclasses import dataclass, fields

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import Problem

__all__ = ["Memory", "State"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]


class _Value:
    """Compared by its bits (NaN differs from everything, also from itself); its arrays are read-only."""

    def __post_init__(self) -> None:
        for entry in fields(self):  # type: ignore[arg-type]
            value = getattr(self, entry.name)
            if isinstance(value, np.ndarray):
                value.setflags(write=False)

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        names = [entry.name for entry in fields(self)]  # type: ignore[arg-type]
        return all(np.array_equal(getattr(self, name), getattr(other, name)) for name in names)

    __hash__ = None  # type: ignore[assignment]


@dataclass(frozen=True, eq=False)
class Memory(_Value):
    """What contacts remember from the last step: a solver begins with it, and a sticking contact knows that it sticks.

    Attributes:
        shapes: colliders, the lower number first, shape (k, 2).
        feature: with ``shapes`` the identity of a contact, shape (k,).
        impulse: [N s], shape (k, 3).
        shear: elongation of elastic contacts along the surface [m], shape (k, 3).
        mode: OPEN, STICK or SLIP, shape (k,).
        loops: impulses that hold loops together [N s], shape (nl, 3).
        rows: impulses of lower limit, upper limit, friction and coupling of each velocity, shape (nv, 4).
        steps: Newton steps of the island of each tree, by its first body, shape (n,).
    """

    shapes: Index
    feature: Index
    impulse: Array
    shear: Array
    mode: Index
    loops: Array
    rows: Array
    steps: Index

    @staticmethod
    def of(problem: Problem) -> Memory:
        """A copy of what the last step has left."""
        k = int(problem.kept_count[0])
        return Memory(
            problem.kept_shapes[:k].copy(),
            problem.kept_feature[:k].copy(),
            problem.kept_impulse[:k].copy(),
            problem.kept_shear[:k].copy(),
            problem.kept_mode[:k].copy(),
            problem.kept_loop.copy(),
            problem.kept_row.copy(),
            problem.kept_steps.copy(),
        )

    def restore(self, problem: Problem) -> None:
        """Put it back."""
        k = len(self.feature)
        for name in ("shapes", "feature", "impulse", "shear", "mode"):
            getattr(problem, f"kept_{name}")[:k] = getattr(self, name)
        problem.kept_loop[:], problem.kept_row[:], problem.kept_steps[:] = self.loops, self.rows, self.steps
        problem.kept_count[0] = k


@dataclass(frozen=True, eq=False)
class State(_Value):
    """Everything the future depends on: restore it and go on, and the same bits follow.

    Attributes:
        time: [s].
        q: coordinates, shape (nq,).
        v: velocities, shape (nv,).
        control: what the actuators are told, shape (nu,).
        external: force [N] and moment [N m] on each body about its centre of mass, world axes, shape (n, 6).
        memory: of the contacts; None: nothing has touched yet.
    """

    time: float
    q: Array
    v: Array
    control: Array
    external: Array
    memory: Memory | None = None
