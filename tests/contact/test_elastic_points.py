"""Elastic points: how springs are carried along, and that the law with them is the law of rigid points in the limit."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sesshoku as sk
from sesshoku import contact
from sesshoku.constraint.problem import at
from sesshoku.contact.elastic import carry
from sesshoku.contact.fit import evaluate, residual
from sesshoku.contact.flow import answer
from sesshoku.kernel import kernel
from sesshoku.sim import OPEN, SLIP, STICK

G, DT = 9.81, 1e-3


@kernel
def residual_of(address: int) -> float:
    """The residual of island 0 for the impulses as they are."""
    p = at(address)
    evaluate(p, 0)
    return residual(p, 0, 1e-8, p.reference[0])


@kernel
def answer_of(address: int, n: tuple[float, float, float]) -> float:
    """Velocity of point 0 along n per impulse along it."""
    return answer(at(address), 0, n, n)


angles = st.floats(-0.05, 0.05)


def block(law: str = "exact", dt: float = DT, **material: float) -> sk.Simulation:
    """A block of 1 kg on the ground, which may be elastic."""
    scene = sk.Scene("block")
    scene.ground(**material)
    scene.body("block", sk.Joint("root", "free"), position=(0, 0, 0.05), mass=1.0, shape=sk.Box((0.2, 0.2, 0.1)))
    return sk.Simulation(scene, law=law, dt=dt)


def turned(axis: np.ndarray, angle: float, x: np.ndarray) -> np.ndarray:
    """Rodrigues' formula."""
    return x * np.cos(angle) + np.cross(axis, x) * np.sin(angle) + axis * (axis @ x) * (1 - np.cos(angle))


@given(angles, angles, angles)
def test_an_elongation_turns_with_its_bodies(x: float, y: float, spin: float) -> None:
    """To second order of the turn in a step, and it keeps its length."""
    turn = np.array((x, y, spin))
    angle = float(np.linalg.norm(turn))
    axis = turn / angle if angle > 0.0 else np.array((0.0, 0.0, 1.0))
    e, n = np.array((2e-6, -1e-6, 0.0)), turned(axis, angle, np.array((0.0, 0.0, 1.0)))
    carried = np.array(carry(tuple(e.tolist()), tuple(n.tolist()), spin))
    assert abs(carried @ n) < 1e-20
    assert np.linalg.norm(carried) == pytest.approx(np.linalg.norm(e), rel=1e-12)
    np.testing.assert_allclose(carried, turned(axis, angle, e), atol=2.0 * angle**2 * 2.3e-6 + 1e-20)


def test_what_has_no_elongation_gets_none() -> None:
    assert carry((0.0, 0.0, 0.0), (0.0, 0.0, 1.0), 0.3) == (0.0, 0.0, 0.0)


def test_an_elongation_along_the_new_normal_is_forgotten() -> None:
    assert carry((1e-6, 0.0, 0.0), (1.0, 0.0, 0.0), 0.0) == (0.0, 0.0, 0.0)


@pytest.mark.parametrize("law", ["penalty", "multipoint", "lcp", "volume"])
def test_laws_of_rigid_surfaces_refuse_a_stiffness(law: str) -> None:
    with pytest.raises(sk.UnsupportedError, match=f"stiffness.*law '{law}'.*law='exact'"):
        block(law, stiffness=1e6)


@pytest.mark.parametrize("integrator", ["rk4", "rkg"])
def test_integrators_that_move_by_other_velocities_refuse_it(integrator: str) -> None:
    """With rigid surfaces depth is taken back; elastic ones would throw bodies out."""
    scene = block(stiffness=1e6).scene
    with pytest.raises(sk.UnsupportedError, match=f"stiffness.*integrator '{integrator}'.*semi_implicit"):
        sk.Simulation(scene, integrator=integrator)


def test_without_contact_a_stiffness_does_not_matter() -> None:
    sim = block("none", stiffness=1e6)
    sim.step(n=10)
    assert sim.v[2] == pytest.approx(-G * 10 * DT)


