"""The box of the notes rests and slides (check 2), as printed and as repaired.

As printed the wrench is found as if the box stuck, and friction is exchanged afterwards: a sliding box is pressed as if
it was to be stopped at once, hops and turns over. Passes until both agree cure that.
"""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np

from sesshoku.contact import Law, Volume
from sesshoku.model import Box, Joint, Scene
from sesshoku.papers.experiment import Check, Findings
from sesshoku.sim import Recording, Simulation

__all__ = [
    "CUBE",
    "DEPTH",
    "DT",
    "FORCE",
    "HALF",
    "KINETIC",
    "MASS",
    "MODES",
    "STATIC",
    "TORQUE",
    "WEIGHT",
    "G",
    "box",
    "box_experiment",
]

G, DT = 9.81, 1e-3
HALF: Final = 0.05  # of an edge [m]
CUBE: Final = Box((2 * HALF,) * 3)
MASS: Final = 0.5  # [kg]
DEPTH: Final = 1e-7  # that it begins with [m]
STATIC, KINETIC = 0.5, 0.3
WEIGHT: Final = MASS * G  # [N]
FORCE: Final = STATIC * WEIGHT  # the largest friction [N]
TORQUE: Final = FORCE * np.sqrt(2.0) * HALF  # the largest torque of friction, with free pressure [N m]
MODES: Final = {"default": Volume(), "faithful": Volume(faithful=True)}
SPEEDS: Final = (1.0, 3.0)  # [m/s]


def box(law: Law, number: int = 1) -> Simulation:
    """A cube, or a stack of them, on the ground."""
    scene = Scene("box")
    scene.ground(static=STATIC, kinetic=KINETIC)
    for k in range(number):
        place = (0.0, 0.0, (2 * k + 1) * HALF - (k + 1) * DEPTH)
        scene.body(f"box{k}", Joint(f"root{k}", "free"), position=place, mass=MASS, shape=CUBE)
    return Simulation(scene, law=law, dt=DT)


def slide(law: Law, speed: float) -> Recording:
    """The box begins at a speed, until a tenth of a second after it should have stopped."""
    sim = box(law)
    sim.v[0] = speed
    return sim.run(speed / (KINETIC * G) + 0.1)


def tilt(recording: Recording) -> float:
    """The largest angle of the box from upright [rad]."""
    _, x, y, _ = recording.q[:, 3:7].T
    return float(np.arccos(np.clip(1.0 - 2.0 * (x * x + y * y), -1.0, 1.0)).max())


def box_experiment(out: Path) -> Findings:
    """Check 2 of the notes, and what RoKi-FD hops and turns over at, in both modes."""
    checks, sliding = [], {}
    for name, law in MODES.items():
        resting = box(law)
        resting.step(n=1000)
        force, depth = resting.wrench("box0")[2], HALF - resting.q[2]
        checks += [
            Check(name=f"{name}: rest, force over weight", value=force / WEIGHT, low=0.99, high=1.01),
            Check(name=f"{name}: rest, speed [m/s]", value=np.abs(resting.v).max(), high=1e-6),
        ]
        if name == "faithful":
            checks.append(Check(name="faithful: rest, depth [m]", value=depth, low=2.4e-7, high=2.6e-7))
        for speed in SPEEDS:
            recording = sliding[name, speed] = slide(law, speed)
            hop, turn = recording.q[:, 2].max() - HALF, tilt(recording)
            case, far = f"{name}: slide at {speed:g} m/s", recording.q[-1, 0] / (speed**2 / (2 * KINETIC * G))
            if name == "default":
                checks += [
                    Check(name=f"{case}, stops at, over v²/(2 μ g)", value=far, low=0.99, high=1.01),
                    Check(name=f"{case}, hops by [m]", value=hop, high=1e-8),
                    Check(name=f"{case}, tilts by [rad]", value=turn, high=1e-7),
                ]
            else:
                checks += [
                    Check(name=f"{case}, hops, a defect of the print [m]", value=hop, low=1e-3),
                    Check(name=f"{case}, speed in the end [m/s]", value=abs(recording.v[-1, 0]), high=1e-6),
                    Check(name=f"{case}, stops at, over v²/(2 μ g)", value=far, low=0.9, high=1.1),
                ]
    over = tilt(sliding["faithful", 3.0])
    checks.append(Check(name="faithful: slide at 3 m/s, turns over, a defect of the print [rad]", value=over, low=1.57))
    return Findings(checks, [draw(out / "box.png", sliding)])


def draw(path: Path, sliding: dict[tuple[str, float], Recording]) -> Path:
    """Speed and height while it slides."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(13, 4.5), dpi=150, layout="constrained")
    speed, height = figure.subplots(1, 2)
    for k, ((name, v), recording) in enumerate(sliding.items()):
        style, label = "-" if name == "default" else "--", f"{name}, {v:g} m/s"
        speed.plot(recording.time, recording.v[:, 0], style, color=f"C{k}", label=label)
        height.plot(recording.time, 1e3 * (recording.q[:, 2] - HALF), style, color=f"C{k}", label=label)
    for v in SPEEDS:
        speed.plot([0.0, v / (KINETIC * G)], [v, 0.0], "k:", linewidth=1)
    speed.set(title=f"A box slides, μ = {KINETIC} (dotted: v − μ g t)", xlabel="time [s]", ylabel="speed [m/s]")
    height.set(title="Height of its centre above half an edge", xlabel="time [s]", ylabel="height [mm]")
    for axes in (speed, height):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
