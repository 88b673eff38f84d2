"""A block lands, slides and bounces: the sign of b, the weight it rests with, where it stops, how high it rises."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Law, Lcp
from sesshoku.model import Box, Joint, Scene, load
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.lcp.gauss_seidel import projected_gauss_seidel
from sesshoku.sim import Recording, Simulation

__all__ = ["block", "block_experiment", "bounce", "land", "land_in_accelerations", "rise", "slide", "stop"]

Array = NDArray[np.float64]
G, DT = 9.81, 1e-3
SIZE: Final = 0.1  # of the base [m]
LANDING: Final = -0.05  # [m/s]
KINETIC: Final = 0.3
RESTITUTIONS: Final = (0.3, 0.5, 0.8)
PAPER: Final = Lcp(warm=False)


def block(law: Law | str = PAPER, height: float = SIZE, **coefficients: Any) -> Simulation:
    """A block of 1 kg with a square base of 0.1 m that stands on the ground."""
    scene = Scene("block")
    scene.ground(**coefficients)
    shape = Box((SIZE, SIZE, height))
    scene.body("block", Joint("root", "free"), position=(0, 0, height / 2), mass=1.0, shape=shape)
    return Simulation(scene, law=law, dt=DT)


def land_in_accelerations(sign: float, steps: int = 300) -> Array:
    """Heights (steps,) [m] of a block that lands, in the accelerations of the paper, with b = a₀ + sign a_d."""
    places = [(x, y) for x in (-SIZE / 2, SIZE / 2) for y in (-SIZE / 2, SIZE / 2)]
    J = np.array([[0.0, 0.0, 1.0, y, -x, 0.0] for x, y in places])
    yields = np.diag([1.0] * 3 + [6.0 / SIZE**2] * 3)  # M⁻¹ of a cube of 1 kg
    free, v, height = np.array([0.0, 0.0, -G, 0.0, 0.0, 0.0]), np.array([0.0, 0.0, LANDING, 0.0, 0.0, 0.0]), 0.0
    heights = []
    for _ in range(steps):
        force, target = np.zeros(4), -J @ v / DT
        projected_gauss_seidel(
            J @ yields @ J.T, J @ free + sign * target, np.full(4, -1), np.zeros(4), PAPER.sweeps, PAPER.change, force
        )
        v += DT * (free + yields @ J.T @ force)
        height += DT * v[2]
        heights.append(height)
    return np.array(heights)


def land(law: Law = PAPER, steps: int = 300) -> tuple[Array, float]:
    """Heights (steps,) [m] of a block that lands, and the force that carries it in the end [N]."""
    sim = block(law, static=0.5)
    sim.v[2] = LANDING
    recording = sim.run(steps * DT)
    return recording.q[1:, 2] - SIZE / 2, float(sim.contacts.force[:, 2].sum())


def slide(law: Law = PAPER, height: float = SIZE, duration: float = 0.5) -> Recording:
    """A block that begins at 1 m/s, on kinetic friction of 0.3."""
    sim = block(law, height, static=0.5, kinetic=KINETIC)
    sim.v[0] = 1.0
    return sim.run(duration)


def stop(recording: Recording) -> tuple[float, float]:
    """When [s] and where [m] a block is slower than 1 mm/s, from when on friction is static."""
    k = int(np.argmax(recording.v[:, 0] < 1e-3))
    return float(recording.time[k]), float(recording.q[k, 0])


def bounce(restitution: float, law: Law = PAPER) -> Recording:
    """A ball that falls by 1 m and bounces."""
    scene = load("sphere")
    scene.ground(restitution=restitution)
    sim = Simulation(scene, law=law, dt=1e-4)
    sim.q[2] += 1.0
    return sim.run(1.2, every=10)


def rise(recording: Recording) -> float:
    """How high a ball rises after it bounced first, relative to where it fell from."""
    k = int(np.argmax(recording.v[:, 2] > 0.0))
    bottom = recording.q[0, 2] - 1.0
    return float(recording.q[k:, 2].max() - bottom)


def block_experiment(out: Path) -> Findings:
    """U1 to U4 of the notes."""
    right, printed = land_in_accelerations(-1.0), land_in_accelerations(1.0)
    heights, force = land()
    sliding, tall = slide(), slide(height=2.5 * SIZE, duration=0.3)  # it would tip from μ = 0.4 on
    bounces = {e: bounce(e) for e in RESTITUTIONS}
    time, place = stop(sliding)
    checks = [
        Check(name="landing, b = a₀ − a_d: |height| [m]", value=np.abs(right).max(), high=1e-9),
        Check(name="b = a₀ + a_d, as printed: height [m]", value=printed[-1], low=-0.465, high=-0.455),
        Check(name="landing, contact.Lcp: |height| [m]", value=np.abs(heights).max(), high=1e-9),
        Check(name="rest: jitter of the height [m]", value=float(np.std(heights[100:])), high=1e-10),
        Check(name="rest: |forces − weight| [N]", value=abs(force - G), high=1e-6),
        Check(name="slide, μ = 0.3: stops after [s]", value=time, low=0.339, high=0.341),
        Check(name="slide, μ = 0.3: stops at [m]", value=place, low=0.1693, high=0.1695),
        Check(name="slide, tall block: turns at [rad/s]", value=np.abs(tall.v[:, 3:]).max(), high=1e-6),
    ]
    for e, recording in bounces.items():
        checks.append(
            Check(name=f"bounce, e = {e}: height over e² h", value=rise(recording) / e**2, low=0.97, high=1.03)
        )
    return Findings(checks, [draw(out / "block.png", right, printed, sliding, bounces)])


def draw(path: Path, right: Array, printed: Array, sliding: Recording, bounces: dict[float, Recording]) -> Path:
    """Height after landing, speed of sliding, heights of bounces, over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4.2), dpi=150, layout="constrained")
    landing, speed, height = figure.subplots(1, 3)
    times = DT * np.arange(1, len(right) + 1)
    landing.plot(times, right, label="$b = a_0 - a_d$")
    landing.plot(times, printed, "--", label="$b = a_0 + a_d$, as printed")
    landing.set(title="A block lands at 5 cm/s", xlabel="time [s]", ylabel="height [m]")
    speed.plot(sliding.time, sliding.v[:, 0], label="simulated")
    speed.plot([0.0, 1.0 / (KINETIC * G)], [1.0, 0.0], "k:", label="1 m/s − μ g t")
    speed.set(title=f"A block slides, μ = {KINETIC}", xlabel="time [s]", ylabel="speed [m/s]")
    for e, recording in bounces.items():
        (line,) = height.plot(recording.time, recording.q[:, 2] - recording.q[0, 2] + 1.0, label=f"e = {e}")
        height.axhline(e**2, color=line.get_color(), linestyle=":")
    height.set(title="A ball bounces (dotted: e² h)", xlabel="time [s]", ylabel="height [m]")
    for axes in (landing, speed, height):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
