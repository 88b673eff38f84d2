"""Dynamics for users: numpy arrays in, numpy arrays out, one method for each quantity of textbooks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.dynamics import entry
from sesshoku.dynamics.system import System
from sesshoku.errors import SesshokuError
from sesshoku.model import Frame, Model
from sesshoku.spatial.pose import Pose

__all__ = ["Dynamics", "Energy"]

Array = NDArray[np.float64]


class HasModel(Protocol):
    """A scene, or whatever else has a model."""

    @property
    def model(self) -> Model:
        """What is simulated."""


@dataclass(frozen=True)
class Energy:
    """Kinetic energy with rotors, and potential energy of gravity and joint springs [J]."""

    kinetic: float
    potential: float

    @property
    def total(self) -> float:
        """Their sum [J]."""
        return self.kinetic + self.potential


class Dynamics:
    """The rigid-body dynamics of a scene: gravity and rotor inertia, but no contact, actuators, springs or dampers.

    Arguments ``q`` (nq,) and ``v`` (nv,) are coordinates and velocities. Linear parts come before angular ones, in
    world axes. Each call computes from its arguments alone. Not safe to share between threads: make one for each.
    """

    def __init__(self, scene: HasModel | Model) -> None:
        self.model = scene if isinstance(scene, Model) else scene.model
        self.system = System(self.model)
        self._address = self.system.address

    def inertia_matrix(self, q: ArrayLike) -> Array:
        """M (nv, nv), with rotor inertia on its diagonal."""
        self._set(q)
        out = np.zeros((self.model.nv, self.model.nv))
        entry.fill_matrix(self._address, out)
        return out

    def bias_force(self, q: ArrayLike, v: ArrayLike) -> Array:
        """Coriolis, centrifugal and gravity forces (nv,), so that M v̇ + bias = applied forces."""
        return self.inverse(q, v, np.zeros(self.model.nv))

    def inverse(self, q: ArrayLike, v: ArrayLike, rate: ArrayLike) -> Array:
        """Generalised forces (nv,) that give v̇ = ``rate``: recursive Newton–Euler."""
        self._set(q, v)
        out = np.empty(self.model.nv)
        entry.run_inverse(self._address, self._velocity(rate, "rate"), out)
        return out

    def loaded_inverses(
        self,
        q: ArrayLike,
        v: ArrayLike,
        rates: ArrayLike,
        bodies: NDArray[np.int64],
        points: ArrayLike,
        forces: ArrayLike,
        *,
        gravity: bool = True,
    ) -> Array:
        """`inverse` for each v̇ of ``rates`` (m, nv) under its forces on bodies (-1: the world): (m, nv).

        The forces (m, k, 3) [N] act at points (k, 3) [m] of the world. With ``gravity`` off, weights are left out.
        `joint_wrenches` then has what the joints transmit in the last of them.
        """
        self._set(q, v)
        rate, point, force = (np.ascontiguousarray(x, dtype=float) for x in (rates, points, forces))
        m, k = len(rate), len(bodies)
        if (rate.shape, point.shape, force.shape) != ((m, self.model.nv), (k, 3), (m, k, 3)):
            raise SesshokuError(
                f"rates has shape {rate.shape}, points {point.shape}, forces {force.shape}. "
                f"Give (m, {self.model.nv}), ({k}, 3) and (m, {k}, 3)."
            )
        self._check_bodies(bodies)
        out = np.empty_like(rate)
        self.system.gravity[:] = self.model.gravity if gravity else 0.0
        entry.run_loaded_inverses(self._address, rate, bodies, point, force, out)
        self.system.gravity[:] = self.model.gravity
        return out

    def joint_wrenches(self) -> tuple[Array, Array]:
        """Force [N] and moment [N m] on each body through its joint in the last inverse dynamics, (n, 3) each.

        World axes; moments are about the joint's place, the origin of the body's kernel frame.
        """
        moment, force = np.split(self.system.carried, 2, axis=1)
        return force.copy(), moment - np.cross(self.system.position, force)

    def forward(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Array:
        """v̇ (nv,) under generalised forces ``tau``: articulated bodies."""
        out = np.empty(self.model.nv)
        where = _vector(q, self.model.nq, "q")
        entry.run_forward(self._address, where, self._velocity(v, "v"), self._velocity(tau, "tau"), out)
        return out

    def forward_by_matrix(self, q: ArrayLike, v: ArrayLike, tau: ArrayLike) -> Array:
        """The same as `forward` by the inertia matrix and its sparse factor."""
        self._set(q, v)
        out = self._velocity(tau, "tau").copy()
        entry.run_forward_by_matrix(self._address, out)
        return out

    def solve(self, q: ArrayLike, force: ArrayLike) -> Array:
        """M⁻¹ times a generalised force (nv,), or times each column of (nv, k)."""
        self._set(q)
        out = np.array(force, dtype=float)
        if out.ndim not in (1, 2) or len(out) != self.model.nv:
            raise SesshokuError(f"force has shape {out.shape}. Give ({self.model.nv},) or ({self.model.nv}, k).")
        entry.run_solve(self._address, out.reshape(self.model.nv, -1))
        return out

    def pose(self, frame: str, q: ArrayLike) -> Pose:
        """Where a body or site of the file is in the world."""
        self._set(q)
        entry.run_kinematics(self._address)
        return frame_pose(self.system, self.model.frame(frame))

    def body_poses(self, q: ArrayLike) -> tuple[Array, Array]:
        """Kernel frames of all bodies in the world: positions (n, 3) [m], rotations (n, 3, 3)."""
        self._set(q)
        entry.run_kinematics(self._address)
        s = self.system
        return s.origin[self.model.root] + s.position, s.rotation.reshape(-1, 3, 3).copy()

    def velocity(self, frame: str, q: ArrayLike, v: ArrayLike) -> Array:
        """Linear and angular velocity (6,) of a body or site at its own origin."""
        speed: Array = self.jacobian(frame, q) @ self._velocity(v, "v")
        return speed

    def jacobian(self, frame: str, q: ArrayLike) -> Array:
        """J (6, nv) of a body or site at its own origin."""
        self._set(q)
        out = np.zeros((6, self.model.nv))
        where = self.model.frame(frame)
        if where.body >= 0:
            entry.fill_jacobian(self._address, where.body, where.pose.position, out)
        return out

    def drift(self, frame: str, q: ArrayLike, v: ArrayLike) -> Array:
        """J̇ v (6,): acceleration of a body or site at its own origin while v̇ is zero, without gravity."""
        self._set(q, v)
        out = np.zeros(6)
        where = self.model.frame(frame)
        if where.body >= 0:
            entry.fill_drift(self._address, where.body, where.pose.position, out)
        return out

    def relative_motion(
        self, bodies: NDArray[np.int64], points: Array, carriers: NDArray[np.int64], q: ArrayLike, v: ArrayLike
    ) -> tuple[Array, Array, Array]:
        """Places [m] of points of bodies (-1: the world), velocities and J̇ v as their carriers see them, (k, 3) each.

        In world axes; ``points`` (k, 3) are given in the kernel frames of the bodies.
        """
        self._set(q, v)
        if not points.shape == (len(bodies), 3) == (len(carriers), 3):
            raise SesshokuError(f"points has shape {points.shape}. Give ({len(bodies)}, 3), and as many carriers.")
        self._check_bodies(bodies)
        self._check_bodies(carriers)
        place, velocity, drift = np.empty((3, len(bodies), 3))
        entry.fill_relative_motion(self._address, bodies, points, carriers, place, velocity, drift)
        return place, velocity, drift

    def com(self, q: ArrayLike) -> Array:
        """Centre of mass of everything that moves (3,)."""
        self._set(q)
        return np.array(entry.run_com(self._address))

    def momentum(self, q: ArrayLike, v: ArrayLike, point: ArrayLike | None = None) -> Array:
        """Linear momentum, and angular momentum about ``point`` (default: the centre of mass) (6,); no rotors."""
        self._set(q, v)
        about = entry.run_com(self._address) if point is None else tuple(_vector(point, 3, "point").tolist())
        out = np.empty(6)
        entry.run_momentum(self._address, about, out)
        return out

    def energy(self, q: ArrayLike, v: ArrayLike) -> Energy:
        """Kinetic and potential energy [J], heights from the world's origin."""
        self._set(q, v)
        out = np.empty(2)
        entry.run_energy(self._address, out)
        return Energy(float(out[0]), float(out[1]))

    def test_force(self, frames: Sequence[str], q: ArrayLike) -> Array:
        """J M⁻¹ Jᵀ (6k, 6k) of bodies or sites at their own origins: their accelerations under unit wrenches."""
        self._set(q)
        places = [self.model.frame(name) for name in frames]
        out = np.zeros((6 * len(places), 6 * len(places)))
        moving = [k for k, frame in enumerate(places) if frame.body >= 0]
        inner = np.empty((6 * len(moving), 6 * len(moving)))
        entry.run_test_force(self._address, np.array([places[k].body for k in moving], dtype=np.int64), inner)
        to_place = np.zeros((6 * len(moving), 6 * len(places)))
        for m, k in enumerate(moving):
            x = frame_pose(self.system, places[k]).position - self.system.origin[self.model.root[places[k].body]]
            block = to_place[6 * m : 6 * m + 6, 6 * k : 6 * k + 6]
            block[3:, :3] = block[:3, 3:] = np.eye(3)
            block[:3, :3] = [[0.0, -x[2], x[1]], [x[2], 0.0, -x[0]], [-x[1], x[0], 0.0]]
        out[:] = to_place.T @ inner @ to_place
        return out

    def integrate(self, q: ArrayLike, v: ArrayLike, dt: float = 1.0) -> Array:
        """The configuration reached from q by the constant velocity v over dt."""
        out = _vector(q, self.model.nq, "q").copy()
        entry.run_advance(self._address, out, self._velocity(v, "v"), float(dt))
        return out

    def difference(self, start: ArrayLike, end: ArrayLike) -> Array:
        """The constant velocity (nv,) that leads from one configuration to another in one second."""
        out = np.empty(self.model.nv)
        a, b = _vector(start, self.model.nq, "start"), _vector(end, self.model.nq, "end")
        entry.run_difference(self._address, a, b, out)
        return out

    def _set(self, q: ArrayLike, v: ArrayLike | None = None) -> None:
        self.system.q[:] = _vector(q, self.model.nq, "q")
        self.system.v[:] = 0.0 if v is None else self._velocity(v, "v")

    def _check_bodies(self, bodies: NDArray[np.int64]) -> None:
        if len(bodies) and not (bodies.min() >= -1 and bodies.max() < self.model.n):
            raise SesshokuError(f"bodies are {bodies.tolist()}. Give numbers from -1 to {self.model.n - 1}.")

    def _velocity(self, x: ArrayLike, name: str) -> Array:
        return _vector(x, self.model.nv, name)

    def __reduce__(self) -> tuple[type, tuple[Model]]:
        return Dynamics, (self.model,)  # a copy has memory of its own


def _vector(x: ArrayLike, length: int, name: str) -> Array:
    """Numbers side by side in memory, as many as there must be: kernels do not look."""
    array = np.ascontiguousarray(x, dtype=float)
    if array.shape != (length,):
        raise SesshokuError(f"{name} has shape {np.shape(x)}. Give {length} numbers.")
    return array


def frame_pose(system: System, frame: Frame) -> Pose:
    """World pose of a frame from the poses that kinematics left in the system."""
    if frame.body < 0:
        return frame.pose
    position = system.origin[system.model.root[frame.body]] + system.position[frame.body]
    return Pose(position, system.rotation[frame.body].reshape(3, 3)) @ frame.pose
