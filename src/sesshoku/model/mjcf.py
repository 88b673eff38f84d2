"""Scenes from MJCF, compiled by MuJoCo."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from sesshoku.errors import errors_in
from sesshoku.model.document import read_document
from sesshoku.model.inertia import Inertia
from sesshoku.model.joint import Joint, JointKind, common_value
from sesshoku.model.loop import Loop
from sesshoku.model.mjcf_actuator import Drives
from sesshoku.model.mjcf_equality import equalities
from sesshoku.model.mjcf_error import check_numbers, explain
from sesshoku.model.mjcf_geom import colliders, pair_materials, touching_pairs
from sesshoku.model.mjcf_query import disabled, force_sensors, names
from sesshoku.model.mjcf_unsimulated import unsimulated
from sesshoku.model.scene import Body, Medium, Scene, Site
from sesshoku.spatial.pose import Pose, rotation_from_quaternion

if TYPE_CHECKING:
    import mujoco

__all__ = ["from_mujoco", "load_mjcf"]

KINDS: tuple[JointKind, ...] = ("free", "ball", "prismatic", "revolute")  # in the order of mjtJoint
COORDINATES = (7, 4, 1, 1)
VELOCITIES = (6, 3, 1, 1)


def load_mjcf(source: str | Path) -> Scene:
    """A scene from an MJCF file or text. Its time step and integrator are not taken: `Simulation` has its own."""
    import mujoco

    document = read_document(source, "mujoco")
    file = document.file
    check_numbers(document.root, file)
    handler, messages = mujoco.get_mju_user_warning(), list[str]()
    mujoco.set_mju_user_warning(messages.append)  # by default it writes a log file where the user happens to be
    try:
        read = mujoco.MjModel.from_xml_string if file is None else mujoco.MjModel.from_xml_path
        model = read(str(source))
    except (ValueError, mujoco.FatalError) as error:
        raise explain(" ".join(str(error).split()), document.root, file) from error
    finally:
        mujoco.set_mju_user_warning(handler)
    for message in messages:
        warnings.warn(f"{file or 'MJCF'}: MuJoCo: {message}", stacklevel=2)
    return from_mujoco(model, file=file)


def from_mujoco(model: mujoco.MjModel, *, file: str | None = None) -> Scene:
    """A scene whose coordinates and velocities are those of a compiled MuJoCo model.

    Bodies, joints, sites, geoms and actuators without a name are called body3, joint5, and so on; a site that
    shares its name with a body is called site_NAME. ``file`` is where the model comes from, for messages.
    """
    with errors_in(file):
        return _scene(model, file)


def _scene(model: mujoco.MjModel, file: str | None) -> Scene:
    scene = Scene(name=model.names.partition(b"\0")[0].decode(), file=file)
    option = model.opt
    scene.gravity = (0.0, 0.0, 0.0) if disabled(model, "GRAVITY") else tuple(option.gravity.tolist())
    scene.medium = Medium(float(option.density), float(option.viscosity), tuple(option.wind.tolist()))
    drives = Drives(model)
    bodies: list[str | None] = [None, *names(model, "body", model.nbody)[1:]]
    for b in range(1, model.nbody):
        scene.add(_body(model, b, bodies, drives))
    for g, collider in colliders(model):
        scene.attach(bodies[model.geom_bodyid[g]], collider)
    scene.touching_pairs |= touching_pairs(model)
    scene.pair_materials |= pair_materials(model)
    sites: list[str] = []
    for s, given in enumerate(names(model, "site", model.nsite)):
        name = scene.unused_name(given, "site_")
        sites.append(name)
        pose = Pose.at(model.site_pos[s], quaternion=model.site_quat[s])
        scene.sites[name] = Site(name, bodies[model.site_bodyid[s]], pose)
    for actuator in drives.actuators():
        scene.actuator(actuator)
    for name, site in force_sensors(model):
        scene.sensor(name, sites[site])
    for tied in equalities(model, bodies, drives.joints):
        if isinstance(tied, Loop):
            scene.tie(tied)
        else:
            scene.couple(tied.joint, tied.leader, *tied.polynomial, name=tied.name)
    for name, q in zip(names(model, "key", model.nkey), model.key_qpos, strict=True):
        scene.posture(name, q)
    for name, v, control in zip(names(model, "key", model.nkey), model.key_qvel, model.key_ctrl, strict=True):
        if v.any() or control.any():
            scene.unsimulated.append(f"velocity and control of keyframe '{name}'")
    for signature in model.exclude_signature:
        pair = (bodies[signature >> 16], bodies[signature & 0xFFFF])
        scene.disabled_pairs.add(frozenset(entry or "world" for entry in pair))
    scene.unsimulated += [*unsimulated(model), *drives.unsimulated]
    return scene


def _body(model: mujoco.MjModel, b: int, bodies: list[str | None], drives: Drives) -> Body:
    joints = range(model.body_jntadr[b], model.body_jntadr[b] + model.body_jntnum[b])
    place = np.concatenate([model.body_pos[b], model.body_quat[b]])
    if len(joints) and KINDS[model.jnt_type[joints[0]]] == "free":  # the model's start wins over the body's pose
        place = model.qpos0[model.jnt_qposadr[joints[0]] :][:7]
    axes = rotation_from_quaternion(model.body_iquat[b])
    moments = axes * model.body_inertia[b] @ axes.T
    return Body(
        str(bodies[b]),
        bodies[model.body_parentid[b]],
        Pose.at(place[:3], quaternion=place[3:]),
        tuple(_joint(model, j, drives) for j in joints),
        Inertia(float(model.body_mass[b]), np.array(model.body_ipos[b]), moments, axes),
        gravity_compensation=float(model.body_gravcomp[b]),
    )


def _joint(model: mujoco.MjModel, j: int, drives: Drives) -> Joint:
    name, kind = drives.joints[j], KINDS[model.jnt_type[j]]
    q, v = model.jnt_qposadr[j], model.jnt_dofadr[j]
    velocities = slice(v, v + VELOCITIES[model.jnt_type[j]])
    one = kind in ("revolute", "prismatic")
    limited = one and model.jnt_limited[j] and not disabled(model, "LIMIT")
    lower, upper = model.jnt_range[j] if limited else (-np.inf, np.inf)
    damping = common_value(model.dof_damping[velocities], "damping", name) + drives.damping(j)
    friction = common_value(model.dof_frictionloss[velocities], "friction", name)
    return Joint(
        name,
        kind,
        model.jnt_axis[j] if one else "z",
        (0.0, 0.0, 0.0) if kind == "free" else model.jnt_pos[j].copy(),
        lower=float(lower),
        upper=float(upper),
        reference=float(model.qpos0[q]) if one else 0.0,
        damping=0.0 if disabled(model, "DAMPER") else damping,
        stiffness=0.0 if disabled(model, "SPRING") else float(model.jnt_stiffness[j]),
        rest=tuple(model.qpos_spring[q : q + COORDINATES[model.jnt_type[j]]].tolist()),
        armature=common_value(model.dof_armature[velocities], "armature", name) + drives.armature(j),
        friction=0.0 if disabled(model, "FRICTIONLOSS") else friction,
        effort=drives.effort(j),
    )
