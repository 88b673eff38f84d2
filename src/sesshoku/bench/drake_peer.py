"""Drake on the scenes of the contact benchmark."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydrake import geometry
from pydrake.math import RigidTransform, RotationMatrix
from pydrake.multibody.math import SpatialForce
from pydrake.multibody.plant import (
    AddMultibodyPlantSceneGraph,
    CoulombFriction,
    DiscreteContactApproximation,
    ExternallyAppliedSpatialForce,
)
from pydrake.multibody.tree import (
    FixedOffsetFrame,
    PdControllerGains,
    PrismaticJoint,
    RevoluteJoint,
    RotationalInertia,
    SpatialInertia,
)
from pydrake.systems.analysis import Simulator
from pydrake.systems.framework import DiagramBuilder

from sesshoku.bench.engine import DT, Array, Case, Engine
from sesshoku.bench.peer_urdf import apart
from sesshoku.model import Box, Capsule, Hull, Model, Plane, Sphere
from sesshoku.model.joint import FREE, REVOLUTE
from sesshoku.model.shape import Shape
from sesshoku.sim import Simulation
from sesshoku.spatial.pose import rotation_from_quaternion

__all__ = ["Drake"]


class Drake(Engine):
    """With SAP, point contact of its default stiffness, and its implicit servos."""

    def __init__(self, case: Case) -> None:
        model, start = case.scene.model, Simulation(case.scene, law="none", dt=DT, posture=case.posture)
        builder = DiagramBuilder()
        self.plant, graph = AddMultibodyPlantSceneGraph(builder, time_step=DT)
        plant = self.plant
        plant.set_discrete_contact_approximation(DiscreteContactApproximation.kSap)
        plant.mutable_gravity_field().set_gravity_vector(model.gravity)
        self.body: dict[int, Any] = {-1: plant.world_body()}
        for i in range(model.n):
            self._add_body(model, i, start.q[model.q_start[i] :])
        friction = CoulombFriction(case.friction, case.friction)
        for k, placed in enumerate(model.colliders):
            at, name = _transform(placed.pose.rotation, placed.pose.position), f"shape{k}"
            plant.RegisterCollisionGeometry(self.body[placed.body], at, _shape(placed.shape), name, friction)
        for a, b in apart(model):
            shapes = [geometry.GeometrySet(plant.GetCollisionGeometriesForBody(self.body[i])) for i in (a, b)]
            graph.collision_filter_manager().Apply(geometry.CollisionFilterDeclaration().ExcludeBetween(*shapes))
        targets, forces = self._drive(model, start.control)
        plant.Finalize()
        self.simulator = Simulator(builder.Build())
        self.context = self.simulator.get_mutable_context()
        self.own = plant.GetMyMutableContextFromRoot(self.context)
        plant.get_actuation_input_port().FixValue(self.own, forces)
        if targets:
            port = plant.get_desired_state_input_port(self.body[0].model_instance())
            port.FixValue(self.own, np.concatenate((targets, np.zeros(len(targets)))))
        self.still = [self.body[model.body(name)] for name in case.still]
        self.force, self.pushed = ExternallyAppliedSpatialForce(), None
        if case.pushed is not None:
            i = model.body(case.pushed)
            self.force.body_index, self.force.p_BoBq_B = self.body[i].index(), model.com[i]
            self.pushed = plant.get_applied_spatial_force_input_port().FixValue(self.own, [self.force])

    def _add_body(self, model: Model, i: int, q: Array) -> None:
        """Body i with its joint, at its part of the coordinates."""
        plant, d, parent = self.plant, model.v_start[i], self.body[int(model.parent[i])].body_frame()
        central = RotationalInertia(*model.inertia[i].tolist())
        inertia = SpatialInertia.MakeFromCentralInertia(float(model.mass[i]), model.com[i], central)
        body = self.body[i] = plant.AddRigidBody(model.body_names[i], inertia)
        if model.kind[i] == FREE:
            plant.SetDefaultFloatingBaseBodyPose(body, _transform(rotation_from_quaternion(q[3:7]), q[:3]))
            return
        place = _transform(model.placement_rotation[i].reshape(3, 3), model.placement_position[i])
        frame = plant.AddFrame(FixedOffsetFrame(f"place{i}", parent, place))
        kind = RevoluteJoint if model.kind[i] == REVOLUTE else PrismaticJoint
        joint = plant.AddJoint(kind(f"joint{i}", frame, body.body_frame(), [0.0, 0.0, 1.0]))
        joint.set_position_limits([model.lower[d]], [model.upper[d]])
        joint.set_default_positions(q[:1])

    def _drive(self, model: Model, control: Array) -> tuple[list[float], list[float]]:
        """Add the actuators; returns what servos hold, and constant forces."""
        targets, forces = [], []
        for u in range(model.nu):
            gain, offset, kp, kd = model.actuator_gain[u].tolist()
            joint = self.plant.GetJointByName(f"joint{model.dof_body[model.actuator_dof[u]]}")
            actuator = self.plant.AddJointActuator(f"actuator{u}", joint, model.actuator_range[u, 3])
            forces.append(offset + (0.0 if kp else gain * control[u]))
            if kp:
                actuator.set_controller_gains(PdControllerGains(p=kp, d=kd))
                targets.append(gain * control[u] / kp)
        return targets, forces

    def advance(self, pushes: Array) -> None:
        """Take the steps."""
        pushed, force, context, step = self.pushed, self.force, self.context, self.simulator.AdvanceTo
        nothing = np.zeros(3)
        for push in pushes:
            if pushed is not None:
                force.F_Bq_W = SpatialForce(nothing, push)
                pushed.GetMutableData().set_value([force])
            step(context.get_time() + DT)

    def places(self) -> Array:
        """Of the frames of the bodies."""
        return np.array([self.plant.EvalBodyPoseInWorld(self.own, body).translation() for body in self.still])

    def depth(self) -> float:
        """From the contacts of this instant."""
        results = self.plant.get_contact_results_output_port().Eval(self.own)
        pairs = (results.point_pair_contact_info(k).point_pair() for k in range(results.num_point_pair_contacts()))
        return max((float(pair.depth) for pair in pairs), default=0.0)

    def save(self) -> None:
        """A copy of everything."""
        self.start = self.context.Clone()

    def restore(self) -> None:
        """The same again."""
        self.context.SetTimeStateAndParametersFrom(self.start)
        self.simulator.Initialize()


def _transform(rotation: Array, position: Array) -> Any:
    return RigidTransform(RotationMatrix(rotation), position)


def _shape(shape: Shape) -> Any:
    """A shape as Drake knows it."""
    if isinstance(shape, Plane):
        return geometry.HalfSpace()
    if isinstance(shape, Sphere):
        return geometry.Sphere(shape.radius)
    if isinstance(shape, Capsule):
        return geometry.Capsule(shape.radius, shape.length)
    if isinstance(shape, Box):
        return geometry.Box(*shape.size)
    if isinstance(shape, Hull):
        return geometry.Convex(points=shape.points.T, label="hull")
    raise TypeError(f"Drake has no {type(shape).__name__} here")
