"""From a scene to the flat arrays of a model: chains of joints, axes turned to z, fixed bodies merged."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import MasslessBodyError, ModelError
from sesshoku.given import number, numbers
from sesshoku.model.collider import Collider
from sesshoku.model.collider_check import check_collider, check_pair_materials, check_touching_pairs
from sesshoku.model.inertia import Inertia
from sesshoku.model.joint import BALL, FREE, NQ, NV, PRISMATIC, REVOLUTE, Joint
from sesshoku.model.loop import loop_arrays
from sesshoku.model.model import Frame, JointIndex, Model, Placed
from sesshoku.model.sensor import check_sensors
from sesshoku.spatial.pose import Pose, rotation_to_z

if TYPE_CHECKING:
    from sesshoku.model.scene import Body, Scene

__all__ = ["compile_model"]

Array = NDArray[np.float64]
TINY_INERTIA = 1e-14  # kg m²: below it a joint moves nothing (an ant's leg has 1e-13)


@dataclass
class _Moving:
    """A body of the model while it is being put together: exactly one joint."""

    name: str
    joint: Joint
    parent: int
    placement: Pose
    start: Array  # its coordinates in the file's configuration
    above: int  # body that carries the parent body of the file
    inertia: Inertia = field(default_factory=Inertia)


class _Tree:
    """The moving bodies of a scene, and where each body of the scene lies on them."""

    def __init__(self, scene: Scene) -> None:
        self.file = scene.file
        self.moving: list[_Moving] = []
        self.joints: list[JointIndex] = []
        self.frames: dict[str, Frame] = {"world": Frame("world", -1, Pose())}
        self.lifts: list[tuple[int, Array, float]] = []
        self.fluid: list[tuple[int, Inertia]] = []
        self.colliders: list[Placed] = []
        self.nq = self.nv = 0
        self._place("world", scene.environment)
        for body in scene.bodies.values():
            self._add(body)
        for site in scene.sites.values():
            base = self.frames[site.body or "world"]
            self.frames[site.name] = Frame(site.name, base.body, base.pose @ site.pose)

    def _add(self, body: Body) -> None:
        check_inertia(body, self.file)
        base = self.frames[body.parent or "world"]
        parent, pose = base.body, base.pose @ body.pose
        for place, joint in enumerate(body.all_joints):
            first_q, first_v = self.nq, self.nv
            chain = joint.chain()
            for step, single in enumerate(chain):
                anchor = Pose(np.zeros(3), np.eye(3)) if joint.kind == "free" else Pose.at(joint.position)
                if single.code in (REVOLUTE, PRISMATIC):
                    anchor = anchor @ Pose(np.zeros(3), rotation_to_z(single.direction))
                parent = self._append(body, single, parent, pose @ anchor, base.body)
                pose = anchor.inverse()
                last = place + 1 == len(body.all_joints) and step + 1 == len(chain)
                part = "xyz"[step] if len(chain) > 1 else ""
                self.moving[-1].name = body.name if last else f"{body.name}/{joint.name}{part}"
            one = self.nv - first_v == 1
            self.joints.append(
                JointIndex(
                    joint.name,
                    joint.kind,
                    first_q if one else slice(first_q, self.nq),
                    first_v if one else slice(first_v, self.nv),
                    parent,
                )
            )
        self.frames[body.name] = Frame(body.name, parent, pose)
        self._place(body.name, body.colliders)
        if parent >= 0:
            here = body.inertia.moved(pose)
            self.moving[parent].inertia += here
            if body.gravity_compensation != 0.0:
                self.lifts.append((parent, here.com, body.gravity_compensation * here.mass))
            self.fluid.append((parent, here))

    def _place(self, owner: str, colliders: Iterable[Collider]) -> None:
        frame = self.frames[owner]
        for part in colliders:
            check_collider(part, owner, frame.body >= 0, self.file)
            self.colliders.append(Placed(frame.body, owner, frame.pose @ part.pose, part))

    def _append(self, body: Body, joint: Joint, parent: int, placement: Pose, above: int) -> int:
        start = np.array([joint.reference])
        if joint.code == FREE:
            if parent >= 0 or len(body.all_joints) > 1:
                raise ModelError(
                    "a free joint must be the only joint between a body and the world",
                    file=self.file,
                    element=f"joint '{joint.name}'",
                    remedy="Hang the body on the world, or use a ball and three prismatic joints",
                )
            start, placement = np.concatenate([placement.position, quaternion(placement.rotation)]), Pose()
        elif joint.code == BALL:
            start = np.array([1.0, 0.0, 0.0, 0.0])
        elif joint.code == REVOLUTE:
            c, s = np.cos(joint.reference), np.sin(joint.reference)
            placement = placement @ Pose(np.zeros(3), np.array([[c, s, 0.0], [-s, c, 0.0], [0.0, 0.0, 1.0]]))
        else:
            placement = placement @ Pose.at((0.0, 0.0, -joint.reference))
        self.moving.append(_Moving("", joint, parent, placement, start, above))
        self.nq += NQ[joint.code]
        self.nv += NV[joint.code]
        return len(self.moving) - 1


def compile_model(scene: Scene) -> Model:
    """Build the immutable model of a scene; raises `ModelError` where it cannot be simulated."""
    tree = _Tree(scene)
    moving = tree.moving
    check_massless(moving, scene.file)
    check_touching_pairs(scene.touching_pairs, tree.colliders, scene.file)
    check_sensors(scene.sensors, tree.frames, scene.file)
    check_pair_materials(scene.pair_materials, tree.colliders, scene.file)
    n = len(moving)
    kind = np.array([m.joint.code for m in moving], dtype=np.int64)
    parent = np.array([m.parent for m in moving], dtype=np.int64)
    nv_of, nq_of = np.array(NV)[kind], np.array(NQ)[kind]
    v_start, q_start = np.cumsum(nv_of) - nv_of, np.cumsum(nq_of) - nq_of
    root = np.arange(n)
    for i, p in enumerate(parent):
        root[i] = i if p < 0 else root[p]
    dof_body = np.repeat(np.arange(n), nv_of)
    before = np.array([-1 if p < 0 else v_start[p] + nv_of[p] - 1 for p in parent], dtype=np.int64)
    dof_parent = np.array([d - 1 if d > v_start[b] else before[b] for d, b in enumerate(dof_body)], dtype=np.int64)
    depth = np.zeros(tree.nv, dtype=np.int64)
    for d, p in enumerate(dof_parent):
        depth[d] = 0 if p < 0 else depth[p] + 1

    def per_dof(attribute: str) -> Array:
        return np.array([getattr(moving[b].joint, attribute) for b in dof_body], dtype=float)

    def per_body(rows: list[Array], width: int) -> Array:
        return np.array(rows, dtype=float).reshape(n, width)

    start = np.concatenate([m.start for m in moving]) if moving else np.zeros(0)
    rest = np.concatenate([m.start if m.joint.rest is None else m.joint.rest for m in moving]) if moving else start
    inertias = [m.inertia for m in moving]
    medium = scene.medium
    in_medium = medium.density > 0 or medium.viscosity > 0
    boxes = [(body, *principal_box(inertia)) for body, inertia in tree.fluid if in_medium and inertia.mass > 0]
    nf = len(boxes)
    postures = {name: check_posture(scene, name, q, start, q_start) for name, q in scene.postures.items()}
    drives = [(a, actuated_joint(scene, tree, a.name, a.joint)) for a in scene.actuators.values()]
    nu = len(drives)
    return Model(
        name=scene.name,
        gravity=numbers(scene.gravity, 3, "gravity", finite=True),
        medium=np.array([medium.density, medium.viscosity, *medium.wind], dtype=float),
        body_names=tuple(m.name for m in moving),
        parent=parent,
        kind=kind,
        above=np.array([m.above for m in moving], dtype=np.int64),
        root=root,
        q_start=q_start,
        v_start=v_start,
        placement_position=per_body([m.placement.position for m in moving], 3),
        placement_rotation=per_body([m.placement.rotation.ravel() for m in moving], 9),
        mass=np.array([i.mass for i in inertias], dtype=float),
        com=per_body([i.com for i in inertias], 3),
        inertia=per_body([i.matrix[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]] for i in inertias], 6),
        lift_body=np.array([lift[0] for lift in tree.lifts], dtype=np.int64),
        lift_position=np.array([lift[1] for lift in tree.lifts], dtype=float).reshape(-1, 3),
        lift_mass=np.array([lift[2] for lift in tree.lifts], dtype=float),
        fluid_body=np.array([b[0] for b in boxes], dtype=np.int64),
        fluid_position=np.array([b[1] for b in boxes], dtype=float).reshape(nf, 3),
        fluid_rotation=np.array([b[2].ravel() for b in boxes], dtype=float).reshape(nf, 9),
        fluid_size=np.array([b[3] for b in boxes], dtype=float).reshape(nf, 3),
        dof_body=dof_body,
        dof_parent=dof_parent,
        dof_depth=depth,
        armature=per_dof("armature"),
        damping=per_dof("damping"),
        stiffness=per_dof("stiffness"),
        explicit=per_dof("explicit").astype(np.int64),
        friction=per_dof("friction"),
        lower=per_dof("lower"),
        upper=per_dof("upper"),
        effort=per_dof("effort"),
        speed=per_dof("speed"),
        v0=check_velocity(scene, tree.nv),
        rest=rest,
        q0=start,
        actuator_names=tuple(a.name for a, _ in drives),
        actuator_dof=np.array([j.v for _, j in drives], dtype=np.int64),
        actuator_q=np.array([j.q for _, j in drives], dtype=np.int64),
        actuator_gear=np.array([a.gear for a, _ in drives], dtype=float),
        actuator_gain=np.array([(a.gain, a.offset, a.kp, a.kd) for a, _ in drives], dtype=float).reshape(nu, 4),
        actuator_range=np.array(
            [(a.lower, a.upper, a.force_lower, a.force_upper) for a, _ in drives], dtype=float
        ).reshape(nu, 4),
        loops=loop_arrays(
            list(scene.loops.values()), list(scene.couplings.values()), tree.frames, tree.joints, tree.nv, scene.file
        ),
        joints=tuple(tree.joints),
        frames=MappingProxyType(tree.frames),
        postures=MappingProxyType(postures),
        disabled_pairs=frozenset(scene.disabled_pairs),
        colliders=tuple(tree.colliders),
        touching_pairs=frozenset(scene.touching_pairs),
        pair_materials=MappingProxyType(dict(scene.pair_materials)),
        sensors=MappingProxyType(dict(scene.sensors)),
        margin=number(scene.margin, "margin", least=0.0),
        unsimulated=tuple(scene.unsimulated),
    )


def check_velocity(scene: Scene, nv: int) -> Array:
    """The velocity a scene begins with (nv,), zero if it states none; finite."""
    velocity = np.array(scene.velocity, dtype=float)
    if velocity.size == 0:
        return np.zeros(nv)
    if velocity.shape != (nv,) or not np.isfinite(velocity).all():
        raise ModelError(f"velocity is {velocity.tolist()}", file=scene.file, remedy=f"Give {nv} finite numbers")
    return velocity


def check_inertia(body: Body, file: str | None) -> None:
    """A mass and inertia that are finite, not negative and physically possible, and a pose that is finite."""
    element, i = f"body '{body.name}'", body.inertia
    if not np.isfinite([*body.pose.position, *body.pose.rotation.ravel()]).all():
        raise ModelError("its pose is not finite", file=file, element=element, remedy="Correct its origin")
    if not (np.isfinite(i.mass) and np.isfinite(i.com).all() and np.isfinite(i.matrix).all()):
        raise ModelError("its inertia is not finite", file=file, element=element, remedy="Correct mass and inertia")
    if not np.allclose(i.matrix, i.matrix.T, rtol=1e-9, atol=1e-15):
        raise ModelError("its inertia matrix is not symmetric", file=file, element=element, remedy="Correct it")
    if i.mass < 0:
        raise ModelError(f"its mass is {i.mass}", file=file, element=element, remedy="Give a mass >= 0")
    # Off-diagonal terms too large for the diagonal are in robots people use (romeo_laas_small, tiago) and do no harm
    # as long as each joint moves a positive inertia, which check_massless sees to.
    if np.diag(i.matrix).min() < -1e-9 * max(1e-9, abs(np.trace(i.matrix))):
        raise ModelError(
            "its inertia matrix has a negative moment", file=file, element=element, remedy="Correct the inertia"
        )


def check_massless(moving: list[_Moving], file: str | None) -> None:
    """Every joint must move some inertia along its own freedom, at least in the file's configuration."""
    poses: list[Pose] = []
    for m in moving:
        here = m.placement @ start_pose(m)
        poses.append(poses[m.parent] @ here if m.parent >= 0 else here)
    carried = [m.inertia.moved(pose) for m, pose in zip(moving, poses, strict=True)]
    for i in reversed(range(len(moving))):
        m, axis = moving[i], poses[i].rotation[:, 2]
        if m.parent >= 0:
            carried[m.parent] += carried[i]
        about = carried[i].about(poses[i].position)
        if not np.isfinite(about).all():
            raise ModelError(
                "its inertia overflows", file=file, element=f"body '{m.name}'", remedy="Correct masses and places"
            )
        along = {
            PRISMATIC: carried[i].mass,
            REVOLUTE: axis @ about @ axis,
            BALL: np.linalg.eigvalsh(about)[0],
            FREE: min(carried[i].mass, np.linalg.eigvalsh(carried[i].matrix)[0]),
        }[m.joint.code]
        if along + m.joint.armature <= TINY_INERTIA:
            raise MasslessBodyError(
                f"joint '{m.joint.name}' moves it, but it and all it carries have no inertia along that joint",
                file=file,
                element=f"body '{m.name}'",
                remedy="Give the body mass and inertia, fix the joint, or load with armature=1e-3",
            )