def test_stiffer_and_stiffer_it_is_the_rigid_law() -> None:
    """A block thrown flat along the ground, where it touches: what springs change vanishes with their compliance."""
    ends = {}
    for stiffness in (None, 1e7, 1e9, 1e11):
        sim = block(static=0.5, kinetic=0.4, **({} if stiffness is None else {"stiffness": stiffness}))
        sim.v[:3] = (1.0, 0.5, 0.0)
        sim.step(n=100)
        ends[stiffness] = sim.q.copy()
    off = [np.abs(ends[k] - ends[None]).max() for k in (1e7, 1e9, 1e11)]
    assert off[1] < 0.02 * off[0]
    assert off[2] < 0.02 * off[1]


def test_states_and_slip_are_those_of_the_surface() -> None:
    """A block that is pushed below the limit moves by the spring, and sticks; above it, it slips."""
    sim = block(static=0.5, stiffness=1e5)
    sim.step(n=300)
    sim.push("block", (0.3 * G, 0.0, 0.0))
    sim.step()
    assert sim.v[0] > 1e-4
    assert (sim.contacts.state == STICK).all()
    assert np.abs(sim.contacts.slip).max() < 1e-9
    sim.push("block", (0.7 * G, 0.0, 0.0))
    sim.step(n=200)
    assert (sim.contacts.state == SLIP).all()
    np.testing.assert_allclose(sim.contacts.slip[:, 0], sim.v[0], rtol=1e-3)
    sim.push("block", (0.0, 0.0, 5.0 * G))
    sim.step(n=20)
    assert (sim.contacts.state == OPEN).all()
    assert (sim.contacts.force == 0.0).all()


def test_the_residual_is_that_of_the_elastic_law() -> None:
    """It is small for what springs bear, and not for other impulses; velocities of the points are those of the body."""
    sim = block(static=0.5, stiffness=1e5)
    sim.push("block", (2.0, 1.0, 0.0))
    for _ in range(50):
        sim.step()
        assert sim.residual.converged
        assert max(sim.residual.signorini, sim.residual.cone, sim.residual.dissipation) < 1e-7
    problem = sim._problem
    u = problem.slide[:4] - problem.bias[:4] - problem.give[:4, None] * problem.impulse[:4]
    arms = sim.contacts.point - sim.q[:3]
    np.testing.assert_allclose(u, sim.v[:3] + np.cross(sim.v[3:6], arms), atol=1e-9)
    assert residual_of(problem.address) < 1e-8
    problem.impulse[:4, 0] *= 1.01
    assert residual_of(problem.address) > 1e-4


def test_a_spring_is_forgotten_where_a_contact_opens() -> None:
    sim = block(static=0.5, stiffness=1e5)
    sim.push("block", (0.4 * G, 0.0, 0.0))
    sim.step(n=200)
    assert np.abs(sim.state.memory.shear[:, 0]).min() > 1e-6
    sim.push("block", (0.0, 0.0, 2.0 * G))
    while sim.contacts.force.any():
        sim.step()
    assert len(sim.contacts) == 4  # they are still near
    assert (sim.state.memory.shear == 0.0).all()


def test_a_point_that_is_new_among_others_has_moved_as_they_have() -> None:
    """A contact that is renamed keeps what the others of its bodies bear: else a load would be lost."""
    sim = block(static=0.5, stiffness=1e5)
    sim.push("block", (0.4 * G, 0.0, 0.0), np.cross((0.0, 0.0, -0.05), (0.4 * G, 0.0, 0.0)))
    sim.step(n=300)
    before, problem = sim.q[0], sim._problem
    problem.kept_feature[1] += 1000
    sim.step(n=300)
    assert sim.q[0] == pytest.approx(before, abs=1e-9)


def test_compression_is_not_taken_back_with_the_depth_of_others() -> None:
    """An elastic ball strikes a rigid box; that the box is in the ground does not change how deep the ball goes."""
    deepest = []
    for overlap in (0.0, 5e-3):
        scene = sk.Scene("sunk")
        scene.ground(static=0.5)
        shape, place = sk.Box((0.4, 0.4, 0.1)), (0.0, 0.0, 0.05 - overlap)
        scene.body("box", sk.Joint("box", "free"), position=place, mass=50.0, shape=shape)
        soft, place = sk.Material(0.5, stiffness=1e4), (0.0, 0.0, 0.2 - overlap)
        scene.body("ball", sk.Joint("ball", "free"), position=place, mass=1.0, shape=sk.Sphere(0.1), material=soft)
        sim = sk.Simulation(scene, dt=DT)
        sim.v[8] = -0.5
        depth = 0.0
        for _ in range(60):
            sim.step()
            depth = max(depth, sim.q[2] + 0.15 - sim.q[9])
        deepest.append(depth)
    assert deepest[0] > 1e-3
    assert deepest[1] == pytest.approx(deepest[0], rel=1e-6)


