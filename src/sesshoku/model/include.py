"""One scene as part of another."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from sesshoku.model.compile import quaternion
from sesshoku.model.joint import Joint
from sesshoku.model.loop import Loop
from sesshoku.spatial.pose import Pose

if TYPE_CHECKING:
    from sesshoku.model.scene import Scene

__all__ = ["include"]


def include(scene: Scene, other: Scene, prefix: str, base: Pose) -> None:
    """Add everything of the other scene at a pose, its names prefixed."""

    def named(name: str | None) -> str | None:
        return None if name is None else prefix + name

    def renamed(pairs: set[frozenset[str]]) -> set[frozenset[str]]:
        return {frozenset(name if name == "world" else prefix + name for name in pair) for pair in pairs}

    for body in other.bodies.values():
        scene.add(
            replace(
                body,
                name=prefix + body.name,
                parent=named(body.parent),
                pose=base @ body.pose if body.parent is None else body.pose,
                joints=tuple(replace(_moved(joint, base), name=prefix + joint.name) for joint in body.joints),
                colliders=tuple(replace(part, name=named(part.name)) for part in body.colliders),
            )
        )
    scene.environment += [replace(part, name=named(part.name), pose=base @ part.pose) for part in other.environment]
    for site in other.sites.values():
        scene.check_new_frame(prefix + site.name)
        pose = base @ site.pose if site.body is None else site.pose
        scene.sites[prefix + site.name] = replace(site, name=prefix + site.name, body=named(site.body), pose=pose)
    for actuator in other.actuators.values():
        scene.actuator(replace(actuator, name=prefix + actuator.name, joint=prefix + actuator.joint))
    for sensor in other.sensors.values():
        scene.sensor(prefix + sensor.name, prefix + sensor.frame, sensor.kind)
    for loop in other.loops.values():
        turned = [
            np.array([base.apply(place) for place in given]) if body is None else given
            for body, given in ((loop.a, loop.places_a), (loop.b, loop.places_b))
        ]
        scene.tie(Loop(prefix + loop.name, named(loop.a), named(loop.b), *turned))
    for tied in other.couplings.values():
        scene.couple(prefix + tied.joint, named(tied.leader), *tied.polynomial, name=prefix + tied.name)
    scene.disabled_pairs |= renamed(other.disabled_pairs)
    scene.touching_pairs |= renamed(other.touching_pairs)
    for pair, material in other.pair_materials.items():
        scene.pair_materials[next(iter(renamed({pair})))] = material
    scene.unsimulated += [entry for entry in other.unsimulated if entry not in scene.unsimulated]


def _moved(joint: Joint, base: Pose) -> Joint:
    """A joint in a scene that lies at a pose in another: the spring of a free joint is fixed in the world."""
    if joint.kind != "free" or not isinstance(joint.rest, tuple):
        return joint
    rest = base @ Pose.at(joint.rest[:3], quaternion=joint.rest[3:])
    return replace(joint, rest=(*rest.position.tolist(), *quaternion(rest.rotation).tolist()))
