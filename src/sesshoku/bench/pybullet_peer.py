"""PyBullet on the scenes of the contact benchmark."""

from __future__ import annotations

import ctypes
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from math import sqrt
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pybullet
from pybullet_utils.bullet_client import BulletClient

from sesshoku.bench.engine import DT, Array, Case, Engine
from sesshoku.bench.peer_urdf import apart, trees, write_urdf
from sesshoku.model import Model, Plane
from sesshoku.model.compile import quaternion
from sesshoku.model.joint import FREE
from sesshoku.sim import Simulation
from sesshoku.spatial.pose import Pose

__all__ = ["PyBullet"]

BASE = -1  # the number of a base among the links


@contextmanager
def _printing_elsewhere() -> Iterator[None]:
    """What C code prints goes to stderr: stdout is for the JSON document alone."""
    sys.stdout.flush()
    kept = os.dup(1)
    os.dup2(2, 1)
    try:
        yield
    finally:
        ctypes.CDLL(None).fflush(None)
        os.dup2(kept, 1)
        os.close(kept)


class PyBullet(Engine):
    """With its own motors: they move a joint as its servo would without load, and yield only at its limit of force."""

    def __init__(self, case: Case) -> None:
        with _printing_elsewhere():
            self.bullet = bullet = BulletClient(pybullet.DIRECT)
        model, start = case.scene.model, Simulation(case.scene, law="none", dt=DT, posture=case.posture)
        bullet.setPhysicsEngineParameter(fixedTimeStep=DT)
        bullet.setGravity(*model.gravity)
        self.link: dict[int, tuple[int, int]] = {}  # multibody and link of each body of the model
        with TemporaryDirectory() as folder:
            for root in trees(model):
                self._load(model, root, write_urdf(model, root, Path(folder), capsules=True), start.q)
        ground = [self._plane(placed.pose) for placed in model.colliders if isinstance(placed.shape, Plane)]
        for body, link in [*self.link.values(), *ground]:
            bullet.changeDynamics(
                body, link, lateralFriction=sqrt(case.friction), rollingFriction=0.0, spinningFriction=0.0,
                restitution=0.0, linearDamping=0.0, angularDamping=0.0, jointDamping=0.0,
            )  # fmt: skip
        for a, b in apart(model):
            (first, one), (second, other) = self.link[a], self.link[b]
            bullet.setCollisionFilterPair(first, second, one, other, 0)
        self.torques = self._drive(model, start.control)
        self.still = [self.link[model.body(name)] for name in case.still]
        self.pushed = None if case.pushed is None else self.link[model.body(case.pushed)][0]

    def _load(self, model: Model, root: int, file: Path, q: Array) -> None:
        """Load a tree and bring it into its posture."""
        bullet, free, at = self.bullet, model.kind[root] == FREE, model.q_start[root]
        pose: dict[str, object] = {}
        if free:
            pose = {"basePosition": q[at : at + 3], "baseOrientation": q[[at + 4, at + 5, at + 6, at + 3]]}
        flags = bullet.URDF_USE_INERTIA_FROM_FILE | bullet.URDF_USE_SELF_COLLISION
        body = bullet.loadURDF(str(file), useFixedBase=not free, flags=flags, **pose)
        if free:
            self.link[root] = body, BASE
        for joint in range(bullet.getNumJoints(body)):
            i = int(bullet.getJointInfo(body, joint)[1].decode().removeprefix("joint"))
            self.link[i] = body, joint
            bullet.resetJointState(body, joint, q[model.q_start[i]])
            bullet.setJointMotorControl2(body, joint, bullet.VELOCITY_CONTROL, force=0.0)  # else it brakes

    def _plane(self, pose: Pose) -> tuple[int, int]:
        """A fixed plane."""
        w, x, y, z = quaternion(pose.rotation)
        shape = self.bullet.createCollisionShape(self.bullet.GEOM_PLANE)
        place = {"basePosition": pose.position.tolist(), "baseOrientation": (x, y, z, w)}
        return self.bullet.createMultiBody(0.0, shape, **place), BASE

    def _drive(self, model: Model, control: Array) -> list[tuple[int, int, float]]:
        """Set the motors, once and for all; returns what constant forces act on which joints, in each step."""
        bullet, forces = self.bullet, []
        for u in range(model.nu):
            gain, offset, kp, kd = model.actuator_gain[u].tolist()
            body, joint = self.link[int(model.dof_body[model.actuator_dof[u]])]
            if kp == 0.0:
                forces.append((body, joint, gain * control[u] + offset))
                continue
            bullet.setJointMotorControl2(
                body, joint, bullet.POSITION_CONTROL, targetPosition=gain * control[u] / kp,
                positionGain=DT * kp / (kd + DT * kp), velocityGain=1.0, force=min(model.actuator_range[u, 3], 1e9),
            )  # fmt: skip
        return forces

    def advance(self, pushes: Array) -> None:
        """Take the steps."""
        bullet, pushed, torques = self.bullet, self.pushed, self.torques
        motor, torque, step = bullet.setJointMotorControl2, bullet.TORQUE_CONTROL, bullet.stepSimulation
        for push in pushes.tolist():
            if pushed is not None:
                centre = bullet.getBasePositionAndOrientation(pushed)[0]
                bullet.applyExternalForce(pushed, BASE, push, centre, bullet.WORLD_FRAME)
            for body, joint, force in torques:
                motor(body, joint, torque, force=force)
            step()

    def places(self) -> Array:
        """Of the frames of links, and of centres of mass of bases."""
        bullet = self.bullet
        return np.array(
            [
                bullet.getBasePositionAndOrientation(body)[0] if link == BASE else bullet.getLinkState(body, link)[4]
                for body, link in self.still
            ]
        )

    def depth(self) -> float:
        """From the contacts of the last step."""
        return max((-contact[8] for contact in self.bullet.getContactPoints()), default=0.0)

    def save(self) -> None:
        """In memory, with all that contacts remember."""
        self.start = self.bullet.saveState()

    def restore(self) -> None:
        """The same again."""
        self.bullet.restoreState(self.start)
