"""Motion on surfaces by calls of one inverse-dynamics routine (Nishiguchi, Lee, Minami, Yanou), for any tree.

The paper has one serial arm with one sliding point. Here are trees and floating bases, several points, surfaces that
move with bodies, friction that sticks, and points that can leave. Names are the paper's.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.constraint.surface.force import solve_points
from sesshoku.constraint.surface.point import Places, SurfacePoint, find_places
from sesshoku.constraint.surface.problem import Flags, PointProblem
from sesshoku.dynamics import Dynamics
from sesshoku.dynamics.dynamics import HasModel
from sesshoku.errors import DivergedError, ModelError, UnsupportedError
from sesshoku.model import Model

__all__ = ["NewtonEuler", "SurfaceMotion", "Terms"]

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Terms:
    """The equation of motion M v̇ + b = τ + Jᵀ f at one instant, from calls of INV.

    Attributes:
        places: the points.
        M: inertia matrix with rotors, and with dt D if damping is implicit, (nv, nv).
        b: Coriolis, centrifugal, gravity and damping forces, (nv,).
        J: generalised directions of unit forces along the axes of the places, (3k, nv): j_c, j_t, the other tangent's.
        d: J M⁻¹, (3k, nv), in which the rows of normals are the paper's dᵀ; C is divided by |dC/dr|, unlike there.
        a: d b less the acceleration of the points at zero v̇ [m/s²], (3k,).
    """

    places: Places
    M: Array
    b: Array
    J: Array
    d: Array
    a: Array


@dataclass(frozen=True)
class SurfaceMotion:
    """What happens at one instant, or over one step.

    Attributes:
        places: the points, then.
        acceleration: v̇, (nv,).
        normal_force: f_n on the points [N], (k,); positive pushes to the side where C > 0.
        friction_force: on the points, world axes [N], (k, 3).
        sticks: points held by friction, (k,).
        apart: points that have left, (k,).
    """

    places: Places
    acceleration: Array
    normal_force: Array
    friction_force: Array
    sticks: Flags
    apart: Flags


class NewtonEuler:
    """The motion of a scene whose points are held on surfaces.

    Simulated are inertia with rotors, gravity, viscous damping D and given forces τ. Joint limits, joint friction and
    collisions are not: use `Simulation` for those.

    Args:
        scene: what moves.
        points: what is held on surfaces.
        slip_speed: regularised friction: it grows with the slip up to about this speed [m/s]. 0: it sticks.
        unilateral: points leave when they would have to be pulled, and land again, without bouncing.
    """

    def __init__(
        self,
        scene: HasModel | Model,
        points: Sequence[SurfacePoint],
        *,
        slip_speed: float = 0.0,
        unilateral: bool = False,
    ) -> None:
        self.dynamics = Dynamics(scene)
        self.model = self.dynamics.model
        self.points = tuple(points)
        self.slip_speed, self.unilateral = slip_speed, unilateral
        _check(self.model, self.points)
        if not (np.isfinite(slip_speed) and slip_speed >= 0.0):
            raise ModelError(f"slip_speed is {slip_speed}", remedy="Give a finite number >= 0")
        self.friction = np.array([point.friction for point in self.points])
        # the force on each point, and its opposite on the body that carries the surface
        names = [point.frame for point in self.points] + [point.carrier or "world" for point in self.points]
        self._bodies = np.array([self.model.body(name) for name in names], dtype=np.int64)

    def places(self, q: ArrayLike, v: ArrayLike) -> Places:
        """Where the points are, and how they move relative to their surfaces."""
        return find_places(self.dynamics, self.points, np.asarray(q, dtype=float), np.asarray(v, dtype=float))

    def inverse(
        self, q: ArrayLike, v: ArrayLike, rates: ArrayLike, gravity: bool, forces: ArrayLike, position: Array
    ) -> Array:
        """INV, called once for each row of ``rates`` (m, nv) and ``forces`` (m, k, 3): generalised forces (m, nv).

        M v̇ + b − Jᵀ force, with damping, for forces [N] on the points at positions (k, 3) [m] in world axes; gravity on
        or off. The paper's arguments f_n and K, with directions ν and t frozen, are force = (ν − K t) f_n.
        """
        f = np.asarray(forces, dtype=float)
        pairs, positions = np.concatenate([f, -f], axis=1), np.concatenate([position, position])
        tau = self.dynamics.loaded_inverses(q, v, rates, self._bodies, positions, pairs, gravity=gravity)
        tau += self.model.damping * np.asarray(v, dtype=float)
        return tau

    def terms(self, q: ArrayLike, v: ArrayLike, dt: float = 0.0) -> Terms:
        """M, b and J by nv + 1 + 3k calls of INV (eqs. 32–35); damping over a step ``dt`` taken at its end."""
        if not (np.isfinite(q).all() and np.isfinite(v).all()):
            raise DivergedError("the motion on surfaces left the finite numbers. Take shorter steps.")
        places = self.places(q, v)
        k, nv = len(self.points), self.model.nv
        b = self.inverse(q, v, np.zeros((1, nv)), True, np.zeros((1, k, 3)), places.position)[0]
        M = self.inertia(q)
        M[np.diag_indices(nv)] += dt * self.model.damping
        J = self.directions(q, places, places.axes)
        d = np.asarray(np.linalg.solve(M, J.T).T, dtype=float)
        return Terms(places, M, b, J, d, d @ b - places.drift.reshape(-1))

    def inertia(self, q: ArrayLike) -> Array:
        """M (nv, nv) with rotors: column by column, nv calls of INV."""
        nv, none = self.model.nv, np.zeros((len(self.points), 3))
        return self.inverse(q, np.zeros(nv), np.eye(nv), False, np.zeros((nv, *none.shape)), none)

    def directions(self, q: ArrayLike, places: Places, axes: Array) -> Array:
        """Generalised directions (k m, nv) of unit forces along ``axes`` (k, m, 3), one call of INV each: j_c, j_t."""
        k, m, _ = axes.shape
        rest, loads = np.zeros(self.model.nv), np.zeros((k, m, k, 3))
        loads[range(k), :, range(k)] = -axes
        rates = np.zeros((k * m, self.model.nv))
        return self.inverse(q, rest, rates, False, loads.reshape(k * m, k, 3), places.position)

    def solve(
        self, q: ArrayLike, v: ArrayLike, tau: ArrayLike, *, baumgarte: tuple[float, float] = (0.0, 0.0)
    ) -> SurfaceMotion:
        """Forces and accelerations at this instant under generalised forces ``tau`` (nv,).

        Points keep d²C/dt² + 2α dC/dt + β² C = 0 for (α, β) = ``baumgarte`` [1/s]. A point at rest may stick.
        """
        terms = self.terms(q, v)
        places, (alpha, beta) = terms.places, baumgarte
        wanted = np.zeros_like(places.velocity)
        wanted[:, 0] = -2 * alpha * places.velocity[:, 0] - beta**2 * places.gap
        at_rest = np.linalg.norm(places.velocity[:, 1:], axis=1) < 1e-9
        return self.respond(terms, q, v, tau, wanted, at_rest)

    def respond(
        self, terms: Terms, q: ArrayLike, v: ArrayLike, tau: ArrayLike, wanted: Array, may_stick: Flags
    ) -> SurfaceMotion:
        """Forces that give points the accelerations wanted along their axes (k, 3), tangents only while they stick."""
        places, tau = terms.places, np.asarray(tau, dtype=float)
        free = (terms.d @ tau - terms.a).reshape(-1, 3)
        if not np.isfinite(free).all():
            raise DivergedError("forces on the surfaces left the finite numbers. Take shorter steps.")
        exact = may_stick & (self.slip_speed == 0.0) & (self.friction > 0.0)
        direction = places.slip_direction(self.slip_speed)
        found = solve_points(
            PointProblem(terms.d @ terms.J.T, free - wanted, self.friction, direction, exact, self.unilateral)
        )
        force = np.einsum("ka,kax->kx", found.force, places.axes)
        # the paper's last call: b_n = INV(q, q̇, 0, g, f_n, K), q̈ = M⁻¹(τ − b_n)
        b_n = self.inverse(q, v, np.zeros((1, self.model.nv)), True, force[None], places.position)[0]
        acceleration = np.asarray(np.linalg.solve(terms.M, tau - b_n), dtype=float)
        f_n = found.force[:, 0]
        return SurfaceMotion(places, acceleration, f_n, force - f_n[:, None] * places.normal, found.sticks, found.apart)

    def reactions(self, q: ArrayLike, v: ArrayLike, motion: SurfaceMotion) -> tuple[Array, Array]:
        """Force [N] and moment [N m] on each body through its joint, about the joint's origin, world axes, (n, 3) each.

        What the same recursion carries from body to body; along a joint's axis it is what drives it.
        """
        force = motion.normal_force[:, None] * motion.places.normal + motion.friction_force
        self.inverse(q, v, motion.acceleration[None], True, force[None], motion.places.position)
        return self.dynamics.joint_wrenches()


def _check(model: Model, points: Sequence[SurfacePoint]) -> None:
    """Refuse what would be silently wrong."""
    if not points:
        raise ModelError("no points are on surfaces", file=model.name, remedy="Give at least one SurfacePoint")
    for point in points:
        if model.body(point.frame) == model.body(point.carrier or "world"):
            element = f"point '{point.frame}'"
            raise ModelError("it cannot move on its surface", element=element, remedy="Give a frame of another body")
    unknown = {
        "joint springs": bool(model.stiffness.any()),
        "closed loops": len(model.loops.body) > 0,
        "coupled joints": bool((model.loops.leader >= 0).any()),
        "a medium": len(model.fluid_body) > 0,
        "carried weights": len(model.lift_body) > 0,
    }
    for what, there in unknown.items():
        if there:
            raise UnsupportedError(
                f"motion on surfaces knows no {what.removeprefix('a ')}",
                file=model.name,
                remedy="Remove them, or use Simulation with contacts",
            )
