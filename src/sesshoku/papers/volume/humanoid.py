"""A humanoid on box soles stands, and falls when its servos let go; every step converges."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.model import load
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.volume.box import G
from sesshoku.sim import Simulation

__all__ = ["fallen", "humanoid_experiment"]

Array = NDArray[np.float64]
ROBOT: Final = "standing_hrp2"
FEET: Final = ("left_foot", "right_foot")
SETTLED: Final = 500  # steps before feet are watched
STANDING: Final = 5.0  # [s]
FALLING: Final = 2000  # steps
NUDGE: Final = 0.01  # of joints and base at the start of a fall [m/s, rad/s]


def feet(sim: Simulation) -> Array:
    """Places of the feet (2, 3) [m]."""
    return np.array([sim.pose(name).position for name in FEET])


def standing() -> list[Check]:
    """Feet do not creep, and carry the weight."""
    sim = Simulation(load(ROBOT), law="volume")
    sim.step(n=SETTLED)
    start, missed = feet(sim), 0
    for _ in range(round(STANDING / sim.dt)):
        sim.step()
        missed += not sim.residual.converged
    carried = sum(sim.wrench(name)[2] for name in FEET) / (sim.model.total_mass * G)
    return [
        Check(name="humanoid stands: feet move by [m]", value=float(np.abs(feet(sim) - start).max()), high=1e-7),
        Check(name="humanoid stands: force over weight", value=carried, low=0.999, high=1.001),
        Check(name="humanoid stands: steps that do not converge", value=missed, low=0, high=0),
    ]


def fallen() -> Array:
    """A humanoid whose servos let go: energy [J], residual and whether it converged, of each step."""
    scene = load(ROBOT)
    scene.actuators.clear()
    sim = Simulation(scene, law="volume")
    sim.v[:] = NUDGE * np.random.default_rng(0).normal(size=sim.model.nv)
    rows = []
    for _ in range(FALLING):
        sim.step()
        rows.append((sim.energy.total, sim.residual.total, sim.residual.converged))
    return np.array(rows, dtype=float)


def humanoid_experiment(out: Path) -> Findings:
    """Standing and falling."""
    energy, residual, converged = (run := fallen()).T
    rise = energy - np.minimum.accumulate(energy)
    checks = [
        *standing(),
        Check(name="humanoid falls: steps that do not converge", value=float(np.sum(converged == 0)), low=0, high=0),
        Check(name="humanoid falls: residual, at most", value=float(residual.max()), high=1e-6),
        Check(name="humanoid falls: energy lost [J]", value=float(energy[0] - energy[-1]), low=100.0),
        Check(name="humanoid falls: energy above its least before [J]", value=float(rise.max()), high=0.1),
    ]
    return Findings(checks, [draw(out / "humanoid.png", run)])


def draw(path: Path, run: Array) -> Path:
    """Energy and residuals of a fall over time."""
    from matplotlib.figure import Figure

    time = 1e-3 * np.arange(1, len(run) + 1)
    figure = Figure(figsize=(12, 4.5), dpi=150, layout="constrained")
    left, right = figure.subplots(1, 2)
    left.plot(time, run[:, 0])
    left.set(title="A humanoid falls", xlabel="time [s]", ylabel="kinetic and potential energy [J]")
    right.semilogy(time, np.maximum(run[:, 1], 1e-16), ".", markersize=3)
    right.axhline(1e-6, color="k", linestyle=":", linewidth=1, label="tolerance")
    right.set(title="Residual of each step", xlabel="time [s]", ylabel="residual")
    right.legend(fontsize=8)
    for axes in (left, right):
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