def start_pose(m: _Moving) -> Pose:
    """Motion of a joint in the file's configuration."""
    if m.joint.code == FREE:
        return Pose.at(m.start[:3], quaternion=m.start[3:])
    if m.joint.code == PRISMATIC:
        return Pose.at((0.0, 0.0, m.start[0]))
    if m.joint.code == REVOLUTE:
        return Pose.at(rpy=(0.0, 0.0, m.start[0]))
    return Pose()


def principal_box(inertia: Inertia) -> tuple[Array, Array, Array]:
    """Centre, principal axes (columns) and edges of the uniform box of the same mass and inertia."""
    axes = np.linalg.eigh(inertia.matrix)[1] if inertia.axes is None else inertia.axes
    moments = np.diag(axes.T @ inertia.matrix @ axes)
    edges = np.sqrt(np.maximum(1e-15, (moments.sum() - 2 * moments) * 6 / inertia.mass))
    return inertia.com, axes, edges


def quaternion(rotation: Array) -> Array:
    """Unit quaternion (w x y z), w >= 0, of a rotation matrix, by its largest component."""
    r = rotation
    trace = np.trace(r)
    squares = np.array([trace, *(2 * np.diag(r) - trace)]) + 1.0  # 4 w², 4 x², 4 y², 4 z²
    products = np.array(
        [
            [squares[0], r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]],
            [r[2, 1] - r[1, 2], squares[1], r[1, 0] + r[0, 1], r[0, 2] + r[2, 0]],
            [r[0, 2] - r[2, 0], r[1, 0] + r[0, 1], squares[2], r[2, 1] + r[1, 2]],
            [r[1, 0] - r[0, 1], r[0, 2] + r[2, 0], r[2, 1] + r[1, 2], squares[3]],
        ]
    )
    q: Array = products[np.argmax(squares)]
    q = q / np.linalg.norm(q)
    return q if q[0] >= 0 else -q


def check_posture(scene: Scene, name: str, q: Array, start: Array, q_start: NDArray[np.int64]) -> Array:
    """A named configuration; what was added to the scene after it keeps the file's coordinates."""
    if q.ndim != 1 or len(q) not in (len(start), *q_start) or not np.isfinite(q).all():
        raise ModelError(
            f"has shape {q.shape} or is not finite, the scene has {len(start)} coordinates",
            file=scene.file,
            element=f"posture '{name}'",
            remedy="Give one finite number for each coordinate",
        )
    return np.concatenate([q, start[len(q) :]])


def actuated_joint(scene: Scene, tree: _Tree, name: str, joint: str) -> JointIndex:
    """The one-degree joint an actuator drives."""
    for index in tree.joints:
        if index.name == joint and isinstance(index.v, int):
            return index
    raise ModelError(
        f"its joint '{joint}' is not there or has more than one degree of freedom",
        file=scene.file,
        element=f"actuator '{name}'",
        remedy="Drive one-degree joints",
    )
