"""From a Pinocchio model to a scene: one body for each joint, in Pinocchio's order, with the link's name."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import atan2, inf
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.errors import UnsupportedError
from sesshoku.model.compile import quaternion
from sesshoku.model.inertia import Inertia
from sesshoku.model.joint import Joint, JointKind, common_value
from sesshoku.model.scene import Body, Scene, Site
from sesshoku.spatial.pose import Pose

if TYPE_CHECKING:
    import pinocchio

__all__ = ["body_of_link", "coordinates", "from_pinocchio"]

Array = NDArray[np.float64]
UNLIMITED = 1e300  # Pinocchio writes the largest float where there is no limit

# The joints of several degrees that are chains of one-degree joints: suffix of the name, kind, axis.
CHAINS: dict[str, list[tuple[str, JointKind, str]]] = {
    "JointModelSphericalZYX": [("z", "revolute", "z"), ("y", "revolute", "y"), ("x", "revolute", "x")],
    "JointModelTranslation": [("x", "prismatic", "x"), ("y", "prismatic", "y"), ("z", "prismatic", "z")],
}
KINDS: dict[str, JointKind] = {
    "JointModelFreeFlyer": "free",
    "JointModelSpherical": "ball",
    "JointModelPlanar": "planar",
}
SIZES = {"free": 7, "ball": 4, "planar": 4, "continuous": 2}  # coordinates in Pinocchio, where not one


def from_pinocchio(model: pinocchio.Model, *, armature: float = 0.0) -> Scene:
    """A scene whose velocities stand in the order of ``model``'s.

    The coordinates differ: an unbounded revolute joint has one (the angle), a planar joint three (x, y,
    angle), and quaternions start with w. The linear velocity of a free joint is in world axes here, that of a
    planar joint in its parent's axes. A link called 'world' that is not the world becomes 'link_world'. The
    bodies have no colliders: geometry is kept apart from a Pinocchio model.

    Args:
        model: fixed links are already merged in it; they become bodies without mass at their place.
        armature: rotor inertia for one-degree joints that have none [kg m² or kg].
    """
    import pinocchio as pin

    scene = Scene(name=model.name, gravity=tuple(model.gravity.linear))
    links: dict[int, str] = {}  # joint number: the link that lies in the joint's own frame
    for frame in model.frames:
        if frame.type == pin.FrameType.BODY and frame.parentJoint > 0 and frame.placement.isIdentity():
            links.setdefault(frame.parentJoint, frame.name)
    names: dict[int, str | None] = {0: None}
    for i in range(1, model.njoints):
        *chain, (pose, joint) = _Reader(model, armature).joints(model.joints[i], model.names[i])
        parent, before = names[model.parents[i]], _pose(model.jointPlacements[i])
        for middle, outer in chain:
            name = scene.unused_name(f"{model.names[i]}/{outer.name}", "link_")
            parent = scene.add(Body(name, parent, before @ middle, (outer,), Inertia())).name
            before = Pose()
        names[i] = scene.unused_name(links.get(i, model.names[i]), "link_")
        inertia = model.inertias[i]
        body = Inertia.of(inertia.mass, inertia.lever, inertia.inertia)
        scene.add(Body(str(names[i]), parent, before @ pose, (joint,), body))
    for frame in model.frames:
        pose, parent = _pose(frame.placement), names[frame.parentJoint]
        if frame.type == pin.FrameType.BODY and links.get(frame.parentJoint) != frame.name:
            if frame.name != "world" or parent is not None or not frame.placement.isIdentity():
                scene.add(Body(scene.unused_name(frame.name, "link_"), parent, pose, (), Inertia()))
        elif frame.type in (pin.FrameType.OP_FRAME, pin.FrameType.SENSOR):
            name = scene.unused_name(frame.name, "frame_")
            scene.sites[name] = Site(name, parent, pose)
    for entry in model.referenceConfigurations:
        scene.posture(entry.key(), _configuration(scene, entry.data()))
    return scene


def body_of_link(scene: Scene, link: str) -> str | None:
    """The body a link has become, by name; None for the world."""
    if link == "world":
        return "link_world" if "link_world" in scene.bodies else None
    return link


def coordinates(body: Body, joint: Joint, values: ArrayLike) -> Array:
    """A joint's coordinates from Pinocchio's or an SRDF's; an angle may also be given as cosine and sine."""
    x = np.array(values, dtype=float)
    if joint.kind == "ball":
        return x[[3, 0, 1, 2]]
    if joint.kind == "free":  # theirs in the joint's frame, ours in the world
        pose = body.pose @ Pose.at(x[:3], quaternion=x[[6, 3, 4, 5]])
        return np.concatenate([pose.position, quaternion(pose.rotation)])
    turns = joint.kind in ("continuous", "planar")
    return np.array([*x[:-2], atan2(x[-1], x[-2])]) if turns and len(x) in (2, 4) else x


