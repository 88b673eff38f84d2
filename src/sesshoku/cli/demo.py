"""``sesshoku demo``: a humanoid stands under random pushes, is pushed over, and falls."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer

from sesshoku.cli.output import Json, facts, notices, print_json, show
from sesshoku.model import load
from sesshoku.sim import Simulation

__all__ = ["demo"]

SETTLE, STAND, SHOVE, FALL = 0.2, 1.0, 0.2, 1.8  # how long each phase takes [s]
PUSH, OVER = 0.1, 0.5  # pushes at the chest in each step, standard deviation, and the one that is too much; by weight
FEET = ("left_foot", "right_foot")
INSTANTS = (0.0, 0.3, 0.5, 0.7, 0.9, 1.1, SHOVE + FALL)  # of the picture, from the shove on [s]
SPACING = 1.0  # between them [m]


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the recording and the picture.")] = Path("out"),
    json: Json = False,
) -> None:
    """Push a standing humanoid at random, then over; write a recording and a picture.

    While it stands its feet must not creep; while it falls every step must obey Signorini's and Coulomb's law.
    """
    from sesshoku.viewer.figure import strobe

    out.mkdir(parents=True, exist_ok=True)
    scene = load("hrp2_class")
    scene.ground(static=0.8, kinetic=0.6)
    sim = Simulation(scene, "exact", dt=1e-3, posture="crouch")
    with notices().status("a humanoid stands, and falls") as status:
        seconds = _seconds(sim)
        sim.reset()
        story = _Story(sim)
        story.tell()
        recording = sim.recording.save(out / "demo.npz")
        status.update("drawing it")
        moments = [round((SETTLE + STAND + t) / sim.dt) for t in INSTANTS]
        picture = out / "demo.png"
        strobe(sim.model, [sim.dynamics.body_poses(sim.recording.q[k]) for k in moments], picture, spacing=SPACING)
    document = {
        "scene": sim.model.name,
        "law": sim.law.name,
        "dt": sim.dt,
        "time": sim.time,
        "steps": len(sim.recording) - 1,
        "seconds_per_step": seconds,
        "creep": story.creep,
        "residual": story.residual,
        "unconverged": story.unconverged,
        "contacts": story.contacts,
        "max_penetration": story.depth,
        "recording": str(recording),
        "picture": str(picture),
    }
    if json:
        print_json(document)
    else:
        show(facts("A humanoid of 36 velocities is pushed, and then pushed over", _rows(document)))


class _Story:
    """What happens, and what is seen of it: creep [m], residual, unconverged steps, contacts, depth [m]."""

    def __init__(self, sim: Simulation) -> None:
        self.sim, self.weight = sim, sim.model.total_mass * float(np.linalg.norm(sim.model.gravity))
        self.creep, self.residual, self.depth, self.unconverged, self.contacts = 0.0, 0.0, 0.0, 0, 0

    def tell(self) -> None:
        """Let it all happen."""
        sim, rng = self.sim, np.random.default_rng(0)
        self._go(SETTLE, lambda: (0.0, 0.0, 0.0))
        feet = [sim.pose(foot).position.copy() for foot in FEET]
        self._go(STAND, lambda: (*(PUSH * self.weight * rng.normal(size=2)), 0.0))
        self.creep = max(float(np.abs(sim.pose(f).position - x).max()) for f, x in zip(FEET, feet, strict=True))
        self._go(SHOVE, lambda: (0.0, OVER * self.weight, 0.0))
        self._go(FALL, lambda: (0.0, 0.0, 0.0))

    def _go(self, duration: float, force: Any) -> None:
        def control(sim: Simulation) -> None:
            self._look()
            sim.push("chest", force())

        self.sim.run(duration, control)
        self._look()

    def _look(self) -> None:
        sim = self.sim
        self.residual = max(self.residual, sim.residual.total)
        self.unconverged += not sim.residual.converged
        self.contacts = max(self.contacts, int((np.abs(sim.contacts.force).max(axis=1, initial=0.0) > 0).sum()))
        self.depth = max(self.depth, float(sim.contacts.depth.max(initial=0.0)))


def _seconds(sim: Simulation) -> float:
    """Seconds that a step takes while the robot stands, nothing else."""
    steps = 500
    sim.step(n=100)  # compiles or loads the kernels
    start = perf_counter()
    sim.step(n=steps)
    return (perf_counter() - start) / steps


def _rows(document: dict[str, Any]) -> dict[str, str]:
    depth, missed = 1e3 * document["max_penetration"], document["unconverged"]
    return {
        "standing": f"pushed at random for {STAND:g} s, its feet move by {document['creep']:.1e} m",
        "falling": f"up to {document['contacts']} contacts with a force, {depth:.3f} mm deep",
        "the law": f"{missed} of {document['steps']} steps miss it; residual {document['residual']:.1e}",
        "per step": f"{1e6 * document['seconds_per_step']:.1f} µs, standing",
        "recording": document["recording"],
        "picture": document["picture"],
    }
