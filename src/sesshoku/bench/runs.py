"""Long runs of pushed robots and a grasping hand with ever new friction: what does not converge, what takes long."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass
from math import cos, pi, sin
from time import thread_time
from typing import Any

import numpy as np
from rich.table import Table

from sesshoku.bench import contact_scenes
from sesshoku.errors import UnsimulatedWarning
from sesshoku.model import Actuator, Box, Capsule, Joint, Scene
from sesshoku.sim import Simulation, State

__all__ = ["RUNS", "Run", "hand", "measure", "run", "table"]

STEPS, BLOCK, DT = 100_000, 1000, 1e-3  # steps in all, and with the same friction and kick
FRICTION = (0.2, 1.2)
KINETIC = (0.6, 1.0)  # of that
KICK = 100  # steps a kick lasts


@dataclass(frozen=True)
class Run:
    """A scene and what happens to it.

    Attributes:
        make: makes the scene.
        touched: the body whose friction with all others is drawn.
        pushed: the body that kicks and pushes act on.
        kick: standard deviation of each component of a kick [N].
        push: the same of the force drawn anew in each step [N].
        astray: way of that body from its start at which everything is put back [m].
        control: what its servos are told; None: to hold the start.
    """

    make: Callable[[], Scene]
    touched: str
    pushed: str
    kick: float
    push: float
    astray: float
    control: float | None = None


def hand() -> Scene:
    """A palm on its side, and three fingers of two links that close on a box by servos."""
    scene = Scene("hand")
    scene.gravity = (9.81, 0.0, 0.0)
    scene.body("palm", position=(0.0, 0.0, -0.01), shape=Box((0.16, 0.16, 0.02)))
    scene.body("object", Joint("object", "free"), position=(0.0, 0.0, 0.06), mass=0.1, shape=Box((0.05, 0.05, 0.06)))
    link = Capsule(0.008, 0.04)
    for k, angle in enumerate((0.0, 2 * pi / 3, 4 * pi / 3)):
        inwards = (sin(angle), -cos(angle), 0.0)  # axis about which a finger that points along z closes
        for name, parent, place in (
            (f"near{k}", None, (0.055 * cos(angle), 0.055 * sin(angle), 0.01)),
            (f"far{k}", f"near{k}", (0.0, 0.0, 0.056)),
        ):
            joint = Joint(name, "revolute", axis=inwards, lower=-0.5, upper=1.5)
            scene.body(name, joint, parent=parent, position=place, mass=0.05, shape=link, shape_position=(0, 0, 0.028))
            scene.actuator(Actuator.position(name, kp=5.0, kd=0.1, limit=0.5))
    return scene


RUNS = {
    "g1": Run(lambda: contact_scenes.g1(8, pushed=True).scene, "ground", "pelvis", kick=100.0, push=30.0, astray=0.3),
    "go2": Run(lambda: contact_scenes.go2().scene, "ground", "base", kick=150.0, push=30.0, astray=1.0),
    "hand": Run(hand, "object", "object", kick=5.0, push=1.0, astray=0.1, control=0.5),
}


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each scene: steps, how many did not converge, most iterations, mean and longest time, how often put back.

    Times are those of the processor: what else the machine does is not in them.
    """
    result = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsimulatedWarning)
        for name, each in RUNS.items():
            progress(name)
            result[name] = run(each, STEPS)
    return result


def run(what: Run, steps: int) -> dict[str, Any]:
    """Take so many steps, with friction and kick drawn anew for every BLOCK of them."""
    rng, scene = np.random.default_rng(0), what.make()
    state: State | None = None
    unconverged = iterations = back = 0
    residual = seconds = longest = 0.0
    for _ in range(steps // BLOCK):
        static, kick = rng.uniform(*FRICTION), rng.normal(size=3) * what.kick
        kinetic = static * rng.uniform(*KINETIC)
        for name, other in scene.bodies.items():
            if name != what.touched and other.colliders:
                scene.material(what.touched, name, static=static, kinetic=kinetic)
        sim = Simulation(scene, dt=DT, posture="stand" if "stand" in scene.postures else None)
        if what.control is not None:
            sim.control[:] = what.control
        start, begin_at = sim.state, sim.pose(what.pushed).position
        if state is not None:
            sim.reset(state)
        body = sim.model.body(what.pushed)
        for k, push in enumerate(rng.normal(size=(BLOCK, 3)) * what.push):
            sim.external[body, :3] = push + kick if k < KICK else push
            begin = thread_time()
            sim.step()
            took = thread_time() - begin
            seconds, longest = seconds + took, max(longest, took)
            now = sim.residual
            unconverged, residual = unconverged + (not now.converged), max(residual, now.total)
            iterations = max(iterations, sim.iterations)
            if np.linalg.norm(sim.pose(what.pushed).position - begin_at) > what.astray:
                sim.reset(start)
                back += 1
        state = sim.state
    return {
        "steps": steps,
        "unconverged": unconverged,
        "residual": residual,
        "iterations": iterations,
        "mean_us": 1e6 * seconds / steps,
        "longest_us": 1e6 * longest,
        "put_back": back,
    }


def table(result: dict[str, Any]) -> Table:
    """The same for people."""
    out = Table(title="long runs with random friction, kicks and pushes")
    titles = ("scene", "steps", "missed", "residual", "most\nNewton", "mean,\nµs", "longest,\nµs", "put\nback")
    for title in titles:
        out.add_column(title, justify="left" if title == "scene" else "right")
    for name, row in result.items():
        out.add_row(
            name, str(row["steps"]), str(row["unconverged"]), f"{row['residual']:.1e}", str(row["iterations"]),
            f"{row['mean_us']:.1f}", f"{row['longest_us']:.0f}", str(row["put_back"]),
        )  # fmt: skip
    return out
