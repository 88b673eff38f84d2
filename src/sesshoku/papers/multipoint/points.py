"""Points that are left out: how singular M is (A2), how many passes it takes, and what that misses (A8, 5c)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Law
from sesshoku.model import Box, Joint, Scene, Sphere
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.multipoint.box import DT, MODES
from sesshoku.sim import Simulation

__all__ = ["corner_matrix", "plate", "points_experiment", "throw"]

Array = NDArray[np.float64]
POINTS: Final = 8
THROWS: Final = 400
MISSED: Final = 1e-6  # residual of Signorini's law at which it is
CORNERS: Final = np.array([[0.1, 0.05, -0.03], [-0.1, 0.05, -0.03], [-0.1, -0.05, -0.03], [0.1, -0.05, -0.03]])


def corner_matrix(points: int) -> Array:
    """M of (17) for so many corners of the box of 1 kg, 0.2 m by 0.1 m by 0.06 m."""
    moments = (0.2**2 + 0.1**2 + 0.06**2 - np.array([0.2, 0.1, 0.06]) ** 2) / 12.0
    J = np.vstack([np.hstack([np.eye(3), -np.cross(np.eye(3), x).T]) for x in CORNERS[:points]])
    return J @ np.diag([1.0, 1.0, 1.0, *(1.0 / moments)]) @ J.T  # type: ignore[no-any-return]


def independent_rows(matrix: Array, aim: Array) -> Array:
    """The solution by as many independent rows as there are, and their pseudo-inverse, as the paper does it (19)."""
    rows: list[int] = []
    for k in range(len(matrix)):
        if np.linalg.matrix_rank(matrix[[*rows, k]], tol=1e-9) > len(rows):
            rows.append(k)
    return np.linalg.pinv(matrix[rows]) @ aim[rows]


def plate(law: Law) -> Simulation:
    """A plate of 2 kg on eight smooth balls in a circle."""
    scene = Scene("plate")
    scene.ground(static=0.0)
    scene.body("plate", Joint("root", "free"), position=(0, 0, 0.05), mass=2.0, shape=Box((0.4, 0.3, 0.04)))
    for angle in np.linspace(0, 2 * np.pi, POINTS, endpoint=False):
        scene.collider("plate", Sphere(0.02), (0.15 * np.cos(angle), 0.15 * np.sin(angle), -0.03))
    return Simulation(scene, law=law, dt=DT)


def throw(law: Law) -> tuple[Array, float]:
    """Passes of each throw of a spinning plate on the ground, and the share that misses Signorini's law."""
    sim, rng = plate(law), np.random.default_rng(0)
    passes, missed = np.zeros(THROWS), 0
    for k in range(THROWS):
        sim.reset()
        sim.v[:] = [0.0, 0.0, -0.2, *rng.uniform(-4.0, 4.0, 2), 0.0]
        sim.step()
        passes[k] = sim.iterations
        missed += sim.residual.signorini > MISSED
    return passes, missed / THROWS


def points_experiment(out: Path) -> Findings:
    """A2 and A8 of the notes."""
    checks, rng = [], np.random.default_rng(1)
    for points, rank in zip(range(1, 5), (3, 5, 6, 6), strict=True):
        found = np.linalg.matrix_rank(corner_matrix(points), tol=1e-9)
        checks.append(Check(name=f"rank of M, {points} corners", value=float(found), low=rank, high=rank))
    matrix = corner_matrix(4)
    aim = matrix @ rng.normal(size=12)
    off = np.abs(independent_rows(matrix, aim) - np.linalg.pinv(matrix) @ aim).max()
    checks.append(Check(name="independent rows against pseudo-inverse [N s]", value=off, high=1e-10))
    passes, shares = {}, {}
    for name, law in MODES.items():
        passes[name], shares[name] = throw(law)
    checks += [
        Check(name="faithful: most passes", value=passes["faithful"].max(), low=2, high=POINTS),
        Check(name="resolve: most passes", value=passes["resolve"].max(), low=2, high=3 * POINTS),
        Check(name="resolve: share of throws that miss Signorini's law", value=shares["resolve"], high=0.0),
        Check(name="faithful: the same, a defect of the print", value=shares["faithful"], low=0.02),
    ]
    return Findings(checks, [draw(out / "points.png", passes, shares)])


def draw(path: Path, passes: dict[str, Array], shares: dict[str, float]) -> Path:
    """How many passes throws take."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 4.5), dpi=150, layout="constrained")
    axes = figure.subplots()
    most = int(max(values.max() for values in passes.values()))
    for shift, (name, values) in zip((-0.2, 0.2), passes.items(), strict=True):
        counts = np.bincount(values.astype(int), minlength=most + 1)
        label = f"{name}: {100 * shares[name]:.0f} % of throws miss Signorini's law"
        axes.bar(np.arange(most + 1) + shift, counts, width=0.4, label=label)
    axes.set(title="A spinning plate strikes with eight points", xlabel="passes of a step", ylabel="throws")
    axes.set(xticks=range(1, most + 1), ylim=(0, 1.25 * axes.get_ylim()[1]))  # room for the legend
    axes.legend()
    figure.savefig(path)
    return path