def _configuration(scene: Scene, q: Array) -> Array:
    parts, start = [], 0
    for body in scene.bodies.values():
        for joint in body.joints:
            end = start + SIZES.get(joint.kind, 1)
            parts.append(coordinates(body, joint, q[start:end]))
            start = end
    return np.concatenate(parts)


def _pose(placement: pinocchio.SE3) -> Pose:
    return Pose.at(placement.translation, rotation=placement.rotation)


@dataclass(frozen=True)
class _Reader:
    """Joints of one Pinocchio model, with their properties."""

    model: pinocchio.Model
    armature: float

    def joints(self, joint: pinocchio.JointModel, name: str) -> Iterator[tuple[Pose, Joint]]:
        """The joints that one of Pinocchio's is made of, each at its pose in the one before."""
        import pinocchio as pin

        short, q, v = joint.shortname(), joint.idx_q, joint.idx_v
        if short == "JointModelComposite":
            parts = joint.extract()
            for k, (part, place) in enumerate(zip(parts.joints, parts.jointPlacements, strict=True)):
                first, *others = self.joints(part, f"{name}_{k}")
                yield _pose(place) @ first[0], first[1]
                yield from others
        elif short in CHAINS:
            for k, (suffix, kind, axis) in enumerate(CHAINS[short]):
                yield Pose(), self._one(f"{name}_{suffix}", kind, axis, q + k, v + k)
        elif short == "JointModelUniversal":
            universal = joint.extract()
            yield Pose(), self._one(f"{name}_1", "revolute", universal.axis1, q, v)
            yield Pose(), self._one(f"{name}_2", "revolute", universal.axis2, q + 1, v + 1)
        elif short in KINDS:
            yield Pose(), self._joint(name, KINDS[short], "z", slice(v, v + joint.nv))
        elif joint.nv == 1:
            data = joint.createData()
            joint.calc(data, pin.neutral(self.model))
            linear, angular = np.asarray(data.S).ravel()[:3], np.asarray(data.S).ravel()[3:]
            if linear.any() and angular.any():
                raise self._unsupported(name, short)
            if linear.any():
                yield Pose(), self._one(name, "prismatic", linear, q, v)
            else:
                yield Pose(), self._one(name, "revolute" if joint.nq == 1 else "continuous", angular, q, v)
        else:
            raise self._unsupported(name, short)

    def _one(self, name: str, kind: JointKind, axis: ArrayLike | str, q: int, v: int) -> Joint:
        joint = self._joint(name, kind, axis, slice(v, v + 1))
        joint = replace(joint, armature=joint.armature or self.armature)
        if kind == "continuous":
            return joint
        lower, upper = self.model.lowerPositionLimit[q], self.model.upperPositionLimit[q]
        return replace(joint, lower=_limit(lower), upper=_limit(upper))

    def _joint(self, name: str, kind: JointKind, axis: ArrayLike | str, v: slice) -> Joint:
        model = self.model
        new = hasattr(model, "upperDryFrictionLimit")  # Pinocchio 4; 3 has one limit for both directions
        friction = model.upperDryFrictionLimit if new else model.friction
        effort = model.upperEffortLimit if new else model.effortLimit
        speed = model.upperVelocityLimit if new else model.velocityLimit
        return Joint(
            name,
            kind,
            axis,
            damping=common_value(model.damping[v], "damping", name),
            friction=common_value(friction[v], "friction", name),
            armature=common_value(model.armature[v], "armature", name),
            effort=_limit(effort[v].min()),
            speed=_limit(speed[v].min()),
        )

    def _unsupported(self, name: str, short: str) -> UnsupportedError:
        kind = short.removeprefix("JointModel")
        return UnsupportedError(
            f"its kind {kind} is not simulated", element=f"joint '{name}'", remedy="Replace or lock the joint"
        )


def _limit(value: float) -> float:
    return float(value) if abs(value) < UNLIMITED else float(np.copysign(inf, value))
