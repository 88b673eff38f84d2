"""The arm in motion: case (iii) as a picture that moves, with the force on its tip."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.papers.experiment import Findings
from sesshoku.papers.newton_euler.arm import LENGTH, STEP, run

__all__ = ["animation_experiment"]

Array = NDArray[np.float64]
CASE: Final = "iii"
SHOWN: Final = 4.0  # [s]
EVERY: Final = 5  # steps to a frame
SCALE: Final = 0.02  # of arrows [m/N]
STICKS, SLIPS = "#1f8f4d", "#c8382d"


def animation_experiment(out: Path) -> Findings:
    """A GIF of case (iii); nothing is checked."""
    return Findings([], [animate(out / "arm.gif")])


def animate(path: Path) -> Path:
    """The arm, the path of its last joint, and the force on the tip, green while it sticks, in real time."""
    from matplotlib.animation import FuncAnimation, PillowWriter
    from matplotlib.figure import Figure

    found = run(CASE)
    joints = places(found.q)
    force = found.normal_force[:, :, None] * np.array([0.0, 0.0, 1.0]) + found.friction_force
    figure = Figure(figsize=(6.4, 5.2), dpi=100)
    axes = figure.add_axes((0.11, 0.1, 0.86, 0.82))  # a layout would be computed anew for each frame
    axes.set(xlim=(-0.3, 1.6), ylim=(-0.75, 0.75), aspect="equal", xlabel="y [m]", ylabel="z [m]")
    axes.axhline(0.0, color="0.6")
    (trace,) = axes.plot([], [], color="0.8", linewidth=1)
    (links,) = axes.plot([], [], "o-", color="#3f74a8", linewidth=4, markersize=8)
    arrow = axes.quiver([0.0], [0.0], [0.0], [0.0], angles="xy", scale_units="xy", scale=1.0, width=0.008, zorder=3)

    def show(frame: int) -> list[Any]:
        m = frame * EVERY
        links.set_data(joints[m].T)
        trace.set_data(joints[: m + 1, 2].T)
        arrow.set_offsets(joints[m, 3] - SCALE * force[m, 0, 1:])  # its head is at the tip
        arrow.set_UVC(SCALE * force[m, :, 1], SCALE * force[m, :, 2])
        arrow.set_color(STICKS if found.sticks[m, 0] else SLIPS)
        axes.set_title(f"Case ({CASE}), {m * STEP:.2f} s: force on the tip {np.linalg.norm(force[m]):.1f} N")
        return [links, trace, arrow]

    movie = FuncAnimation(figure, show, frames=round(SHOWN / STEP) // EVERY)
    movie.save(path, writer=PillowWriter(fps=round(1 / (EVERY * STEP))))
    return path


def places(q: Array) -> Array:
    """Base, joints and tip in the y z plane (m, 4, 2) [m], for rows of angles."""
    angle = np.cumsum(q, axis=1)
    rods = LENGTH * np.stack([-np.sin(angle), np.cos(angle)], axis=2)
    return np.concatenate([np.zeros((len(q), 1, 2)), np.cumsum(rods, axis=1)], axis=1)