def test_what_a_point_answers_between_links_of_one_robot() -> None:
    """Two arms on a floating hub: what they tell each other through it is in, against J M⁻¹ Jᵀ."""
    scene, soft = sk.Scene("scissors"), sk.Material(static=0.0, stiffness=1e6)
    scene.gravity = (0.0, 0.0, 0.0)
    scene.body("hub", sk.Joint("root", "free"), mass=0.1, shape=sk.Sphere(0.005))
    for name, sign in (("a", 1.0), ("b", -1.0)):
        shape, place = sk.Box((0.5, 0.01, 0.01)), (0.3, 0.02 * sign, 0.1 * sign)
        hinge = sk.Joint(f"hinge_{name}", "revolute", axis=(0, 0, 1))
        scene.body(name, hinge, parent="hub", mass=1.0, shape=shape, shape_position=place)
        scene.collider(name, sk.Sphere(0.01), (0.03, 0.01 * sign, 0.0), material=soft)
    sim = sk.Simulation(scene, dt=1e-5)
    sim.step()
    problem, n = sim._problem, sim.contacts.normal[0]
    mass, rates = sim.dynamics.inertia_matrix(sim.q), np.zeros(8)
    rates[6], rates[7] = 0.03, -0.03  # the points approach along y by these turns of the arms
    expected = rates @ np.linalg.solve(mass, rates)
    assert answer_of(problem.address, tuple(n)) == pytest.approx(expected, rel=1e-3)


def test_a_state_that_is_restored_goes_on_with_the_same_bits() -> None:
    """Springs that are loaded are part of it."""
    sim = block(static=0.5, stiffness=1e5)
    sim.push("block", (0.4 * G, 0.0, 0.0), (0.0, 0.0, 0.1))
    sim.step(n=50)
    assert np.abs(sim.state.memory.shear).max() > 1e-6
    state = sim.state
    sim.step(n=50)
    after = sim.state
    sim.reset(state)
    sim.step(n=50)
    assert sim.state == after


def test_rigid_and_elastic_points_in_one_island() -> None:
    """A box on a rubber pad on the rigid ground, both of which carry it: the pad yields, the ground does not."""
    scene = sk.Scene("pad")
    scene.ground(static=0.8)
    rubber = sk.Material(static=0.8, stiffness=1e4)
    scene.body("pad", sk.Joint("pad", "free"), position=(0, 0, 0.05), mass=1.0, shape=sk.Box((0.3, 0.3, 0.1)))
    shape = sk.Box((0.1, 0.1, 0.1))
    scene.body("box", sk.Joint("box", "free"), position=(0, 0, 0.15), mass=2.0, shape=shape, material=rubber)
    sim = sk.Simulation(scene, law=contact.Exact(), dt=DT)
    sim.step(n=500)
    assert sim.residual.converged
    assert sim.q[2] == pytest.approx(0.05, abs=1e-9)
    assert 0.15 - sim.q[9] == pytest.approx(2.0 * G / 4e4, rel=1e-6)
    assert sim.wrench("pad")[2] == pytest.approx(1.0 * G, rel=1e-6)


@pytest.mark.parametrize("independent", [False, True])
def test_elastic_forces_do_not_depend_on_those_of_the_step_before(independent: bool) -> None:
    """From the same bits if it is asked for; else within what the tolerance admits, since there is one solution."""
    scene = block(static=0.4, stiffness=1e6).scene
    sim = sk.Simulation(scene, law=contact.Exact(independent=independent), dt=DT)
    sim.push("block", (1.0, 0.5, -30.0), (0.3, -0.2, 0.1))
    sim.step(n=20)
    state, ends = sim.state, []
    for share in (1.0, 0.0, -2.0):
        memory = replace(state.memory, impulse=share * state.memory.impulse)
        sim.reset(replace(state, memory=memory))
        sim.step()
        assert sim.residual.converged
        ends.append(sim.contacts.force)
    for other in ends[1:]:
        if independent:
            np.testing.assert_array_equal(other, ends[0])
        np.testing.assert_allclose(other, ends[0], atol=1e-5)
