"""The builder: describe robots and scenes in Python, or change what a loader has read."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from importlib import import_module
from itertools import zip_longest
from math import inf
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.errors import ModelError
from sesshoku.model.actuator import Actuator
from sesshoku.model.bush import Bush, fasten
from sesshoku.model.collider import Collider
from sesshoku.model.compile import compile_model
from sesshoku.model.include import include
from sesshoku.model.inertia import Inertia
from sesshoku.model.joint import Joint
from sesshoku.model.loop import Coupling, Loop, LoopKind, places
from sesshoku.model.material import PLAIN, Material
from sesshoku.model.model import JointIndex, Model
from sesshoku.model.sensor import Sensor, SensorKind
from sesshoku.model.shape import Plane, Shape, Solid
from sesshoku.spatial.pose import Pose

if TYPE_CHECKING:
    from typing import Any as Distance

__all__ = ["Body", "Medium", "Scene", "Site"]

GRAVITY = (0.0, 0.0, -9.81)


@dataclass(frozen=True)
class Body:
    """One body as the file or the user describes it; without joints it is fixed to its parent.

    Attributes:
        name: unique among bodies and sites.
        parent: name of the parent body, None for the world.
        pose: of the body frame in the parent's body frame, all joints at their reference.
        joints: outermost last; several make the body move by all of them in turn.
        inertia: in the body frame.
        colliders: what of it can touch.
        gravity_compensation: share of its weight that is carried (1: weightless).
        bush: rubber between its joints and itself.
    """

    name: str
    parent: str | None
    pose: Pose
    joints: tuple[Joint, ...]
    inertia: Inertia
    colliders: tuple[Collider, ...] = ()
    gravity_compensation: float = 0.0
    bush: Bush | None = None

    @property
    def all_joints(self) -> tuple[Joint, ...]:
        """Its joints, then those of its bush."""
        return self.joints if self.bush is None else self.joints + self.bush.joints(self.name)


@dataclass(frozen=True)
class Site:
    """A named place on a body (None: the world), at its pose in the body frame."""

    name: str
    body: str | None
    pose: Pose


@dataclass(frozen=True)
class Medium:
    """What fills the space: density [kg/m³], viscosity [Pa s], wind [m/s] in world axes."""

    density: float = 0.0
    viscosity: float = 0.0
    wind: tuple[float, float, float] = (0.0, 0.0, 0.0)


@dataclass
class Scene:
    """Robots and things, in the order their coordinates will have. `model` is what is simulated.

    Attributes:
        name: shown to users.
        file: where it was read from, if it was.
        gravity: [m/s²], world axes.
        medium: what fills the space.
        environment: what is fixed to the world and of no body; its owner is called 'world'.
        loops: places of two bodies that stay together.
        couplings: joints that follow others.
        sensors: of force, on bodies and sites.
        velocity: what it begins with (nv,); empty: it begins at rest.
        disabled_pairs: pairs of bodies, by name, that never touch.
        touching_pairs: pairs of colliders, by name, that touch whatever their groups and bodies.
        pair_materials: what two bodies or colliders, by name, are like to each other, whatever their surfaces are.
        margin: contacts are reported this far before they touch, fast ones a step before [m].
    """

    name: str = "scene"
    file: str | None = None
    gravity: tuple[float, float, float] = GRAVITY
    medium: Medium = Medium()
    bodies: dict[str, Body] = field(default_factory=dict)
    environment: list[Collider] = field(default_factory=list)
    sites: dict[str, Site] = field(default_factory=dict)
    actuators: dict[str, Actuator] = field(default_factory=dict)
    loops: dict[str, Loop] = field(default_factory=dict)
    couplings: dict[str, Coupling] = field(default_factory=dict)
    sensors: dict[str, Sensor] = field(default_factory=dict)
    postures: dict[str, NDArray[np.float64]] = field(default_factory=dict)
    velocity: ArrayLike = ()
    disabled_pairs: set[frozenset[str]] = field(default_factory=set)
    touching_pairs: set[frozenset[str]] = field(default_factory=set)
    pair_materials: dict[frozenset[str], Material] = field(default_factory=dict)
    margin: float = 2e-3
    unsimulated: list[str] = field(default_factory=list)
    _model: Model | None = field(default=None, init=False, repr=False, compare=False)
    _built_of: tuple[Any, ...] = field(default=(), init=False, repr=False, compare=False)

    def body(
        self,
        name: str,
        joint: Joint | Sequence[Joint] = (),
        *,
        parent: str | None = None,
        position: ArrayLike = (0.0, 0.0, 0.0),
        rpy: ArrayLike | None = None,
        quaternion: ArrayLike | None = None,
        inertia: Inertia | None = None,
        mass: float | None = None,
        shape: Shape | None = None,
        shape_position: ArrayLike = (0.0, 0.0, 0.0),
        material: Material = PLAIN,
    ) -> Body:
        """Add a body: its pose in the parent, how it moves there, and what it weighs.

        Give ``inertia``, or ``mass`` with ``shape`` for a uniform solid of that shape at ``shape_position``, whose
        surface is of ``material``.
        """
        place = Pose.at(shape_position)
        if inertia is None:
            solid = shape if isinstance(shape, Solid) else None
            if mass is not None and solid is None:
                raise ModelError("a mass without a solid", element=f"body '{name}'", remedy="Give a shape or inertia")
            try:
                inertia = solid.inertia(mass).moved(place) if solid is not None and mass is not None else Inertia()
            except ModelError as error:
                raise ModelError(error.problem, element=f"body '{name}'", remedy=error.remedy) from None
        joints = (joint,) if isinstance(joint, Joint) else tuple(joint)
        pose = Pose.at(position, rpy=rpy, quaternion=quaternion)
        return self.add(
            Body(name, parent, pose, joints, inertia, (Collider(shape, place, material=material),) if shape else ())
        )

    def add(self, body: Body) -> Body:
        """Add a body already described; its parent must be there."""
        self.check_new_frame(body.name)
        if body.parent is not None and body.parent not in self.bodies:
            raise self._error(f"its parent '{body.parent}' is not there", f"body '{body.name}'", "Add parents first")
        self.check_new_joints(body.all_joints)
        self.bodies[body.name] = body
        return body

    def bush(self, body: str, bush: Bush | None = None) -> Bush:
        """Put rubber between a body, such as a foot, and what carries it (default: `Bush()`).

        It adds the joints ``<body>_bush_z``, ``_bush_roll`` and ``_bush_pitch``, which no servo drives.
        """
        bush = bush or Bush()
        fasten(self, body, bush)
        return bush

    def ground(
        self,
        height: float = 0.0,
        *,
        name: str = "ground",
        rpy: ArrayLike | None = None,
        static: float | None = None,
        kinetic: float | None = None,
        restitution: float | None = None,
        stiffness: float | None = None,
    ) -> Body:
        """Add a fixed body: everything below a plane at this height [m], level unless ``rpy`` tilts it.

        Coefficients given here hold whatever stands on it.
        """
        material = Material(static, kinetic, restitution, priority=1, stiffness=stiffness)
        return self.body(name, position=(0.0, 0.0, height), rpy=rpy, shape=Plane(), material=material)

    def material(
        self,
        a: str,
        b: str,
        *,
        static: float | None = None,
        kinetic: float | None = None,
        restitution: float | None = None,
        stiffness: float | None = None,
    ) -> None:
        """Say how two bodies or colliders are to each other, whatever their surfaces are.

        ``stiffness`` is that of both together, infinity if they are rigid to each other.
        """
        self.pair_materials[frozenset((a, b))] = Material(static, kinetic, restitution, stiffness=stiffness)

    def collider(
        self,
        body: str | None,
        shape: Shape,
        position: ArrayLike = (0.0, 0.0, 0.0),
        *,
        rpy: ArrayLike | None = None,
        quaternion: ArrayLike | None = None,
        name: str | None = None,
        group: int = 1,
        mask: int = 1,
        margin: float = 0.0,
        material: Material = PLAIN,
    ) -> Collider:
        """Add a shape that can touch to a body, at its pose in the body frame, or to the world (None).

        Mass and inertia stay as they are. For ``group``, ``mask`` and ``margin`` see `Collider`.
        """
        pose = Pose.at(position, rpy=rpy, quaternion=quaternion)
        return self.attach(body, Collider(shape, pose, name, group, mask, margin, material))

    def attach(self, body: str | None, collider: Collider) -> Collider:
        """Add a collider already described to a body, or to the world (None)."""
        if body is None:
            self.environment.append(collider)
        elif body in self.bodies:
            there = self.bodies[body]
            self.bodies[body] = replace(there, colliders=(*there.colliders, collider))
        else:
            raise self._error(f"its body '{body}' is not there", "collider", "Add the body first")
        return collider

    def site(
        self, name: str, body: str | None = None, position: ArrayLike = (0.0, 0.0, 0.0), **pose: ArrayLike
    ) -> Site:
        """Name a place on a body, or in the world, for reports, sensors and Jacobians."""
        self.check_new_frame(name)
        if body is not None and body not in self.bodies:
            raise self._error(f"its body '{body}' is not there", f"site '{name}'", "Add the body first")
        self.sites[name] = Site(name, body, Pose.at(position, **pose))
        return self.sites[name]

    def actuator(self, actuator: Actuator) -> Actuator:
        """Drive a joint: see `Actuator.torque`, `Actuator.position` and `Actuator.velocity`."""
        if actuator.name in self.actuators:
            raise self._error("its name is taken", f"actuator '{actuator.name}'", "Give each actuator its own name")
        self.actuators[actuator.name] = actuator
        return actuator

    def servo(self, kp: float, kd: float, joints: Iterable[str] | None = None) -> None:
        """Put a position servo on the named joints (default: all of one degree), limited by their effort.

        An effort of zero, which many files state, counts as none stated.
        """
        one_degree = {
            joint.name: joint
            for body in self.bodies.values()
            for joint in body.joints
            if joint.kind in ("revolute", "continuous", "prismatic")
        }
        for name in one_degree if joints is None else [joints] if isinstance(joints, str) else joints:
            if name not in one_degree:
                near = ", ".join(get_close_matches(name, one_degree) or list(one_degree)[:6])
                raise self._error("it is no joint of one degree", f"servo of '{name}'", f"Known are {near}")
            self.actuator(Actuator.position(name, kp=kp, kd=kd, limit=one_degree[name].effort or inf))

    def close(
        self,
        name: str,
        a: str | None,
        b: str | None,
        kind: LoopKind = "ball",
        position: ArrayLike = (0.0, 0.0, 0.0),
        *,
        axis: ArrayLike = (0.0, 0.0, 1.0),
        size: float = 0.1,
    ) -> Loop:
        """Close a loop: join two bodies (None: the world) by a ``ball``, a ``hinge`` or a ``weld``, as they start.

        ``position`` and the ``axis`` of a hinge are in the frame of A. Hinges and welds hold by places ``size`` [m]
        apart: give about the size of the bodies. The two bodies do not touch each other, as parent and child do not.
        """
        here = places(kind, position, axis, size)
        between = self._start_pose(b).inverse() @ self._start_pose(a)
        return self.tie(Loop(name, a, b, here, np.array([between.apply(place) for place in here])))

    def tie(self, loop: Loop) -> Loop:
        """Add a loop already described."""
        self._check_new_tie(loop.name)
        self.loops[loop.name] = loop
        return loop

    def couple(self, joint: str, leader: str | None, *polynomial: float, name: str | None = None) -> Coupling:
        """Let the coordinate of a joint be c₀ + c₁ x + … of the leader's coordinate x; None: c₀ alone."""
        coupling = Coupling(name or joint, joint, leader, polynomial)
        self._check_new_tie(coupling.name)
        self.couplings[coupling.name] = coupling
        return coupling

    def sensor(self, name: str, frame: str, kind: SensorKind = "joint") -> Sensor:
        """Put a force sensor on a body or site: see `Sensor`; `Simulation.sensor` reads it."""
        if name in self.sensors:
            raise self._error("its name is taken", f"sensor '{name}'", "Give each sensor its own name")
        self.sensors[name] = Sensor(name, frame, kind)
        return self.sensors[name]

    def posture(self, name: str, q: ArrayLike) -> None:
        """Name a configuration, shape (nq,)."""
        self.postures[name] = np.array(q, dtype=float)

    def include(
        self, other: Scene, *, prefix: str = "", position: ArrayLike = (0.0, 0.0, 0.0), **pose: ArrayLike
    ) -> None:
        """Add everything of another scene at a pose, its names prefixed.

        Left behind are its postures, velocity, gravity, medium and margin: a scene has one of each.
        """
        include(self, other, prefix, Pose.at(position, **pose))

    def unused_name(self, name: str, prefix: str) -> str:
        """``name``, prefixed for as long as a body or site has it or it is 'world'."""
        while name in self.bodies or name in self.sites or name == "world":
            name = prefix + name
        return name

    @property
    def model(self) -> Model:
        """What is simulated; built on first use and after each change."""
        parts = self._parts()
        if self._model is None or not all(a is b for a, b in zip_longest(parts, self._built_of)):
            self._model, self._built_of = compile_model(self), parts
        return self._model

    def _parts(self) -> tuple[Any, ...]:
        """All that the model is built of, piece by piece; pieces are replaced, never changed."""
        tables = (self.bodies, self.sites, self.actuators, self.loops, self.couplings, self.sensors, self.postures)
        pieces = (*(piece for table in tables for piece in table.values()), *self.environment)
        pairs = (*self.disabled_pairs, *self.touching_pairs, *self.pair_materials, *self.pair_materials.values())
        return (self.name, self.gravity, self.medium, self.margin, self.velocity, *pieces, *pairs, *self.unsimulated)

    def distance(self, a: str, b: str, q: ArrayLike | None = None) -> Distance:
        """How far two bodies or colliders are from each other in a configuration (default: the start)."""
        # geometry lies above the model; it is looked up here so that users find the distance where they look for it
        found: Distance = import_module("sesshoku.geometry.distance").distance(self.model, a, b, q)
        return found

    def joint(self, name: str) -> JointIndex:
        """Where the coordinates of a joint stand: ``sim.q[scene.joint("knee").q]``."""
        return self.model.joint(name)

    def check_new_frame(self, name: str) -> None:
        """Refuse a name of a body or site that is taken."""
        if name in self.bodies or name in self.sites or name == "world":
            raise self._error("its name is taken", f"body or site '{name}'", "Give each its own name, not 'world'")

    def check_new_joints(self, joints: Sequence[Joint]) -> None:
        """Refuse names of joints that are taken."""
        names = {joint.name for body in self.bodies.values() for joint in body.all_joints}
        for joint in joints:
            if joint.name in names:
                raise self._error("its name is taken", f"joint '{joint.name}'", "Give each joint a name of its own")
            names.add(joint.name)

    def _check_new_tie(self, name: str) -> None:
        if name in self.loops or name in self.couplings:
            raise self._error("its name is taken", f"loop or coupling '{name}'", "Give each its own name")

    def _start_pose(self, name: str | None) -> Pose:
        """Where a body is in the world, all joints at their reference."""
        if name is None:
            return Pose()
        if name not in self.bodies:
            raise self._error(f"body '{name}' is not there", "loop", "Add bodies first")
        return self._start_pose(self.bodies[name].parent) @ self.bodies[name].pose

    def _error(self, problem: str, element: str, remedy: str) -> ModelError:
        return ModelError(problem, file=self.file, element=element, remedy=remedy)
