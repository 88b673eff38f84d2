"""How the time of a step grows with the number of contacts: feet under one plate, piles, mounds and bins of spheres."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Any

import numpy as np
from rich.console import Group
from rich.table import Table

from sesshoku.bench.engine import Case
from sesshoku.bench.mujoco_peer import MuJoCo
from sesshoku.bench.our_peer import Ours
from sesshoku.bench.pile_scenes import FRICTION, WOOD, full_bin, mound, pile, plate
from sesshoku.contact import Exact
from sesshoku.model import Scene
from sesshoku.sim import Simulation

__all__ = ["measure", "table"]

FEET = (8, 32, 128, 512)
SPHERES = (30, 100, 300)
TOGETHER = 900  # spheres of each size: several heaps are measured, since last digits decide what happens in one
DT = 1e-3
SETTLE = 200  # steps of plates before what is measured
STEPS = 400
PILE_STEPS = 8000  # of piles, from the start on: the spheres fall, roll apart and slowly come to rest
MOUND_STEPS = 2500  # of mounds: they fall by millimetres and come to rest
BIN_STEPS = 1500  # of bins: they fall, lie on each other and jam
LAST = 500  # of all these, the last ones: mounds are at rest then
BESIDE, BLOCK = 500, 50  # steps of one heap of each size that MuJoCo takes, too, from the start on; in turn
RIGID = ("piles", "mounds", "bins")  # these


def scenes() -> dict[str, tuple[Callable[..., Scene], float | None, Exact, int]]:
    """Kinds of heaps of spheres: how one is made, of which stiffness, by which law, how many steps it is measured."""
    exact, strict = Exact(), Exact(heap_tolerance=Exact.tolerance)
    return {
        "piles": (pile, None, exact, PILE_STEPS),
        "mounds": (mound, None, exact, MOUND_STEPS),
        "wooden_mounds": (mound, WOOD, exact, MOUND_STEPS),
        "strict_mounds": (mound, None, strict, MOUND_STEPS),
        "bins": (full_bin, None, exact, BIN_STEPS),
        "wooden_bins": (full_bin, WOOD, exact, BIN_STEPS),
        "strict_bins": (full_bin, None, strict, BIN_STEPS),
    }


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each scene contacts, time per step and contact, Newton steps, unconverged steps; how the time grows.

    ``growth`` of a kind is the largest over the smallest time per step and contact. Rigid heaps are measured beside
    MuJoCo, too.
    """
    result: dict[str, Any] = {"plates": {}}
    for feet in FEET:
        progress(f"plate on {feet} feet")
        result["plates"][str(feet)] = run([plate(feet)], Exact(), "plate", SETTLE, STEPS)
    for kind, (build, stiffness, law, steps) in scenes().items():
        result[kind] = {}
        for spheres in SPHERES:
            progress(f"{title(kind)} of {spheres}")
            several = [build(spheres, stiffness, seed) for seed in range(TOGETHER // spheres)]
            result[kind][str(spheres)] = run(several, law, None, 0, steps)
            if kind in RIGID:
                progress(f"{title(kind)} of {spheres}, beside MuJoCo")
                result[kind][str(spheres)] |= beside(several[0])
    contacts, times = (np.log([row[key] for row in result["plates"].values()]) for key in ("contacts", "us"))
    growth = {}
    for kind, rows in result.items():
        each = [row["us_per_contact"] for row in rows.values()]
        growth[kind] = max(each) / min(each)
    return {**result, "plates_exponent": float(np.polyfit(contacts, times, 1)[0]), "growth": growth}


def title(kind: str) -> str:
    """The name of one of a kind."""
    return kind.removesuffix("s").replace("_", " ")


def run(scenes: list[Scene], law: Exact, pushed: str | None, settle: int, steps: int) -> dict[str, float]:
    """The mean over ``steps`` after ``settle``; times are those of the processor, whatever else the machine does.

    ``residual`` is the largest; ``beyond`` the share of steps whose residual is above the tolerance, and their median;
    ``last_beyond`` that share at the end. ``depth`` is the largest, ``speed`` that of the bodies at the end, their root
    mean square.
    """
    times, contacts, iterations, depth, left = (np.zeros((len(scenes), steps)) for _ in range(5))
    squares: list[float] = []
    missed = 0
    for j, scene in enumerate(scenes):
        sim, rng = Simulation(scene, law, DT), np.random.default_rng(0)
        sim.step(n=settle)
        for k in range(steps):
            if pushed is not None:
                sim.push(pushed, rng.normal(size=3) * 20.0)
            begin = thread_time()
            sim.step()
            times[j, k] = 1e6 * (thread_time() - begin)
            contacts[j, k], iterations[j, k] = len(sim.contacts), sim.iterations
            depth[j, k], left[j, k] = sim.contacts.depth.max(initial=0.0), sim.residual.total
            missed += not sim.residual.converged
        squares += [float(np.sum(sim.velocity(name)[:3] ** 2)) for name in scene.bodies if name != "ground"]
    beyond = left > law.tolerance
    return {
        "scenes": len(scenes),
        "tolerance": law.tolerance,
        "heap_tolerance": law.heap_tolerance,
        "steps": steps,
        "contacts": float(contacts.mean()),
        "us": float(times.mean()),
        "us_per_contact": float(times.sum() / contacts.sum()),
        "median_us_per_contact": float(np.median(times / np.maximum(contacts, 1.0))),
        "last_us_per_contact": float(times[:, -LAST:].sum() / contacts[:, -LAST:].sum()),
        "iterations": float(iterations.mean()),
        "us_per_contact_and_iteration": float(times.sum() / (contacts * np.maximum(iterations, 1.0)).sum()),
        "unconverged": missed,
        "residual": float(left.max()),
        "beyond": float(beyond.mean()),
        "median_beyond": float(np.median(left[beyond])) if beyond.any() else 0.0,
        "last_beyond": float(beyond[:, -LAST:].mean()),
        "depth": float(depth.max()),
        "last_depth": float(depth[:, -LAST:].max()),
        "speed": float(np.sqrt(np.mean(squares))),
    }


def beside(scene: Scene) -> dict[str, Any]:
    """The first steps by us and by MuJoCo's solvers in turn: times per step of us and of the fastest, and its depth."""
    case = Case(scene, FRICTION, ())
    ours = Ours(case)
    peers = {name: MuJoCo(case, "pyramidal", 0, "sparse", name) for name in ("newton", "cg")}
    spent, depth, nothing = dict.fromkeys(("ours", *peers), 0.0), dict.fromkeys(peers, 0.0), np.zeros((BLOCK, 3))
    for _ in range(BESIDE // BLOCK):
        for name, engine in {"ours": ours, **peers}.items():
            begin = thread_time()
            engine.advance(nothing)
            spent[name] += 1e6 * (thread_time() - begin) / BESIDE
            if name in peers:
                depth[name] = max(depth[name], engine.depth())
    fastest = min(peers, key=lambda name: spent[name])
    return {
        "beside_us": spent["ours"],
        "mujoco_us": spent[fastest],
        "mujoco_solver": fastest,
        "mujoco_depth": depth[fastest],
        "ratio": spent[fastest] / spent["ours"],
    }


def table(result: dict[str, Any]) -> Group:
    """The same for people."""
    return Group(growth_table(result), mujoco_table(result))


def mujoco_table(result: dict[str, Any]) -> Table:
    """Rigid heaps beside MuJoCo."""
    out = Table(title=f"the first {BESIDE} steps beside MuJoCo, pyramidal cones, the faster of Newton and CG")
    for number, name in enumerate(("scene", "", "ours\nµs", "MuJoCo\nµs", "solver", "ratio", "its depth\nµm")):
        out.add_column(name, justify="right" if number > 0 else "left")
    for kind in RIGID:
        for size, row in result[kind].items():
            out.add_row(
                title(kind), size, f"{row['beside_us']:.0f}", f"{row['mujoco_us']:.0f}", row["mujoco_solver"],
                f"{row['ratio']:.2f}", f"{1e6 * row['mujoco_depth']:.0f}",
            )  # fmt: skip
        out.add_section()
    return out


def growth_table(result: dict[str, Any]) -> Table:
    """How the time grows."""
    out = Table(title=f"time against contacts: exponent {result['plates_exponent']:.2f} under a plate")
    titles = (
        "scene",
        "",
        "contacts",
        "µs a\nstep",
        "µs a\ncontact",
        "growth",
        "Newton\nsteps",
        "missed",
        "above\n1e-8",
        "largest\nresidual",
        "deepest\nµm",
        "m/s at\nthe end",
    )
    for number, name in enumerate(titles):
        out.add_column(name, justify="right" if number > 0 else "left")
    for kind in ("plates", *scenes()):
        name, growth = title(kind), f"{result['growth'][kind]:.2f}"
        for size, row in result[kind].items():
            out.add_row(
                name, size, f"{row['contacts']:.0f}", f"{row['us']:.0f}", f"{row['us_per_contact']:.2f}", growth,
                f"{row['iterations']:.1f}", f"{row['unconverged']:.0f}", f"{row['beyond']:.0%}",
                f"{row['residual']:.0e}", f"{1e6 * row['depth']:.1f}", f"{row['speed']:.0e}",
            )  # fmt: skip
            name = growth = ""
        out.add_section()
    return out
