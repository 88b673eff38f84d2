"""The torque a patch bears: pressure is free, and not uniform as under an elastic body.

The static test lets corners carry what suits it best. A rectangle then bears μ W times half its diagonal, where uniform
pressure bears μ W times the mean distance from the middle: of a square 0.541 of that.
"""

from __future__ import annotations

from math import hypot
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Law, Volume
from sesshoku.contact.volume.rectangle import free_pressure_limit, uniform_pressure_torque
from sesshoku.model import Box, Joint, Scene
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.volume.box import CUBE, DEPTH, DT, HALF, KINETIC, MASS, STATIC, WEIGHT
from sesshoku.sim import Recording, Simulation

__all__ = ["giving_way", "spin_down", "spin_experiment"]

Array = NDArray[np.float64]
ASPECTS: Final = (1.0, 2.0, 4.0, 8.0)  # length over width
LAWS: Final[dict[str, Law]] = {"true cone": Volume(edges=0), "P = 8": Volume()}
ACCURACY: Final = 1e-3  # of a torque, relative
SPIN: Final = 10.0  # [rad/s]


def plate(law: Law, aspect: float = 1.0) -> Simulation:
    """A box of 0.5 kg and 0.1 m by its width, on the ground."""
    scene = Scene("plate")
    scene.ground(static=STATIC, kinetic=KINETIC)
    size = (2 * HALF, 2 * HALF / aspect, 2 * HALF / aspect)
    place = (0.0, 0.0, size[2] / 2 - DEPTH)
    scene.body("plate", Joint("root", "free"), position=place, mass=MASS, shape=Box(size))
    return Simulation(scene, law=law, dt=DT)


def giving_way(law: Law, aspect: float) -> float:
    """Least torque about the vertical that the box gives way to, over μ W [m]; by halving."""
    sim, low, high = plate(law, aspect), 0.1 * HALF, 2.0 * HALF
    while high - low > ACCURACY * low:
        middle = 0.5 * (low + high)
        sim.reset()
        sim.push("plate", (0.0, 0.0, 0.0), (0.0, 0.0, middle * STATIC * WEIGHT))
        sim.step(n=50)
        low, high = (low, middle) if abs(sim.v[5]) > 1e-3 else (middle, high)
    return 0.5 * (low + high)


def spin_down(law: Law) -> Recording:
    """A cube that spins and does not slide."""
    sim = plate(law)
    sim.v[5] = SPIN
    return sim.run(0.16)


def slowing(torque: float) -> float:
    """Angular acceleration of the cube under μ_k W times this [rad/s²]."""
    return -KINETIC * WEIGHT * torque / float(CUBE.inertia(MASS).matrix[2, 2])


def spin_experiment(out: Path) -> Findings:
    """The torque at which boxes give way, and how soon a cube stops spinning."""
    widths = [HALF / aspect for aspect in ASPECTS]
    free = np.array([free_pressure_limit(HALF, b, 0.0)[1] for b in widths])
    uniform = np.array([uniform_pressure_torque(HALF, b) for b in widths])
    found = {name: np.array([giving_way(law, aspect) for aspect in ASPECTS]) for name, law in LAWS.items()}
    spins = spin_down(LAWS["P = 8"])
    fastest = np.polyfit(spins.time[:50], spins.v[:50, 5], 1)[0]
    checks = [
        Check(name=f"true cone, {aspect:g} : 1, torque over free pressure", value=ratio, low=0.998, high=1.002)
        for aspect, ratio in zip(ASPECTS, found["true cone"] / free, strict=True)
    ]
    inscribed = found["P = 8"] / free
    checks += [
        Check(name="P = 8, torque over free pressure, square", value=inscribed[0], low=0.998, high=1.002),
        Check(name="P = 8, torque over free pressure, least", value=inscribed.min(), low=np.cos(np.pi / 8) - 1e-3),
        Check(name="uniform over free pressure, square", value=uniform[0] / free[0], low=0.5405, high=0.5415),
        Check(name="spinning: slows over free pressure", value=fastest / slowing(free[0]), low=0.99, high=1.01),
        Check(name="spinning: slows over uniform pressure", value=fastest / slowing(uniform[0]), low=1.83, high=1.87),
    ]
    return Findings(checks, [draw(out / "spin.png", found, spins)])


def draw(path: Path, found: dict[str, Array], spins: Recording) -> Path:
    """Torques over the shape of the patch; spin over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 4.5), dpi=150, layout="constrained")
    torque, spin = figure.subplots(1, 2)
    aspects = np.geomspace(1.0, 10.0, 100)
    torque.plot(aspects, [hypot(1.0, 1.0 / x) for x in aspects], "k-", label="free pressure, closed form")
    torque.plot(aspects, [uniform_pressure_torque(1.0, 1.0 / x) for x in aspects], "k--", label="uniform pressure")
    for (name, torques), marker in zip(found.items(), ("o", "s"), strict=True):
        torque.plot(ASPECTS, torques / HALF, marker, fillstyle="none", label=f"simulated, {name}")
    torque.set(title="Torque at which a box gives way", xlabel="length over width", xscale="log")
    torque.set(ylabel="torque over μ W and half the length", ylim=(0.0, 1.6), xticks=ASPECTS)
    torque.set_xticklabels([f"{x:g}" for x in ASPECTS])
    torque.minorticks_off()
    limits = (free_pressure_limit(HALF, HALF, 0.0)[1], uniform_pressure_torque(HALF, HALF))
    for limit, style, name in zip(limits, ("k-", "k--"), ("free pressure", "uniform pressure"), strict=True):
        spin.plot([0.0, -SPIN / slowing(limit)], [SPIN, 0.0], style, linewidth=1, label=name)
    spin.plot(spins.time, spins.v[:, 5], "C3:", linewidth=3, label="simulated, P = 8")
    spin.set(title="A cube spins on the ground", xlabel="time [s]", ylabel="angular velocity [rad/s]")
    for axes in (torque, spin):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
