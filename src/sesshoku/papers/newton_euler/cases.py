"""The seven cases at the paper's step of 10 ms: figures 3 to 9, normal forces, and what must hold (checks 4 to 6)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint import SurfaceRun
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.newton_euler.arm import CASES, LENGTH, Q0, REST, STEP, on_ground, run

__all__ = ["cases_experiment", "longest_stick", "tip_place", "tip_speed"]

Array = NDArray[np.float64]
SLIP_SPEED: Final = 0.05  # of regularised friction that a step of 10 ms bears [m/s]
FIRST_FIGURE: Final = 3  # of the paper


def tip_place(q: Array) -> Array:
    """How far along the ground from the base the tip is [m], for rows of angles (m, 3)."""
    place: Array = -LENGTH * np.sin(np.cumsum(q, axis=1)).sum(axis=1)
    return place


def tip_speed(q: Array, v: Array) -> Array:
    """How fast it goes along the ground [m/s]."""
    speed: Array = -LENGTH * (np.cos(np.cumsum(q, axis=1)) * np.cumsum(v, axis=1)).sum(axis=1)
    return speed


def longest_stick(found: SurfaceRun) -> tuple[int, int]:
    """First and last state of the longest time in which the tip sticks."""
    ends = np.flatnonzero(np.diff(found.sticks[:, 0].astype(int), prepend=0, append=0))
    first, last = max(ends.reshape(-1, 2).tolist(), key=lambda pair: pair[1] - pair[0])
    return int(first), int(last)


def cases_experiment(out: Path) -> Findings:
    """Checks 4 to 6 of the notes, and stick and power of friction."""
    checks = []
    exact = {case: run(case) for case in CASES}
    for case, found in exact.items():
        plain = run(case, projection=False)
        power = found.friction_force[:, 0, 1] * tip_speed(found.q, found.v)[1:]
        checks += [
            Check(name=f"{case}: height of the tip, projected [m]", value=np.abs(found.gap).max(), high=1e-9),
            Check(name=f"{case}: height of the tip, not projected [m]", value=np.abs(plain.gap).max(), high=1e-3),
            Check(name=f"{case}: least normal force [N]", value=found.normal_force.min(), low=1e-9),
            Check(name=f"{case}: most power of friction [W]", value=power.max(), high=1e-13),
        ]
    for light, heavy in (("v", "vi"), ("vii", "iv")):
        a, b = exact[light], exact[heavy]
        ratio = b.normal_force / a.normal_force
        checks += [
            Check(name=f"{light} and {heavy}: difference of angles [rad]", value=np.abs(a.q - b.q).max(), high=1e-9),
            Check(name=f"{light} and {heavy}: |ratio of forces − 2|", value=np.abs(ratio - 2.0).max(), high=1e-9),
        ]
    for case in ("i", "iv", "v"):
        mass = CASES[case].mass
        start = on_ground(mass, slip_speed=SLIP_SPEED).solve(Q0, REST, REST).normal_force[0]
        checks.append(
            Check(
                name=f"|f_n − m g| at rest without torque, m = {mass:g} kg [N]",
                value=abs(start - 9.81 * mass),
                high=1e-9,
            )
        )
    first, last = longest_stick(exact["i"])
    regularised = run("i", slip_speed=SLIP_SPEED)
    held, crept = (float(np.ptp(tip_place(found.q[first : last + 1]))) for found in (exact["i"], regularised))
    checks += [
        Check(name="i: way of the tip while it sticks [m]", value=held, high=1e-9),
        Check(name="i: the same with regularised friction, which creeps [m]", value=crept, low=1e-3),
    ]
    checks.append(Check(name="i: how long it sticks [s]", value=(last - first) * STEP, low=5.0))
    figures = [draw_case(out / f"case_{case}.png", case, number) for number, case in enumerate(CASES, FIRST_FIGURE)]
    return Findings(checks, [*figures, draw_forces(out / "normal_force.png", exact)])


def draw_case(path: Path, case: str, number: int) -> Path:
    """Height of the tip and angles over time, as in the paper; dashed with regularised friction."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(10, 4), dpi=150, layout="constrained")
    figure.suptitle(f"Case ({case}), figure {number} of the paper: steps of 10 ms")
    height, angles = figure.subplots(1, 2)
    exact, smooth = run(case), run(case, slip_speed=SLIP_SPEED)
    plain = run(case, projection=False)
    height.plot(plain.time, plain.gap[:, 0], label="no projection")
    height.plot(exact.time, exact.gap[:, 0], label="projection")
    height.set(xlabel="time [s]", ylabel="height of the tip [m]")
    height.ticklabel_format(axis="y", scilimits=(0, 0))
    for k in range(3):
        angles.plot(exact.time, exact.q[:, k], color=f"C{k}", label=f"$q_{k + 1}$")
        angles.plot(smooth.time, smooth.q[:, k], "--", color=f"C{k}", linewidth=1)
    angles.plot([], [], "k--", linewidth=1, label="regularised friction")
    angles.set(xlabel="time [s]", ylabel="joint angle [rad]")
    for axes in (height, angles):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path


def draw_forces(path: Path, found: dict[str, SurfaceRun]) -> Path:
    """Normal forces of all cases over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 5), dpi=150, layout="constrained")
    axes = figure.subplots()
    for case, motion in found.items():
        axes.plot(motion.time[:-1], motion.normal_force[:, 0], linewidth=1.2, label=f"({case})")
    axes.set(title="Normal force on the tip", xlabel="time [s]", ylabel="$f_n$ [N]", ylim=(0.0, None))
    axes.legend(ncols=2)
    axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
