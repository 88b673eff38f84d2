"""Elastic points: how springs are carried along, and that the law with them is the law of rigid points in the limit."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import sesshoku as sk
from sesshoku import contact
from sesshoku.contact.elastic import carry
from sesshoku.sim import OPEN, SLIP, STICK

G, DT = 9.81, 1e-3
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
    with pytest.raises(sk.UnsupportedError, match=f"stiffness.*'{law}'.*law='exact'"):
        block(law, stiffness=1e6).step()


def test_without_contact_a_stiffness_does_not_matter() -> None:
    block("none", stiffness=1e6).step()


def test_stiffer_and_stiffer_it_is_the_rigid_law() -> None:
    """A block thrown flat along the ground: what elastic points change vanishes with their compliance."""
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
    """It says so if an impulse is not what the springs bear."""
    sim = block(static=0.5, stiffness=1e5)
    sim.push("block", (2.0, 1.0, 0.0))
    for _ in range(50):
        sim.step()
        assert sim.residual.converged
        assert max(sim.residual.signorini, sim.residual.cone, sim.residual.dissipation) < 1e-7
    problem = sim._problem
    s = problem.slide[:4] - problem.bias[:4] - problem.give[:4, None] * problem.impulse[:4]
    at = sim.contacts.point - sim.q[:3]
    np.testing.assert_allclose(s, sim.v[:3] + np.cross(sim.v[3:6], at), atol=1e-9)  # the velocity of the points


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
def test_a_step_may_be_independent_of_impulses(independent: bool) -> None:
    scene = sk.Scene("block")
    scene.ground(static=0.4, stiffness=1e6)
    scene.body("block", sk.Joint("root", "free"), position=(0, 0, 0.05), mass=1.0, shape=sk.Box((0.2, 0.2, 0.1)))
    sim = sk.Simulation(scene, law=contact.Exact(independent=independent), dt=DT)
    sim.v[:6] = (1.0, 0.3, 0.0, 0.0, 0.0, 3.0)
    sim.step(n=300)
    assert sim.residual.converged
    np.testing.assert_allclose(sim.contacts.force[:, 2], G / 4, rtol=0.5)
