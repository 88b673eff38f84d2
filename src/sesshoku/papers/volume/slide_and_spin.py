"""The box slides and spins until it rests (check 8, in a simulation).

The linear program of eq. 33 leaves the load to few corners, and takes it from one to another at once as the box turns:
the torque of friction jumps. Under the exact law, with a point at each corner, it does not.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Exact, Law
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.volume.box import CUBE, DT, KINETIC, MASS, MODES, STATIC, TORQUE, box
from sesshoku.sim import Recording, Simulation

__all__ = ["slide_and_spin", "slide_and_spin_experiment"]

Array = NDArray[np.float64]
LAWS: Final[dict[str, Law]] = {**MODES, "exact": Exact()}
SPEED, SPIN = (0.8, 0.3), 10.0  # [m/s], [rad/s]
STOPPING: Final = 0.1  # spin below which it is about to rest [rad/s]


def slide_and_spin(law: Law, duration: float = 0.4) -> tuple[Recording, Array]:
    """The motion, and the power of friction in each step [W]."""
    sim = box(law)
    sim.v[:2], sim.v[5] = SPEED, SPIN
    power: list[float] = []

    def watch(sim: Simulation) -> Array:
        power.append(float((sim.contacts.force[:, :2] * sim.contacts.slip[:, :2]).sum()))
        return np.zeros_like(sim.v)

    recording = sim.run(duration, controller=watch)
    return recording, np.array(power[1:])  # the first is before any step


def jump(recording: Recording) -> float:
    """The largest change of the torque about the vertical from one step to the next, over the most it can be."""
    spin = recording.v[:, 5]
    torque = np.diff(spin) / DT * float(CUBE.inertia(MASS).matrix[2, 2])
    changes = np.abs(np.diff(torque))[np.abs(spin[2:]) > STOPPING]
    return float(changes.max() / (KINETIC / STATIC * TORQUE))


def slide_and_spin_experiment(out: Path) -> Findings:
    """Check 8 of the notes. As printed the box hops, and its friction means little."""
    found = {name: slide_and_spin(law) for name, law in LAWS.items()}
    motion, power = found["default"]
    jumps = {name: jump(recording) for name, (recording, _) in found.items()}
    checks = [
        Check(name="most power of friction [W]", value=power.max(), high=1e-12),
        Check(name="speed in the end [m/s, rad/s]", value=np.abs(motion.v[-1]).max(), high=1e-9),
        Check(name="torque jumps by, of the largest; a defect of the print", value=jumps["default"], low=0.3),
        Check(name="exact: torque changes in a step by, of the largest", value=jumps["exact"], high=0.05),
    ]
    return Findings(checks, [draw(out / "slide_and_spin.png", found)])


def draw(path: Path, found: dict[str, tuple[Recording, Array]]) -> Path:
    """Speed, spin, and power of friction over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(14, 4.3), dpi=150, layout="constrained")
    speed, spin, power = figure.subplots(1, 3)
    for (name, (recording, watts)), style in zip(found.items(), ("C0-", "C1--", "k:"), strict=True):
        speed.plot(recording.time, np.linalg.norm(recording.v[:, :2], axis=1), style, label=name)
        spin.plot(recording.time, recording.v[:, 5], style, label=name)
        power.plot(recording.time[1 : len(watts) + 1], watts, style, label=name)
    speed.set(title="A box slides and spins: its speed", xlabel="time [s]", ylabel="speed [m/s]")
    spin.set(title="Its spin", xlabel="time [s]", ylabel="angular velocity [rad/s]")
    power.set(
        title="Power of its friction (beyond −3 W cut off)", xlabel="time [s]", ylabel="power [W]", ylim=(-3.0, 0.2)
    )
    for axes in (speed, spin, power):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
