"""What the slots of a problem answer to impulses, against the inertia matrix."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.constraint.problem import COORDINATES, NODES, SLOTS


def fallen() -> sk.Simulation:
    """A humanoid that lies on the ground, and a box and a ball beside it."""
    scene = sk.load("hoap_class")
    scene.ground(static=0.8)
    scene.body("box", sk.Joint("box", "free"), position=(1.5, 0, 0.05), mass=1.0, shape=sk.Box((0.1, 0.1, 0.1)))
    scene.body("ball", sk.Joint("ball", "free"), position=(2.5, 0, 0.05), mass=1.0, shape=sk.Sphere(0.05))
    sim = sk.Simulation(scene)
    rng = np.random.default_rng(0)
    sim.v[6:26] = rng.normal(size=20)
    sim.step(n=600)
    return sim


@pytest.fixture(scope="module")
def sim() -> sk.Simulation:
    return fallen()


def columns(sim: sk.Simulation) -> list[np.ndarray]:
    """For each coordinate the row of its Jacobian (nv,) at the start of the last step, from the freedoms."""
    s, p, m = sim._system, sim._problem, sim.model
    assert p is not None
    rows = []
    for k in range(int(p.count[SLOTS])):
        d = int(p.slot_dof[k])
        if p.slot_width[k] == 1:
            rows.append(np.eye(m.nv)[d])
            continue
        jacobian = np.zeros((6, m.nv))
        while d >= 0:
            jacobian[:, d] = s.freedom[d]
            d = int(m.dof_parent[d])
        if p.slot_width[k] == 3:  # velocity of a point
            jacobian = jacobian[3:] + np.cross(jacobian[:3].T, p.slot_place[k]).T
        rows.extend(jacobian)
    return rows


def test_a_body_that_is_touched_at_one_point_takes_part_by_three_coordinates(sim: sk.Simulation) -> None:
    """Others by six."""
    p = sim._problem
    assert p is not None
    widths = {name: int(p.slot_width[p.body_slot[sim.model.body(name)]]) for name in ("ball", "box")}
    assert widths == {"ball": 3, "box": 6}


def test_response_is_the_projected_inverse_of_the_inertia_matrix(sim: sk.Simulation) -> None:
    """Λ = J M⁻¹ Jᵀ, with what springs and servos add to the diagonal of M."""
    p, s = sim._problem, sim._system
    assert p is not None
    sim.step()
    q, v = sim.q.copy(), sim.v.copy()
    before = sim.dynamics.integrate(q, -sim.dt * v)  # where the step began
    inertia = sim.dynamics.inertia_matrix(before)
    inertia += np.diag(s.diagonal - sim.model.armature)
    jacobian = np.array(columns(sim))
    full = jacobian @ np.linalg.solve(inertia, jacobian.T)
    n = int(p.count[COORDINATES])
    assert n == len(jacobian) >= 12
    found = np.zeros((n, n))
    for t in range(int(p.count[NODES])):
        a, b = int(p.coordinate_begin[t]), int(p.coordinate_begin[t + 1])
        begin = int(p.response_begin[t])
        found[a:b, a:b] = p.response[begin : begin + (b - a) ** 2].reshape(b - a, b - a)
    np.testing.assert_allclose(found, full, atol=1e-8 * np.abs(full).max())


def test_motion_after_the_step_is_the_twist_of_the_solution(sim: sk.Simulation) -> None:
    """What the velocities became moves the slots as the law has found."""
    sim.step()
    p = sim._problem
    assert p is not None
    n = int(p.count[COORDINATES])
    np.testing.assert_allclose(np.array(columns(sim)) @ sim.v, p.twist[:n], atol=1e-9)


def test_islands_are_apart(sim: sk.Simulation) -> None:
    """Box, ball and humanoid do not touch each other: three islands, one tree each."""
    p = sim._problem
    assert p is not None
    assert p.count[0] == p.count[NODES] == 3
