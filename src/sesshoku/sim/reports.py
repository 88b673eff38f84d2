"""What a simulation tells of its bodies and forces."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.constraint.problem import Problem
from sesshoku.contact.residual import Residual
from sesshoku.dynamics import Dynamics, Energy
from sesshoku.dynamics.dynamics import frame_pose
from sesshoku.dynamics.system import System
from sesshoku.errors import SesshokuError
from sesshoku.model import Model
from sesshoku.sim.contacts import Contacts
from sesshoku.sim.sensor import joint_wrench
from sesshoku.spatial.pose import Pose

__all__ = ["Reports", "known"]

Array = NDArray[np.float64]


class Reports(ABC):
    """The reports of `Simulation`; those of forces are about the last step, at whose start bodies and points were."""

    model: Model
    dynamics: Dynamics
    dt: float
    integrator: str
    _system: System
    _problem: Problem | None
    _q: Array
    _v: Array
    _stepped: bool

    @property
    @abstractmethod
    def contacts(self) -> Contacts:
        """The contacts of the last step."""

    @property
    def residual(self) -> Residual:
        """How well the last step satisfied the contact law, part by part; zero when nothing touches."""
        return Residual.of(self._problem) if self._problem is not None and self._stepped else Residual()

    @property
    def iterations(self) -> int:
        """Newton steps the contact law took in the last step, over all islands; of a step solved again, the last."""
        return int(self._problem.statistics[1]) if self._problem is not None and self._stepped else 0

    def wrench(self, frame: str) -> Array:
        """Force and moment (6,) that contact puts on a body or site, about its origin, world axes, over the last step.

        Contacts and origin are where they were at the start of that step. Bodies of the file that are fixed to each
        other are one body; a body of the world may be named, too.
        """
        place, contacts = self.model.frame(frame), self.contacts
        about = frame_pose(self._system, place).position
        if place.body >= 0:
            return contacts.wrench(contacts.bodies == place.body, about)
        owned = np.array([placed.owner == frame for placed in self.model.colliders], dtype=bool)
        return contacts.wrench(owned[contacts.colliders], about)

    def sensor(self, name: str) -> Array:
        """Force and moment (6,) that a sensor reads, in the axes of its body or site, over the last step."""
        sensor = self.model.sensors[known(name, self.model.sensors, "sensor")]
        place = self.model.frame(sensor.frame)
        pose = frame_pose(self._system, place)
        if sensor.kind == "contact":
            found = self.wrench(sensor.frame)
        elif self._stepped:
            about = pose.position - self._system.origin[self.model.root[place.body]]
            explicit = self.integrator != "semi_implicit"  # then contact is among the loads of its stages
            found = joint_wrench(self._system, None if explicit else self._problem, place.body, about)
        else:
            found = np.zeros(6)
        return np.concatenate((pose.rotation.T @ found[:3], pose.rotation.T @ found[3:]))

    def loop_wrench(self, name: str) -> Array:
        """Force and moment (6,) that a loop puts on its body B, about the first of its places, over the last step."""
        loops, problem = self.model.loops, self._problem
        k = loops.names.index(known(name, loops.names, "loop"))
        begin, end = int(loops.begin[k]), int(loops.begin[k + 1])
        if problem is None:
            return np.zeros(6)
        body = int(loops.body[begin, 1])
        turn = self._system.rotation[body].reshape(3, 3) if body >= 0 else np.eye(3)
        arms = (loops.place[begin:end, 3:] - loops.place[begin, 3:]) @ turn.T
        forces = problem.kept_loop[begin:end] / self.dt
        return np.concatenate((forces.sum(axis=0), np.cross(arms, forces).sum(axis=0)))

    def pose(self, frame: str) -> Pose:
        """Where a body or site of the file is in the world."""
        return self.dynamics.pose(frame, self._q)

    def velocity(self, frame: str) -> Array:
        """Linear and angular velocity (6,) of a body or site at its own origin, world axes."""
        return self.dynamics.velocity(frame, self._q, self._v)

    @property
    def com(self) -> Array:
        """Centre of mass of everything that moves (3,), in the world [m]."""
        return self.dynamics.com(self._q)

    @property
    def momentum(self) -> Array:
        """Linear momentum, and angular momentum about the centre of mass (6,), world axes."""
        return self.dynamics.momentum(self._q, self._v)

    @property
    def energy(self) -> Energy:
        """Kinetic and potential energy [J]."""
        return self.dynamics.energy(self._q, self._v)

    def difference(self, q: ArrayLike) -> Array:
        """The velocity (nv,) that would lead from here to the configuration q in one second: the error of a servo."""
        return self.dynamics.difference(self._q, q)


def known(name: str, table: Iterable[str], what: str) -> str:
    """The name, if the table has it."""
    names = list(table)
    if name not in names:
        raise SesshokuError(f"unknown {what} '{name}'. Known are {', '.join(names) or 'none'}.")
    return name
