"""What a step says about its contacts: forces, balance of momentum, and the same bits again."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from law_scenes import heap

G, DT = 9.81, 1e-3


def test_forces_are_exactly_zero_when_nothing_touches() -> None:
    scene = sk.load("sphere")
    scene.ground(static=0.5, restitution=0.9)
    sim = sk.Simulation(scene, dt=DT)
    sim.v = [0.3, 0.0, 0.5, 0.0, 5.0, 0.0]
    sim.q[2] += 0.03
    near = touched = 0
    for _ in range(3000):
        speed = sim.v[2]
        sim.step()
        struck = sim.v[2] - speed > -G * DT + 1e-9
        touched += struck
        near += len(sim.contacts) > 0 and not struck
        if not struck:
            assert not sim.contacts.force.any()
            assert not sim.wrench("sphere").any()
            assert (sim.contacts.state == sk.OPEN).all()
    assert touched
    assert near  # contacts within the margin that carry nothing


def test_forces_are_exactly_zero_once_a_body_has_been_lifted() -> None:
    scene = sk.load("box")
    scene.ground()
    sim = sk.Simulation(scene, dt=DT)
    sim.step(n=100)
    assert sim.wrench("box")[2] == pytest.approx(G)
    sim.push("box", (0.0, 0.0, 1.01 * G))
    for _ in range(50):
        sim.step()
        assert len(sim.contacts) == 4  # still within the margin
        assert not sim.contacts.force.any()
        assert (sim.contacts.state == sk.OPEN).all()


def test_contact_forces_account_for_the_change_of_momentum() -> None:
    sim = heap(sk.contact.Exact(), boxes=4)
    mass = np.array([1.0, 2.0, 3.0, 4.0])
    touching = 0
    for _ in range(1500):
        before = sim.v[:24].reshape(4, 6)[:, :3].copy()
        sim.step()
        change = (sim.v[:24].reshape(4, 6)[:, :3] - before) * mass[:, None]
        contacts = sim.contacts
        on_a, on_b = contacts.bodies.T
        for k in range(4):
            force = contacts.force[on_b == k].sum(axis=0) - contacts.force[on_a == k].sum(axis=0)
            weight = np.array([0.0, 0.0, -mass[k] * G])
            np.testing.assert_allclose(change[k], (force + weight) * DT, atol=1e-11)
            np.testing.assert_allclose(sim.wrench(f"box{k}")[:3], force, atol=1e-9)
        touching = max(touching, int((on_a >= 0).sum()))
    assert touching > 4  # they did touch each other


def test_contact_moments_account_for_the_change_of_spin() -> None:
    """From rest, where nothing but the forces turns a body: a cube that stands on one corner's edge begins to fall."""
    scene = sk.Scene("leaning")
    scene.ground(static=0.8)
    size, tilt = (0.1, 0.2, 0.4), 0.2
    corner = sk.Pose.at(rpy=(tilt, 0.3, 0.0)).apply((-0.05, -0.1, -0.2))
    box = sk.Box(size)
    scene.body("box", sk.Joint("root", "free"), position=-corner, rpy=(tilt, 0.3, 0.0), mass=2.0, shape=box)
    sim = sk.Simulation(scene, dt=DT)
    pose, inertia = sim.pose("box"), box.inertia(2.0).matrix
    sim.step()
    force, arm = sim.contacts.force, sim.contacts.point - pose.position
    assert force.any()
    moment = pose.rotation.T @ np.cross(arm, force).sum(axis=0)
    np.testing.assert_allclose(inertia @ sim.v[3:], moment * DT, atol=1e-12)


def test_forces_of_a_heap_push_and_stay_in_their_cones() -> None:
    sim = heap(sk.contact.Exact(), boxes=4)
    for _ in range(1500):
        sim.step()
        residual, contacts = sim.residual, sim.contacts
        assert residual.converged == (residual.total <= sim.law.tolerance)
        assert max(residual.signorini, residual.cone) < 1e-8
        assert residual.dissipation < 1e-7  # a power: also of points that bear what lies on them
        along = np.einsum("ni,ni->n", contacts.force, contacts.normal)
        assert along.min(initial=0.0) >= 0.0
        assert not contacts.force[contacts.state == sk.OPEN].any()


def test_same_run_twice_gives_the_same_bits() -> None:
    first, second = heap(sk.contact.Exact(), boxes=4), heap(sk.contact.Exact(), boxes=4)
    first.step(n=1000)
    for _ in range(1000):
        second.step()
    assert first.state == second.state


def test_restored_state_gives_the_same_bits() -> None:
    sim = heap(sk.contact.Exact(), boxes=4)
    for until in (150, 400, 1000):  # in flight, in impact, at rest
        sim.reset()
        sim.step(n=until)
        state = sim.state
        sim.step(n=500)
        end, force = sim.state, sim.contacts.force
        fresh = heap(sk.contact.Exact(), boxes=4)
        for again in (sim, fresh):
            again.reset(state)
            again.step(n=500)
            assert again.state == end
            np.testing.assert_array_equal(again.contacts.force, force)
