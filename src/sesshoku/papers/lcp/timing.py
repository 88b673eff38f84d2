"""Time against the number of contacts, the last figure of paper 1: its own form, and ours, which is linear.

Both without warm starts. The paper leaves a form that is not O(m²) to future work.
"""

from __future__ import annotations

import csv
from collections.abc import Callable
from math import inf
from pathlib import Path
from time import thread_time
from typing import Final

import numpy as np

from sesshoku.constraint.problem import ISLANDS
from sesshoku.constraint.problem import at as problem_at
from sesshoku.constraint.response import responses
from sesshoku.contact import Lcp
from sesshoku.contact.lcp import prepare, sweep
from sesshoku.dynamics.system import at as system_at
from sesshoku.geometry.space import at as space_at
from sesshoku.kernel import kernel
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.lcp.contact_space import addresses, contact_space, run
from sesshoku.papers.lcp.dense import DenseLcp
from sesshoku.papers.lcp.gauss_seidel import projected_gauss_seidel
from sesshoku.papers.lcp.humanoid import humanoid
from sesshoku.sim import Simulation

__all__ = ["timing_experiment"]

COUNTS: Final = (4, 8, 16, 32, 64, 128, 256, 500)
MANY: Final = 64  # contacts from which on exponents are fitted: below, what does not depend on them counts
SETTLE: Final = 100  # steps before what is measured
SWEEPS: Final = 20  # timed together
ROUNDS: Final = 6
REPEATS, SECONDS = 500, 0.15  # of each measurement in a round, whatever is reached first
STAGES: Final = {"assembly": "contact space", "sweep": "a sweep", "step": "a step"}
FORMS: Final = {"paper": "paper", "our": "ours"}
BOUNDS: Final = {"paper": (1.6, 2.8), "our": (-inf, 1.3)}  # of exponents; that of the paper grows as K leaves the cache


@kernel
def run_prepare(system: int, space: int, problem: int, dt: float) -> None:
    """Responses of the bodies, then axes and columns of the contacts: what our form has for K."""
    s, g, p = system_at(system), space_at(space), problem_at(problem)
    responses(s, p)
    for i in range(p.count[ISLANDS]):
        prepare(s, g, p, i, dt)


@kernel
def run_sweeps(problem: int, sweeps: int) -> None:
    """Our sweeps, whether they are needed or not."""
    p = problem_at(problem)
    for _ in range(sweeps):
        for i in range(p.count[ISLANDS]):
            sweep(p, i)


def best(call: Callable[[], object], before: Callable[[], object] = lambda: None) -> float:
    """The shortest time of a call [s], each after another call that does not count.

    Times are those of the processor: what else the machine does is not in them.
    """
    call()
    shortest, begin = inf, thread_time()
    for _ in range(REPEATS):
        before()
        start = thread_time()
        call()
        shortest = min(shortest, thread_time() - start)
        if thread_time() - begin > SECONDS:
            break
    return shortest


def standing(contacts: int) -> tuple[dict[str, float], dict[str, Callable[[], float]]]:
    """A humanoid on so many contacts, in both forms: what there is to count, and what there is to time [s].

    That is, of either form, what comes before the sweeps, one sweep, and the whole step, with detection.
    """
    scene = humanoid(contacts)
    settling = Simulation(scene, law=Lcp(), posture="crouch")
    settling.step(n=SETTLE)
    state = settling.state
    paper, ours = (Simulation(scene, law=law, posture="crouch") for law in (DenseLcp(), Lcp(warm=False)))
    for sim in (paper, ours):
        sim.reset(state)
        sim.step()
    k = contact_space(paper)
    x, (_, _, problem) = np.zeros_like(k.velocity), addresses(ours)
    counted = {
        "contacts": float(len(ours.contacts)),
        "unknowns": float(len(x)),
        "paper_sweeps": float(paper.iterations),
        "our_sweeps": float(ours.iterations),
    }

    def paper_assembly() -> None:
        run(*addresses(paper), 0, k.point, k.direction, k.owner, k.matrix, k.velocity)

    def paper_sweeps() -> None:
        projected_gauss_seidel(k.matrix, k.velocity, k.owner, k.friction, SWEEPS, 0.0, x)

    return counted, {
        "paper_step": lambda: best(paper.step, lambda: paper.reset(state)),  # the same step each time
        "our_step": lambda: best(ours.step, lambda: ours.reset(state)),
        "paper_assembly": lambda: best(paper_assembly),
        "our_assembly": lambda: best(lambda: run_prepare(*addresses(ours), ours.dt)),
        "paper_sweep": lambda: best(paper_sweeps) / SWEEPS,
        "our_sweep": lambda: best(lambda: run_sweeps(problem, SWEEPS)) / SWEEPS,
    }


def measure() -> list[dict[str, float]]:
    """Counts and times [s] for each of COUNTS; rounds, since a machine is noisy for seconds on end."""
    robots = [standing(contacts) for contacts in COUNTS]
    for _ in range(ROUNDS):
        for found, timers in robots:
            for name, timer in timers.items():
                found[name] = min(found.get(name, inf), timer())
    return [found for found, _ in robots]


def exponent(rows: list[dict[str, float]], key: str) -> float:
    """Of a time, as a power of the contacts, from MANY contacts on."""
    many = [each for each in rows if each["contacts"] >= MANY]
    contacts, times = (np.log([each[name] for each in many]) for name in ("contacts", key))
    return float(np.polyfit(contacts, times, 1)[0])


def timing_experiment(out: Path) -> Findings:
    """R5 of the notes, in a posture that is held; all times go to ``timing.csv`` [s]."""
    rows, checks = measure(), []
    with (out / "timing.csv").open("w", newline="") as file:
        table = csv.DictWriter(file, rows[0])
        table.writeheader()
        table.writerows(rows)
    for stage, name in STAGES.items():
        for form, whose in FORMS.items():
            value, (low, high) = exponent(rows, f"{form}_{stage}"), BOUNDS[form]
            checks.append(Check(name=f"exponent of {name}, {whose}", value=value, low=low, high=high, timed=True))
    return Findings(checks, [draw(out / "timing.png", rows)])


def draw(path: Path, rows: list[dict[str, float]]) -> Path:
    """Times over contacts."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 5.5), dpi=150, layout="constrained")
    axes = figure.subplots()
    contacts = [each["contacts"] for each in rows]
    for colour, (stage, name) in zip(("C0", "C1", "C2"), STAGES.items(), strict=True):
        for (form, whose), line in zip(FORMS.items(), ("o--", "o-"), strict=True):
            key = f"{form}_{stage}"
            label = f"{name}, {whose}: $m^{{{exponent(rows, key):.2f}}}$"
            axes.loglog(contacts, [1e6 * each[key] for each in rows], line, color=colour, markersize=4, label=label)
    axes.axhline(1000.0, color="k", linewidth=0.8, linestyle=":", label="real time, 1 ms")
    axes.set(
        title=f"A humanoid of 36 joints stands on m contacts (exponents from {MANY} on)",
        xlabel="contacts m",
        ylabel="time [µs]",
        ylim=(0.1, 1e6),
    )
    axes.legend(loc="upper left")
    axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
