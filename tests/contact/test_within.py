"""A point within its cone: its Newton step solves the softened law, and where σ vanishes that is the law itself."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sesshoku.constraint.problem import at
from sesshoku.contact.coulomb import off
from sesshoku.contact.within import (
    ALONG,
    BEND,
    PLACE,
    TOWARD,
    aim,
    aim_along,
    aim_at_bend,
    complete,
    fraction,
    linearise_within,
    measure,
    put_within,
)
from sesshoku.kernel import kernel
from sesshoku.model import Joint, Scene, Sphere
from sesshoku.sim import Simulation


@kernel
def step_of(address: int, sigma: float, bend: bool) -> None:
    """Linearise point 0 and aim it at the path, or at its bend."""
    p = at(address)
    linearise_within(p, 0)
    if bend:
        aim_at_bend(p, 0)
    else:
        aim(p, 0, sigma)


@kernel
def along_of(address: int, sigma: float) -> None:
    """Linearise point 0 and aim it along the path."""
    p = at(address)
    linearise_within(p, 0)
    aim_along(p, 0, sigma)


@kernel
def complete_of(address: int, which: int, u: tuple[float, float, float]) -> None:
    """Complete a direction of point 0 with a change of its velocity."""
    complete(at(address), 0, which, u)


@kernel
def put(address: int, sigma: float, response: float) -> None:
    """Put point 0 within its cone."""
    put_within(at(address), 0, sigma, response)


@kernel
def size_of(address: int, which: int) -> tuple[float, float, float, float, float]:
    """Size of a direction of point 0."""
    return measure(at(address), 0, which)


@pytest.fixture(scope="module", params=[0.0, 3.0], ids=["rigid", "elastic"])
def ball(request: pytest.FixtureRequest) -> Simulation:
    """A ball on the ground: one point, which may yield to its impulse."""
    scene = Scene("ball")
    scene.ground(static=0.6)
    scene.body("ball", Joint("root", "free"), position=(0.0, 0.0, 0.1), mass=1.0, shape=Sphere(0.1))
    sim = Simulation(scene)
    sim.step()
    sim._problem.give[0] = request.param
    return sim


def law(sim: Simulation, x: np.ndarray, u: np.ndarray, sigma: float) -> np.ndarray:
    """What is zero on the path: w − u_N, u_T + λ ρ (3), r_N w − σ, λ g − σ; x is an impulse with w and λ."""
    problem = sim._problem
    n, mu = problem.normal[0], problem.friction[0]
    r, w, slip = x[:3], x[3], x[4]
    normal = r @ n
    rho = (r - normal * n) / normal
    g = normal * (mu - rho @ rho / mu)
    return np.array((w - u @ n, *(u - (u @ n) * n + slip * rho), normal * w - sigma, slip * g - sigma))


def scatter(sim: Simulation, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """Put point 0 somewhere within its cone; the place, and a velocity."""
    problem = sim._problem
    n, mu = problem.normal[0], problem.friction[0]
    tangent = np.cross(n, rng.normal(size=3))
    tangent *= rng.uniform(0.0, 0.99) * mu / np.linalg.norm(tangent)
    x = np.array((*(rng.uniform(0.1, 2.0) * (n + tangent)), *rng.uniform(0.1, 2.0, 2)))
    u = rng.normal(size=3)
    problem.path[0, PLACE], problem.slide[0] = x, u
    return x, u


def finish(sim: Simulation, which: int, du: np.ndarray) -> np.ndarray:
    """The direction of point 0 that goes with a change of its velocity."""
    complete_of(sim._problem.address, which, tuple(du))
    return sim._problem.path[0, which].copy()


def test_a_newton_step_makes_the_law_zero_to_first_order(ball: Simulation) -> None:
    """Whatever the velocity changes by: what is left over shrinks with the square of the step."""
    rng, problem, sigma = np.random.default_rng(0), ball._problem, 0.3
    for _ in range(100):
        x, u = scatter(ball, rng)
        step_of(problem.address, sigma, False)
        du = 0.1 * rng.normal(size=3)
        dx, before = finish(ball, TOWARD, du), law(ball, x, u, sigma)
        given = du + problem.give[0] * dx[:3]
        left = [np.abs(law(ball, x + h * dx, u + h * given, sigma) - (1.0 - h) * before).max() for h in (1e-4, 1e-5)]
        assert left[1] < 0.02 * left[0] + 1e-12


def test_along_the_path_the_law_changes_by_sigma_alone(ball: Simulation) -> None:
    """To first order with the direction along the path, to second with its bend."""
    rng, problem, sigma = np.random.default_rng(1), ball._problem, 0.3
    for _ in range(100):
        x, u = scatter(ball, rng)
        along_of(problem.address, sigma)
        du = 0.1 * rng.normal(size=3)
        dx = finish(ball, ALONG, du)
        problem.path[0, ALONG] = dx
        step_of(problem.address, sigma, True)
        bend = finish(ball, BEND, np.zeros(3))
        before = law(ball, x, u, sigma)
        gained = []
        for h in (1e-3, 1e-4):
            given = du + problem.give[0] * (dx[:3] + h * bend[:3])
            after = law(ball, x + h * dx + h * h * bend, u + h * given, sigma)
            expected = before + np.array((0.0, 0.0, 0.0, 0.0, h * sigma, h * sigma))
            gained.append(np.abs(after - expected).max())
        assert gained[1] < 2e-3 * gained[0] + 1e-12  # the third power of the step


def test_directions_are_measured_by_what_may_not_become_negative(ball: Simulation) -> None:
    rng, problem = np.random.default_rng(2), ball._problem
    n, mu = problem.normal[0], problem.friction[0]
    for _ in range(50):
        x, _ = scatter(ball, rng)
        dx = rng.normal(size=5)
        problem.path[0, TOWARD] = dx
        normal, slack, slip, room, across = size_of(problem.address, TOWARD)
        assert normal == pytest.approx((dx[:3] @ n) / (x[:3] @ n))
        assert (slack, slip) == pytest.approx((dx[3] / x[3], dx[4] / x[4]))

        def g(r: np.ndarray) -> float:
            rho = (r - (r @ n) * n) / (r @ n)
            return float((r @ n) * (mu - rho @ rho / mu))

        h = 1e-7
        slope = (g(x[:3] + h * dx[:3]) - g(x[:3] - h * dx[:3])) / (2 * h)
        assert room == pytest.approx(slope / g(x[:3]), rel=1e-5, abs=1e-5)
        d = x[:3] - (x[:3] @ n) * n
        d /= np.linalg.norm(d)
        assert across == pytest.approx(np.cross(n, d) @ dx[:3] / (mu * (x[:3] @ n)))


def test_where_sigma_vanishes_it_is_the_law(ball: Simulation) -> None:
    """Points of the softened law at 1e-12 that stick, slip and come apart have no residual."""
    n, mu, sigma = ball._problem.normal[0], ball._problem.friction[0], 1e-12
    d = np.cross(n, (1.0, 0.0, 0.0))
    for normal, share in ((1.0, 0.5), (1.0, 1.0 - 1e-12), (1e-12, 0.3)):
        rho = share * mu * d
        g = normal * (mu - rho @ rho / mu)
        u = sigma / normal * n - sigma / g * rho
        r = normal * (n + rho)
        assert np.sqrt(off(tuple(n), mu, tuple(r), tuple(u), 1.0)) < 1e-11


def test_a_point_is_put_where_its_barrier_balances(ball: Simulation) -> None:
    problem = ball._problem
    put(problem.address, 0.02, 0.5)
    x = problem.path[0, PLACE]
    assert x[:3] == pytest.approx(0.2 * problem.normal[0])
    assert x[3] == pytest.approx(0.1)  # the velocity by which it yields to its impulse
    assert np.abs(law(ball, x, x[3] * problem.normal[0], 0.02)).max() < 1e-15


@given(
    st.floats(0.01, 3.0), st.floats(0.0, 0.98), st.floats(0.0, 6.3),
    st.tuples(*[st.floats(-3.0, 3.0).filter(lambda x: x == 0.0 or abs(x) > 1e-3)] * 3),
)  # fmt: skip
def test_a_change_leads_to_the_edge_of_the_cone(mu: float, share: float, angle: float, dr: tuple[float, ...]) -> None:
    """Just short of the fraction the impulse is within, just beyond it is not; without one it stays within."""
    r = np.array((share * mu * np.cos(angle), share * mu * np.sin(angle), 1.0))
    most, change = fraction((0.0, 0.0, 1.0), mu, tuple(r), dr), np.array(dr)

    def within(h: float) -> bool:
        x = r + h * change
        return bool(x[2] > 0.0 and np.hypot(x[0], x[1]) < mu * x[2])

    if most > 1e9:  # along the edge, within rounding, or inwards
        assert all(within(h) for h in (0.1, 1.0, 1e3))
    else:
        assert within(most * (1.0 - 1e-6))
        assert not within(most * (1.0 + 1e-6))
