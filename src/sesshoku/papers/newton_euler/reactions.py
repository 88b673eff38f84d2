"""What the joints carry in case (iii): forces and moments of every link, from the recursion that gives the motion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint import SurfaceIntegrator
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.newton_euler.arm import CASES, LENGTH, Q0, REST, STEP, on_ground

__all__ = ["reactions", "reactions_experiment"]

Array = NDArray[np.float64]
CASE = "iii"
SHOWN = 3.0  # [s]


def reactions() -> tuple[Array, Array, float, float]:
    """Forces (m, 3, 3) [N] and moments (m, 3, 3) [N m] on the links in m steps, and how well they fit.

    That is the worst of Newton's law for the whole arm [N], and of τ − D q̇, at the end of the step, against the moments
    about the axes [N m].
    """
    mass, damping, torque = CASES[CASE]
    method = on_ground(mass, damping)
    stepper = SurfaceIntegrator(method, STEP)
    q, v = Q0, REST
    forces, moments, newton, drive = [], [], 0.0, 0.0
    for m in range(round(SHOWN / STEP)):
        after, speed, motion = stepper.step(m * STEP, q, v, torque)
        force, moment = method.reactions(q, v, motion)
        load = motion.normal_force[0] * motion.places.normal[0] + motion.friction_force[0]
        weight = np.array([0.0, 0.0, -9.81 * 3 * mass])
        newton = max(newton, np.abs(force[0] + load + weight - momentum_rate(mass, q, v, motion.acceleration)).max())
        wanted = np.asarray(torque(m * STEP, q, v), dtype=float) - damping * (v + STEP * motion.acceleration)
        drive = max(drive, np.abs(moment[:, 0] - wanted).max())
        forces.append(force)
        moments.append(moment)
        q, v = after, speed
    return np.array(forces), np.array(moments), newton, drive


def momentum_rate(mass: float, q: Array, v: Array, rate: Array) -> Array:
    """Of the arm, by hand [N]: its rods turn about x at the sums of the joints' rates."""
    angle, spin, turn = np.cumsum(q), np.cumsum(v), np.cumsum(rate)
    zero = np.zeros(3)
    rod = LENGTH * np.stack([zero, -np.sin(angle), np.cos(angle)], axis=1)
    across = LENGTH * np.stack([zero, -np.cos(angle), -np.sin(angle)], axis=1)
    swing = turn[:, None] * across - spin[:, None] ** 2 * rod
    beyond = np.array([2.5, 1.5, 0.5])  # rods whose centres each one carries along, its own half
    total: Array = mass * beyond @ swing
    return total


def reactions_experiment(out: Path) -> Findings:
    """Reactions of case (iii) against Newton's law and the torques."""
    forces, moments, newton, drive = reactions()
    checks = [
        Check(name="iii: reactions, Newton's law for the arm [N]", value=newton, high=1e-9),
        Check(name="iii: reactions, moments about the axes [N m]", value=drive, high=1e-9),
    ]
    return Findings(checks, [draw(out / "reactions.png", forces, moments)])


def draw(path: Path, forces: Array, moments: Array) -> Path:
    """Forces along and up from the ground and moments about the axes, of each joint over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4), dpi=150, layout="constrained")
    figure.suptitle(f"Case ({CASE}): what acts on each link through its joint")
    time = STEP * np.arange(len(forces))
    panels = (
        ("force along the ground [N]", forces[:, :, 1]),
        ("force upwards [N]", forces[:, :, 2]),
        ("moment about the axis [N m]", moments[:, :, 0]),
    )
    for axes, (label, values) in zip(figure.subplots(1, 3), panels, strict=True):
        for k in range(3):
            axes.plot(time, values[:, k], label=f"joint {k + 1}")
        axes.set(xlabel="time [s]", ylabel=label)
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
