"""Heaps: what is admitted of them; those that all phases have missed begin again; what slides in them."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from sesshoku.bench.pile_scenes import full_bin, mound
from sesshoku.constraint.problem import at
from sesshoku.contact import Exact
from sesshoku.contact.coulomb import SLIP, STICK
from sesshoku.contact.fit import evaluate, misfit, reference_speed, remember
from sesshoku.contact.heap import solve_heap, sweeps_only, try_again
from sesshoku.contact.pattern import pattern
from sesshoku.contact.relax import find_steps
from sesshoku.errors import ModelError
from sesshoku.kernel import kernel
from sesshoku.model import Box, Joint, Scene
from sesshoku.sim import Simulation

TOLERANCE, DT = 1e-8, 1e-3


@kernel
def solved(address: int, island: int, again: bool) -> tuple[float, int, float, float]:
    """The residual of an island; Newton steps taken by a new try, or by all phases; the residual told and found."""
    p = at(address)
    evaluate(p, island)
    reference = reference_speed(p, island, 1e-5)
    before = misfit(p, island) / reference
    remember(p, island)
    if again:
        find_steps(p, island)
        pattern(p, island)
        steps, told = try_again(p, island, TOLERANCE, TOLERANCE, reference, before)
    else:
        steps, told = solve_heap(p, island, 0, TOLERANCE, TOLERANCE, reference, before)
    evaluate(p, island)
    return before, steps, told, misfit(p, island) / reference


@kernel
def solved_by_sweeps(address: int, island: int) -> tuple[float, float, float]:
    """The residual of an island; that told, and found, after sweeps alone."""
    p = at(address)
    evaluate(p, island)
    reference = reference_speed(p, island, 1e-5)
    before = misfit(p, island) / reference
    remember(p, island)
    find_steps(p, island)
    told = sweeps_only(p, island, TOLERANCE, reference, before)
    evaluate(p, island)
    return before, told, misfit(p, island) / reference


@pytest.fixture
def jam() -> tuple[Simulation, int]:
    """Thirty spheres in a bin that have begun to jam, from impulses far off, and their largest island."""
    sim = Simulation(full_bin(30), Exact(heap_tolerance=1e-8))
    sim.step(n=750)
    problem = sim._problem
    island = int(np.argmax(np.diff(problem.point_begin[: problem.count[0] + 1])))
    first, last = problem.point_begin[island], problem.point_begin[island + 1]
    problem.impulse[first:last] *= np.random.default_rng(0).uniform(0.0, 2.0, size=(last - first, 1))
    return sim, island


@pytest.mark.parametrize("again", [False, True])
def test_a_jam_is_solved(jam: tuple[Simulation, int], again: bool) -> None:
    sim, island = jam
    before, steps, told, found = solved(sim._problem.address, island, again)
    assert before > 1e-2
    assert steps > 0
    assert told <= TOLERANCE
    assert found <= TOLERANCE


def test_a_new_try_forgets_the_impulses(jam: tuple[Simulation, int]) -> None:
    """The same bits from others, if the same points bear: these decide on the order of elimination."""
    problem, island = jam[0]._problem, jam[1]
    points = slice(problem.point_begin[island], problem.point_begin[island + 1])
    start, found = problem.impulse[points].copy(), []
    for share in (1.0, 0.7):
        problem.impulse[points] = share * start
        solved(problem.address, island, True)
        found.append(problem.impulse[points].copy())
    np.testing.assert_array_equal(*found)


def test_without_room_impulses_come_nearer_without_newton_steps(jam: tuple[Simulation, int]) -> None:
    sim, island = jam
    before, told, found = solved_by_sweeps(sim._problem.address, island)
    assert told < 0.1 * before
    assert found == pytest.approx(told, rel=1e-6)


def energy(sim: Simulation) -> float:
    return sim.energy.kinetic + sim.energy.potential


def highest_rise(course: list[float]) -> float:
    """By how much energy is ever above its least value before."""
    return float(np.max(np.array(course[1:]) - np.minimum.accumulate(course[:-1])))


def stack(number: int, heavy: int = -1, mass: float = 1.0) -> Scene:
    """Cubes of 1 kg on each other, one of them of another mass."""
    scene = Scene("stack")
    scene.ground(static=0.5)
    for k in range(number):
        place, cube = (0.0, 0.0, 0.1 * k + 0.05), Box((0.1, 0.1, 0.1))
        scene.body(f"box{k}", Joint(f"box{k}", "free"), position=place, mass=mass if k == heavy else 1.0, shape=cube)
    return scene


@pytest.mark.parametrize("build", [mound, full_bin])
def test_heaps_that_settle_are_within_what_is_admitted_and_gain_no_energy(build: Callable[[int], Scene]) -> None:
    sim, course, beyond = Simulation(build(60)), [], 0
    for _ in range(800):
        sim.step()
        course.append(energy(sim))
        assert sim.residual.converged
        assert sim.residual.total <= 1e-4
        beyond += sim.residual.total > TOLERANCE
    assert beyond > 100
    assert course[0] - course[-1] > 1.0
    assert highest_rise(course) < 1e-6 * (course[0] - course[-1])


def test_the_law_that_is_solved_is_that_of_rigid_contacts() -> None:
    """Signorini and Coulomb from the states before and after a step, to what 1e-4 admits of all contacts together."""
    sim = Simulation(mound(60))
    sim.step(n=250)
    while sim.residual.total <= TOLERANCE:
        sim.step()
    start = sim.q.reshape(-1, 7)[:, :3].copy()
    sim.step()
    contacts, velocity = sim.contacts, sim.v.reshape(-1, 6)
    turn = [sim.pose(f"sphere{k}").rotation for k in range(60)]
    wrong, reference = [], []
    for k in range(len(contacts)):
        n, gap, u, response = contacts.normal[k], max(-contacts.depth[k], 0.0), np.zeros(3), 0.0
        for body, sign in zip(contacts.bodies[k], (-1.0, 1.0), strict=True):
            if body >= 0:
                spin = turn[body] @ velocity[body, 3:]
                u += sign * (velocity[body, :3] + np.cross(spin, contacts.point[k] - start[body]))
                response += (1.0 + 2.0 / 3.0 / 0.4) / 0.1  # of a sphere of 0.1 kg at its surface, the mean
        r, bias = contacts.force[k] * DT * response, (gap / DT if gap > 1e-5 else 0.0)
        along, rate = r @ n, u @ n + bias
        tangent, slip = r - along * n, u - (u @ n) * n
        wrong += [min(along, rate), max(np.linalg.norm(tangent) - 0.5 * along, 0.0)]
        if along > 0.0:
            wrong.append((0.5 * along * np.linalg.norm(slip) + tangent @ slip) / (0.5 * along))
        reference.append(u - r + bias * n)
    assert np.linalg.norm(wrong) < 1e-4 * np.linalg.norm(reference)


def test_a_shock_is_within_what_is_admitted() -> None:
    """A slab of 10 kg falls on sixty spheres of 0.1 kg."""
    scene = mound(60)
    slab = Box((0.5, 0.5, 0.05))
    scene.body("slab", Joint("slab", "free"), position=(0.0, 0.0, 0.75), mass=10.0, shape=slab)
    sim, course = Simulation(scene), []
    for _ in range(600):
        sim.step()
        course.append(energy(sim))
        assert sim.residual.converged
        assert sim.contacts.depth.max(initial=0.0) < 5e-5
    assert course[0] - course[-1] > 20.0
    assert highest_rise(course) < 1e-6 * (course[0] - course[-1])


@pytest.mark.parametrize("number", [25, 60])
def test_towers_stand_still(number: int) -> None:
    """They meet the tolerance soon, and do not sway meanwhile."""
    sim = Simulation(stack(number))
    start = sim.q.copy()
    sim.step(n=1000)
    assert np.abs(sim.q - start).max() < 1e-6
    middle = sim.q.copy()
    for _ in range(500):
        sim.step()
        assert sim.residual.total < 1e-7
    assert np.abs(sim.q - middle).max() < 1e-8


@pytest.mark.parametrize(("heavy", "mass"), [(23, 160.0), (12, 1000.0), (23, 1000.0)])
def test_towers_that_bear_much_do_not_creep(heavy: int, mass: float) -> None:
    """Sweeps alone would leave them within 1e-4, and let them creep by 10 µm/s."""
    sim = Simulation(stack(24, heavy, mass))
    sim.step(n=1000)
    start, beyond = sim.q.copy(), 0
    for _ in range(1000):
        sim.step()
        beyond += sim.residual.total > TOLERANCE
    assert beyond < 50
    assert np.abs(sim.q - start).max() < 1e-8


def test_what_rests_is_within_the_tolerance() -> None:
    """A mound that has come to rest: it stands still, and what is fixed bears its weight."""
    sim = Simulation(mound(30, seed=2))
    sim.step(n=4000)
    start, beyond = sim.q.copy(), 0
    for _ in range(500):
        sim.step()
        beyond += sim.residual.total > TOLERANCE
    assert beyond < 100
    assert np.median(np.abs((sim.q - start).reshape(-1, 7)[:, :3])) < 1e-9
    contacts = sim.contacts
    sides = (contacts.bodies[:, 1] < 0).astype(float) - (contacts.bodies[:, 0] < 0)
    assert sides @ contacts.force[:, 2] == pytest.approx(-30 * 0.1 * 9.81, rel=1e-6)


def test_a_strict_heap_meets_the_tolerance_of_all() -> None:
    sim = Simulation(mound(30), Exact(heap_tolerance=1e-8))
    for _ in range(300):
        sim.step()
        assert sim.residual.total <= TOLERANCE


def test_a_coarse_tolerance_is_that_of_heaps_too() -> None:
    sim = Simulation(mound(30), Exact(tolerance=1e-3))
    for _ in range(300):
        sim.step()
        assert sim.residual.total <= 1e-3
        assert sim.residual.converged


@pytest.mark.parametrize("tolerance", [0.0, -0.1, np.nan, "coarse"])
def test_the_tolerance_of_heaps_must_be_a_number(tolerance: object) -> None:
    with pytest.raises(ModelError, match="heap_tolerance"):
        Exact(heap_tolerance=tolerance)  # type: ignore[arg-type]


@pytest.mark.parametrize("law", [Exact(), Exact(tolerance=1e-4)])
def test_what_slides_is_not_said_to_stick_where_many_touch(law: Exact) -> None:
    """Also with a coarse tolerance, which is relative to the speeds of all points together."""
    sim = Simulation(mound(100), law)
    slipping, fastest = 0, 0.0
    for _ in range(300):
        sim.step()
        contacts = sim.contacts
        speed = np.linalg.norm(contacts.slip, axis=1)
        slipping += int((contacts.state == SLIP).sum())
        fastest = max(fastest, speed[contacts.state == STICK].max(initial=0.0))
    assert slipping > 1000
    assert fastest < (0.02 if law.tolerance == 1e-4 else 5e-3)
