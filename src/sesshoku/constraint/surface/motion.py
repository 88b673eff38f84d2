"""Motion on surfaces over time: steps, and what keeps points on their surfaces in spite of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.constraint.surface.newton_euler import NewtonEuler, SurfaceMotion
from sesshoku.constraint.surface.problem import MOVABLE, Flags, symmetric_inverse
from sesshoku.errors import ModelError, OffSurfaceError, RankError

__all__ = ["SurfaceIntegrator", "SurfaceRun", "Torque"]

Array = NDArray[np.float64]
Torque = Callable[[float, Array, Array], ArrayLike]  # generalised forces (nv,) of time [s], q and v
ON: Final = 1e-9  # as near as a start must be [m, m/s]
CLOSE: Final = 1e-13  # where projection ends [m]
ROUNDS: Final = 20  # of it, at most


@dataclass(frozen=True)
class SurfaceRun:
    """A motion, one row for each step, the first one the start; forces are those of the step that begins there.

    Attributes:
        time: [s], (m + 1,).
        q, v: (m + 1, nq) and (m + 1, nv).
        gap: C of each point, the distance to first order [m], (m + 1, k).
        normal_force: [N], (m, k).
        friction_force: on the points, world axes [N], (m, k, 3).
        sticks, apart: (m, k).
    """

    time: Array
    q: Array
    v: Array
    gap: Array
    normal_force: Array
    friction_force: Array
    sticks: Flags
    apart: Flags


@dataclass(frozen=True)
class SurfaceIntegrator:
    """Steps of motion on surfaces.

    ``semi_implicit`` takes damping at the end of the step (M + dt D for M), so that it never limits the step, and
    friction that sticks. ``rk4`` is of fourth order in joints of one degree; its damping and friction limit the step.

    Attributes:
        method: what moves, and where.
        dt: [s].
        integrator: ``semi_implicit`` or ``rk4``.
        projection: bring points back to their surfaces, and velocities of bilateral ones into them, after each step.
        baumgarte: α, β [1/s] of d²C/dt² + 2α dC/dt + β² C = 0; ``semi_implicit`` takes dC/dt to zero anyway.
    """

    method: NewtonEuler
    dt: float
    integrator: Literal["semi_implicit", "rk4"] = "semi_implicit"
    projection: bool = True
    baumgarte: tuple[float, float] = (0.0, 0.0)

    def __post_init__(self) -> None:
        if self.integrator not in ("semi_implicit", "rk4"):
            raise ModelError(f"no integrator '{self.integrator}'", remedy="Give semi_implicit or rk4")
        if not (np.isfinite(self.dt) and self.dt > 0.0):
            raise ModelError(f"dt is {self.dt}", remedy="Give a finite number > 0")
        sharp = self.method.slip_speed == 0.0 and self.method.friction.any()
        if self.integrator == "rk4" and (sharp or self.method.unilateral):
            raise ModelError(
                "rk4 needs smooth forces", remedy="Regularise friction by slip_speed, or use semi_implicit"
            )

    def run(self, q: ArrayLike, v: ArrayLike, tau: Torque, duration: float) -> SurfaceRun:
        """The motion from q and v, which must be on the surfaces, for a time [s] in whole steps."""
        q, v = np.array(q, dtype=float), np.array(v, dtype=float)
        self.check_start(q, v)
        count = round(duration / self.dt)
        states, motions = [(q, v)], list[SurfaceMotion]()
        for m in range(count):
            q, v, motion = self.step(m * self.dt, q, v, tau)
            states.append((q, v))
            motions.append(motion)
        return SurfaceRun(
            np.array([m * self.dt for m in range(count + 1)]),
            np.array([q for q, _ in states]),
            np.array([v for _, v in states]),
            np.array([*(motion.places.gap for motion in motions), self.method.places(q, v).gap]),
            np.array([motion.normal_force for motion in motions]),
            np.array([motion.friction_force for motion in motions]),
            np.array([motion.sticks for motion in motions]),
            np.array([motion.apart for motion in motions]),
        )

    def step(self, time: float, q: Array, v: Array, tau: Torque) -> tuple[Array, Array, SurfaceMotion]:
        """q and v a step later, and the motion at its start (``rk4``) or over it."""
        q, v, motion = (self._rk4 if self.integrator == "rk4" else self._semi_implicit)(time, q, v, tau)
        if self.projection:
            q, tangent = self.project(q, v, motion)
            # what a point that lands still has of its speed is for the force of the next step
            v = v if self.method.unilateral else tangent
        return q, v, motion

    def check_start(self, q: Array, v: Array) -> None:
        """Refuse a start off the surfaces, or leaving them; on one side it is no fault of unilateral points."""
        places = self.method.places(q, v)
        free_side = self.method.unilateral & (places.gap > ON)
        off = np.where(free_side, 0.0, np.abs(places.gap))
        leaving = np.where(self.method.unilateral, 0.0, np.abs(places.velocity[:, 0]))
        for amount, unit, what in ((off, "m", "off its surface"), (leaving, "m/s", "moving off its surface")):
            if amount.max() > ON:
                i = int(amount.argmax())
                raise OffSurfaceError(
                    f"it starts {amount[i]:.3g} {unit} {what}",
                    element=f"point '{self.method.points[i].frame}'",
                    remedy="Begin with q, v = integrator.project(q, v)",
                )

    def project(self, q: ArrayLike, v: ArrayLike, after: SurfaceMotion | None = None) -> tuple[Array, Array]:
        """The nearest q and v, as inertia measures it, with C = 0 and dC/dt = 0.

        So velocities change as in an impact without bouncing, which never adds energy. ``after`` a step points that
        have left stay free above their surfaces, and those that stuck are put back to where they were, else they creep.
        """
        method, none = self.method, np.zeros(len(self.method.points), dtype=bool)
        q, v = np.array(q, dtype=float), np.array(v, dtype=float)
        held, sticks = (~none, none) if after is None else (~after.apart, after.sticks)
        weight = np.asarray(np.linalg.inv(method.inertia(q)), dtype=float)
        for _ in range(ROUNDS):
            places = method.places(q, v)
            held = held | (places.gap < 0.0)
            J = method.directions(q, places, places.axes).reshape(-1, 3, len(v))
            j_c, j_t = J[held, 0], J[sticks, 1:].reshape(-1, len(v))
            back = _back(j_c, j_t, weight)
            moved = np.zeros(0) if after is None else places.moved(after.places)[sticks, 1:].reshape(-1)
            change = -back(places.gap[held], moved)
            error = np.abs(places.gap[held]).max(initial=0.0)
            if error < CLOSE and np.abs(change).max() < CLOSE:
                break
            q = method.dynamics.integrate(q, change)
        if not error < ON:
            remedy = "Start nearer, with the arm bent, or take shorter steps"
            raise RankError("the points do not come onto their surfaces", remedy=remedy)
        return q, v - back(j_c @ v, j_t @ v)

    def _semi_implicit(self, time: float, q: Array, v: Array, tau: Torque) -> tuple[Array, Array, SurfaceMotion]:
        """v += dt v̇, then q += dt v, with M + dt D for M and points held by the velocity they end the step with."""
        method, dt = self.method, self.dt
        terms = method.terms(q, v, dt)
        places = terms.places
        # Held points end the step at rest, which projection completes. Without it they are held by their way instead,
        # by ṙ + ½ dt r̈ on the average: so they go astray by dt³ only.
        wanted = (0.0 if self.projection else 0.5) * places.drift - places.velocity / dt
        wanted[:, 0] -= self.baumgarte[1] ** 2 * places.gap
        if method.unilateral:
            wanted[:, 0] -= np.maximum(places.gap, 0.0) / dt**2
        motion = method.respond(terms, q, v, tau(time, q, v), wanted, np.ones(len(method.points), dtype=bool))
        v = v + dt * motion.acceleration
        return method.dynamics.integrate(q, v, dt), v, motion

    def _rk4(self, time: float, q: Array, v: Array, tau: Torque) -> tuple[Array, Array, SurfaceMotion]:
        """The classic four stages, forces found anew in each."""
        method, dt = self.method, self.dt
        motions, speeds = list[SurfaceMotion](), list[Array]()
        for share in (0.0, 0.5, 0.5, 1.0):
            here, speed = q, v
            if motions:
                here = method.dynamics.integrate(q, speeds[-1], share * dt)
                speed = v + share * dt * motions[-1].acceleration
            force = tau(time + share * dt, here, speed)
            motions.append(method.solve(here, speed, force, baumgarte=self.baumgarte))
            speeds.append(speed)
        weights = np.array([1.0, 2.0, 2.0, 1.0]) / 6
        q = method.dynamics.integrate(q, weights @ np.array(speeds), dt)
        return q, v + dt * weights @ np.array([motion.acceleration for motion in motions]), motions[0]


def _back(j_c: Array, j_t: Array, weight: Array) -> Callable[[Array, Array], Array]:
    """The least motion, as the inverse of ``weight`` measures it, for given motions along normals and tangents.

    Normals come first: what they take is not there for tangents. Redundant rows share.
    """
    across = weight @ j_c.T
    normal = across @ symmetric_inverse(j_c @ across)
    left = weight - normal @ across.T
    least = MOVABLE * float(np.einsum("ij,jk,ik->", j_t, weight, j_t)) if len(j_t) else 0.0
    tangent = left @ j_t.T @ symmetric_inverse(j_t @ left @ j_t.T, least)

    def motion(along: Array, across: Array) -> Array:
        first = normal @ along
        moved: Array = first + tangent @ (across - j_t @ first)
        return moved

    return motion
