"""Friction that a patch bears without slipping: checks 3, 4, 5 and 7 of paper 3, and linear programs by HiGHS."""

from __future__ import annotations

from math import cos, hypot, inf, pi, sin

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import brentq

from patches import HALF, KINDS, SQUARE, basis, centre_in, highs_limit, section, size_of, wrench
from sesshoku.contact.volume.pressure import press
from sesshoku.contact.volume.rectangle import free_pressure_limit
from sesshoku.contact.volume.static import can_stick, limit, reach, separate_limit

WEIGHT, FRICTION = 0.5 * 9.81, 0.5
FORCE = FRICTION * WEIGHT
TORQUE = FORCE * hypot(HALF, HALF)
ROUNDED = 2e-7  # the test takes what is beyond the limit by 1e-7 as static
WORK = basis()


def on_square(force: float, torque: float, angle: float = 0.0):
    """The box of paper 3 under shares of the largest force, at an angle from e1, and of the largest torque."""
    return wrench(WEIGHT, (0.0, 0.0), (FORCE * force * cos(angle), FORCE * force * sin(angle)), TORQUE * torque)


def exact_torque(force: float) -> float:
    """The largest share of the torque beside a share of the force, with the force along an edge."""
    if force >= 1.0:
        return 0.0 if force <= 1.0 + ROUNDED else -inf
    y = brentq(lambda y: free_pressure_limit(HALF, HALF, y)[0] - force, 0.0, 1e3, xtol=1e-15) if force > 0.0 else 0.0
    return free_pressure_limit(HALF, HALF, y)[1] / hypot(HALF, HALF)


def exact_reach(angle: float) -> float:
    """How far the boundary is from the origin, in the plane of these shares; there it is 1 on both axes."""
    if angle in (0.0, 0.5 * pi):
        return 1.0

    def across(y: float) -> float:
        f, t = free_pressure_limit(HALF, HALF, y)
        return f * sin(angle) - t / hypot(HALF, HALF) * cos(angle)

    f, t = free_pressure_limit(HALF, HALF, brentq(across, 0.0, 1e6, xtol=1e-16, rtol=1e-15))
    return hypot(f, t / hypot(HALF, HALF))


def square_limit(angle: float, edges: int, friction: float = FRICTION) -> float:
    return limit(SQUARE, 4, WORK, on_square(cos(angle), sin(angle)), friction, edges)


def square_sticks(force: float, torque: float, edges: int, friction: float = FRICTION) -> bool:
    return can_stick(SQUARE, 4, WORK, on_square(force, torque), friction, edges)


ANGLES = np.linspace(0.0, 0.5 * pi, 201)
GRID = [(f, t) for f in np.linspace(0.0, 1.1, 45) for t in np.linspace(0.0, 1.1, 45)]


def test_eight_edges_are_inside_of_the_exact_region() -> None:
    """Check 3: everywhere on a grid, which has points of both kinds within 3 % of the boundary."""
    static = [point for point in GRID if square_sticks(*point, 8)]
    assert 1000 < len(static) < 1600
    for force, torque in static:
        assert torque <= exact_torque(force) + ROUNDED


def test_256_edges_are_the_exact_region() -> None:
    """Check 3: by bisection of what sticks beside a force, up to 0.99 of the largest."""
    for force in np.linspace(0.0, 0.99, 60):
        low, high = 0.0, 1.1
        while high - low > 1e-6:
            middle = 0.5 * (low + high)
            low, high = (middle, high) if square_sticks(force, middle, 256) else (low, middle)
        assert low == pytest.approx(exact_torque(force), abs=0.005)


def area(reaches: list[float]) -> float:
    """Of a quarter of the region, from how far it reaches along the angles."""
    return float(np.trapezoid(0.5 * np.square(reaches), ANGLES))


def test_areas_are_those_of_the_paper() -> None:
    """Check 4: with eight edges 0.909 of the exact one, by the separate limits 1.386."""
    exact = area([exact_reach(angle) for angle in ANGLES])
    eight = area([square_limit(angle, 8) for angle in ANGLES])
    apart = area([separate_limit(SQUARE, 4, on_square(cos(angle), sin(angle)), FRICTION) for angle in ANGLES])
    assert 0.908 <= eight / exact <= 0.909
    assert 1.386 <= apart / exact <= 1.387


def test_eight_edges_on_the_axes_and_between_two_edges() -> None:
    """Check 4: force and torque alone reach the limit, as both point along edges; between two the force does not."""
    assert square_limit(0.0, 8) == pytest.approx(1.0, abs=1e-9)
    assert square_limit(0.5 * pi, 8) == pytest.approx(1.0, abs=1e-9)
    between = limit(SQUARE, 4, WORK, on_square(1.0, 0.0, angle=pi / 8.0), FRICTION, 8)
    assert between == pytest.approx(cos(pi / 8.0), abs=1e-9)
    assert between == pytest.approx(0.9239, abs=5e-5)


