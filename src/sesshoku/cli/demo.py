"""``sesshoku demo``: a humanoid turns a somersault, checked against two laws of nature."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from time import perf_counter
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from sesshoku.cli.output import Json, facts, notices, print_json, show
from sesshoku.model import load
from sesshoku.sim import Simulation

__all__ = ["demo"]

STRETCHED = {"shoulder_pitch": -2.8}  # rad, of both sides; the other joints at zero
TUCKED = {"hip_pitch": -1.6, "knee": 2.1, "ankle_pitch": -0.4, "shoulder_pitch": -0.9, "elbow": -1.2}
PHASES = ((STRETCHED, 0.2), (TUCKED, 0.5), (STRETCHED, 0.3))  # what the servos hold, and for how long [s]
THROW = (2.2, 0.0, 4.935, 0.0, 4.0, 0.0)  # m/s, rad/s: back on its feet after one turn and one second
INSTANTS = 7  # in the picture


def demo(
    out: Annotated[Path, typer.Option(help="Folder for the recording and the picture.")] = Path("out"),
    json: Json = False,
) -> None:
    """Throw a humanoid into a somersault; write a recording and a picture.

    In free flight its servos fold and unfold it. No internal force can change its angular momentum, nor
    move its centre of mass off the parabola: how well both hold is measured.
    """
    from sesshoku.viewer.figure import strobe

    out.mkdir(parents=True, exist_ok=True)
    sim = Simulation(load("hoap_class"), "none", dt=1e-3, integrator="rk4")
    with notices().status("a somersault") as status:
        seconds = _seconds(sim)
        _somersault(sim, sim.run)
        drift, error = _check(sim)
        recording = sim.recording.save(out / "demo.npz")
        status.update("drawing it")
        moments = np.linspace(0, len(sim.recording) - 1, INSTANTS).astype(int)
        picture = out / "demo.png"
        strobe(sim.model, [sim.dynamics.body_poses(sim.recording.q[k]) for k in moments], picture)
    steps = len(sim.recording) - 1
    document = {
        "scene": sim.model.name,
        "integrator": sim.integrator,
        "dt": sim.dt,
        "time": sim.time,
        "steps": steps,
        "seconds_per_step": seconds / steps,
        "angular_momentum_drift": drift,
        "centre_of_mass_error": error,
        "recording": str(recording),
        "picture": str(picture),
    }
    if json:
        print_json(document)
    else:
        show(facts("A humanoid of 26 velocities turns a somersault", _rows(document)))


def _somersault(sim: Simulation, move: Callable[[float], object]) -> None:
    """Throw the robot, tuck and stretch it in the air; ``move`` lets a time [s] pass."""
    sim.reset()
    sim.q[sim.model.actuator_q] = _targets(sim, STRETCHED)
    sim.v[:6] = THROW
    for angles, duration in PHASES:
        sim.control = _targets(sim, angles)
        move(duration)


def _seconds(sim: Simulation) -> float:
    """Seconds that the steps of a somersault take, nothing else."""
    sim.step()  # compiles or loads the kernels
    start = perf_counter()
    _somersault(sim, lambda duration: sim.step(n=round(duration / sim.dt)))
    return perf_counter() - start


def _targets(sim: Simulation, angles: dict[str, float]) -> NDArray[np.float64]:
    """What the servos are told (nu,), from the angles of the joints of either side."""
    return np.array([angles.get(name.partition("_")[2], 0.0) for name in sim.model.actuator_names])


def _check(sim: Simulation) -> tuple[float, float]:
    """Largest relative change of the angular momentum, and distance [m] of the com from its parabola."""
    dynamics, record, t = sim.dynamics, sim.recording, sim.recording.time[:, None]
    momentum = np.array([dynamics.momentum(q, v) for q, v in zip(record.q, record.v, strict=True)])
    centre = np.array([dynamics.com(q) for q in record.q])
    velocity = momentum[0, :3] / sim.model.total_mass
    parabola = centre[0] + velocity * t + sim.model.gravity * t**2 / 2
    change = np.linalg.norm(momentum[:, 3:] - momentum[0, 3:], axis=1).max() / np.linalg.norm(momentum[0, 3:])
    return float(change), float(np.linalg.norm(centre - parabola, axis=1).max())


def _rows(document: dict[str, Any]) -> dict[str, str]:
    return {
        "flight": f"{document['time']:.3g} s in {document['steps']} steps, {document['integrator']}",
        "angular momentum": f"constant to {document['angular_momentum_drift']:.1e} of its size",
        "centre of mass": f"on the parabola to {1e6 * document['centre_of_mass_error']:.1f} µm",
        "per step": f"{1e6 * document['seconds_per_step']:.1f} µs, with four evaluations of the dynamics",
        "recording": document["recording"],
        "picture": document["picture"],
    }
