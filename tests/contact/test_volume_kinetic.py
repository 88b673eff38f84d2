"""Friction of a patch that slips: check 8 and the linear program of check 9 of paper 3."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import nnls

from patches import HALF, KINDS, SQUARE, basis, centre_in, highs, section, size_of, wrench
from sesshoku.contact.volume.kinetic import kinetic
from sesshoku.contact.volume.patch import centre_of_pressure

FRICTION = 0.3
WORK = basis()


def unit_friction(corners: np.ndarray, slip: np.ndarray) -> np.ndarray:
    """(n, 3) of f1, f2, tn of a unit force against the velocity of each corner."""
    v = np.column_stack([slip[0] - slip[2] * corners[:, 1], slip[1] + slip[2] * corners[:, 0]])
    t = -v / np.maximum(1e-12, np.hypot(*v.T))[:, None]
    return np.column_stack([t, corners[:, 0] * t[:, 1] - corners[:, 1] * t[:, 0]])


def friction_of(corners: np.ndarray, loaded, slip: np.ndarray) -> np.ndarray:
    """f1, f2, tn by the kernel, for a slip (v1, v2, wn)."""
    moment, force = kinetic(corners, len(corners), WORK, loaded, ((0.0, 0.0, slip[2]), (*slip[:2], 0.0)), FRICTION)
    return np.array([force[0], force[1], moment[2]])


def case(kind: str, rng: np.random.Generator):
    """Section, normal force, centre, friction that would stick and slip; of both some components nought."""
    corners = section(kind, rng)
    size, normal = size_of(corners), 10.0 ** rng.uniform(-1.0, 2.0)
    scale = np.array([1.0, 1.0, size])
    wanted = FRICTION * normal * scale * rng.normal(size=3) * (rng.random(3) < 0.6)
    slip = rng.normal(size=3) / scale * (rng.random(3) < 0.6)
    return corners, normal, centre_in(corners, rng), wanted, slip, scale


@pytest.mark.parametrize("kind", KINDS)
def test_friction_never_drives_the_slip(kind: str) -> None:
    """Check 8: the power is negative, by at least the slowest corner and at most the fastest (check 9: the sign)."""
    rng = np.random.default_rng(KINDS.index(kind))
    for _ in range(300):
        corners, normal, centre, wanted, slip, _ = case(kind, rng)
        found = friction_of(corners, wrench(normal, centre, wanted[:2], wanted[2]), slip)
        speed = np.hypot(slip[0] - slip[2] * corners[:, 1], slip[1] + slip[2] * corners[:, 0])
        power = found @ slip / (FRICTION * normal)
        assert -speed.max() * (1.0 + 1e-9) <= power <= -speed.min() * (1.0 - 1e-9)


@pytest.mark.parametrize("kind", KINDS)
def test_loads_are_those_of_highs(kind: str) -> None:
    """The friction is one that corners with these normal force and centre can have, and the best but for 1e-5."""
    rng = np.random.default_rng(100 + KINDS.index(kind))
    for _ in range(150):
        corners, normal, centre, wanted, slip, scale = case(kind, rng)
        found = friction_of(corners, wrench(normal, centre, wanted[:2], wanted[2]), slip) / (FRICTION * normal * scale)
        share = wanted / (FRICTION * normal * scale)
        if len(corners) == 1:
            scale = np.ones(3)
            found *= [1.0, 1.0, size_of(corners)]
            share = wanted / (FRICTION * normal)
        weight = share / (share**2 + 0.05**2)
        unit = unit_friction(corners, slip) / scale
        rows = np.column_stack([np.ones(len(corners)), corners / size_of(corners)]).T
        right = np.array([1.0, *np.array(centre) / size_of(corners)])
        assert weight @ found == pytest.approx(highs(unit @ weight, rows, right), abs=2e-5)
        assert nnls(np.vstack([rows, unit.T]), np.array([*right, *found]))[1] < 1e-9


@pytest.mark.parametrize("kind", KINDS)
def test_noise_in_a_component_that_is_nought_changes_nothing(kind: str) -> None:
    """Check 8: of 1e-9, of either sign; also where corners that mirror each other are equally good."""
    rng = np.random.default_rng(200 + KINDS.index(kind))
    for _ in range(300):
        corners, normal, centre, wanted, slip, scale = case(kind, rng)
        noise = 1e-9 * FRICTION * normal * scale * (wanted == 0.0)
        up, down = (
            friction_of(corners, wrench(normal, centre, (wanted + s * noise)[:2], (wanted + s * noise)[2]), slip)
            for s in (1.0, -1.0)
        )
        np.testing.assert_allclose(up, down, atol=1e-6 * FRICTION * normal * scale.max(), rtol=0.0)


def test_printed_weights_let_noise_decide() -> None:
    """Why the weights are not 1 / x: there the sign of 1e-9 changes the friction by a tenth of the largest."""
    slip = np.array([0.3, 0.1, 8.0])
    unit, rows = unit_friction(SQUARE, slip), np.column_stack([np.ones(4), SQUARE / HALF]).T
    wanted, forces = np.array([-1.0, 0.0, -0.03]), []
    for noise in (1e-9, -1e-9):
        weight = 1.0 / (wanted + np.array([0.0, noise, 0.0]))
        best = highs(unit @ weight, rows, np.array([1.0, 0.0, 0.0]))
        forces.append(best / weight[1])  # all but the component of the noise is too small to tell
    assert abs(forces[0] - forces[1]) > 0.1


@pytest.mark.parametrize("kind", KINDS)
def test_normal_force_and_centre_of_pressure_stay(kind: str) -> None:
    rng = np.random.default_rng(300 + KINDS.index(kind))
    for _ in range(50):
        corners, normal, centre, wanted, slip, _ = case(kind, rng)
        loaded = wrench(normal, centre, wanted[:2], wanted[2])
        found = kinetic(corners, len(corners), WORK, loaded, ((0.0, 0.0, slip[2]), (*slip[:2], 0.0)), FRICTION)
        assert found[1][2] == normal
        assert centre_of_pressure(found) == pytest.approx(centre, abs=1e-12 * size_of(corners))


@pytest.mark.parametrize("ratio", [0.3, 1.0, 3.0])
def test_square_that_slides_and_spins_is_not_pushed_sideways(ratio: float) -> None:
    """By mirror symmetry; two opposite corners, which are as good for the linear program, have up to 0.28 sideways."""
    slip = np.array([1.0, 0.0, ratio / HALF])
    found = friction_of(SQUARE, wrench(5.0, (0.0, 0.0), (-1.0, 0.0), -0.05), slip) / (5.0 * FRICTION)
    assert abs(found[1]) < 1e-12
    np.testing.assert_allclose(found, unit_friction(SQUARE, slip).mean(axis=0), atol=1e-12)
    two = unit_friction(SQUARE[::2], slip).mean(axis=0)
    np.testing.assert_allclose(two[[0, 2]], found[[0, 2]], atol=1e-12)
    assert abs(two[1]) > 0.05


@pytest.mark.parametrize("kind", ["rectangle", "regular", "triangle", "line"])
def test_first_corner_does_not_matter(kind: str) -> None:
    """Though many corners are equally good; on general sections loads may differ where one is worse by 1e-5."""
    rng = np.random.default_rng(400 + KINDS.index(kind))
    for _ in range(200):
        corners, normal, centre, wanted, slip, scale = case(kind, rng)
        moved = np.ascontiguousarray(np.roll(corners, int(rng.integers(len(corners))), axis=0))
        loaded = wrench(normal, centre, wanted[:2], wanted[2])
        found, again = friction_of(corners, loaded, slip) / scale, friction_of(moved, loaded, slip) / scale
        np.testing.assert_allclose(again, found, atol=1e-6 * FRICTION * normal, rtol=0.0)


def test_straight_slip_has_all_friction_against_it() -> None:
    loaded = wrench(5.0, (0.02, 0.01), (1.0, 2.0), 0.3)
    moment, force = kinetic(SQUARE, 4, WORK, loaded, ((0.3, 0.2, 0.0), (0.3, -0.4, 9.0)), FRICTION)
    assert force[:2] == pytest.approx((-0.6 * 1.5, 0.8 * 1.5))
    assert moment[2] == pytest.approx(0.02 * 1.2 + 0.01 * 0.9)


def test_spin_about_the_middle_has_the_torque_of_the_corners() -> None:
    found = friction_of(SQUARE, wrench(5.0, (0.0, 0.0), (0.0, 0.0), -1.0), np.array([0.0, 0.0, 2.0]))
    np.testing.assert_allclose(found, [0.0, 0.0, -1.5 * HALF * np.sqrt(2.0)], atol=1e-12)


def test_at_rest_and_without_pressure_there_is_none() -> None:
    np.testing.assert_array_equal(friction_of(SQUARE, wrench(5.0, (0.0, 0.0), (1.0, 0.0), 0.1), np.zeros(3)), 0.0)
    nothing = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    assert (
        kinetic(SQUARE, 4, WORK, ((0.1, 0.0, 0.0), (1.0, 0.0, 0.0)), ((0.0, 0.0, 1.0), (1.0, 0.0, 0.0)), 0.3) == nothing
    )
