"""Surfaces C(r) = 0 that a point is held on: a function with its gradient and Hessian, and those of common shapes."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.errors import SurfaceError

__all__ = ["Surface"]

Array = NDArray[np.float64]
STEP: Final = 1e-5  # of central differences, in units of `size`: truncation and rounding both near 1e-10
ACCURACY: Final = 1e-6  # to which given derivatives must agree with differences, relative to the largest entry
SAMPLES: Final = 5  # places where they are compared


@dataclass(frozen=True)
class Surface:
    """Where C(r) = 0. The gradient points to the side where C > 0: a normal force f_n > 0 pushes to that side.

    Derivatives are compared with central differences when it is made, at places within ``size`` of ``near``.

    Attributes:
        value: C(r), of a place (3,) [m]; any unit.
        gradient: dC/dr (3,).
        hessian: d²C/dr² (3, 3).
        near: a place about which the functions are defined [m].
        size: how far from there they are compared [m].
    """

    value: Callable[[Array], float]
    gradient: Callable[[Array], Array]
    hessian: Callable[[Array], Array]
    near: tuple[float, float, float] = (0.0, 0.0, 0.0)
    size: float = 1.0

    def __post_init__(self) -> None:
        offsets = np.random.default_rng(0).uniform(-1.0, 1.0, (SAMPLES, 3))
        for r in np.asarray(self.near) + self.size * offsets:
            self._compare(r, "gradient", self.gradient(r), lambda x: np.asarray(self.value(x)), (3,))
            self._compare(r, "Hessian", self.hessian(r), self.gradient, (3, 3))

    def _compare(
        self, r: Array, what: str, given: Array, function: Callable[[Array], Array], shape: tuple[int, ...]
    ) -> None:
        """Refuse a derivative at r that is not the one of ``function``."""
        given = np.asarray(given, dtype=float)
        if given.shape != shape:
            raise SurfaceError(f"its {what} has shape {given.shape}", element="surface", remedy=f"Give {shape}")
        steps = STEP * self.size * np.eye(3)
        slopes = [(np.asarray(function(r + e)) - np.asarray(function(r - e))) / (2 * STEP * self.size) for e in steps]
        error = np.abs(given - np.stack(slopes, axis=-1)).max()
        scale = np.abs(given).max() + np.abs(np.asarray(function(r))).max() / self.size
        if not error <= ACCURACY * scale + np.finfo(float).tiny:
            place = ", ".join(f"{x:.4g}" for x in r)
            raise SurfaceError(
                f"its {what} differs by {error:.2g} from central differences at ({place})",
                element="surface",
                remedy=f"Correct the {what}, or give near and size where the functions are smooth",
            )

    @staticmethod
    def plane(point: ArrayLike = (0.0, 0.0, 0.0), normal: ArrayLike = (0.0, 0.0, 1.0)) -> Surface:
        """Through ``point`` [m]; ``normal`` of any length points to the free side."""
        at, n = _place(point, "point"), _direction(normal, "normal")
        return Surface(lambda r: float(n @ (r - at)), lambda r: n, lambda r: np.zeros((3, 3)))

    @staticmethod
    def sphere(centre: ArrayLike, radius: float, *, inside: bool = False) -> Surface:
        """About ``centre`` [m]; the free side is out of it, or ``inside``. C = (|r − c|² − R²)/2R."""
        return _round(_place(centre, "centre"), np.eye(3), radius, inside)

    @staticmethod
    def cylinder(point: ArrayLike, axis: ArrayLike, radius: float, *, inside: bool = False) -> Surface:
        """About the line through ``point`` [m] along ``axis``; the free side is out of it, or ``inside``."""
        along = _direction(axis, "axis")
        return _round(_place(point, "point"), np.eye(3) - np.outer(along, along), radius, inside)

    @staticmethod
    def height(
        value: Callable[[float, float], float],
        gradient: Callable[[float, float], ArrayLike],
        hessian: Callable[[float, float], ArrayLike],
        *,
        near: tuple[float, float] = (0.0, 0.0),
        size: float = 1.0,
    ) -> Surface:
        """Ground of height z = h(x, y) [m], with gradient (2,) and Hessian (2, 2); the free side is above it."""

        def slope(r: Array) -> Array:
            return np.append(-np.asarray(gradient(r[0], r[1]), dtype=float), 1.0)

        def curvature(r: Array) -> Array:
            return np.pad(-np.asarray(hessian(r[0], r[1]), dtype=float), (0, 1))

        return Surface(lambda r: float(r[2] - value(r[0], r[1])), slope, curvature, (*near, 0.0), size)


def _round(centre: Array, across: Array, radius: float, inside: bool) -> Surface:
    """|across (r − c)| = R, for a projector ``across``: all of space for a sphere, off the axis for a cylinder."""
    if not (np.isfinite(radius) and radius > 0.0):
        raise SurfaceError(f"its radius is {radius}", element="surface", remedy="Give a finite radius > 0")
    sign = -1.0 if inside else 1.0

    def value(r: Array) -> float:
        x = across @ (r - centre)
        return float(sign * (x @ x - radius**2) / (2 * radius))

    hessian = sign * across / radius
    at = (float(centre[0]), float(centre[1]), float(centre[2]))
    return Surface(value, lambda r: hessian @ (r - centre), lambda r: hessian, at, radius)


def _place(x: ArrayLike, name: str) -> Array:
    found = np.array(x, dtype=float)
    if found.shape != (3,) or not np.isfinite(found).all():
        raise SurfaceError(f"its {name} is {found.tolist()}", element="surface", remedy="Give three finite numbers")
    return found


def _direction(x: ArrayLike, name: str) -> Array:
    found = _place(x, name)
    length = float(np.linalg.norm(found))
    if length < 1e-12:
        raise SurfaceError(f"its {name} has no direction", element="surface", remedy="Give a vector that is not zero")
    found /= length
    return found
