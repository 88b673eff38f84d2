"""Time per step of the proposed test against the separated one (check 10; table 1 of the paper: 1.34 s, 1.09 s)."""

from __future__ import annotations

from math import inf
from pathlib import Path
from time import thread_time
from typing import Final

from sesshoku.contact import Law, Volume
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.volume.box import FORCE, TORQUE, box
from sesshoku.sim import Simulation

__all__ = ["pushed", "timing_experiment"]

ROUNDS, BLOCK = 60, 100  # in turn; steps of each
LOAD: Final = (0.2, 0.85)  # of the largest force and torque: so near to the limit the linear program is needed
TESTS: Final = {"P = 8": 8, "true cone": 0}


def pushed(law: Law) -> Simulation:
    """The box under a force and a torque that it bears, settled."""
    sim = box(law)
    force, torque = LOAD
    sim.push("box0", (FORCE * force, 0.0, 0.0), (0.0, 0.0, TORQUE * torque), point=(0.0, 0.0, 0.0))
    sim.step(n=BLOCK)
    return sim


def measure(laws: dict[str, Law]) -> dict[str, float]:
    """Time of a step under each law [s], called once per step; the best of many blocks in turn."""
    sims, best = {name: pushed(law) for name, law in laws.items()}, dict.fromkeys(laws, inf)
    for _ in range(ROUNDS):
        for name, sim in sims.items():
            begin = thread_time()
            for _ in range(BLOCK):
                sim.step()
            best[name] = min(best[name], (thread_time() - begin) / BLOCK)
    return best


def timing_experiment(out: Path) -> Findings:
    """Check 10 of the notes, as ratios; no figure."""
    del out
    checks = []
    for mode, faithful in (("default", False), ("faithful", True)):
        laws: dict[str, Law] = {name: Volume(edges=edges, faithful=faithful) for name, edges in TESTS.items()}
        times = measure(laws | {"separated": Volume(separated=True, faithful=faithful)})
        for name in TESTS:
            ratio = times[name] / times["separated"]
            checks.append(
                Check(name=f"{mode}: time, {name} over separated", value=ratio, low=1.0, high=1.6, timed=True)
            )
    return Findings(checks, [])
