"""The contact laws against the exact one: time per step of a box and of standing humanoids, still and pushed."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.table import Table

from sesshoku.bench import contact_scenes
from sesshoku.bench.compare import COMPARED
from sesshoku.bench.engine import STEPS, Array, Case
from sesshoku.bench.our_peer import Ours
from sesshoku.errors import SesshokuError, UnsimulatedWarning
from sesshoku.model import Scene, load

__all__ = ["cases", "measure", "table"]

ROUNDS = 100
PUSH = 0.2  # standard deviation of each component of the random force on the trunk, to the weight


def crouching(name: str) -> Scene:
    """A bundled humanoid on the ground, its knees bent."""
    scene = load(name)
    scene.posture("stand", scene.postures["crouch"])
    return scene


def cases() -> dict[str, Callable[[], Case]]:
    """A box, and the robots by name; G1 needs the package example-robot-data."""
    feet = ("left_foot", "right_foot")
    return {
        "box": lambda: Case(load("box_on_slope"), 0.7, ("box",), "box"),
        "hoap_class": lambda: Case(crouching("standing_hoap"), 0.8, feet, "trunk"),
        "hrp2_class": lambda: Case(crouching("standing_hrp2"), 0.8, feet, "pelvis"),
        "g1": lambda: contact_scenes.g1(8, pushed=True),
    }


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each scene, still and pushed, and each law: time per step, ratio to the exact law, iterations, residual.

    A law that fails has an ``error`` instead; a robot that is not installed is left out.
    """
    result: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsimulatedWarning)
        for name, make in cases().items():
            progress(name)
            try:
                case = make()
            except SesshokuError:
                continue
            result |= {f"{name}_{how}": rows for how, rows in measure_case(case, progress).items()}
    return result


def measure_case(case: Case, progress: Callable[[str], None]) -> dict[str, Any]:
    """Every law settles, then repeats the same runs from there, in turn; the best round of each counts."""
    engines: dict[str, Ours] = {}
    errors: dict[str, Any] = {}
    for law in COMPARED:
        progress(f"{case.scene.name}: {law} settles")
        try:
            engine = Ours(case, law)
            engine.settle()
        except SesshokuError as error:
            errors[law] = {"error": str(error)}
        else:
            engines[law] = engine
    spread = PUSH * 9.81 * case.scene.model.total_mass
    pushes = np.random.default_rng(0).normal(size=(STEPS, 3)) * spread
    found = {}
    for how, forces in (("still", np.zeros_like(pushes)), ("pushed", pushes)):
        progress(f"{case.scene.name}: {how}")
        rows = {law: _watch(engine, forces) for law, engine in engines.items()}
        best = dict.fromkeys(engines, float("inf"))
        for _ in range(ROUNDS):
            for law, engine in engines.items():
                best[law] = min(best[law], engine.run(forces) / STEPS * 1e6)
        for law, row in rows.items():
            row |= {"us": best[law], "ratio": best[law] / best["exact"]}
        found[how] = rows | errors
    return found


def _watch(engine: Ours, pushes: Array) -> dict[str, Any]:
    """What the steps of a run report."""
    sim, contacts, iterations, residuals, missed = engine.sim, [], [], [], 0
    engine.restore()
    for k in range(len(pushes)):
        engine.advance(pushes[k : k + 1])
        contacts.append(len(sim.contacts))
        iterations.append(sim.iterations)
        residuals.append(sim.residual.total)
        missed += not sim.residual.converged
    return {
        "contacts": float(np.mean(contacts)),
        "creep": engine.creep,
        "iterations": float(np.mean(iterations)),
        "residual": max(residuals),
        "unconverged": missed,
    }


def table(result: dict[str, Any]) -> Table:
    """The same for people: a section for each scene."""
    out = Table(title="a step under each law, called from Python")
    titles = (
        "scene, law",
        "con-\ntacts",
        "µs",
        "ratio",
        "itera-\ntions",
        "resi-\ndual",
        f"missed\nof {STEPS}",
        "creep\nm/s",
    )
    for title in titles:
        out.add_column(title, justify="left" if title == titles[0] else "right")
    for name, rows in result.items():
        out.add_row(name)
        for law, row in rows.items():
            if "error" in row:
                out.add_row(f"  {law}", row["error"])
                continue
            out.add_row(
                f"  {law}", f"{row['contacts']:.1f}", f"{row['us']:.1f}", f"{row['ratio']:.2f}",
                f"{row['iterations']:.1f}", f"{row['residual']:.0e}", str(row["unconverged"]), f"{row['creep']:.0e}",
            )  # fmt: skip
        out.add_section()
    return out
