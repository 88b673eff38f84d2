"""Every quantity of `Dynamics` against Pinocchio, on every URDF of example-robot-data, fixed and floating."""

from __future__ import annotations

import warnings
from pathlib import Path

import numpy as np
import pinocchio as pin
import pytest

import sesshoku as sk
from peers import NEEDS_ARMATURE, Coordinates, relative, urdf_files

BOUND = 1e-9


@pytest.fixture(scope="module", params=urdf_files(), ids=lambda path: path.stem)
def path(request: pytest.FixtureRequest) -> Path:
    return request.param


@pytest.fixture(scope="module", params=[False, True], ids=["fixed", "floating"])
def floating(request: pytest.FixtureRequest) -> bool:
    return request.param


@pytest.fixture(scope="module")
def both(path: Path, floating: bool) -> tuple[pin.Model, sk.Dynamics]:
    armature = 1e-2 if path.name in NEEDS_ARMATURE else 0.0
    root = (pin.JointModelFreeFlyer(),) if floating else ()
    model = pin.buildModelFromUrdf(str(path), *root)
    if armature:
        model.armature = np.where(np.arange(model.nv) < (6 if floating else 0), 0.0, armature)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.UnsimulatedWarning)  # mimic joints: independent in both
        scene = sk.load(path, floating=floating, armature=armature)
    return model, sk.Dynamics(scene)


def test_dynamics_agree(both: tuple[pin.Model, sk.Dynamics]) -> None:
    model, ours = both
    assert (ours.model.nv, [j.name for j in ours.model.joints]) == (model.nv, list(model.names)[1:])
    if model.nv == 0:
        return  # a robot without joints, fixed: nothing moves
    data, rng = model.createData(), np.random.default_rng(1)
    for _ in range(3):
        c = Coordinates(model)
        c.random(rng)
        m = pin.crba(model, data, c.q)
        m = c.matrix(np.triu(m) + np.triu(m, 1).T)
        bias = pin.rnea(model, data, c.q, c.v, np.zeros(model.nv))
        # at zero v̇ of ours Pinocchio's base accelerates by −shift; carry that part over
        ours_bias = c.turn @ bias - m @ c.shift
        forward = c.acceleration(pin.aba(model, data, c.q, c.v, c.tau))
        # Pinocchio 4.1 counts rotors neither fully nor not at all; ½ v·M v with its own M is the definition
        rotors = model.armature.any()
        kinetic = 0.5 * c.v_ours @ m @ c.v_ours if rotors else pin.computeKineticEnergy(model, data, c.q, c.v)
        potential = pin.computePotentialEnergy(model, data, c.q)
        energy = ours.energy(c.q_ours, c.v_ours)
        centroidal = np.array(pin.computeCentroidalMomentum(model, data, c.q, c.v))
        found = {
            "inertia matrix": relative(ours.inertia_matrix(c.q_ours), m),
            "bias": relative(ours.bias_force(c.q_ours, c.v_ours), ours_bias),
            "forward": relative(ours.forward(c.q_ours, c.v_ours, c.tau_ours), forward),
            "forward by matrix": relative(ours.forward_by_matrix(c.q_ours, c.v_ours, c.tau_ours), forward),
            "com": relative(ours.com(c.q_ours), pin.centerOfMass(model, data, c.q)),
            "kinetic": relative(energy.kinetic, kinetic),
            "potential": relative(energy.potential, potential),
            "momentum": relative(ours.momentum(c.q_ours, c.v_ours), centroidal),
        }
        assert {name: error for name, error in found.items() if not error < BOUND} == {}


def test_frames_agree(both: tuple[pin.Model, sk.Dynamics]) -> None:
    model, ours = both
    if model.nv == 0:
        return  # Pinocchio's Jacobian of a robot without joints crashes the interpreter
    data, rng = model.createData(), np.random.default_rng(2)
    c = Coordinates(model)
    c.random(rng)
    pin.forwardKinematics(model, data, c.q, c.v, c.turn.T @ -c.shift)  # zero v̇ of ours
    pin.computeJointJacobians(model, data, c.q)
    pin.updateFramePlacements(model, data)
    # a link named "world" on a floating base is ours under another name: world is what does not move
    bodies = [
        k
        for k, frame in enumerate(model.frames)
        if frame.type == pin.FrameType.BODY and frame.name not in ("universe", "world")
    ]
    for k in rng.choice(bodies, size=min(6, len(bodies)), replace=False).tolist():
        name = model.frames[k].name
        pose = ours.pose(name, c.q_ours)
        jacobian = pin.getFrameJacobian(model, data, k, pin.LOCAL_WORLD_ALIGNED) @ c.turn.T
        drift = np.array(pin.getFrameClassicalAcceleration(model, data, k, pin.LOCAL_WORLD_ALIGNED))
        found = {
            "position": np.abs(pose.position - data.oMf[k].translation).max(),
            "rotation": np.abs(pose.rotation - data.oMf[k].rotation).max(),
            "jacobian": relative(ours.jacobian(name, c.q_ours), jacobian),
            "drift": np.abs(ours.drift(name, c.q_ours, c.v_ours) - drift).max() / max(1.0, np.abs(drift).max()),
        }
        assert {entry: error for entry, error in found.items() if not error < BOUND} == {}, name


def test_test_forces_are_the_inverse_operational_inertia(both: tuple[pin.Model, sk.Dynamics]) -> None:
    model, ours = both
    if model.nv == 0:
        return
    rng = np.random.default_rng(3)
    c = Coordinates(model)
    c.random(rng)
    names = [ours.model.body_names[i] for i in rng.integers(ours.model.n, size=3)]
    stacked = np.vstack([ours.jacobian(name, c.q_ours) for name in names])
    expected = stacked @ np.linalg.solve(ours.inertia_matrix(c.q_ours), stacked.T)
    assert relative(ours.test_force(names, c.q_ours), expected) < BOUND
