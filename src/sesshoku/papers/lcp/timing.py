"""Time against the number of contacts, the last figure of paper 1: its own form, and ours, which is linear."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from time import thread_time
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import ISLANDS
from sesshoku.constraint.problem import at as problem_at
from sesshoku.constraint.response import responses
from sesshoku.contact import Lcp
from sesshoku.contact.lcp import prepare, sweep
from sesshoku.dynamics.system import at as system_at
from sesshoku.geometry.space import at as space_at
from sesshoku.kernel import kernel
from sesshoku.model import Box, Collider, Scene, Sphere, load
from sesshoku.papers.lcp.contact_space import addresses, contact_space, run
from sesshoku.papers.lcp.dense import DenseLcp
from sesshoku.papers.lcp.gauss_seidel import projected_gauss_seidel
from sesshoku.sim import Simulation
from sesshoku.spatial.pose import Pose

__all__ = ["humanoid", "time_against_contacts"]

Array = NDArray[np.float64]
COUNTS: Final = (4, 8, 16, 32, 64, 128, 256, 500)
MANY: Final = 64  # contacts from which on exponents are fitted: below, what does not depend on them counts
SETTLE: Final = 100  # steps before what is measured
SWEEPS: Final = 20  # timed together
REPEATS, SECONDS = 200, 2.0  # of each measurement, whatever is reached first
RADIUS: Final = 0.005  # [m]
FEET: Final = ("left_foot", "right_foot")


def middles(cells: int) -> Array:
    """Of cells side by side, from -½ to ½."""
    return (np.arange(cells) + 0.5) / cells - 0.5


def humanoid(contacts: int) -> Scene:
    """`hoap_class` on so many spheres, an even number, spread over its soles."""
    scene = load("hoap_class")
    scene.ground(static=0.8)
    half = contacts // 2
    columns = int(half**0.5)
    rows = -(-half // columns)
    for foot in FEET:
        sole = scene.bodies[foot].colliders[0]
        assert isinstance(sole.shape, Box)
        length, width, height = np.array(sole.shape.size) - 2 * RADIUS
        grid = [(x * length, y * width) for x in middles(rows) for y in middles(columns)]
        spheres = [Collider(Sphere(RADIUS), sole.pose @ Pose.at((x, y, -0.5 * height))) for x, y in grid[:half]]
        scene.bodies[foot] = replace(scene.bodies[foot], colliders=tuple(spheres))
    return scene


@kernel
def run_prepare(system: int, space: int, problem: int, dt: float) -> None:
    """Responses of the bodies, then axes and columns of the contacts: what our form has for K."""
    s, g, p = system_at(system), space_at(space), problem_at(problem)
    responses(s, p)
    for i in range(p.count[ISLANDS]):
        prepare(s, g, p, i, dt)


@kernel
def run_sweeps(problem: int, sweeps: int) -> None:
    """Our sweeps, whether they are needed or not."""
    p = problem_at(problem)
    for _ in range(sweeps):
        for i in range(p.count[ISLANDS]):
            sweep(p, i)


def best(call: Callable[[], object]) -> float:
    """The shortest time of a call [s]; times are those of the processor: what else the machine does is not in them."""
    call()
    shortest, begin = np.inf, thread_time()
    for _ in range(REPEATS):
        start = thread_time()
        call()
        shortest = min(shortest, thread_time() - start)
        if thread_time() - begin > SECONDS:
            break
    return float(shortest)


def row(contacts: int) -> dict[str, float]:
    """Times of both forms on so many contacts [s]: what comes before the sweeps, one sweep, the whole step."""
    scene = humanoid(contacts)
    settling = Simulation(scene, law=Lcp(), posture="crouch")
    settling.step(n=SETTLE)
    paper, ours = (Simulation(scene, law=law, posture="crouch") for law in (DenseLcp(), Lcp(warm=False)))
    for sim in (paper, ours):
        sim.reset(settling.state)
        sim.step()
    k = contact_space(paper)
    x, (_, _, problem) = np.zeros_like(k.velocity), addresses(ours)
    return {
        "contacts": float(len(ours.contacts)),
        "unknowns": float(len(x)),
        "paper_sweeps": float(paper.iterations),
        "our_sweeps": float(ours.iterations),
        "paper_step": best(paper.step),
        "our_step": best(ours.step),
        "paper_assembly": best(
            lambda: run(*addresses(paper), 0, k.point, k.direction, k.owner, k.matrix, k.velocity),
        ),
        "our_assembly": best(lambda: run_prepare(*addresses(ours), ours.dt)),
        "paper_sweep": best(lambda: projected_gauss_seidel(k.matrix, k.velocity, k.owner, k.friction, SWEEPS, 0.0, x))
        / SWEEPS,
        "our_sweep": best(lambda: run_sweeps(problem, SWEEPS)) / SWEEPS,
    }


def time_against_contacts(
    counts: Sequence[int] = COUNTS, progress: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Rows as `row` gives them, and the exponent of each time, fitted from MANY contacts on."""
    rows = []
    for count in counts:
        progress(f"{count} contacts")
        rows.append(row(count))
    many = [each for each in rows if each["contacts"] >= MANY]
    exponents = {}
    for name in ("assembly", "sweep", "step"):
        for form in ("paper", "our"):
            contacts, times = (np.log([each[key] for each in many]) for key in ("contacts", f"{form}_{name}"))
            exponents[f"{form}_{name}"] = float(np.polyfit(contacts, times, 1)[0])
    return {"rows": rows, "exponents": exponents}
