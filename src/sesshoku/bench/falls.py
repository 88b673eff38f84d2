"""Robots that fall in random poses, without servos: every step must converge, and contact must never add energy."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import asdict, dataclass
from math import pi
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from sesshoku.bench.peers import robot_file
from sesshoku.constraint.problem import COORDINATES
from sesshoku.dynamics.system import System
from sesshoku.errors import UnsimulatedWarning
from sesshoku.geometry.detect import detect_here
from sesshoku.geometry.space import Space
from sesshoku.model import Model, load
from sesshoku.sim import OPEN, Simulation

__all__ = ["ROBOTS", "Fall", "beyond_limits", "fall", "fallen_robot", "measure", "pose", "table"]

Array = NDArray[np.float64]
ROBOTS = {
    "g1": "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "talos": "talos_data/robots/talos_full_v2_box.urdf",
    "go2": "go2_description/urdf/go2.urdf",
    "anymal": "anymal_b_simple_description/robots/anymal.urdf",
}  # Talos with boxes for its trunk and feet
FALLS, STEPS, DT = 20, 1000, 1e-3
HEIGHT = 0.5  # of the lowest point at the start [m]
OVERLAP = 1e-3  # of links at the start, at most [m]
SHRINK = 0.8  # by which joints go towards the middle of their ranges while links overlap more
AFTER = 0.1  # from the first contact on to when depth counts [s]


@dataclass(frozen=True)
class Fall:
    """What was worst in a fall.

    Attributes:
        unconverged: steps that did not converge.
        iterations: Newton steps of the law in a step, at most.
        work: energy that impulses of contacts and limits add to the motion in a step, at most [J]. Coulomb and
            Signorini: none.
        gain: rise of the total energy above its least value before [J]; besides ``work`` the integrator's own error,
            which falls with the step, and the weight lifted where depth is taken back.
        above: the total energy above that of the start, at most [J]; negative: it was always below.
        depth: of a contact, from 0.1 s after the first on [m].
        beyond: of a joint beyond its limit [rad, m].
        us: mean time of a step, of the processor [µs].
    """

    unconverged: int
    iterations: int
    work: float
    gain: float
    above: float
    depth: float
    beyond: float
    us: float


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each robot the worst over its falls, and the mean time of a step."""
    result: dict[str, Any] = {}
    for name in ROBOTS:
        sim = fallen_robot(name)
        falls = []
        for seed in range(FALLS):
            progress(f"{name}: fall {seed + 1} of {FALLS}")
            pose(sim, np.random.default_rng(seed))
            falls.append(asdict(fall(sim, STEPS)))
        worst = {key: max(each[key] for each in falls) for key in falls[0]}
        totals = {"unconverged": sum(each["unconverged"] for each in falls), "us": np.mean([f["us"] for f in falls])}
        result[name] = {"falls": FALLS, "steps": FALLS * STEPS, **worst, **totals}
    return result


def fallen_robot(name: str) -> Simulation:
    """A robot above the ground."""
    scene = load(robot_file(ROBOTS[name]), floating=True)
    scene.ground(static=0.7, kinetic=0.6)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsimulatedWarning)
        return Simulation(scene, dt=DT)


def pose(sim: Simulation, rng: np.random.Generator) -> None:
    """Put a robot at rest into a random pose, its lowest point at HEIGHT, joints by half a turn at most.

    Links that overlap are no state of rigid bodies: joints go towards the middle of their ranges until they do not, and
    where even there they do another pose is drawn.
    """
    model = sim.model
    while True:
        turn, share, span = rng.normal(size=4), rng.uniform(-1.0, 1.0, model.nv), 1.0
        while span > 0.1:
            sim.reset()
            sim.q[:3], sim.q[3:7] = (0.0, 0.0, 10.0), turn / np.linalg.norm(turn)
            for d, q, low, high in ranges(model):
                low, high = np.clip((low, high), -pi, pi)
                sim.q[q] = (low + high) / 2 + span * share[d] * (high - low) / 2
            follow(model, sim.q)
            if sim.contacts.depth.max(initial=0.0) < OVERLAP:
                sim.q[2] += HEIGHT - lowest(model, sim.q)
                return
            span *= SHRINK


def follow(model: Model, q: Array) -> None:
    """Put joints that follow others where they belong."""
    place = model.q_start[model.dof_body]
    for d, leader in enumerate(model.loops.leader):
        if leader >= 0:
            q[place[d]] = np.polyval(model.loops.polynomial[d, ::-1], q[place[leader]])


def lowest(model: Model, q: Array) -> float:
    """Height of the lowest bounding box of what moves [m]."""
    system, space = System(model), Space(model)
    system.q[:] = q
    detect_here(system.address, space.address)
    moving = space.body >= 0
    return float((space.lower[moving, 2] + space.margin[moving]).min())


def ranges(model: Model) -> list[tuple[int, int, float, float]]:
    """Velocity, coordinate and limits of each joint of one degree."""
    return [
        (j.v, j.q, model.lower[j.v], model.upper[j.v])
        for j in model.joints
        if isinstance(j.v, int) and isinstance(j.q, int)
    ]


def contact_work(sim: Simulation) -> float:
    """Energy that the impulses of the last step have added to the motion [J]: half their power before and after."""
    problem = sim._problem
    assert problem is not None
    n = int(problem.count[COORDINATES])
    return float(0.5 * problem.wrench[:n] @ (problem.free[:n] + problem.twist[:n]))


def fall(sim: Simulation, steps: int) -> Fall:
    """Let a robot fall from where it is."""
    first, seconds = np.inf, 0.0
    start = least = sim.energy.total
    above = -np.inf
    unconverged = iterations = 0
    work = gain = depth = beyond = 0.0
    for _ in range(steps):
        begin = thread_time()
        sim.step()
        seconds += thread_time() - begin
        unconverged += not sim.residual.converged
        iterations = max(iterations, sim.iterations)
        work = max(work, contact_work(sim))
        total, contacts = sim.energy.total, sim.contacts
        gain, least, above = max(gain, total - least), min(least, total), max(above, total - start)
        beyond = max(beyond, beyond_limits(sim))
        if (contacts.state != OPEN).any():
            first = min(first, sim.time)
        if sim.time > first + AFTER:
            depth = max(depth, float(contacts.depth.max(initial=0.0)))
    return Fall(unconverged, iterations, work, gain, above, depth, beyond, 1e6 * seconds / steps)


def beyond_limits(sim: Simulation) -> float:
    """How far the worst joint is beyond its limit, 0 if none is [rad, m]."""
    return float(max(0.0, *(max(low - sim.q[q], sim.q[q] - high) for _, q, low, high in ranges(sim.model))))


def table(result: dict[str, Any]) -> Table:
    """The same for people."""
    steps = max(row["steps"] for row in result.values())
    out = Table(title=f"falls from 0.5 m in random poses, without servos, {steps} steps of each robot")
    titles = (
        "robot", "missed", "most\nNewton", "work,\nJ", "gain,\nmJ", "above\nstart,\nmJ", "depth,\nmm",
        "beyond\nlimits", "µs a\nstep",
    )  # fmt: skip
    for title in titles:
        out.add_column(title, justify="left" if title == "robot" else "right")
    for name, row in result.items():
        out.add_row(
            name, str(row["unconverged"]), str(row["iterations"]), f"{row['work']:.0e}", f"{1e3 * row['gain']:.1f}",
            f"{1e3 * row['above']:.1f}", f"{1e3 * row['depth']:.2f}", f"{row['beyond']:.0e}", f"{row['us']:.0f}",
        )  # fmt: skip
    return out
