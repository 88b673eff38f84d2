"""Our laws on the scenes of the contact benchmark."""

from __future__ import annotations

import numpy as np

from sesshoku.bench.engine import DT, Array, Case, Engine
from sesshoku.sim import Simulation

__all__ = ["Ours"]


class Ours(Engine):
    """Sesshoku, called as users call it."""

    def __init__(self, case: Case, law: str = "exact") -> None:
        self.case, self.sim = case, Simulation(case.scene, law, DT, posture=case.posture)

    def advance(self, pushes: Array) -> None:
        """Take the steps."""
        case, step = self.case, self.sim.step
        if case.pushed is None:
            for _ in range(len(pushes)):
                step()
            return
        row = self.sim.external[self.sim.model.body(case.pushed)]
        for push in pushes:
            row[:3] = push
            step()

    def places(self) -> Array:
        """Of the frames of the file."""
        return np.array([self.sim.pose(name).position for name in self.case.still])

    def depth(self) -> float:
        """From the report of the last step."""
        return float(max(self.sim.contacts.depth.max(initial=0.0), 0.0))

    def save(self) -> None:
        """A state is a value."""
        self.start = self.sim.state

    def restore(self) -> None:
        """With all that contacts remember."""
        self.sim.reset(self.start)
