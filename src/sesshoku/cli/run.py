"""``sesshoku run``: simulate a robot."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer
from rich.progress import Progress
from rich.table import Table

from sesshoku.cli.output import Json, facts, notices, print_json, show, writable
from sesshoku.contact import LAWS
from sesshoku.errors import SesshokuError
from sesshoku.model import JointIndex, load
from sesshoku.sim import Simulation
from sesshoku.sim.step import INTEGRATORS

__all__ = ["run"]

CHUNK = 1000  # steps between two updates of the progress bar
JOINTS_SHOWN = 12


def run(
    scene: Annotated[str, typer.Argument(help="A URDF or MJCF file, or a bundled name: see sesshoku list.")],
    law: Annotated[str, typer.Option(help=f"Contact law: {', '.join(LAWS)}.")] = "exact",
    time: Annotated[float, typer.Option(help="Duration in seconds.")] = 1.0,
    dt: Annotated[float, typer.Option(help="Step in seconds.")] = 1e-3,
    integrator: Annotated[str, typer.Option(help=f"One of {', '.join(INTEGRATORS)}.")] = "semi_implicit",
    floating: Annotated[bool, typer.Option("--floating", help="The root of a URDF moves freely.")] = False,
    hulls: Annotated[bool, typer.Option("--hulls", help="Meshes of a URDF are meant to be convex hulls.")] = False,
    posture: Annotated[str | None, typer.Option(help="Start in this posture of the file.")] = None,
    record: Annotated[
        Path | None,
        typer.Option(help="Save all steps to this .npz file; it counts in the time per step.", callback=writable),
    ] = None,
    json: Json = False,
) -> None:
    """Simulate a robot file, or a bundled robot or scene, without a controller."""
    sim = Simulation(load(scene, floating=floating, hulls=hulls), law, dt, integrator=integrator, posture=posture)
    if not dt <= time < np.inf:
        raise SesshokuError(f"time is {time}. Give a duration in seconds, at least one step of {dt:g} s.")
    steps = round(time / dt)
    seconds = _simulate(sim, steps, record)
    document = {
        "scene": sim.model.name,
        "law": sim.law.name,
        "dt": sim.dt,
        "time": sim.time,
        "steps": steps,
        "seconds_per_step": seconds / steps,
        "contacts": len(sim.contacts),
        "max_penetration": float(max(sim.contacts.depth, default=0.0)),
        "residual": sim.residual.total,
        "energy": sim.energy.total,
        "state": {"q": sim.q.tolist(), "v": sim.v.tolist()},
    }
    if json:
        print_json(document)
    else:
        show(_table(sim, document))


def _simulate(sim: Simulation, steps: int, record: Path | None) -> float:
    """Take the steps and save them if wanted, also when they diverge; returns the seconds they took.

    Taking samples counts when they are wanted.
    """
    sim.step()  # compiles or loads the kernels, which is not part of the time per step
    sim.reset()
    seconds = 0.0
    try:
        # Refreshed between chunks only: a thread that draws would disturb what is measured.
        with Progress(console=notices(), transient=True, auto_refresh=False) as progress:
            for begin in progress.track(range(0, steps, CHUNK), description=sim.model.name):
                n = min(CHUNK, steps - begin)
                start = perf_counter()
                if record is None:
                    sim.step(n=n)
                else:
                    sim.run(n * sim.dt)
                seconds += perf_counter() - start
                progress.refresh()
    finally:
        if record is not None:
            sim.recording.save(record)
    return seconds


def _table(sim: Simulation, document: dict[str, Any]) -> Table:
    model, energy = sim.model, sim.energy
    rows = {
        "bodies": str(model.n),
        "velocities": str(model.nv),
        "mass": f"{model.total_mass:.4g} kg",
        "time": f"{sim.time:.6g} s in {document['steps']} steps, {sim.integrator}",
        "per step": f"{1e6 * document['seconds_per_step']:.2f} µs",
        "energy": f"{energy.total:.6g} J ({energy.kinetic:.4g} kinetic, {energy.potential:.4g} potential)",
    }
    shown = model.joints[:JOINTS_SHOWN]
    rows |= {joint.name: _coordinates(sim, joint) for joint in shown}
    if len(shown) < len(model.joints):
        rows["…"] = f"and {len(model.joints) - len(shown)} more joints: see --json"
    return facts(f"{model.name}, law {sim.law.name}", rows)


def _coordinates(sim: Simulation, joint: JointIndex) -> str:
    unit = {"revolute": " rad", "continuous": " rad", "prismatic": " m"}.get(joint.kind, "")
    values = np.atleast_1d(sim.q[joint.q]).round(4) + 0.0  # no minus before a zero
    return " ".join(f"{value:.4f}" for value in values) + unit
