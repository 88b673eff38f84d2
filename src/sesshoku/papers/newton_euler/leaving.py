"""A tip that leaves and lands: the other reading of the paper's angles, in which it would have to be pulled."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint import SurfaceIntegrator, SurfaceRun
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.newton_euler.arm import CASES, HANGING, REST, STEP, on_ground

__all__ = ["hang", "leaving_experiment"]

Array = NDArray[np.float64]
SHOWN = 10.0  # [s]


def hang(case: str, unilateral: bool) -> SurfaceRun:
    """A case with the base 1 m above the ground, angles from the horizontal."""
    mass, damping, torque = CASES[case]
    method = on_ground(mass, damping, unilateral=unilateral, height=1.0)
    return SurfaceIntegrator(method, STEP).run(HANGING, REST, torque, SHOWN)


def leaving_experiment(out: Path) -> Findings:
    """Bilateral cases pull; unilateral ones leave and land, without a bounce and never below the ground."""
    held = {case: hang(case, False) for case in ("i", "ii", "iii")}
    free = hang("iii", True)
    apart = free.apart[:, 0]
    landings = np.flatnonzero(apart[:-1] & ~apart[1:])
    checks = [
        Check(name=f"hanging, {case}: least normal force, it pulls [N]", value=found.normal_force.min(), high=0.0)
        for case, found in held.items()
    ]
    checks += [
        Check(name="unilateral: least normal force [N]", value=free.normal_force.min(), low=0.0),
        Check(name="unilateral: normal force while apart [N]", value=free.normal_force[apart].max(), high=0.0),
        Check(name="unilateral: lowest place of the tip [m]", value=free.gap.min(), low=-1e-9),
        Check(name="unilateral: landings", value=float(len(landings)), low=1),
        Check(name="unilateral: highest place of the tip [m]", value=free.gap.max(), low=1e-3),
    ]
    return Findings(checks, [draw(out / "leaving.png", held["iii"], free)])


def draw(path: Path, held: SurfaceRun, free: SurfaceRun) -> Path:
    """Height of the tip and its normal force over time, held and free."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), dpi=150, layout="constrained")
    figure.suptitle("Case (iii), hanging arm: a tip that is held, and one that may leave")
    height, force = figure.subplots(1, 2)
    for name, found in (("held", held), ("may leave", free)):
        height.plot(found.time, found.gap[:, 0], label=name)
        force.plot(found.time[:-1], found.normal_force[:, 0], linewidth=1, label=name)
    height.set(xlabel="time [s]", ylabel="height of the tip [m]")
    force.set(xlabel="time [s]", ylabel="$f_n$ [N]")
    for axes in (height, force):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
