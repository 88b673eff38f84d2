"""Three aligned boxes stand, and slide together without losing the top one."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Law
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.volume.box import HALF, KINETIC, MODES, WEIGHT, G, box
from sesshoku.sim import Recording

__all__ = ["stack", "stack_experiment"]

Array = NDArray[np.float64]
BOXES: Final = 3
SPEED: Final = 1.0  # [m/s]


def stack(law: Law, speed: float, duration: float) -> tuple[Recording, float]:
    """Boxes on each other that all begin at a speed; and what the ground carries in the end [N]."""
    sim = box(law, BOXES)
    sim.v[::6] = speed
    recording = sim.run(duration)
    return recording, -float(sim.wrench("ground")[2])


def places(recording: Recording) -> Array:
    """Of the boxes over time (steps, boxes, 3) [m]."""
    return recording.q.reshape(len(recording.q), BOXES, 7)[:, :, :3]


def shift(recording: Recording) -> float:
    """How far boxes have moved against the lowest one, at most [m]."""
    x = places(recording)
    away = x - x[:, :1]
    return float(np.abs(away - away[0]).max())


def stack_experiment(out: Path) -> Findings:
    """What RoKi-FD loses the top of."""
    checks, sliding = [], {}
    for name, law in MODES.items():
        standing, carried = stack(law, 0.0, 2.0)
        sliding[name], _ = stack(law, SPEED, 0.6)
        x = places(sliding[name])
        far = x[-1, 0, 0] / (SPEED**2 / (2 * KINETIC * G))
        checks += [
            Check(name=f"{name}: stands, boxes shift by [m]", value=shift(standing), high=1e-5),
            Check(name=f"{name}: stands, force over weight", value=carried / (BOXES * WEIGHT), low=0.99, high=1.01),
        ]
        if name == "default":
            checks += [
                Check(name=f"{name}: slides, boxes shift by [m]", value=shift(sliding[name]), high=1e-5),
                Check(name=f"{name}: slides, stops at, over v²/(2 μ g)", value=far, low=0.99, high=1.01),
            ]
        else:
            lost = HALF * (2 * BOXES - 1) - x[-1, -1, 2]
            checks.append(Check(name=f"{name}: slides, loses its top, a defect of the print [m]", value=lost, low=HALF))
    return Findings(checks, [draw(out / "stack.png", sliding)])


def draw(path: Path, sliding: dict[str, Recording]) -> Path:
    """Boxes over time, seen from the side: distance and height of their centres."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4.5), dpi=150, layout="constrained")
    distance, height = figure.subplots(1, 2)
    for name, style in (("default", "-"), ("faithful", "--")):
        x = places(sliding[name])
        for k, label in enumerate(("lowest", "middle", "top")):
            distance.plot(sliding[name].time, x[:, k, 0], style, color=f"C{k}", label=f"{label}, {name}")
            height.plot(sliding[name].time, x[:, k, 2], style, color=f"C{k}", label=f"{label}, {name}")
    distance.axhline(SPEED**2 / (2 * KINETIC * G), color="k", linestyle=":", linewidth=1, label="v²/(2 μ g)")
    distance.set(title=f"Three boxes slide at {SPEED:g} m/s", xlabel="time [s]", ylabel="distance [m]")
    height.set(title="Height of their centres", xlabel="time [s]", ylabel="height [m]")
    for axes in (distance, height):
        axes.legend(fontsize=8)
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
