"""Recorded tosses of a cube, predicted with published coefficients and nothing fitted.

The metric is that of Acosta, Yang and Posa, "Validating Robotics Simulators on Real-World Impacts", RA-L 2022: each
toss is simulated from just before its first impact and compared sample by sample to its end.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from sesshoku.errors import FileFormatError
from sesshoku.model import Box, Inertia, Joint, Scene
from sesshoku.sim import Simulation

__all__ = ["errors", "measure", "read", "simulation", "table"]

Array = NDArray[np.float64]
SIDE, MASS, INERTIA = 0.1048, 0.37, 0.00081  # m, kg, kg m²
FRICTION, RESTITUTIONS = 0.18, (0.0, 0.125)  # published
RATE, STEPS = 148.0, 10  # samples in a second, steps in a sample
BEFORE = 3  # samples from the start to where a corner may touch
PUBLISHED = {"Drake": (13.5, 16.5), "Bullet": (14.9, 16.5), "MuJoCo": (25.1, 21.7)}  # fitted to the data; %, degrees


def measure(progress: Callable[[str], None], data: Path) -> dict[str, Any]:
    """For each restitution mean and standard deviation over all tosses of the error of position and rotation."""
    tosses = read(data)
    rows = []
    for restitution in RESTITUTIONS:
        sim = simulation(restitution)
        found = []
        for k, samples in enumerate(tosses):
            progress(f"restitution {restitution:g}: toss {k + 1} of {len(tosses)}")
            found.append(errors(sim, samples))
        (position, rotation), (position_std, rotation_std) = np.mean(found, axis=0), np.std(found, axis=0)
        rows.append(
            {
                "restitution": restitution,
                "position_percent": float(position),
                "position_std": float(position_std),
                "rotation_deg": float(rotation),
                "rotation_std": float(rotation_std),
            }
        )
    return {"tosses": len(tosses), "friction": FRICTION, "ours": rows}


def read(file: Path) -> list[Array]:
    """The samples (n, 13) of each toss: position, quaternion, linear velocity (world), angular velocity (body)."""
    try:
        with np.load(file) as arrays:
            state, offset = arrays["state"], arrays["offset"]
    except (KeyError, ValueError, AttributeError) as error:
        remedy = "Give --data an .npz file with the arrays state and offset"
        raise FileFormatError("no recorded tosses", file=str(file), remedy=remedy) from error
    return np.split(state, offset[1:-1])


def simulation(restitution: float) -> Simulation:
    """The cube above its table."""
    scene = Scene("cube")
    scene.ground(static=FRICTION, restitution=restitution)
    inertia = Inertia.of(MASS, matrix=(INERTIA, INERTIA, INERTIA))
    scene.body("cube", Joint("root", "free"), inertia=inertia, shape=Box((SIDE, SIDE, SIDE)))
    return Simulation(scene, dt=1.0 / (RATE * STEPS))


def errors(sim: Simulation, samples: Array) -> tuple[float, float]:
    """Mean distance from the recorded positions, in % of the side, and mean angle from the recorded rotations, °."""
    start = int(np.argmax(samples[:, 2] < np.sqrt(3.0) * SIDE / 2)) - BEFORE
    sim.reset()
    sim.q, sim.v = samples[start, :7], free_flight(sim, samples[: start + BEFORE, :7], start)
    off = []
    for recorded in samples[start + 1 :, :7]:
        sim.step(n=STEPS)
        gap = sim.difference(recorded)
        off.append((np.linalg.norm(gap[:3]), np.linalg.norm(gap[3:])))
    distance, angle = np.mean(off, axis=0)
    return 100.0 * float(distance) / SIDE, float(np.degrees(angle))


def free_flight(sim: Simulation, poses: Array, start: int) -> Array:
    """The velocity (6,) at sample ``start`` of a flight that fits all its samples best.

    A cube keeps its angular velocity: its moments of inertia are equal.
    """
    t = (np.arange(len(poses)) - start) / RATE
    fallen = poses[:, :3] - sim.model.gravity * t[:, None] ** 2 / 2
    linear = np.polyfit(t, fallen, 1)[0]
    turned = np.array([sim.dynamics.difference(poses[start], pose)[3:] for pose in poses])
    return np.concatenate((linear, t @ turned / (t @ t)))


def table(result: dict[str, Any]) -> Table:
    """The same for people, beside the published errors."""
    out = Table(title=f"{result['tosses']} tosses of a cube: mean error ± standard deviation over tosses")
    for title in ("simulator", "position, % of the side", "rotation, °"):
        out.add_column(title, justify="left" if title == "simulator" else "right")
    for row in result["ours"]:
        out.add_row(
            f"ours, mu {result['friction']:g}, restitution {row['restitution']:g}, unfitted",
            f"{row['position_percent']:.1f} ± {row['position_std']:.1f}",
            f"{row['rotation_deg']:.1f} ± {row['rotation_std']:.1f}",
        )
    for name, (position, rotation) in PUBLISHED.items():
        out.add_row(f"{name}, fitted, as published", f"{position:.1f}", f"{rotation:.1f}")
    return out