def test_circumscribed_pyramid_contains_the_exact_region() -> None:
    """Check 4: 1.0824 on both axes; with as much friction as puts the cone inside of the pyramid."""
    friction = FRICTION / cos(pi / 8.0)
    assert square_limit(0.0, 8, friction) == pytest.approx(1.0824, abs=5e-5)
    assert square_limit(0.5 * pi, 8, friction) == pytest.approx(1.0824, abs=5e-5)
    for angle in ANGLES:
        assert square_limit(angle, 8, friction) >= exact_reach(angle) - 1e-9
    for force, torque in GRID:
        if torque <= exact_torque(force):
            assert square_sticks(force, torque, 8, friction)


def test_true_cone_is_the_closed_form() -> None:
    worst = max(abs(square_limit(angle, 0) / exact_reach(angle) - 1.0) for angle in ANGLES)
    assert worst < 1e-9
    for force, torque in GRID:
        distance = torque - exact_torque(force)
        if abs(distance) > 1e-6:
            assert square_sticks(force, torque, 0) == (distance < 0.0)


def test_corner_of_the_separate_limits_slips() -> None:
    """Check 7: at 0.9 of the force the exact limit of the torque is 0.333."""
    loaded = on_square(0.9, 0.9)
    assert separate_limit(SQUARE, 4, loaded, FRICTION) == pytest.approx(1.0 / 0.9)
    assert not can_stick(SQUARE, 4, WORK, loaded, FRICTION, 8)
    assert not can_stick(SQUARE, 4, WORK, loaded, FRICTION, 0)
    assert exact_torque(0.9) == pytest.approx(0.333, abs=5e-4)


def random_friction(corners: np.ndarray, rng: np.random.Generator):
    """A wrench of any size with friction in any direction, some of its components nought."""
    size, normal = size_of(corners), 10.0 ** rng.uniform(-3.0, 3.0)
    centre = centre_in(corners, rng)
    share = rng.normal(size=3) * (rng.random(3) < 0.8)
    share[rng.integers(2)] += 1.0
    torque = normal * size * share[2]
    if len(corners) == 1:  # a point bears what the force itself has about the centroid, and no more
        torque = normal * (centre[0] * share[1] - centre[1] * share[0])
    return wrench(normal, centre, normal * share[:2], torque)


@pytest.mark.parametrize("kind", KINDS)
def test_limits_are_those_of_highs(kind: str) -> None:
    """On sections of all kinds; HiGHS is exact to 1e-9 in the rows, which near a corner is more of the limit."""
    rng = np.random.default_rng(KINDS.index(kind))
    compared = 0
    for _ in range(250):
        corners, edges = section(kind, rng), int(rng.choice([3, 4, 7, 8, 16, 32]))
        loaded, friction = random_friction(corners, rng), rng.uniform(0.1, 1.5)
        found = limit(corners, len(corners), WORK, loaded, friction, edges)
        reference = highs_limit(corners, loaded, friction, edges)
        if reference > 1e-3 * friction:
            compared += 1
            assert found == pytest.approx(reference, rel=1e-6)
            sticks = [
                can_stick(corners, len(corners), WORK, scaled(loaded, s * reference), friction, edges)
                for s in (0.3, 0.999999, 1.000001)
            ]
            assert sticks == [True, True, False]
    assert compared > 200


def scaled(loaded, factor: float):
    (t1, t2, tn), (f1, f2, fn) = loaded
    return (t1, t2, factor * tn), (factor * f1, factor * f2, fn)


@pytest.mark.parametrize("kind", KINDS)
def test_pyramids_are_between_the_true_cone_and_its_apothem(kind: str) -> None:
    """Check 5, on all sections: cos(pi / P) <= P edges over true cone <= 1."""
    rng = np.random.default_rng(100 + KINDS.index(kind))
    for _ in range(250):
        corners, edges = section(kind, rng), int(rng.choice([3, 4, 8, 33, 256]))
        loaded, friction = random_friction(corners, rng), rng.uniform(0.1, 1.5)
        cone = limit(corners, len(corners), WORK, loaded, friction, 0)
        assert (
            cos(pi / edges) - 1e-7 <= limit(corners, len(corners), WORK, loaded, friction, edges) / cone <= 1.0 + 1e-7
        )


