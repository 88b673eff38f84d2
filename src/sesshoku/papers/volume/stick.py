"""Stick and slip of the simulated box against the static tests, over a grid of forces and torques (checks 6 and 7).

As printed λ lets the box creep under friction F, and turn: in the first step by λ m h F dt/Q about e2. At half of μ W
its tilt comes to 4e-6 rad within five steps, and lifts an edge out of the ground, where it rests 2.5e-7 m deep: the
patch gets narrow, bears less torque, and slips.
"""

from __future__ import annotations

from math import atan2, hypot
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Law, Volume
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.volume.box import FORCE, TORQUE, box
from sesshoku.papers.volume.region import ANGLES, REGIONS

__all__ = ["stays", "stick_experiment"]

Array = NDArray[np.float64]
GRID: Final = np.linspace(0.08, 1.06, 6)  # of both shares: every point is 2 % or more off each of the boundaries
SETTLE, PUSHED = 50, 200  # steps
MOVED: Final = 1e-3  # [m]; what slips accelerates at 2 m/s², and moves by 40 mm
CASES: Final[dict[str, tuple[Law, str]]] = {  # with the region that says what is to stick
    "P = 8": (Volume(), "P = 8"),
    "faithful": (Volume(faithful=True), "P = 8"),
    "true cone": (Volume(edges=0), "exact"),
    "separated": (Volume(separated=True), "separated"),
}


def stays(law: Law, force: float, torque: float) -> tuple[bool, float]:
    """Whether the box stays where it is under shares of both, and how fast it is in the end [m/s, rad/s].

    The force acts in the middle of its bottom.
    """
    sim = box(law)
    sim.step(n=SETTLE)
    start = sim.q.copy()
    sim.push("box0", (FORCE * force, 0.0, 0.0), (0.0, 0.0, TORQUE * torque), point=(0.0, 0.0, 0.0))
    sim.step(n=PUSHED)
    return bool(np.abs(sim.q - start).max() < MOVED), float(np.abs(sim.v).max())


def stick_experiment(out: Path) -> Findings:
    """Checks 6 and 7 of the notes."""
    checks, found = [], {}
    for name, (law, region) in CASES.items():
        early, late, creep, held = 0, 0, 0.0, np.zeros((len(GRID), len(GRID)), dtype=bool)
        for (i, j), _ in np.ndenumerate(held):
            force, torque = float(GRID[i]), float(GRID[j])
            held[i, j], speed = stays(law, force, torque)
            creep = max(creep, speed if held[i, j] else 0.0)
            borne = hypot(force, torque) < REGIONS[region](atan2(torque, force))
            early += int(borne and not held[i, j])
            late += int(held[i, j] and not borne)
        found[name] = held
        checks.append(Check(name=f"{name}: points of 36 that stick and should slip", value=late, low=0, high=0))
        if name == "faithful":
            printed = "faithful: points of 36 that slip and should stick, a defect of the print"
            checks.append(Check(name=printed, value=early, low=1, high=6))
        else:
            checks.append(Check(name=f"{name}: points of 36 that slip and should stick", value=early, low=0, high=0))
            checks.append(Check(name=f"{name}: creep of what sticks [m/s, rad/s]", value=creep, high=1e-9))
    only = int((found["separated"] & ~found["P = 8"]).sum())
    checks.append(Check(name="points of 36 that only the separated test holds", value=only, low=6, high=6))
    return Findings(checks, [draw(out / "stick.png", found)])


def draw(path: Path, found: dict[str, NDArray[np.bool_]]) -> Path:
    """The grid beside the boundaries, for each law."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(15, 4.3), dpi=150, layout="constrained")
    for axes, (name, held) in zip(figure.subplots(1, len(found)), found.items(), strict=True):
        region = CASES[name][1]
        reaches = np.array([REGIONS[region](angle) for angle in ANGLES])
        axes.plot(reaches * np.cos(ANGLES), reaches * np.sin(ANGLES), "k-", linewidth=1, label="static test")
        for state, (marker, label) in {True: ("C2o", "sticks"), False: ("C3x", "slips")}.items():
            i, j = np.nonzero(held == state)
            axes.plot(GRID[i], GRID[j], marker, label=label)
        axes.set(title=f"simulated: {name}", xlim=(0, 1.15), ylim=(0, 1.15), aspect="equal")
        axes.set(xlabel="F/(μ W)", ylabel="T/(μ W R)")
        axes.grid(alpha=0.3)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=3)
    figure.savefig(path)
    return path
