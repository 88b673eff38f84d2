"""Where a box gives way to a force at its centre: too early as printed, since each corner is judged alone (A3).

The corners in front carry more of the weight, but least norm spreads friction evenly: F* = μ m g/(1 + 2 μ h/a). Solved
again, those at the back then slip, with μ_k, and the others hold up to F = (μ_s + μ_k) m g/(2 − 2 (μ_s − μ_k) h/a).
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Law
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.multipoint.box import DT, HEIGHT, LENGTH, MODES, G, box

__all__ = ["early", "late", "threshold", "threshold_experiment"]

Array = NDArray[np.float64]
ACCURACY: Final = 2e-5  # of the force, relative
MOVING: Final = 1e-6  # [m/s]
LESS: Final = 0.7  # kinetic over static coefficient, where they differ
STATIC: Final = np.array([0.2, 0.35, 0.5, 0.65, 0.8, 0.95])


def early(static: float) -> float:
    """F*/(m g): where the corners at the back give way."""
    return static / (1.0 + 2.0 * static * (HEIGHT / 2) / LENGTH)


def late(static: float, kinetic: float) -> float:
    """The larger of F* and F, over m g: where all corners have given way."""
    return max(early(static), 0.5 * (static + kinetic) / (1.0 - (static - kinetic) * (HEIGHT / 2) / LENGTH))


def threshold(law: Law, static: float, kinetic: float) -> float:
    """Least force at the centre that the box gives way to, over m g; by halving."""
    sim, low, high = box(law, static=static, kinetic=kinetic), 0.5 * static, 1.5 * static
    while high - low > ACCURACY * static:
        middle = 0.5 * (low + high)
        sim.reset()
        sim.push("box", (middle * G, 0.0, 0.0))
        sim.step(n=20)
        low, high = (low, middle) if np.abs(sim.v).max() > MOVING else (middle, high)
    return 0.5 * (low + high)


def acceleration(law: Law, force: float, static: float, kinetic: float) -> float:
    """Of a box that is pushed beyond what friction holds [m/s²]."""
    sim = box(law, static=static, kinetic=kinetic)
    sim.push("box", (force, 0.0, 0.0))
    sim.step(n=50)
    before = sim.v[0]
    sim.step(n=100)
    return float((sim.v[0] - before) / (100 * DT))


def threshold_experiment(out: Path) -> Findings:
    """A3 of the notes."""
    found = {
        "faithful": np.array([threshold(MODES["faithful"], mu, mu) for mu in STATIC]),
        "resolve": np.array([threshold(MODES["resolve"], mu, mu) for mu in STATIC]),
        "resolve, $\\mu_k = 0.7 \\mu_s$": np.array([threshold(MODES["resolve"], mu, LESS * mu) for mu in STATIC]),
    }
    sooner, later = np.array([early(mu) for mu in STATIC]), np.array([late(mu, LESS * mu) for mu in STATIC])
    checks = []
    for k, mu in enumerate(STATIC):
        names = ("faithful: F/F*", "resolve: F/(μ m g)", "resolve, μ_k = 0.7 μ_s: F over closed form")
        for name, value, expected in zip(names, found.values(), (sooner, STATIC, later), strict=True):
            ratio = value[k] / expected[k]
            checks.append(Check(name=f"{name}, μ_s = {mu:g}", value=ratio, low=0.999, high=1.001))
    for name, law in MODES.items():
        ratio = acceleration(law, 6.0, 0.5, 0.3) / (6.0 - 0.3 * G)
        checks.append(
            Check(name=f"{name}: acceleration over (F − μ_k m g)/m, F = 6 N", value=ratio, low=0.99, high=1.01)
        )
    return Findings(checks, [draw(out / "threshold.png", found)])


def draw(path: Path, found: dict[str, Array]) -> Path:
    """Thresholds over the coefficient, with both closed forms."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 5), dpi=150, layout="constrained")
    axes = figure.subplots()
    mu = np.linspace(0.0, 1.0, 101)
    axes.plot(mu, mu, "k:", label="Coulomb: μ m g")
    axes.plot(mu, [early(x) for x in mu], "k--", linewidth=1, label="F* = μ m g/(1 + 2 μ h/a)")
    axes.plot(mu, [late(x, LESS * x) for x in mu], "k-.", linewidth=1, label="closed form with $\\mu_k = 0.7 \\mu_s$")
    for (name, forces), marker in zip(found.items(), ("s", "o", "^"), strict=True):
        axes.plot(STATIC, forces, marker, fillstyle="none", label=name)
    axes.set(title="Force at which a box gives way", xlabel="static coefficient μ", ylabel="F/(m g)")
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
