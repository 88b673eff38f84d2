"""The law of one point: its projection, its residual, its linearisation against finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from sesshoku.contact.coulomb import (
    OPEN,
    SLIP,
    STICK,
    Linear,
    linearise,
    off,
    project,
    project_cone,
    split,
)

SMALL = 1e-6  # of finite differences

number = st.floats(-10.0, 10.0).map(lambda x: round(x, 6))
vector = st.tuples(number, number, number)
friction = st.floats(0.0, 2.0)
spacing = st.floats(0.01, 10.0)
normals = vector.filter(lambda a: np.linalg.norm(a) > 0.1).map(lambda a: tuple((a / np.linalg.norm(a)).tolist()))


def slope(line: Linear, n: tuple[float, ...], mu: float) -> np.ndarray:
    """The matrix A of a linearisation."""
    state, _, a, b, d = line
    if state == OPEN:
        return np.zeros((3, 3))
    if state == STICK:
        return a * np.eye(3)
    t = np.cross(n, d)
    return a * np.outer(np.add(n, np.multiply(mu, d)), n) + b * np.outer(t, t)


def far_from_kinks(n: tuple[float, ...], mu: float, r: tuple[float, ...], u: tuple[float, ...], h: float) -> bool:
    along, tangent = split(n, tuple(np.subtract(r, np.multiply(h, u)).tolist()))
    size = np.linalg.norm(tangent)
    return abs(along) > 1e-3 and abs(size - mu * along) > 1e-3 and size > 1e-3


@given(normals, friction, vector)
def test_projection_is_the_nearest_point_of_the_cone(n, mu, y) -> None:
    """Moreau: what is left over is normal to the projection and in the polar cone."""
    p = np.array(project_cone(n, mu, y))
    along, tangent = split(n, tuple(p.tolist()))
    assert np.linalg.norm(tangent) <= mu * along + 1e-12
    rest = np.subtract(y, p)
    assert rest @ p == pytest.approx(0.0, abs=1e-10)
    left, sideways = split(n, tuple(rest.tolist()))
    assert mu * np.linalg.norm(sideways) <= -left + 1e-12
    np.testing.assert_allclose(project_cone(n, mu, tuple(p.tolist())), p, atol=1e-12)


@given(normals, friction, vector, spacing, st.sampled_from(["open", "stick", "slip"]), st.floats(0.0, 10.0))
def test_residual_is_zero_where_the_law_holds(n, mu, x, h, state, size) -> None:
    _, tangent = split(n, x)
    assume(np.linalg.norm(tangent) > 0.1)  # else its direction is lost to rounding before the law sees it
    zero = np.zeros(3)
    r, u = {
        "open": (zero, np.add(np.multiply(size, n), tangent)),
        "stick": (np.array(project_cone(n, mu, x)), zero),
        "slip": (size * (np.array(n) - mu * np.array(tangent) / np.linalg.norm(tangent)), tangent),
    }[state]
    left = h * np.sqrt(off(n, mu, tuple(map(float, r)), tuple(map(float, u)), h))
    assert left <= 1e-12 * (1 + h) * (1 + np.linalg.norm(r) + np.linalg.norm(u)) * (1 + mu)


VIOLATIONS = {
    "pulls": ((-1.0, 0.0, 0.0), (0.0, 0.0, 0.0)),
    "penetrates": ((0.0, 0.0, 0.0), (-1.0, 0.0, 0.0)),
    "pushes what leaves": ((1.0, 0.0, 0.0), (1.0, 0.0, 0.0)),
    "outside the cone": ((1.0, 0.8, 0.0), (0.0, 0.0, 0.0)),
    "slips inside the cone": ((1.0, -0.3, 0.0), (0.0, 1.0, 0.0)),
    "friction along the slip": ((1.0, 0.5, 0.0), (0.0, 1.0, 0.0)),
    "friction across the slip": ((1.0, 0.0, 0.5), (0.0, 1.0, 0.0)),
    "lifts off while it slips": ((1.0, -0.5, 0.0), (0.5, 1.0, 0.0)),  # what convex relaxations do
}


@pytest.mark.parametrize(("r", "u"), VIOLATIONS.values(), ids=VIOLATIONS)
def test_residual_is_not_zero_where_the_law_is_broken(r, u) -> None:
    assert off((1.0, 0.0, 0.0), 0.5, r, u, 1.0) > 0.01


@given(normals, friction, vector, vector, spacing)
def test_residual_is_what_the_projection_changes(n, mu, r, u, h) -> None:
    """|r − P(r − h s)|/h, with De Saxcé's velocity."""
    _, slip = split(n, u)
    s = np.add(u, mu * np.linalg.norm(slip) * np.array(n))
    left = np.subtract(r, project_cone(n, mu, tuple((r - h * s).tolist())))
    assert np.sqrt(off(n, mu, r, u, h)) == pytest.approx(np.linalg.norm(left) / h, rel=1e-9, abs=1e-9 * (1 + 1 / h))


@given(normals, friction, vector, vector, spacing)
def test_derivative_of_the_projection(n, mu, r, u, h) -> None:
    assume(far_from_kinks(n, mu, r, u, h))
    line = project(n, mu, r, u, h)
    numeric = np.empty((3, 3))
    for k, step in enumerate(SMALL * np.eye(3)):
        ahead, behind = (project(n, mu, r, tuple((u + side * step).tolist()), h)[1] for side in (1, -1))
        numeric[:, k] = np.subtract(ahead, behind) / (2 * SMALL)
    scale = h * (1 + mu) * (1 + h)
    np.testing.assert_allclose(slope(line, n, mu), -numeric, atol=1e-4 * scale)


@given(normals, friction, vector, vector, spacing, st.floats(1e-3, 0.1), st.floats(0.0, 0.9), vector)
def test_newton_step_solves_its_linear_equation(n, mu, r, u, h, eps, share, du) -> None:
    """(1 + ε) dr = p − r + Dp (dr − h (du + γ dr)), Dp = A / h of the projection; an open point gives up at once."""
    assume(far_from_kinks(n, mu, r, u, h))
    projected = project(n, mu, r, u, h)
    derivative = slope(projected, n, mu) / h
    give = share / h
    line = linearise(n, mu, r, u, h, eps, give)
    assert line[0] == projected[0]
    dr = line[1] - slope(line, n, mu) @ du
    right = np.subtract(projected[1], r) + derivative @ (dr - np.multiply(h, du) - share * dr)
    damping = 0.0 if line[0] == OPEN else eps
    np.testing.assert_allclose((1 + damping) * dr, right, atol=1e-9 * (1 + np.abs(dr).max()))


@pytest.mark.parametrize(
    ("r", "u", "state"),
    [
        ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0), OPEN),
        ((1.0, 0.2, 0.0), (0.0, 0.0, 0.0), STICK),
        ((1.0, -0.5, 0.0), (0.0, 1.0, 0.0), SLIP),
    ],
)
def test_states_by_name(r, u, state) -> None:
    line = project((1.0, 0.0, 0.0), 0.5, r, u, 1.0)
    assert line[0] == state
    np.testing.assert_allclose(line[1], r, atol=1e-15)
