"""DART on the scenes of the contact benchmark."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import dartpy as dart
import numpy as np

from sesshoku.bench.engine import DT, Array, Case, Engine
from sesshoku.bench.peer_urdf import apart, trees, write_urdf
from sesshoku.model import Capsule, Model, Plane
from sesshoku.model.joint import FREE
from sesshoku.sim import Simulation
from sesshoku.spatial.pose import Pose, rotation_from_quaternion

__all__ = ["Dart"]


class Dart(Engine):
    """With Bullet's collision detection, DART's default solver, and its motors: constraints on joint velocities.

    They move a joint as its servo would without load, and yield only at its limit of force. DART's springs and dampers
    are implicit, too, but with them as servos G1 falls over.
    """

    def __init__(self, case: Case) -> None:
        model, start = case.scene.model, Simulation(case.scene, law="none", dt=DT, posture=case.posture)
        self.world = dart.simulation.World()
        self.world.setTimeStep(DT)
        awake = self.world.getDeactivationOptions()
        awake.mEnabled = False
        self.world.setDeactivationOptions(awake)
        self.world.setGravity(model.gravity)
        self.world.setCollisionDetector(dart.collision.BulletCollisionDetector())
        self.body: dict[int, Any] = {}
        with TemporaryDirectory() as folder:
            self.skeletons = [self._load(model, root, Path(folder), start.q) for root in trees(model)]
        for placed in model.colliders:
            if isinstance(placed.shape, Plane):
                self._plane(placed.pose)
        for k in range(self.world.getNumSkeletons()):
            skeleton = self.world.getSkeleton(k)
            for j in range(skeleton.getNumShapeNodes()):
                skeleton.getShapeNode(j).getDynamicsAspect().setFrictionCoeff(case.friction)
        blocked = self.world.getConstraintSolver().getCollisionOption().collisionFilter
        for a, b in apart(model):
            blocked.addBodyNodePairToBlackList(self.body[a], self.body[b])
        self.drives = [
            self._drive(model, start.control, skeleton, root)
            for skeleton, root in zip(self.skeletons, trees(model), strict=True)
        ]
        self.still = [self.body[model.body(name)] for name in case.still]
        self.pushed = None if case.pushed is None else self.body[model.body(case.pushed)]

    def _load(self, model: Model, root: int, folder: Path, q: Array) -> Any:
        """Load a tree and bring it into its posture."""
        skeleton = dart.utils.DartLoader().parseSkeleton(str(write_urdf(model, root, folder, capsules=False)))
        skeleton.enableSelfCollisionCheck()
        skeleton.disableAdjacentBodyCheck()
        for i in np.flatnonzero(model.root == root).tolist():
            body = self.body[i] = skeleton.getBodyNode(model.body_names[i])
            at = model.q_start[i]
            if model.kind[i] == FREE:
                pose = dart.math.Isometry3(rotation_from_quaternion(q[at + 3 : at + 7]), q[at : at + 3])
                body.getParentJoint().setPositions(dart.dynamics.FreeJoint.convertToPositions(pose))
            else:
                body.getParentJoint().setPosition(0, q[at])
                body.getParentJoint().setLimitEnforcement(True)
        for placed in model.colliders:
            if isinstance(placed.shape, Capsule) and model.root[placed.body] == root:
                shape = dart.dynamics.CapsuleShape(placed.shape.radius, placed.shape.length)
                node = self._shape(self.body[placed.body], shape)
                node.setRelativeTransform(dart.math.Isometry3(placed.pose.rotation, placed.pose.position))
        self.world.addSkeleton(skeleton)
        return skeleton

    def _shape(self, body: Any, shape: Any) -> Any:
        """Put a shape on a body that others collide with."""
        node = body.createShapeNode(shape)
        node.createCollisionAspect()
        node.createDynamicsAspect()
        return node

    def _plane(self, pose: Pose) -> None:
        """A fixed plane."""
        skeleton = dart.dynamics.Skeleton("ground")
        _, body = skeleton.createWeldJointAndBodyNodePair()
        normal = pose.rotation[:, 2]
        self._shape(body, dart.dynamics.PlaneShape(normal, float(normal @ pose.position)))
        self.world.addSkeleton(skeleton)

    def _drive(self, model: Model, control: Array, skeleton: Any, root: int) -> tuple[Array, Array, Array]:
        """Set up the motors of a tree; a command is gain (target - position) + force, for each of its velocities."""
        gains, targets, forces = (np.zeros(skeleton.getNumDofs()) for _ in range(3))
        for u in range(model.nu):
            gain, offset, kp, kd = model.actuator_gain[u].tolist()
            i = int(model.dof_body[model.actuator_dof[u]])
            if model.root[i] != root:
                continue
            joint = self.body[i].getParentJoint()
            d = joint.getIndexInSkeleton(0)
            if kp == 0.0:
                forces[d] = gain * control[u] + offset
                continue
            joint.setActuatorType(dart.dynamics.ActuatorType.SERVO)
            joint.setForceLowerLimit(0, model.actuator_range[u, 2])
            joint.setForceUpperLimit(0, model.actuator_range[u, 3])
            gains[d], targets[d] = kp / (kd + DT * kp), gain * control[u] / kp
        return gains, targets, forces

    def advance(self, pushes: Array) -> None:
        """Take the steps."""
        pushed, step, driven = self.pushed, self.world.step, list(zip(self.skeletons, self.drives, strict=True))
        for push in pushes:
            if pushed is not None:
                pushed.addExtForce(push, pushed.getLocalCOM(), False, True)
            for skeleton, (gain, target, force) in driven:
                skeleton.setCommands(gain * (target - skeleton.getPositions()) + force)
            step()

    def places(self) -> Array:
        """Of the frames of the bodies."""
        return np.array([body.getTransform().translation() for body in self.still])

    def depth(self) -> float:
        """From the contacts of the last step."""
        contacts = self.world.getLastCollisionResult().getContacts()
        return max((contact.penetrationDepth for contact in contacts), default=0.0)

    def save(self) -> None:
        """Positions and velocities."""
        self.start = [(skeleton.getPositions(), skeleton.getVelocities()) for skeleton in self.skeletons]

    def restore(self) -> None:
        """The same again."""
        for skeleton, (position, velocity) in zip(self.skeletons, self.start, strict=True):
            skeleton.setPositions(position)
            skeleton.setVelocities(velocity)
