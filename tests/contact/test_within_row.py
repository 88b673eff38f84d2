"""A row within its bounds: its Newton step solves the softened law, and where σ vanishes that is the law itself."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.constraint.problem import at
from sesshoku.contact.fit import row_misfit
from sesshoku.contact.within import ALONG, BEND, KEPT_ALONG, PLACE, TOWARD
from sesshoku.contact.within_row import (
    aim_row,
    aim_row_along,
    aim_row_at_bend,
    complete_row,
    linearise_row_within,
    measure_row,
    put_row_within,
    row_bears,
)
from sesshoku.kernel import kernel
from sesshoku.model import Joint, Scene, Sphere
from sesshoku.sim import Simulation

BOUNDS = [(0.0, np.inf), (-np.inf, 0.0), (-0.7, 0.7), (-np.inf, np.inf)]


@kernel
def direction(address: int, which: int, sigma: float, u: float) -> None:
    """A direction of row 0, with a change u of its velocity."""
    p = at(address)
    linearise_row_within(p, 0)
    if which == TOWARD:
        aim_row(p, 0, sigma)
    elif which == ALONG:
        aim_row_along(p, 0, sigma)
    else:
        aim_row_at_bend(p, 0)
    complete_row(p, 0, which, u)


@kernel
def put(address: int, sigma: float) -> None:
    """Put row 0 within its bounds."""
    put_row_within(at(address), 0, sigma)


@kernel
def size_of(address: int) -> tuple[float, float, float, float]:
    """Size of the direction of row 0 to the path."""
    return measure_row(at(address), 0, TOWARD)


@kernel
def borne(address: int, x: float) -> float:
    """How much of a step row 0 bears."""
    return row_bears(at(address), 0, TOWARD, x)


@kernel
def misfit_of(address: int) -> float:
    """The natural residual of row 0."""
    return row_misfit(at(address), 0, 1.0)


@pytest.fixture(scope="module")
def joint() -> Simulation:
    """A hinge with dry friction: one row."""
    scene = Scene("pendulum")
    scene.body("rod", Joint("hinge", "revolute", axis=(0.0, 1.0, 0.0), friction=0.1), mass=1.0, shape=Sphere(0.1))
    sim = Simulation(scene)
    sim.step()
    return sim


def law(bounds: tuple[float, float], x: np.ndarray, u: float, sigma: float) -> np.ndarray:
    """What is zero on the path: w − z − u, (r − l) w − σ, (h − r) z − σ; x is an impulse with w and z."""
    r, w, z = x
    lower, upper = bounds
    barriers = [(r - lower) * w - sigma if lower > -np.inf else 0.0, (upper - r) * z - sigma if upper < np.inf else 0.0]
    return np.array((w - z - u, *barriers))


def scatter(sim: Simulation, bounds: tuple[float, float], rng: np.random.Generator) -> tuple[np.ndarray, float]:
    """Put row 0 somewhere within bounds; the place, and a velocity."""
    problem, (lower, upper) = sim._problem, bounds
    problem.row_lower[0], problem.row_upper[0] = bounds
    r = rng.uniform(max(lower, -1.0), min(upper, 1.0))
    x = np.array((r, rng.uniform(0.1, 2.0) * (lower > -np.inf), rng.uniform(0.1, 2.0) * (upper < np.inf)))
    u = rng.normal()
    problem.row_path[0, PLACE], problem.row_slide[0] = x, u
    return x, u


@pytest.mark.parametrize("bounds", BOUNDS[:3])
def test_a_newton_step_makes_the_law_zero_to_first_order(joint: Simulation, bounds: tuple[float, float]) -> None:
    rng, problem, sigma = np.random.default_rng(0), joint._problem, 0.3
    for _ in range(50):
        x, u = scatter(joint, bounds, rng)
        du = 0.1 * rng.normal()
        direction(problem.address, TOWARD, sigma, du)
        dx, before = problem.row_path[0, TOWARD], law(bounds, x, u, sigma)
        left = [np.abs(law(bounds, x + h * dx, u + h * du, sigma) - (1.0 - h) * before).max() for h in (1e-4, 1e-5)]
        assert left[1] < 0.02 * left[0] + 1e-12


@pytest.mark.parametrize("bounds", BOUNDS[:3])
def test_along_the_path_the_law_changes_by_sigma_alone(joint: Simulation, bounds: tuple[float, float]) -> None:
    """To second order with the bend: there the slacks still balance each other."""
    rng, problem, sigma = np.random.default_rng(1), joint._problem, 0.3
    for _ in range(50):
        x, u = scatter(joint, bounds, rng)
        du = 0.1 * rng.normal()
        direction(problem.address, ALONG, sigma, du)
        direction(problem.address, BEND, sigma, 0.0)
        dx, bend, before = problem.row_path[0, ALONG], problem.row_path[0, BEND], law(bounds, x, u, sigma)
        more = sigma * np.isfinite((0.0, *bounds)) * (0.0, 1.0, 1.0)
        gained = []
        for h in (1e-3, 1e-4):
            after = law(bounds, x + h * dx + h * h * bend, u + h * du, sigma)
            gained.append(np.abs(after - before - h * more).max())
        assert gained[1] < 2e-3 * gained[0] + 1e-12  # the third power of the step


@pytest.mark.parametrize("bounds", BOUNDS)
def test_a_row_is_put_where_its_barriers_balance(joint: Simulation, bounds: tuple[float, float]) -> None:
    problem, sigma = joint._problem, 0.02
    problem.row_lower[0], problem.row_upper[0] = bounds
    put(problem.address, sigma)
    r, w, z = problem.row_path[0, PLACE]
    assert w - z == pytest.approx(r / problem.row_scale[0])  # the velocity by which it yields to its impulse
    assert np.abs(law(bounds, np.array((r, w, z)), w - z, sigma)).max() < 1e-15


def test_where_sigma_vanishes_it_is_the_law(joint: Simulation) -> None:
    """Limits and friction that balance barriers of nothing fit the law."""
    problem = joint._problem
    for bounds in BOUNDS[:3]:
        problem.row_lower[0], problem.row_upper[0] = bounds
        put(problem.address, 1e-24)
        r, w, z = problem.row_path[0, PLACE]
        problem.row_impulse[0], problem.row_slide[0] = r, w - z
        assert abs(misfit_of(problem.address)) < 1e-11


@pytest.mark.parametrize("bounds", BOUNDS)
def test_how_much_of_a_step_a_row_bears(joint: Simulation, bounds: tuple[float, float]) -> None:
    """Just short of that share it is within its bounds, and its slacks positive; just beyond it is not."""
    rng, problem = np.random.default_rng(2), joint._problem

    def within(x: np.ndarray) -> bool:
        slacks = x[1:][np.isfinite(bounds)]
        return bool(bounds[0] < x[0] < bounds[1] and (slacks > 0.0).all())

    for _ in range(50):
        x, _ = scatter(joint, bounds, rng)
        steps = rng.normal(size=(3, 3))
        problem.row_path[0, TOWARD], problem.row_path[0, KEPT_ALONG], problem.row_path[0, BEND] = steps
        step, most = steps[0] + 0.5 * steps[1] + 0.25 * steps[2], borne(problem.address, 0.5)
        if most == np.inf:
            assert all(within(x + h * step) for h in (0.1, 1.0, 1e3))
        else:
            assert within(x + most * (1.0 - 1e-6) * step)
            assert not within(x + most * (1.0 + 1e-6) * step)


def test_directions_are_measured_by_what_may_not_become_negative(joint: Simulation) -> None:
    rng, problem = np.random.default_rng(3), joint._problem
    for bounds in BOUNDS:
        x, _ = scatter(joint, bounds, rng)
        dx = rng.normal(size=3)
        problem.row_path[0, TOWARD] = dx
        expected = [dx[0] / (x[0] - bounds[0]), dx[0] / (bounds[1] - x[0])]
        expected += [change / slack if slack > 0.0 else 0.0 for change, slack in zip(dx[1:], x[1:], strict=True)]
        assert size_of(problem.address) == pytest.approx(expected)
