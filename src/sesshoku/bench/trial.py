"""One contact law on a scene: what it does in each step, and how long a step takes."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from time import thread_time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact.law import Law
from sesshoku.model import Scene
from sesshoku.sim import Contacts, Simulation

__all__ = ["SEEN", "Trial"]

Array = NDArray[np.float64]
SEEN: Final = ("slip", "penetration", "energy", "residual", "converged", "iterations")


class Trial:
    """A law on a scene, step by step. A law that fails, in whatever way, ends its trial and nothing else.

    Attributes:
        error: why it ended early; None: it did not.
        seen: for each step the fastest slip of a contact that carries force [m/s], depth of the deepest contact [m],
            change of energy since the start [J], residual of the exact law, whether that is within the tolerance of
            the law, and iterations.
        q: configuration at the start and after each step, each (nq,).
    """

    def __init__(self, scene: Scene, law: str | Law, dt: float, posture: str | None, middle: int) -> None:
        self.error: str | None = None
        self.seen: dict[str, list[float]] = {name: [] for name in SEEN}
        self.q: list[Array] = []
        self._middle = middle  # the step whose contacts are watched
        self._contacts: Contacts | None = None
        self._seconds: list[float] = []  # of each block of steps
        with self._failing():
            self.sim = Simulation(scene, law, dt, posture=posture)
            self.q.append(self.sim.q.copy())
            self._energy = self.sim.energy.total
            self.sim.step()  # compiles or loads the kernels, which is not part of the time per step
            self.sim.reset()

    @contextmanager
    def _failing(self) -> Iterator[None]:
        try:
            yield
        except Exception as error:  # of the law or of the simulation: it becomes a row of a table
            self.error = " ".join(str(error).split()) or type(error).__name__

    def __len__(self) -> int:
        """Steps taken."""
        return len(self.seen["energy"])

    def watch(self, steps: int) -> None:
        """Take a block of steps, and see what each does."""
        if self.error is not None:
            return
        sim = self.sim
        self._begin = sim.state
        self._seconds.append(np.inf)
        with self._failing():
            for _ in range(steps):
                sim.step()
                contacts, residual = sim.contacts, sim.residual
                slip = np.linalg.norm(contacts.slip[contacts.force.any(axis=1)], axis=1).max(initial=0.0)
                fit = (sim.energy.total - self._energy, residual.total, residual.converged, sim.iterations)
                if len(self) == self._middle:
                    self._contacts = contacts
                for name, value in zip(SEEN, (slip, contacts.depth.max(initial=0.0) + 0.0, *fit), strict=True):
                    self.seen[name].append(float(value))
                self.q.append(sim.q.copy())

    def clock(self, steps: int) -> None:
        """Repeat the block from the same bits, each step called from Python; the best of its times counts.

        Times are those of the processor: what else the machine does is not in them.
        """
        if self.error is not None:
            return
        with self._failing():
            self.sim.reset(self._begin)
            begin = thread_time()
            for _ in range(steps):
                self.sim.step()
            self._seconds[-1] = min(self._seconds[-1], thread_time() - begin)

    def slide(self, since: int, samples: NDArray[np.int64]) -> Array:
        """How far bodies slid on each other from step ``since`` to each of the samples (k,) [m].

        The largest over the contacts that carry force in the middle of the run: two points, one of each body, that
        coincide there, and their way across the normal. Rolling parts them, too. Not a number without such a contact.
        """
        found = self._contacts
        if found is None or not found.force.any():
            return np.full(len(samples), np.nan)
        loaded = found.force.any(axis=1)
        bodies, point, normal = found.bodies[loaded], found.point[loaded], found.normal[loaded]
        positions, rotations = self.sim.dynamics.body_poses(self.q[self._middle])
        places = np.einsum("nsji,nsj->nsi", rotations[bodies], point[:, None] - positions[bodies])

        def apart(k: int) -> Array:
            positions, rotations = self.sim.dynamics.body_poses(self.q[k])
            moved = np.einsum("nsij,nsj->nsi", rotations[bodies], places) + positions[bodies]
            a, b = np.moveaxis(np.where(bodies[..., None] >= 0, moved, point[:, None]), 1, 0)
            return np.cross(normal, b - a)

        start = apart(since)
        return np.array([np.linalg.norm(apart(k) - start, axis=1).max() for k in samples.tolist()])

    def summary(self) -> dict[str, Any]:
        """The run in a few numbers, not a number where there is none; of what failed, as far as it came."""
        steps, seen = len(self), {name: np.array(values) for name, values in self.seen.items()}
        creep = seconds = np.nan
        if self.error is None:
            creep = self.slide(self._middle, np.array([steps]))[0] / ((steps - self._middle) * self.sim.dt)
            seconds = sum(self._seconds) / steps
        return {
            "steps": steps,
            "creep": float(creep),
            "penetration": float(seen["penetration"].max(initial=0.0)),
            "energy_change": float(seen["energy"][-1]) if steps else np.nan,
            "residual_mean": float(seen["residual"].mean()) if steps else np.nan,
            "residual_worst": float(seen["residual"].max(initial=0.0)),
            "unconverged": int(steps - seen["converged"].sum()),
            "iterations_mean": float(seen["iterations"].mean()) if steps else np.nan,
            "iterations_worst": int(seen["iterations"].max(initial=0)),
            "seconds_per_step": seconds,
            "error": self.error,
        }
