"""Patches by way of their corners: the wrench is that of the passes where these settle, and the law holds elsewhere."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.optimize import linprog

import sesshoku as sk
from sesshoku.constraint.problem import COORDINATES, ISLANDS, at
from sesshoku.contact.coulomb import STICK
from sesshoku.contact.fit import least_speed, reference_speed
from sesshoku.contact.pose import pose_problem
from sesshoku.contact.volume.corners import solve_corners
from sesshoku.contact.volume.memory import BY_CORNERS, PATCHES
from sesshoku.contact.volume.memory import at as memory_at
from sesshoku.contact.volume.variables import act_all
from sesshoku.contact.volume.volume import pose_wrenches
from sesshoku.dynamics.system import at as system_at
from sesshoku.geometry.overlap.workspace import at as overlap_at
from sesshoku.geometry.space import at as space_at
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation
from sesshoku.sim.step import detected, free_acceleration

Array = NDArray[np.float64]
MASS, HALF, MU, G, DT = 0.5, 0.05, 0.5, 9.81, 1e-3
EDGES = 64  # of the cone of the oracle
STILL = 1e-5  # speed below which the oracle lets friction have any direction [m/s]


@kernel
def by_corners(system: int, space: int, problem: int, edges: int, dt: float) -> float:
    """The impulses of a step, of all islands by way of corners; returns the largest residual."""
    s, g, p = system_at(system), space_at(space), at(problem)
    free_acceleration(s, dt)
    detected(s, g)
    pose_problem(s, g, p, dt)
    m, w, worst = memory_at(p.companion[0]), overlap_at(p.companion[1]), 0.0
    for i in range(p.count[ISLANDS]):
        pose_wrenches(s, g, p, w, m, i, dt)
        reference = reference_speed(p, i, least_speed(s, dt))
        _, off = solve_corners(s, g, p, m, i, edges, False, 1e-9, reference)
        act_all(p, m, i)
        worst = max(worst, off)
    return worst


def compare(scene: sk.Scene, edges: int, kick: Callable[[Simulation], None]) -> tuple[Simulation, Simulation]:
    """The same step after a kick, by passes and by way of corners."""
    law = sk.contact.Volume(edges=edges, tolerance=1e-9)
    sim, other = Simulation(scene, law=law, dt=DT), Simulation(scene, law=law, dt=DT)
    sim.step(n=20)
    kick(sim)
    other.reset(sim.state)
    other.external[:] = sim.external
    sim.step()
    assert sim._problem.companions[0].count[BY_CORNERS] == 0
    assert by_corners(other._system.address, other._space.address, other._problem.address, edges, DT) < 1e-9
    return sim, other


def box(kinetic: float, restitution: float = 0.0) -> sk.Scene:
    scene, cube = sk.Scene("box"), sk.Box((2 * HALF, 2 * HALF, 2 * HALF))
    scene.ground(static=MU, kinetic=kinetic, restitution=restitution)
    material = sk.Material(static=MU, kinetic=kinetic, restitution=restitution)
    place = (0, 0, HALF - 1e-7)
    scene.body("box", sk.Joint("root", "free"), position=place, mass=MASS, shape=cube, material=material)
    return scene


CASES = {
    "rests": ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    "sticks": ((0.0, 0.0, 0.0), (0.6, 0.3, 0.0)),
    "sticks against a torque": ((0.0, 0.0, 0.0), (0.3, 0.1, 0.4)),
    "is torn off": ((0.0, 0.0, 0.0), (1.2, 0.5, 0.0)),
    "is torn off along an edge": ((0.0, 0.0, 0.0), (1.2, 0.0, 0.0)),
    "slides": ((1.0, 0.5, 0.0), (0.0, 0.0, 0.0)),
    "slides against a force": ((1.0, 0.0, 0.0), (-0.5, 0.0, 0.0)),  # across, the direction of slip would change
    "spins": ((0.0, 0.0, 5.0), (0.0, 0.0, 0.0)),
    "stops within the step": ((1e-3, 0.0, 0.0), (0.0, 0.0, 0.0)),
}


@pytest.mark.parametrize("kinetic", [MU, 0.6 * MU])
@pytest.mark.parametrize("edges", [0, 8])
@pytest.mark.parametrize("case", CASES)
def test_where_passes_settle_corners_say_the_same(case: str, edges: int, kinetic: float) -> None:
    velocity, load = CASES[case]

    def kick(sim: Simulation) -> None:
        x, y, torque = MU * MASS * G * np.array(load)
        sim.v[:2], sim.v[5] = velocity[:2], velocity[2]
        sim.push("box", (x, y, 0.0), moment=(HALF * y, -HALF * x, torque * HALF * np.sqrt(2.0)))

    sim, other = compare(box(kinetic), edges, kick)
    passes, corners = (which._problem.companions[0].impulse[:6] for which in (sim, other))
    np.testing.assert_allclose(corners, passes, atol=1e-6 * MASS * G * DT)


def test_a_bounce() -> None:
    def kick(sim: Simulation) -> None:
        sim.v[2] = -1.0

    sim, other = compare(box(MU, restitution=0.5), 8, kick)
    passes, corners = (which._problem.companions[0].impulse[5] for which in (sim, other))
    assert corners == pytest.approx(passes, rel=1e-5)
    assert corners == pytest.approx(MASS * (1.5 + G * DT), rel=1e-6)


def test_several_islands_with_loops_and_limits() -> None:
    """A box, and two bars that a loop holds together, one with its joint at a limit, each on the ground."""
    scene, bar = box(MU), sk.Box((0.2, 0.04, 0.04))
    scene.body("base", sk.Joint("base", "free"), position=(1, 0, 0.02 - 1e-7), mass=1.0, shape=bar)
    hinge = sk.Joint("hinge", "revolute", axis=(0, 1, 0), lower=-0.5, upper=0.0)
    scene.body("arm", hinge, parent="base", position=(0.12, 0, 0.1), mass=0.3, shape=sk.Box((0.02, 0.02, 0.1)))
    scene.body("other", sk.Joint("other", "free"), position=(1.0, 0.3, 0.02 - 1e-7), mass=1.0, shape=bar)
    scene.close("loop", "base", "other", position=(0.0, 0.15, 0.0))

    def kick(sim: Simulation) -> None:
        sim.push("box", (1.0, 0.5, 0.0))
        sim.push("base", (2.0, 1.0, 0.0))
        sim.push("arm", (1.0, 0.0, 0.0))

    sim, other = compare(scene, 8, kick)
    assert sim._problem.count[ISLANDS] == 2
    n = sim._problem.count[COORDINATES]
    np.testing.assert_allclose(other._problem.twist[:n], sim._problem.twist[:n], atol=1e-7)


def motion(problem: object, memory: object, v: int) -> float:
    """What a variable sees at the end of the step."""
    total = 0.0
    for end in range(2):
        slot = memory.slots[v, end]
        if slot >= 0:
            c, n = problem.slot_coordinate[slot], problem.slot_width[slot]
            total += memory.jacobian[v, 6 * end : 6 * end + n] @ problem.twist[c : c + n]
    return float(total)


def disagreement(problem: object, memory: object, j: int, wrench: Array) -> float:
    """By how much a wrench of a patch differs from all that its corners could bear, of itself: by an LP of SciPy.

    Corners that come apart bear nothing; what slips has friction against its velocity; what rests any in its cone.
    """
    if not np.linalg.norm(wrench) > 1e-12:
        return 0.0
    turn = np.array([motion(problem, memory, 6 * j + k) for k in range(3)])
    velocity = np.array([motion(problem, memory, 6 * j + 3 + k) for k in range(3)])
    mu = (memory.static if memory.state[j] == STICK else memory.kinetic)[j]
    corners = np.column_stack([memory.section[j, : memory.number[j]], np.zeros(memory.number[j])])
    size = max(np.linalg.norm(corners, axis=1).max(), 1e-3)
    columns = []
    for r in corners:
        u = velocity + np.cross(turn, r)
        if u[2] > memory.target[j, 2] + STILL:
            continue
        slip = np.hypot(u[0], u[1])
        angles = np.arange(EDGES) * 2 * np.pi / EDGES
        ways = np.column_stack([np.cos(angles), np.sin(angles)]) / np.cos(np.pi / EDGES)
        if slip > STILL:
            ways = -u[None, :2] / slip
        for way in ways:
            force = np.array([mu * way[0], mu * way[1], 1.0])
            columns.append(np.r_[np.cross(r, force) / size, force])
    if not columns:
        return float("inf")
    wanted = np.r_[wrench[:3] / size, wrench[3:]]
    scale, n = np.linalg.norm(wanted), len(columns)
    lp = linprog(
        np.r_[np.zeros(n), 1.0],
        A_ub=np.block([[np.array(columns).T, -np.ones((6, 1))], [-np.array(columns).T, -np.ones((6, 1))]]),
        b_ub=np.r_[wanted / scale, -wanted / scale],
    )
    assert lp.status == 0
    return float(lp.fun)


@pytest.mark.slow
def test_wrenches_of_a_robot_that_lies_agree_with_their_friction() -> None:
    """Each wrench of a humanoid that has fallen is one that its corners can bear, as they move."""
    scene = sk.load("standing_hrp2")
    scene.actuators.clear()
    sim = Simulation(scene, law=sk.contact.Volume(tolerance=1e-8))
    sim.v[:] = 0.01 * np.random.default_rng(0).normal(size=sim.model.nv)
    reversal = np.array([1.0, 1.0, -1.0, -1.0, -1.0, 1.0])
    off, reversed_off = [], []
    for step in range(1700):
        sim.step()
        assert sim.residual.converged
        problem = sim._problem
        memory = problem.companions[0]
        if step > 1200 and step % 5 == 0 and memory.count[BY_CORNERS] > 0:
            for j in range(memory.count[PATCHES]):
                wrench = memory.impulse[6 * j : 6 * j + 6]
                off.append(disagreement(problem, memory, j, wrench))
                reversed_off.append(disagreement(problem, memory, j, reversal * wrench))
    assert len(off) > 100
    assert max(off) < 1e-4
    assert sum(far > 0.01 for far in reversed_off) > 10  # friction that drives would be seen
