"""Where a block gives way to a force at the ground, over the heading of the force.

Four directions, each bounded on its own, are a square around Coulomb's disc: 1 along an axis, √2 on the diagonal.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Law, Lcp
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.lcp.block import G, block

__all__ = ["slip_experiment", "slip_ratio"]

Array = NDArray[np.float64]
STATIC: Final = 0.5
ACCURACY: Final = 2e-3  # of a ratio
CREEP: Final = 2e-3  # speed from which on the block has given way [m/s]
HEADINGS: Final = np.radians(np.arange(0.0, 360.0, 15.0))
LAWS: Final = {
    "fixed": Lcp(warm=False, fixed=True),
    "random": Lcp(warm=False),
    "disc": Lcp(warm=False, disc=True),
}
DRAWN: Final = {
    "fixed": ("s", "four directions, fixed axes"),
    "random": ("^", "four directions, random axes (paper)"),
    "disc": ("o", "disc, both directions at once"),
}


def slip_ratio(law: Law, heading: float) -> float:
    """Least force towards a heading [rad], at the ground, that a block gives way to, over μ m g; by halving."""
    sim, low, high = block(law, static=STATIC), 0.5, 2.0
    while high - low > ACCURACY:
        middle = 0.5 * (low + high)
        sim.reset()
        sim.step(n=5)
        force = middle * STATIC * G
        sim.push("block", (force * np.cos(heading), force * np.sin(heading), 0.0), point=(0.0, 0.0, 0.0))
        sim.step(n=400)
        low, high = (low, middle) if np.linalg.norm(sim.v[:2]) > CREEP else (middle, high)
    return 0.5 * (low + high)


def slip_experiment(out: Path) -> Findings:
    """U5 of the notes.

    Their disc gives way at 0.96 to 1.00, with a step for each direction; here both share one step, and it is 1.00.
    """
    ratios = {name: np.array([slip_ratio(law, heading) for heading in HEADINGS]) for name, law in LAWS.items()}
    along, across = (ratios["fixed"][np.isclose(np.degrees(HEADINGS) % 90.0, angle)] for angle in (0.0, 45.0))
    checks = [
        Check(name="slip ratio, fixed axes, along", value=along.mean(), low=0.98, high=1.02),
        Check(name="slip ratio, fixed axes, diagonal", value=across.mean(), low=1.386, high=1.442),
        Check(name="slip ratio, random axes, least", value=ratios["random"].min(), low=1.05, high=1.27),
        Check(name="slip ratio, random axes, most", value=ratios["random"].max(), low=1.05, high=1.27),
        Check(name="slip ratio, disc, least", value=ratios["disc"].min(), low=0.99, high=1.01),
        Check(name="slip ratio, disc, most", value=ratios["disc"].max(), low=0.99, high=1.01),
    ]
    return Findings(checks, [draw(out / "slip.png", ratios)])


def draw(path: Path, ratios: dict[str, Array]) -> Path:
    """Ratios over the heading, in polar coordinates, with the square and the disc."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 8), dpi=150, layout="constrained")
    axes = figure.add_subplot(projection="polar")
    angles = np.linspace(0.0, 2 * np.pi, 361)
    off_axis = (angles + np.pi / 4) % (np.pi / 2) - np.pi / 4
    axes.plot(angles, 1.0 / np.cos(off_axis), color="0.6", linewidth=1, label="square")
    axes.plot(angles, np.ones_like(angles), "k:", linewidth=1, label="Coulomb's disc")
    for name, (marker, label) in DRAWN.items():
        axes.plot(HEADINGS, ratios[name], marker, markersize=4, label=label)
    axes.set(title="Force at which a block gives way, F/(μ m g), over its heading", rlim=(0.0, 1.5))
    axes.set(rticks=[0.5, 1.0, 1.5], rlabel_position=22.5)
    figure.legend(loc="outside lower center", ncols=2)
    figure.savefig(path)
    return path
