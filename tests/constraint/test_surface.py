"""Surfaces: their shapes, and derivatives that are checked when they are made."""

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.constraint import Surface


def test_plane_is_a_signed_distance():
    surface = Surface.plane((0, 0, 2), (0, 3, 4))
    assert surface.value(np.array([5.0, 3.0, 6.0])) == pytest.approx(0.6 * 3 + 0.8 * 4)
    np.testing.assert_allclose(surface.gradient(np.zeros(3)), (0, 0.6, 0.8))


@pytest.mark.parametrize("inside", [False, True])
def test_round_surfaces_vanish_on_their_radius_with_unit_gradients_to_the_free_side(inside):
    rng = np.random.default_rng(1)
    out = rng.normal(size=3)
    out /= np.linalg.norm(out)
    centre = np.array([1.0, 2.0, 3.0])
    sphere = Surface.sphere(centre, 0.5, inside=inside)
    side = -1 if inside else 1
    assert sphere.value(centre + 0.5 * out) == pytest.approx(0, abs=1e-15)
    np.testing.assert_allclose(sphere.gradient(centre + 0.5 * out), side * out, atol=1e-15)
    assert side * sphere.value(centre + 0.6 * out) > 0

    cylinder = Surface.cylinder(centre, (0, 0, 7), 0.5, inside=inside)
    across = np.array([0.6, 0.8, 0.0])
    for height in (-3.0, 2.0):
        r = centre + 0.5 * across + np.array([0, 0, height])
        assert cylinder.value(r) == pytest.approx(0, abs=1e-15)
        np.testing.assert_allclose(cylinder.gradient(r), side * across, atol=1e-15)


def wave(x, y):
    return 0.1 * np.sin(3 * x) * np.cos(2 * y)


def wave_slope(x, y):
    return 0.3 * np.cos(3 * x) * np.cos(2 * y), -0.2 * np.sin(3 * x) * np.sin(2 * y)


def wave_curvature(x, y):
    mixed = -0.6 * np.cos(3 * x) * np.sin(2 * y)
    return [[-0.9 * np.sin(3 * x) * np.cos(2 * y), mixed], [mixed, -0.4 * np.sin(3 * x) * np.cos(2 * y)]]


def test_height_function():
    ground = Surface.height(wave, wave_slope, wave_curvature)
    assert ground.value(np.array([0.2, 0.3, wave(0.2, 0.3) + 0.01])) == pytest.approx(0.01)


def test_wrong_derivatives_are_refused():
    with pytest.raises(sk.SurfaceError, match=r"gradient differs by .* Correct the gradient"):
        Surface.height(wave, lambda x, y: (0.3 * np.cos(3 * x), 0.0), wave_curvature)
    with pytest.raises(sk.SurfaceError, match="Hessian differs"):
        Surface.height(wave, wave_slope, lambda x, y: np.zeros((2, 2)))
    with pytest.raises(sk.SurfaceError, match="Hessian differs"):  # by a millionth: no rough comparison
        Surface.height(wave, wave_slope, lambda x, y: 1.00001 * np.array(wave_curvature(x, y)))
    with pytest.raises(sk.SurfaceError, match="shape"):
        Surface(lambda r: r[2], lambda r: np.ones(2), lambda r: np.zeros((3, 3)))
    with pytest.raises(sk.SurfaceError, match="gradient differs by nan"):
        Surface(lambda r: np.nan, lambda r: np.ones(3), lambda r: np.zeros((3, 3)))


def test_any_function_near_where_it_is_defined():
    """ln z is not defined at the origin, but is where the point moves."""
    functions = (
        lambda r: float(np.log(r[2])),
        lambda r: np.array([0, 0, 1 / r[2]]),
        lambda r: np.diag([0, 0, -1 / r[2] ** 2]),
    )
    Surface(*functions, near=(0, 0, 1), size=0.3)
    with np.errstate(invalid="ignore"), pytest.raises(sk.SurfaceError, match="near and size"):
        Surface(*functions)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Surface.plane(normal=(0, 0, 0)),
        lambda: Surface.plane(point=(0, np.nan, 0)),
        lambda: Surface.sphere((0, 0, 0), 0.0),
        lambda: Surface.cylinder((0, 0), (0, 0, 1), 1.0),
    ],
)
def test_shapes_that_are_none_are_refused(make):
    with pytest.raises(sk.SurfaceError, match="Give"):
        make()
