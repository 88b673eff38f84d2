"""Heaps that all phases have missed begin again; those whose matrix has no room are swept only; what slides in them."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.bench.piles import full_bin, mound
from sesshoku.constraint.problem import at
from sesshoku.contact import Exact
from sesshoku.contact.coulomb import SLIP, STICK
from sesshoku.contact.fit import evaluate, misfit, reference_speed, remember
from sesshoku.contact.heap import solve_heap, try_again
from sesshoku.contact.pattern import pattern
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation

TOLERANCE = 1e-8


@kernel
def solved(address: int, island: int, again: bool, room: bool) -> tuple[float, int, float, float]:
    """The residual of an island; Newton steps taken by a new try, or by all phases; the residual told and found."""
    p = at(address)
    pattern(p, island)
    evaluate(p, island)
    reference = reference_speed(p, island, 1e-5)
    before = misfit(p, island) / reference
    remember(p, island)
    if again:
        steps, told = try_again(p, island, TOLERANCE, reference, before)
    else:
        steps, told = solve_heap(p, island, room, TOLERANCE, reference, before)
    evaluate(p, island)
    return before, steps, told, misfit(p, island) / reference


@pytest.fixture
def jam() -> tuple[Simulation, int]:
    """Thirty spheres in a bin that have begun to jam, from impulses far off, and their largest island."""
    sim = Simulation(full_bin(30), Exact(give=0.0))
    sim.step(n=750)
    problem = sim._problem
    island = int(np.argmax(np.diff(problem.point_begin[: problem.count[0] + 1])))
    first, last = problem.point_begin[island], problem.point_begin[island + 1]
    problem.impulse[first:last] *= np.random.default_rng(0).uniform(0.0, 2.0, size=(last - first, 1))
    return sim, island


@pytest.mark.parametrize("again", [False, True])
def test_a_jam_is_solved(jam: tuple[Simulation, int], again: bool) -> None:
    sim, island = jam
    before, steps, told, found = solved(sim._problem.address, island, again, True)
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
        solved(problem.address, island, True, True)
        found.append(problem.impulse[points].copy())
    np.testing.assert_array_equal(*found)


def test_without_room_impulses_come_nearer_without_newton_steps(jam: tuple[Simulation, int]) -> None:
    sim, island = jam
    before, steps, told, found = solved(sim._problem.address, island, False, False)
    assert steps == 0
    assert told < 0.1 * before
    assert found == pytest.approx(told, rel=1e-6)


def test_what_slides_is_not_said_to_stick_where_many_touch() -> None:
    """Also with a coarse tolerance, which is relative to the speeds of all points together."""
    sim = Simulation(mound(100), Exact(tolerance=1e-4))
    slipping, fastest = 0, 0.0
    for _ in range(300):
        sim.step()
        contacts = sim.contacts
        speed = np.linalg.norm(contacts.slip, axis=1)
        slipping += int((contacts.state == SLIP).sum())
        fastest = max(fastest, speed[contacts.state == STICK].max(initial=0.0))
    assert slipping > 1000
    assert fastest < 0.02
