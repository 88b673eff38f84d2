"""The exact law against its peers: time per step called from Python, creep, penetration and residual."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from rich.table import Table

from sesshoku.bench.contact_scenes import cases
from sesshoku.bench.engine import STEPS, Array, Case, Engine
from sesshoku.bench.mujoco_peer import SETTINGS, MuJoCo
from sesshoku.bench.our_peer import Ours
from sesshoku.errors import UnsimulatedWarning

__all__ = ["measure", "table"]

ROUNDS = 25
PUSH = 60.0  # standard deviation of each component of the random force on the trunk [N]
CREEP = 1e-3  # a peer that is faster than this does not count as standing [m/s]
OTHERS = {"pybullet": ("pybullet", "PyBullet"), "dart": ("dartpy", "Dart"), "drake": ("pydrake", "Drake")}


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each scene ours_us, mujoco_us (its fastest setting that does not creep), ratio, residual, creep and more.

    PyBullet, DART and Drake have an entry each if they are installed.
    """
    result: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsimulatedWarning)
        for name, make in cases().items():
            progress(f"{name}: standing")
            result[name] = measure_case(make())
    return result


def others(case: Case) -> dict[str, Engine]:
    """Those of the other peers that are installed."""
    found = {name: kind for name, (package, kind) in OTHERS.items() if find_spec(package) is not None}
    return {name: getattr(import_module(f"sesshoku.bench.{name}_peer"), kind)(case) for name, kind in found.items()}


def measure_case(case: Case) -> dict[str, Any]:
    """Every engine settles, then repeats the same run from there; the best round of each counts."""
    ours, mujoco = Ours(case), {name: MuJoCo(case, *setting) for name, setting in SETTINGS.items()}
    more = others(case)
    engines: dict[str, Engine] = {"ours": ours, **mujoco, **more}
    for engine in engines.values():
        engine.settle()
    pushes = np.random.default_rng(0).normal(size=(STEPS, 3)) * (PUSH if case.pushed else 0.0)
    solved = _watch(ours, pushes)
    best = dict.fromkeys(engines, float("inf"))
    for _ in range(ROUNDS):
        for name, engine in engines.items():
            best[name] = min(best[name], engine.run(pushes) / STEPS * 1e6)
    report = {
        name: {"us": best[name], "creep": engine.creep, "penetration": engine.penetration}
        for name, engine in engines.items()
    }
    standing = [name for name in mujoco if mujoco[name].creep < CREEP] or list(mujoco)
    fastest = min(standing, key=lambda name: best[name])
    return {
        "ours_us": best["ours"],
        "mujoco_us": best[fastest],
        "ratio": best[fastest] / best["ours"],
        **solved,
        "creep": ours.creep,
        "mujoco_setting": fastest,
        "mujoco_creep": mujoco[fastest].creep,
        "mujoco": {name: report[name] for name in mujoco},
        **{name: report[name] for name in more},
    }


def _watch(ours: Ours, pushes: Array) -> dict[str, Any]:
    """What the steps of a run report, the worst of each."""
    sim, residual, iterations, depth = ours.sim, 0.0, 0, 0.0
    ours.restore()
    for k in range(len(pushes)):
        ours.advance(pushes[k : k + 1])
        residual, iterations = max(residual, sim.residual.total), max(iterations, sim.iterations)
        depth = max(depth, ours.depth())
    return {"contacts": len(sim.contacts), "residual": residual, "iterations": iterations, "penetration": depth}


def table(result: dict[str, Any]) -> Table:
    """The same for people, but for MuJoCo's setting."""
    out = Table(title="a step with contact, called from Python")
    titles = ("scene", "con-\ntacts", "ours\nµs", "MuJoCo\nµs", "ratio", "resi-\ndual", "creep\nm/s", "MuJoCo's\nm/s")
    peers = [kind for name, (_, kind) in OTHERS.items() if any(name in row for row in result.values())]
    for title in (*titles, *(f"{peer}\nµs\nm/s" for peer in peers)):
        out.add_column(title, justify="left" if title == "scene" else "right")
    for name, row in result.items():
        out.add_row(
            name, str(row["contacts"]), f"{row['ours_us']:.1f}", f"{row['mujoco_us']:.1f}", f"{row['ratio']:.2f}",
            f"{row['residual']:.0e}", f"{row['creep']:.0e}", f"{row['mujoco_creep']:.0e}",
            *(f"{row[peer]['us']:.0f}\n{row[peer]['creep']:.0e}" for peer in OTHERS if peer in row),
        )  # fmt: skip
    return out
