"""Rounds of sweeps: they put right what is wrong in one place, and end where they no longer lead on."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.bench.pile_scenes import pile
from sesshoku.constraint.problem import at
from sesshoku.contact import Exact, coulomb
from sesshoku.contact.fit import evaluate, misfit, remember
from sesshoku.contact.flow import answer
from sesshoku.contact.relax import LONGER, find_steps, project_apart, relaxed
from sesshoku.kernel import kernel
from sesshoku.model import Box, Joint, Scene
from sesshoku.sim import Simulation


@kernel
def off(address: int, island: int) -> float:
    """Residual of an island [m/s]."""
    p = at(address)
    evaluate(p, island)
    return misfit(p, island)


@kernel
def swept(address: int, island: int, goal: float) -> tuple[float, float]:
    """The residual of an island [m/s] that sweeps towards a goal tell, and what is found then."""
    p = at(address)
    evaluate(p, island)
    remember(p, island)
    told = relaxed(p, island, goal, 1.0, misfit(p, island))
    evaluate(p, island)
    return told, misfit(p, island)


@kernel
def responses(address: int, island: int, out: np.ndarray) -> None:
    """The response of each point of an island to itself (n, 3, 3), and the steps of the points."""
    p = at(address)
    find_steps(p, island)
    axes = ((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))
    for k in range(len(out)):
        for a in range(3):
            for b in range(3):
                out[k, a, b] = answer(p, p.point_begin[island] + k, axes[a], axes[b])


@pytest.fixture
def heap() -> tuple[Simulation, int]:
    """A hundred spheres on each other, solved, and their largest island."""
    sim = Simulation(pile(100), Exact(tolerance=1e-10, heap_tolerance=1e-10))
    sim.step(n=150)
    problem = sim._problem
    return sim, int(np.argmax(np.diff(problem.point_begin[: problem.count[0] + 1])))


def test_what_is_wrong_in_one_place_is_put_right(heap) -> None:
    sim, island = heap
    problem = sim._problem
    first, last = problem.point_begin[island], problem.point_begin[island + 1]
    assert last - first > 50
    before = off(problem.address, island)
    problem.impulse[first + int(np.argmax(np.linalg.norm(problem.impulse[first:last], axis=1)))] *= 1.1
    others = np.r_[0:first, last : len(problem.impulse)]
    elsewhere = problem.impulse[others]
    wrong = off(problem.address, island)
    assert wrong > 1e3 * before
    told, found = swept(problem.address, island, 0.01 * wrong)
    assert found == pytest.approx(told, rel=1e-6)
    assert found <= 0.01 * wrong
    np.testing.assert_array_equal(problem.impulse[others], elsewhere)


def test_what_is_right_stays_so(heap) -> None:
    """Sweeps change nothing where nothing is wrong."""
    sim, island = heap
    problem = sim._problem
    solved, before = problem.impulse.copy(), off(problem.address, island)
    _, found = swept(problem.address, island, 1e-12)
    assert found <= max(before, 1e-9)
    np.testing.assert_allclose(problem.impulse, solved, atol=1e-9)


def test_where_sweeps_no_longer_lead_on_they_end_with_the_best_impulses(heap) -> None:
    """From no impulses towards a goal that cannot be reached."""
    sim, island = heap
    problem = sim._problem
    problem.impulse[:] = 0.0
    before = off(problem.address, island)
    told, found = swept(problem.address, island, 1e-300)
    assert found == pytest.approx(told, rel=1e-6)
    assert 1e-300 < found < 0.1 * before


def crossed_planks() -> Scene:
    """Planks in layers of two, across each other, every other layer closed to a pair by a hinge beyond its end."""
    scene = Scene("planks")
    scene.ground(static=0.5)
    for k in range(24):
        layer, side = divmod(k, 2)
        along, across = (0.3, 0.04, 0.02), 0.1 * side - 0.05
        size, place = (along, (0.0, across)) if layer % 2 == 0 else ((0.04, 0.3, 0.02), (across, 0.0))
        scene.body(
            f"plank{k}", Joint(f"root{k}", "free"), position=(*place, 0.02 * layer + 0.01), mass=1.0, shape=Box(size)
        )
        if k % 4 == 1:
            scene.close(
                f"pin{k}", f"plank{k - 1}", f"plank{k}", "hinge", (0.3, 0.0, 0.02 * layer + 0.01), axis=(0, 0, 1)
            )
    return scene


def test_steps_suit_points_of_any_bodies() -> None:
    """What they change a point by is at most LONGER times what would stop it; 2 and more would diverge."""
    sim = Simulation(crossed_planks())
    sim.step(n=20)
    problem = sim._problem
    island = int(np.argmax(np.diff(problem.point_begin[: problem.count[0] + 1])))
    points = slice(problem.point_begin[island], problem.point_begin[island + 1])
    response = np.zeros((points.stop - points.start, 3, 3))
    responses(problem.address, island, response)
    loops = problem.friction[points] < 0.0
    assert loops.sum() == 12
    assert (~loops).sum() > 80
    largest = []
    for w, n, (h, across) in zip(response, problem.normal[points], problem.step[points], strict=True):
        normal = np.outer(n, n)
        largest.append(np.abs(np.linalg.eigvals((h * normal + across * (np.eye(3) - normal)) @ w)).max())
    assert max(largest) <= LONGER * (1.0 + 1e-9)
    assert np.array(largest)[~loops].min() > 0.5 * LONGER


@pytest.mark.parametrize("steps", [(1.0, 1.0), (0.3, 2.0), (5.0, 0.1)])
def test_steps_of_their_own_along_and_across_keep_the_law(steps: tuple[float, float]) -> None:
    """What obeys Signorini and Coulomb stays as it is, whatever the two steps are; what does not is changed."""
    rng, n, mu = np.random.default_rng(0), (0.0, 0.0, 1.0), 0.5
    for _ in range(200):
        direction = rng.uniform(0.0, 2.0 * np.pi)
        d = np.array((np.cos(direction), np.sin(direction), 0.0))
        force, speed = rng.uniform(0.1, 2.0, 2)
        lawful = (
            ((0.0, 0.0, 0.0), (*rng.normal(size=2), speed)),  # open
            (tuple(force * (np.array(n) + rng.uniform(0.0, 0.99) * mu * d)), (0.0, 0.0, 0.0)),  # sticks
            (tuple(force * (np.array(n) + mu * d)), tuple(-speed * d)),  # slips
        )
        for r, u in lawful:
            np.testing.assert_allclose(project_apart(n, mu, r, u, *steps), r, atol=1e-14)
        r, u = tuple(rng.normal(size=3)), tuple(rng.normal(size=3))
        changed = np.linalg.norm(np.subtract(project_apart(n, mu, r, u, *steps), r))
        assert (changed < 1e-12) == (coulomb.off(n, mu, r, u, 1.0) < 1e-24)
