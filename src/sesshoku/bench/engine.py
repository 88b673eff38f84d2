"""What the contact benchmark asks of a simulator, ours among them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.model import Scene

__all__ = ["DT", "STEPS", "Case", "Engine"]

Array = NDArray[np.float64]
DT: Final = 1e-3
SETTLE, STEPS = 3000, 200  # steps before, and in each of the repeated runs


@dataclass(frozen=True)
class Case:
    """A scene with its coefficient of friction, the bodies that should stay, and the one that is pushed, if one is."""

    scene: Scene
    friction: float
    still: tuple[str, ...]
    pushed: str | None = None

    @property
    def posture(self) -> str | None:
        """How the scene begins."""
        return "stand" if "stand" in self.scene.postures else None


class Engine(ABC):
    """A simulator on a scene: it settles, then repeats the same run from there.

    Attributes:
        creep: largest speed of what should stay, over the steps of a run without pushes [m/s].
        penetration: largest depth of a contact at its end [m].
    """

    creep: float
    penetration: float

    def settle(self) -> None:
        """Come to rest, measure creep and depth, and save the state that runs begin with."""
        nothing = np.zeros((SETTLE, 3))
        self.advance(nothing)
        before = self.places()
        self.advance(nothing[:STEPS])
        self.creep = float(np.linalg.norm(self.places() - before, axis=1).max() / (STEPS * DT))
        self.penetration = self.depth()
        self.save()

    def run(self, pushes: Array) -> float:
        """Seconds for a run from the saved state."""
        self.restore()
        begin = perf_counter()
        self.advance(pushes)
        return perf_counter() - begin

    @abstractmethod
    def advance(self, pushes: Array) -> None:
        """Take one step from Python for each force (n, 3) on the pushed body, at its centre of mass, world axes [N]."""

    @abstractmethod
    def places(self) -> Array:
        """Positions of the bodies that should stay (k, 3) [m]."""

    @abstractmethod
    def depth(self) -> float:
        """Depth of the deepest contact, not less than zero [m]."""

    @abstractmethod
    def save(self) -> None:
        """Keep the state."""

    @abstractmethod
    def restore(self) -> None:
        """Go back to the kept state."""
