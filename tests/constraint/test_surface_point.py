"""Motion of points relative to surfaces, against differences in time of the gap and of the place in the carrier."""

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.constraint import Surface, SurfacePoint
from sesshoku.constraint.surface.point import find_places
from sesshoku.papers.newton_euler.instant import chain


def two_chains():
    scene = chain(1)
    other = chain(2)
    scene.include(other, prefix="b_", position=(0.5, 0.2, 0.1))
    return scene


SURFACE = Surface.sphere((0.3, 0.1, -2.0), 2.0)


@pytest.mark.parametrize(("frame", "carrier"), [("tip", None), ("tip", "b_tip"), ("world", "b_tip")])
def test_velocity_and_drift_are_derivatives_in_time(frame, carrier):
    scene = two_chains()
    dynamics = sk.Dynamics(scene)
    point = SurfacePoint(frame, SURFACE, carrier=carrier)
    rng = np.random.default_rng(0)
    q, v = rng.normal(size=(2, 10))
    h = 1e-4

    def local(time):
        there = dynamics.integrate(q, v, time)
        return dynamics.pose(carrier or "world", there).inverse().apply(dynamics.pose(frame, there).position)

    places = find_places(dynamics, [point], q, v)
    turn = dynamics.pose(carrier or "world", q).rotation
    x, axes = [local(n * h) for n in (-1, 0, 1)], places.axes[0]
    np.testing.assert_allclose(axes @ axes.T, np.eye(3), atol=1e-12)
    np.testing.assert_allclose(places.velocity[0], axes @ turn @ (x[2] - x[0]) / (2 * h), atol=1e-6)
    second = axes @ turn @ (x[2] - 2 * x[1] + x[0]) / h**2
    np.testing.assert_allclose(places.drift[0, 1:], second[1:], atol=1e-5)
    size = np.linalg.norm(SURFACE.gradient(x[1]))
    gaps = np.array([SURFACE.value(r) for r in x]) / size
    assert places.gap[0] == pytest.approx(gaps[1], rel=1e-12)
    assert places.drift[0, 0] == pytest.approx((gaps[2] - 2 * gaps[1] + gaps[0]) / h**2, abs=1e-5)
    assert places.velocity[0, 1] > 0  # the first tangent is along the slip
    assert places.velocity[0, 2] == pytest.approx(0, abs=1e-12)
    np.testing.assert_allclose(places.local[0], x[1], atol=1e-12)
    before = find_places(dynamics, [point], dynamics.integrate(q, v, -h), v)
    np.testing.assert_allclose(places.moved(before)[0], axes @ turn @ (x[1] - x[0]), atol=1e-12)


def test_jacobian_rate_is_a_difference():
    """J̇ v against central differences of J, to 1e-7."""
    dynamics = sk.Dynamics(chain(3))
    q, v = np.random.default_rng(1).normal(size=(2, 5))
    h = 1e-5
    ahead, behind = (dynamics.jacobian("tip", dynamics.integrate(q, v, s * h)) for s in (1, -1))
    np.testing.assert_allclose(dynamics.drift("tip", q, v), (ahead - behind) @ v / (2 * h), atol=1e-7)


def test_slip_direction_is_regularised_and_zero_at_rest():
    dynamics = sk.Dynamics(chain(1))
    point = SurfacePoint("tip", SURFACE)
    q, v = np.random.default_rng(0).normal(size=(2, 5))
    moving = find_places(dynamics, [point], q, v)
    speed = np.linalg.norm(moving.velocity[0, 1:])
    np.testing.assert_allclose(moving.slip_direction(), [[1, 0]], atol=1e-12)
    assert moving.slip_direction(speed)[0, 0] == pytest.approx(np.sqrt(0.5))
    np.testing.assert_array_equal(find_places(dynamics, [point], q, 0 * v).slip_direction(), [[0, 0]])


def test_a_gradient_that_vanishes_is_refused():
    dynamics = sk.Dynamics(chain(1))
    flat = Surface(lambda r: 0.0, lambda r: np.zeros(3), lambda r: np.zeros((3, 3)))
    with pytest.raises(sk.SurfaceError, match="does not vanish"):
        find_places(dynamics, [SurfacePoint("tip", flat)], np.zeros(5), np.zeros(5))
