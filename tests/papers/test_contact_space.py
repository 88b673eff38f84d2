"""Contact space by test forces: K = J M⁻¹ Jᵀ, with Pinocchio as oracle."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pinocchio as pin
import pytest

import sesshoku as sk
from peers import Coordinates, robot
from sesshoku.papers.lcp import contact_space

BALLS = ("left_ankle_roll_link", "right_ankle_roll_link", "left_knee_link", "right_rubber_hand", "torso_link", "pelvis")


def robot_on_balls(path: str) -> sk.Scene:
    """With two balls on each of a few bodies, and nothing else that touches."""
    scene, rng = sk.load(path, floating=True, armature=0.02), np.random.default_rng(0)
    scene.ground(static=0.7, kinetic=0.5)
    for name, body in list(scene.bodies.items()):
        places = rng.uniform(-0.1, 0.1, (2, 3)) if name in BALLS else ()
        balls = tuple(sk.Collider(sk.Sphere(0.03), sk.Pose.at(place)) for place in places)
        if name != "ground":
            scene.bodies[name] = replace(body, colliders=balls)
    return scene


@pytest.mark.parametrize("law", ["lcp", "exact"])
@pytest.mark.parametrize("seed", range(4))
def test_matrix_against_pinocchio(seed: int, law: str) -> None:
    """U6: a robot of 35 velocities in a random posture, sunk in so far that several balls touch the ground."""
    path, rng = robot("g1_29dof_rev_1_0.urdf"), np.random.default_rng(seed)
    model = pin.buildModelFromUrdf(str(path), pin.JointModelFreeFlyer())
    data, scene = model.createData(), robot_on_balls(path)
    c = Coordinates(model)
    c.random(rng)
    sim = sk.Simulation(scene, law=law)
    heights = sorted(
        sim.dynamics.pose(name, c.q_ours).apply(ball.pose.position)[2]
        for name in BALLS
        for ball in scene.bodies[name].colliders
    )
    c.q[2] -= heights[4]  # the middle of the fifth ball is on the ground
    c.q_ours[2] -= heights[4]
    sim.q[:], sim.v[:] = c.q_ours, c.v_ours
    sim.step()
    space, contacts, problem = contact_space(sim), sim.contacts, sim._problem
    assert len(contacts) >= 5
    assert problem is not None

    M = pin.crba(model, data, c.q)
    M = np.triu(M) + np.triu(M, 1).T
    M = c.matrix(M) + np.diag(sim._system.diagonal)  # rotors, and dampers taken implicitly
    pin.forwardKinematics(model, data, c.q)
    pin.computeJointJacobians(model, data, c.q)
    pin.updateFramePlacements(model, data)
    rows = []
    for point, direction in zip(space.point, space.direction, strict=True):
        k = int(problem.source[point])
        row = np.zeros(model.nv)
        for body, sign in zip(contacts.bodies[k], (-1.0, 1.0), strict=True):
            if body >= 0:
                frame = model.getFrameId(sim.model.body_names[body])
                J = pin.getFrameJacobian(model, data, frame, pin.LOCAL_WORLD_ALIGNED) @ c.turn.T
                arm = contacts.point[k] - data.oMf[frame].translation
                row += sign * (direction @ J[:3] + np.cross(arm, direction) @ J[3:])
        rows.append(row)
    J = np.array(rows)
    expected = J @ np.linalg.solve(M, J.T)
    K = space.matrix
    assert np.abs(K - expected).max() < 1e-10 * np.abs(expected).max()
    assert np.abs(K - K.T).max() < 1e-13 * np.abs(K).max()
    assert np.linalg.eigvalsh(K).min() > -1e-12 * np.abs(K).max()  # redundant points, and ± each direction: singular


def test_unknowns_in_the_order_of_the_paper() -> None:
    """All normals first; then one friction where a contact slips, four where it sticks."""
    scene = sk.Scene("balls")
    scene.ground(static=0.5, kinetic=0.3)
    for name, x in (("fast", 0.0), ("slow", 1.0)):
        scene.body(name, sk.Joint(name, "free"), position=(x, 0.0, 0.1), mass=1.0, shape=sk.Sphere(0.1))
    sim = sk.Simulation(scene, law="lcp")
    sim.v[1] = 0.2
    sim.step()
    space = contact_space(sim)
    assert len(space.velocity) == 2 + 1 + 4
    np.testing.assert_array_equal(space.owner[:2], -1)
    np.testing.assert_array_equal(space.point[space.owner[2:]], space.point[2:])
    np.testing.assert_allclose(np.abs(space.direction[:2, 2]), 1.0)
    np.testing.assert_allclose(space.direction[2:, 2], 0.0, atol=1e-15)
    assert sorted(space.friction.tolist()) == [0.0, 0.0, 0.3, 0.5, 0.5, 0.5, 0.5]


def test_without_a_law_there_is_none() -> None:
    with pytest.raises(sk.SesshokuError, match="Give it a law"):
        contact_space(sk.Simulation(sk.load("box"), law="none"))