@pytest.mark.parametrize("kind", ["cloud", "rectangle", "line"])
def test_true_cone_is_a_linear_program_with_4096_edges(kind: str) -> None:
    rng = np.random.default_rng(200 + KINDS.index(kind))
    for _ in range(4):
        corners, friction = section(kind, rng)[:6], rng.uniform(0.1, 1.5)
        loaded = random_friction(corners, rng)
        cone = limit(corners, len(corners), WORK, loaded, friction, 0)
        assert highs_limit(corners, loaded, friction, 4096) == pytest.approx(cone, rel=1e-6)


@pytest.mark.parametrize("edges", [0, 3, 8, 256])
def test_search_ends_where_no_column_is_left(edges: int) -> None:
    """What is reached and its bound meet, on every section."""
    rng = np.random.default_rng(300 + edges)
    for k in range(1000):
        corners = section(KINDS[k % len(KINDS)], rng)
        p = press(corners, len(corners), WORK, wrench(1.0, centre_in(corners, rng), (0.0, 0.0), 0.0))
        direction = rng.normal(size=3) * (1.0, 1.0, len(corners) > 1)
        reached, bound = reach(p, WORK, tuple(direction / np.linalg.norm(direction)), edges, inf)
        assert 0.0 <= bound - reached <= 1e-9


@settings(max_examples=300, deadline=None)
@given(st.tuples(*[st.sampled_from([-1.0, -0.5, 0.0, 0.5, 1.0])] * 5), st.sampled_from([4, 8]))
def test_symmetric_wrenches_on_a_square_are_those_of_highs(shares: tuple[float, ...], edges: int) -> None:
    """Centres in the middle, on edges and on corners, and friction along edges and diagonals: many ties at once."""
    x, y, f1, f2, tn = shares
    if f1 == f2 == tn == 0.0:
        return
    centre = (HALF * (1.0 - 1e-3) * x, HALF * (1.0 - 1e-3) * y)
    loaded = wrench(WEIGHT, centre, (f1, f2), HALF * tn)
    reference = highs_limit(SQUARE, loaded, FRICTION, edges)
    assert limit(SQUARE, 4, WORK, loaded, FRICTION, edges) == pytest.approx(reference, rel=1e-7)


def test_line_bears_torque_by_its_ends() -> None:
    """Pressed in its middle: mu fn times half the length; beside a force along it, as by Pythagoras."""
    corners = np.array([[-0.1, 0.0], [0.1, 0.0]])
    loaded = wrench(2.0, (0.0, 0.0), (0.6, 0.0), 0.08)
    assert limit(corners, 2, WORK, loaded, 0.5, 0) == pytest.approx(1.0, abs=1e-9)
    assert limit(corners, 2, WORK, wrench(2.0, (0.0, 0.0), (0.0, 0.0), 0.3), 0.5, 8) == pytest.approx(1.0 / 3.0)


def test_point_is_asked_for_force_alone() -> None:
    corners = np.array([[0.02, 0.01]])
    for torque in (0.0, 5.0):
        assert limit(corners, 1, WORK, wrench(2.0, (0.3, 0.0), (0.3, 0.4), torque), 0.5, 0) == pytest.approx(2.0)
        assert can_stick(corners, 1, WORK, wrench(2.0, (0.3, 0.0), (0.3, 0.4), torque), 0.5, 8)
    assert not can_stick(corners, 1, WORK, wrench(2.0, (0.0, 0.0), (0.8, 0.8), 0.0), 0.5, 0)


def test_pressed_on_a_corner_rounding_does_not_make_it_slip() -> None:
    """There only a force of that corner is left; a torque about it of 1e-9 is noise."""
    corner = (HALF, HALF)
    for noise in (-1e-9, 0.0, 1e-9):
        torque = HALF * (0.2 - 0.3) * FORCE + noise * TORQUE
        loaded = wrench(WEIGHT, corner, (0.3 * FORCE, 0.2 * FORCE), torque)
        assert can_stick(SQUARE, 4, WORK, loaded, FRICTION, 8)
        assert not can_stick(SQUARE, 4, WORK, wrench(WEIGHT, corner, (0.3, 0.2), 0.01 * TORQUE), FRICTION, 8)


def test_without_pressure_nothing_sticks_and_without_friction_all_does() -> None:
    assert not can_stick(SQUARE, 4, WORK, ((0.0, 0.0, 0.0), (0.1, 0.0, 0.0)), FRICTION, 8)
    assert not can_stick(SQUARE, 4, WORK, ((0.0, 0.0, 0.0), (0.0, 0.0, -1.0)), FRICTION, 8)
    assert can_stick(SQUARE, 4, WORK, on_square(0.0, 0.0), FRICTION, 8)
