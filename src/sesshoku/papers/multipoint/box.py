"""The box of the notes rests, slides, bounces and creeps, as printed and solved again where it slips (A1, A4 to A7)."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

import numpy as np

from sesshoku.contact import Law, Multipoint
from sesshoku.model import Box, Joint, Scene
from sesshoku.papers.experiment import Check, Findings
from sesshoku.sim import Recording, Simulation

__all__ = ["DT", "LENGTH", "MODES", "G", "bounce", "box", "box_experiment", "forces", "slide"]

G, DT = 9.81, 1e-3
LENGTH, WIDTH, HEIGHT = 0.2, 0.1, 0.06
TALL: Final = 0.6
KINETIC: Final = 0.3
MODES: Final = {"resolve": Multipoint(), "faithful": Multipoint(faithful=True)}
RESTITUTIONS: Final = (0.0, 0.5, 0.8)


def box(law: Law, height: float = HEIGHT, above: float = 0.0, **coefficients: Any) -> Simulation:
    """A box of 1 kg, 0.2 m by 0.1 m, on the ground or above it."""
    scene = Scene("box")
    scene.ground(**coefficients)
    shape = Box((LENGTH, WIDTH, height))
    scene.body("box", Joint("root", "free"), position=(0, 0, height / 2 + above), mass=1.0, shape=shape)
    return Simulation(scene, law=law, dt=DT)


def slide(law: Law, height: float = HEIGHT, duration: float = 0.4) -> Recording:
    """The box begins at 1 m/s, on friction of 0.3."""
    sim = box(law, height, static=KINETIC)
    sim.v[0] = 1.0
    return sim.run(duration)


def bounce(law: Law, restitution: float) -> Recording:
    """The box falls by 0.1 m."""
    return box(law, above=0.1, static=0.5, restitution=restitution).run(0.6)


def rise(recording: Recording) -> float:
    """How high the box is after it has struck first [m]."""
    heights = recording.q[:, 2] - HEIGHT / 2
    struck = int(np.argmin(heights[:200]))
    return float(heights[struck:].max())


def forces(law: Multipoint) -> tuple[float, float, float]:
    """Of a box that falls, slides and spins: least normal force [N], most friction over μ_s times it, most power [W].

    The power is that of all friction in a step.
    """
    sim = box(law, above=0.05, static=0.6, kinetic=0.4)
    sim.v[:] = [0.8, 0.3, 0.0, 0.0, 0.0, 2.0]
    least, most, power = 0.0, 0.0, -np.inf
    for _ in range(600):
        sim.step()
        force = sim.contacts.force
        normal, tangent = force[:, 2], np.linalg.norm(force[:, :2], axis=1)
        pressed = normal > 0.0
        least = min(least, normal.min(initial=0.0))
        most = max(most, (tangent[pressed] / (0.6 * normal[pressed])).max(initial=0.0))
        power = max(power, float((force[:, :2] * sim.contacts.slip[:, :2]).sum()))
    return least, most, power


def box_experiment(out: Path) -> Findings:
    """A1 and A4 to A7 of the notes, in both modes."""
    checks, sliding, tall, bounces = [], {}, {}, {}
    for name, law in MODES.items():
        resting = box(law, static=0.5)
        resting.step(n=1000)
        creeping = box(law, static=0.5)
        creeping.v[0] = 5e-4
        creeping.step(n=2)
        sliding[name], tall[name] = slide(law), slide(law, TALL)
        stopped = int(np.argmax(np.abs(sliding[name].v[:, 0]) < 1e-9))
        least, most, power = forces(law)
        uneven = np.abs(resting.contacts.force - (0.0, 0.0, G / 4)).max()
        turn = np.abs(tall[name].v[:, 3:]).max()
        checks += [
            Check(name=f"{name}: rest, speed [m/s]", value=np.abs(resting.v).max(), high=1e-9),
            Check(name=f"{name}: rest, |force of a corner − m g/4| [N]", value=uneven, high=1e-9),
            Check(name=f"{name}: slide, stops after [s]", value=stopped * DT, low=0.338, high=0.342),
            Check(name=f"{name}: slide, stops at [m]", value=sliding[name].q[stopped, 0], low=0.1689, high=0.1709),
            Check(name=f"{name}: creep of 0.5 mm/s is stopped [m/s]", value=np.abs(creeping.v).max(), high=1e-15),
            Check(name=f"{name}: least normal force [N]", value=least, low=0.0),
            Check(name=f"{name}: most friction over μ_s times normal force", value=most, high=1 + 1e-9),
            Check(name=f"{name}: most power of friction [W]", value=power, high=1e-9),
            Check(name="resolve: tall box, turns at [rad/s]", value=turn, high=1e-9)
            if name == "resolve"
            else Check(name="faithful: tall box turns, a defect of the print [rad/s]", value=turn, low=1e-2),
        ]
        for e in RESTITUTIONS:
            bounces[name, e] = bounce(law, e)
            height = rise(bounces[name, e])
            due, off = e**2 * 0.1, 0.03 * e**2 * 0.1 if e else 1e-6
            checks.append(
                Check(name=f"{name}: bounce, e = {e}, height [m]", value=height, low=due - off, high=due + off)
            )
    return Findings(checks, [draw(out / "box.png", sliding, tall, bounces)])


def draw(
    path: Path,
    sliding: dict[str, Recording],
    tall: dict[str, Recording],
    bounces: dict[tuple[str, float], Recording],
) -> Path:
    """Speed of sliding, turning of the tall box, heights of bounces, over time."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4.2), dpi=150, layout="constrained")
    speed, turn, height = figure.subplots(1, 3)
    for name, style in (("resolve", "-"), ("faithful", "--")):
        speed.plot(sliding[name].time, sliding[name].v[:, 0], style, label=name)
        turn.plot(tall[name].time, tall[name].v[:, 4], style, label=name)
    speed.plot([0.0, 1.0 / (KINETIC * G)], [1.0, 0.0], "k:", label="1 m/s − μ g t")
    speed.set(title=f"The box slides, μ = {KINETIC}", xlabel="time [s]", ylabel="speed [m/s]")
    turn.set(title="A box of 0.6 m slides: its pitch", xlabel="time [s]", ylabel="angular velocity [rad/s]")
    for e in RESTITUTIONS:
        recording = bounces["resolve", e]
        (line,) = height.plot(recording.time, recording.q[:, 2] - HEIGHT / 2, label=f"e = {e}")
        height.axhline(e**2 * 0.1, color=line.get_color(), linestyle=":")
    height.set(title="The box bounces (dotted: e² h)", xlabel="time [s]", ylabel="height [m]")
    for axes in (speed, turn, height):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
