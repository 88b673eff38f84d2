"""The central path: it leads spheres that jam to a solution, from nothing, whatever the step before has left."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from dense_island import dense_matrix
from sesshoku.bench.pile_scenes import full_bin
from sesshoku.constraint.problem import POINTS, at
from sesshoku.contact import Exact
from sesshoku.contact.central import follow_path, has_path
from sesshoku.contact.fit import reference_speed
from sesshoku.contact.linear import find_direction, orientation
from sesshoku.contact.linearised import linearise_all
from sesshoku.contact.pattern import pattern
from sesshoku.contact.within import PLACE, linearise_within
from sesshoku.kernel import kernel
from sesshoku.model import Actuator, Box, Capsule, Joint, Scene, Sphere
from sesshoku.sim import Simulation

TOLERANCE = 1e-8


@kernel
def solved(address: int, island: int) -> tuple[int, float]:
    """Phase C on an island: Newton steps, and the residual."""
    p = at(address)
    pattern(p, island)
    return follow_path(p, island, TOLERANCE, reference_speed(p, island, 1e-5))


@kernel
def allowed(address: int, island: int) -> bool:
    """Whether an island has a path."""
    return has_path(at(address), island)


@kernel
def sign_of(address: int, island: int) -> float:
    """The sign of the determinant, after a Newton step."""
    p = at(address)
    pattern(p, island)
    linearise_all(p, island, 1e-3)
    find_direction(p.stage[0], (p, island))
    return orientation(p, island)


@kernel
def solve_within(address: int, island: int, stage: int) -> None:
    """Solve for change of an island whose points are within their cones; stage 1 with the factor that is there."""
    p = at(address)
    if stage == 0:
        pattern(p, island)
        for k in range(p.point_begin[island], p.point_begin[island + 1]):
            linearise_within(p, k)
    find_direction(p.stage[stage], (p, island))


def largest(sim: Simulation) -> int:
    """The island with most points."""
    problem = sim._problem
    return int(np.argmax(np.diff(problem.point_begin[: problem.count[0] + 1])))


@pytest.fixture(scope="module")
def jam() -> Simulation:
    """Thirty spheres in a bin that have begun to jam."""
    sim = Simulation(full_bin(30), Exact(heap_tolerance=1e-8))
    sim.step(n=750)
    return sim


def test_a_jam_is_solved_from_nothing(jam: Simulation) -> None:
    problem, island = jam._problem, largest(jam)
    first, last = problem.point_begin[island], problem.point_begin[island + 1]
    assert last - first > 40
    answers = []
    for seed in range(2):  # of impulses that the path does not look at
        problem.impulse[first:last] = np.random.default_rng(seed).normal(size=(last - first, 3))
        steps, residual = solved(problem.address, island)
        assert residual <= TOLERANCE
        assert 10 < steps < 300
        answers.append(problem.impulse[first:last].copy())
    assert np.array_equal(*answers)
    normal = np.einsum("ij,ij->i", problem.normal[first:last], answers[0])
    tangent = answers[0] - normal[:, None] * problem.normal[first:last]
    assert (normal >= 0.0).all()
    assert (np.linalg.norm(tangent, axis=1) <= problem.friction[first:last] * normal * (1 + 1e-9)).all()
    assert (normal == 0.0).any()  # zero, not small, where nothing touches


def test_the_sign_of_the_determinant(jam: Simulation) -> None:
    """Of 1 + Λ H, as NumPy has it."""
    problem, island = jam._problem, largest(jam)
    jam.step()
    rng, signs = np.random.default_rng(3), []
    first, last = problem.point_begin[island], problem.point_begin[island + 1]
    n = problem.normal[first:last]
    for _ in range(40):
        share = rng.uniform(0.0, 3.0, (last - first, 1))
        problem.impulse[first:last] = 1e-3 * (n + share * np.cross(n, rng.normal(size=n.shape)))
        problem.slide[first:last] = 1e-3 * rng.normal(size=n.shape)
        got = sign_of(problem.address, island)
        assert got == np.linalg.slogdet(dense_matrix(problem, island)[1])[0]
        signs.append(got)
    assert {1.0, -1.0} == set(signs)


def test_a_newton_step_within_the_cones(jam: Simulation) -> None:
    """As NumPy finds it from the full matrix; once more with the same factor."""
    problem, island = jam._problem, largest(jam)
    jam.step()
    first, last = problem.point_begin[island], problem.point_begin[island + 1]
    rng, n = np.random.default_rng(4), problem.normal[first:last]
    tangent = np.cross(n, rng.normal(size=n.shape))
    share = problem.friction[first:last, None] * rng.uniform(0.0, 0.9, (last - first, 1))
    tangent *= share / np.linalg.norm(tangent, axis=1, keepdims=True)
    problem.path[first:last, PLACE, :3] = rng.uniform(1e-4, 1e-3, (last - first, 1)) * (n + tangent)
    problem.path[first:last, PLACE, 3:] = rng.uniform(1e-4, 1e-2, (last - first, 2))
    for stage in range(2):
        given = rng.normal(size=problem.change.shape)
        problem.change[:] = given
        solve_within(problem.address, island, stage)
        here, matrix = dense_matrix(problem, island)
        np.testing.assert_allclose(matrix @ problem.change[here], given[here], atol=1e-9)


def grasp() -> Simulation:
    """Two jaws that hold a ball: contacts, and the dry friction of joints."""
    scene = Scene("jaws")
    for name, side in (("left", -1.0), ("right", 1.0)):
        joint = Joint(name, "prismatic", axis=(1.0, 0.0, 0.0), friction=2.0)
        scene.body(name, joint, position=(0.11 * side, 0.0, 0.0), mass=0.2, shape=Box((0.02, 0.1, 0.1)))
        scene.actuator(Actuator.position(name, kp=500.0, kd=10.0))
    scene.body("ball", Joint("ball", "free"), mass=0.1, shape=Sphere(0.1))
    sim = Simulation(scene)
    sim.control[:] = 0.02, -0.02
    sim.step(n=300)
    return sim


def linkage() -> Simulation:
    """A bar on two legs, closed to a loop by a pin, on the ground; a leg is at its limit."""
    scene = Scene("linkage")
    scene.ground(static=0.5)
    scene.body("bar", Joint("root", "free"), position=(0.0, 0.0, 0.5), mass=1.0, shape=Box((0.4, 0.05, 0.05)))
    for name, x, lower in (("left", -0.2, -0.3), ("right", 0.2, 0.0)):
        joint = Joint(name, "revolute", axis=(0.0, 1.0, 0.0), lower=lower, upper=0.3)
        leg, middle = Capsule(0.02, 0.3), (0.0, 0.0, -0.2)
        scene.body(name, joint, parent="bar", position=(x, 0.0, 0.0), mass=0.5, shape=leg, shape_position=middle)
    rod, solid = Joint("rod", "revolute", axis=(0.0, 1.0, 0.0)), Box((0.3, 0.02, 0.02))
    place, middle = (0.0, 0.0, -0.2), (0.2, 0.1, 0.0)
    scene.body("rod", rod, parent="left", position=place, mass=0.2, shape=solid, shape_position=middle)
    scene.close("pin", "rod", "right", "hinge", (0.4, 0.0, 0.0), axis=(0.0, 1.0, 0.0))
    sim = Simulation(scene)
    sim.step(n=400)
    return sim


@pytest.mark.parametrize("make", [grasp, linkage])
def test_joints_and_loops_have_a_path(make: Callable[[], Simulation]) -> None:
    sim = make()
    problem, island = sim._problem, largest(sim)
    assert allowed(problem.address, island)
    rows = slice(problem.row_begin[island], problem.row_begin[island + 1])
    assert rows.stop > rows.start
    assert ((problem.friction[: problem.count[POINTS]] < 0.0).any()) == (make is linkage)
    problem.impulse[:], problem.row_impulse[:] = 0.0, 0.0
    steps, residual = solved(problem.address, island)
    assert residual <= TOLERANCE
    assert 10 < steps < 200
    bears = problem.row_impulse[rows]
    assert (problem.row_lower[rows] <= bears).all()
    assert (bears <= problem.row_upper[rows]).all()
    assert bears.any()


def test_joints_alone_have_none() -> None:
    scene = Scene("pendulum")
    scene.body("rod", Joint("hinge", "revolute", axis=(0.0, 1.0, 0.0), friction=0.1), mass=1.0, shape=Sphere(0.1))
    sim = Simulation(scene)
    sim.step()
    assert sim._problem.count[0] == 1
    assert not allowed(sim._problem.address, 0)


@pytest.mark.slow
def test_spheres_jam_and_every_step_converges() -> None:
    """Without phase C 14 of these steps missed the tolerance."""
    sim = Simulation(full_bin(30), Exact(heap_tolerance=1e-8))
    for _ in range(2500):
        sim.step()
        assert sim.residual.converged
