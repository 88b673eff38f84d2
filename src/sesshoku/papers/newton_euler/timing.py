"""Time against the number of links: calls of INV for every column of M, beside the general simulator."""

from __future__ import annotations

import csv
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import thread_time
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint import NewtonEuler, Surface, SurfaceIntegrator, SurfacePoint
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.newton_euler.arm import FRICTION, arm, none
from sesshoku.papers.newton_euler.several import slider
from sesshoku.sim import Simulation

__all__ = ["timing_experiment"]

Array = NDArray[np.float64]
COUNTS: Final = (3, 10, 30, 100)
ROUNDS, REPEATS = 5, 40
STEP: Final = 1e-3  # [s]
SETTLE: Final = 20  # steps of the closed loop before what is measured: the first ones have no forces to start from
EXPONENTS: Final = {
    "a step by calls of INV": 2.0,
    "the calls for M alone": 2.3,
    "a step of the closed loop": 1.5,
}  # at most
LONGEST: Final = 50.0  # of all steps [ms]
REACH, MASS = 1.5, 3.0  # of the whole arm [m, kg]


def arch(links: int) -> Array:
    """Angles of a half circle: the tip is on the ground."""
    q = np.full(links, -np.pi / links)
    q[0] /= 2
    return q


def steppers(links: int) -> dict[str, tuple[Callable[[], object], Callable[[], object]]]:
    """Before a step and the step: of the arm with friction on the ground, and of the closed loop, which has none.

    And the calls of INV for the columns of M alone, which is what grows.
    """
    length, mass = REACH / links, MASS / links
    q, v = arch(links), np.zeros(links)
    method = NewtonEuler(arm(mass, links=links, length=length), [SurfacePoint("tip", Surface.plane(), FRICTION)])
    stepper = SurfaceIntegrator(method, STEP)
    sim = Simulation(slider(links, mass, length), dt=STEP)
    sim.q[:] = [*q, method.places(q, v).position[0, 1]]
    sim.step(n=SETTLE)
    state = sim.state
    return {
        "a step by calls of INV": (lambda: None, lambda: stepper.step(0.0, q, v, none)),
        "the calls for M alone": (lambda: None, lambda: method.inertia(q)),
        "a step of the closed loop": (lambda: sim.reset(state), sim.step),
    }


def measure() -> dict[str, Array]:
    """The shortest processor time of a step [s] for each of COUNTS."""
    calls = [steppers(links) for links in COUNTS]
    times = {name: np.full(len(COUNTS), inf) for name in calls[0]}
    for _ in range(ROUNDS):
        for k, each in enumerate(calls):
            for name, (before, call) in each.items():
                for _ in range(REPEATS):
                    before()
                    start = thread_time()
                    call()
                    times[name][k] = min(times[name][k], thread_time() - start)
    return times


def exponent(times: Array) -> float:
    """Of the time as a power of the links, between the last two counts: before, what does not depend on them counts."""
    return float(np.log(times[-1] / times[-2]) / np.log(COUNTS[-1] / COUNTS[-2]))


def timing_experiment(out: Path) -> Findings:
    """Times go to ``timing.csv`` [s]."""
    times = measure()
    with (out / "timing.csv").open("w", newline="") as file:
        table = csv.writer(file)
        table.writerow(["links", *times])
        table.writerows(zip(COUNTS, *times.values(), strict=True))
    checks = [
        Check(
            name=f"exponent of {name}, {COUNTS[-2]} to {COUNTS[-1]} links",
            value=exponent(each),
            high=EXPONENTS[name],
            timed=True,
        )
        for name, each in times.items()
    ]
    for k, links in enumerate(COUNTS):
        for name, each in times.items():
            checks.append(
                Check(name=f"{links} links: time of {name} [ms]", value=1e3 * each[k], high=LONGEST, timed=True)
            )
    return Findings(checks, [draw(out / "timing.png", times)])


def draw(path: Path, times: dict[str, Array]) -> Path:
    """Times over links."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 5), dpi=150, layout="constrained")
    axes = figure.subplots()
    for name, each in times.items():
        axes.loglog(COUNTS, 1e3 * each, "o-", label=f"{name}: $n^{{{exponent(each):.2f}}}$ at the end")
    axes.set(title="A step of an arm of n links with its tip on the ground", xlabel="links n", ylabel="time [ms]")
    axes.set_ylim(top=10 * max(each.max() for each in times.values()) * 1e3)  # room for the legend
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
