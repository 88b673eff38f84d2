"""Whole steps of the exact law, checked by plain numpy from what users see: momentum, and the law itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest

import sesshoku as sk
from dense_island import dense_matrix, find_change
from law_scenes import leg
from sesshoku.bench.contact_scenes import cases
from sesshoku.constraint.problem import ISLANDS, NODES, at
from sesshoku.contact import Exact
from sesshoku.contact.coulomb import SLIP
from sesshoku.contact.pattern import pattern
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation

Array = np.ndarray
DT = 1e-3


@dataclass(frozen=True)
class Step:
    """One step in the words of textbooks: M (v⁺ − v) = dt f + Jᵀ r; M and f take the servos at the end of the step."""

    inertia: Array
    before: Array
    force: Array
    jacobian: Array  # (n, 3, nv), velocity of B against A at each contact
    bias: Array  # (n,), added to the normal velocity
    contacts: sk.Contacts
    after: Array

    @property
    def impulse(self) -> Array:
        return DT * self.contacts.force

    @property
    def free(self) -> Array:
        return self.before + DT * np.linalg.solve(self.inertia, self.force)


def observed_step(sim: Simulation, body: str, push: Array) -> Step:
    """Let a simulation take a step with a push on a body; put down what it began with and what it reports."""
    q, v, m, d = sim.q.copy(), sim.v.copy(), sim.model, sim.dynamics
    inertia, force = d.inertia_matrix(q), -d.bias_force(q, v)
    for u, dof in enumerate(m.actuator_dof):
        gain, offset, kp, kd = m.actuator_gain[u]
        inertia[dof, dof] += DT * (kd + DT * kp)
        force[dof] += gain * sim.control[u] + offset - kp * (q[m.actuator_q[u]] + DT * v[dof]) - kd * v[dof]
    force += (d.jacobian(body, q)[:3] + turning(d, body, q, centre(sim, body))).T @ push
    sim.push(body, push)
    sim.step()
    force += sim._system.lead  # of what turns fast, see tests/dynamics/test_fast.py
    found = sim.contacts
    jacobian = np.zeros((len(found), 3, m.nv))
    for k, (ends, point) in enumerate(zip(found.bodies, found.point, strict=True)):
        for i, sign in zip(ends, (-1.0, 1.0), strict=True):
            if i >= 0:
                name = m.body_names[i]
                jacobian[k] += sign * (d.jacobian(name, q)[:3] + turning(d, name, q, point))
    bias = np.maximum(-found.depth, 0.0) / DT
    return Step(inertia, v, force, jacobian, bias, found, sim.v.copy())


def turning(d: sk.Dynamics, name: str, q: Array, point: Array) -> Array:
    """What the turning of a body adds to the velocity of its origin, at a point of the world: (3, nv)."""
    arm = point - d.pose(name, q).position
    return np.cross(d.jacobian(name, q)[3:].T, arm).T


def centre(sim: Simulation, name: str) -> Array:
    """Centre of mass of a body in the world."""
    i = sim.model.body(name)
    position, rotation = sim.dynamics.body_poses(sim.q)
    return position[i] + rotation[i] @ sim.model.com[i]


def natural_residual(n: Array, mu: Array, r: Array, u: Array, h: Array) -> Array:
    """(r − P_K(r − h s)) / h with s = u + μ|u_T| n, for each contact: zero iff Signorini and Coulomb hold."""
    slip = np.linalg.norm(u - np.einsum("ni,ni->n", n, u)[:, None] * n, axis=1)
    y = r - h[:, None] * (u + (mu * slip)[:, None] * n)
    along = np.einsum("ni,ni->n", n, y)
    tangent = y - along[:, None] * n
    a = np.linalg.norm(tangent, axis=1)
    height = (along + mu * a) / (1.0 + mu**2)
    onto = height[:, None] * n + (mu * height / np.maximum(a, 1e-300))[:, None] * tangent
    onto = np.where((a <= mu * along)[:, None], y, np.where((mu * a <= -along)[:, None], 0.0, onto))
    return (r - onto) / h[:, None]


def robot() -> tuple[Simulation, float]:
    case = cases()["g1_8_still"]()
    return Simulation(case.scene, dt=DT, posture="stand"), 0.8


def heap() -> tuple[Simulation, float]:
    """Boxes and balls of 0.1 to 10 kg that tumble over each other."""
    scene = sk.Scene("heap")
    scene.ground(static=0.4)
    rng = np.random.default_rng(2)
    for k in range(12):
        shape = sk.Sphere(0.05) if k % 2 else sk.Box((0.12, 0.08, 0.06))
        place, turn, mass = (
            (*rng.uniform(-0.08, 0.08, 2), 0.05 + 0.09 * k),
            rng.uniform(-1, 1, 3),
            10 ** rng.uniform(-1, 1),
        )
        joint, material = sk.Joint(f"b{k}", "free"), sk.Material(static=0.4)
        scene.body(f"b{k}", joint, position=place, rpy=turn, mass=mass, shape=shape, material=material)
    return Simulation(scene, dt=DT), 0.4


def grasp() -> tuple[Simulation, float]:
    return Simulation(cases()["grasp"]().scene, dt=DT), 0.7


@pytest.mark.slow
@pytest.mark.parametrize(("make", "settle"), [(robot, 50), (heap, 250), (grasp, 20)])
def test_steps_keep_momentum_and_obey_the_law(make: Callable[[], tuple[Simulation, float]], settle: int) -> None:
    sim, friction = make()
    sim.step(n=settle)
    rng = np.random.default_rng(0)
    body = sim.model.body_names[0]
    slips = 0
    for _ in range(40):
        push = rng.normal(size=3) * 3.0 * sim.model.mass[0]
        step = observed_step(sim, body, push)
        contacts, impulse = step.contacts, step.impulse
        carried = np.einsum("nij,ni->j", step.jacobian, impulse)
        balance = step.inertia @ (step.after - step.before) - DT * step.force - carried
        assert np.abs(balance).max() < 1e-12 * (1.0 + np.abs(step.inertia @ step.before).max())
        n = contacts.normal
        u, free = (step.jacobian @ v + step.bias[:, None] * n for v in (step.after, step.free))
        response = np.linalg.solve(step.inertia, step.jacobian.reshape(-1, sim.model.nv).T)
        own = np.einsum("nij,jni->n", step.jacobian, response.reshape(-1, len(n), 3))
        floor = 1e-3 * DT * np.linalg.norm(sim.model.gravity) * np.sqrt(3 * len(n))
        for scale in (3.0 / own, np.ones(len(n))):
            off = np.linalg.norm(natural_residual(n, np.full(len(n), friction), impulse, u, scale))
            assert off < sim.law.tolerance * max(np.linalg.norm(free), floor)
        assert sim.residual.converged
        slips += (contacts.state == SLIP).sum()
    assert len(sim.contacts) > 0
    if make is heap:
        assert slips > 0


@kernel
def lay_out(address: int, i: int) -> None:
    """Lay out the matrix of island i."""
    pattern(at(address), i)


@pytest.mark.slow
def test_newton_direction_of_an_island_of_many_trees() -> None:
    """Balls and boxes on each other and on an arm whose joints have limits and friction."""
    sim, _ = heap()
    scene = sim.scene
    link = sk.Inertia.of(0.5, matrix=(1e-2, 1e-2, 1e-2))
    for k, name in enumerate(("upper", "lower")):
        joint = sk.Joint(name, "revolute", "y", friction=0.5, lower=-0.3, upper=0.3)
        place = (-0.3, 0.0, 0.1) if k == 0 else (0.2, 0.0, 0.0)
        shape = sk.Box((0.2, 0.1, 0.02))
        parent = "upper" if k else None
        scene.body(name, joint, parent=parent, position=place, inertia=link, shape=shape, shape_position=(0.1, 0, 0))
    sim = Simulation(scene, dt=DT)
    rng, modes, largest, rows = np.random.default_rng(1), set(), 0, 0
    for _ in range(40):
        sim.step(n=10)
        p = sim._problem
        assert p is not None
        p.impulse += 0.01 * rng.normal(size=p.impulse.shape)  # away from the solution, so that every state occurs
        p.slide += 0.01 * rng.normal(size=p.slide.shape)
        for i in range(p.count[ISLANDS]):
            lay_out(p.address, i)
            find_change(p.address, i, 1e-3)
            here, matrix = dense_matrix(p, i)
            expected = np.linalg.solve(matrix, p.parting[here])
            np.testing.assert_allclose(p.change[here], expected, rtol=0, atol=1e-9 * np.abs(p.parting[here]).max())
            points = slice(p.point_begin[i], p.point_begin[i + 1])
            modes |= set(p.mode[points].tolist())
            if p.node_begin[i + 1] - p.node_begin[i] > largest:
                largest = int(p.node_begin[i + 1] - p.node_begin[i])
                rows = int(p.row_begin[i + 1] - p.row_begin[i])
    assert modes == {sk.OPEN, sk.STICK, sk.SLIP}
    assert largest >= 5
    assert rows >= 2


def test_three_coordinates_of_a_point_do_what_six_of_its_body_do() -> None:
    """A leg on a ball is pushed at its joints: the same motion, and the same force in its knee."""
    found = []
    for pointwise in (1, 0):
        sim = leg(0.0, Exact())
        sim.scene.sensor("knee", "shank")
        sim = Simulation(sim.scene, dt=DT, posture="bent")
        problem, rng = sim._problem, np.random.default_rng(0)
        assert problem is not None
        problem.pointwise[0] = pointwise
        seen = []
        for _ in range(300):
            sim.step(tau=rng.normal(size=3) * 20.0)
            seen.append(np.concatenate((sim.q, sim.v, 1e-3 * sim.sensor("knee"))))
        assert problem.slot_width.max() == (3 if pointwise else 6)
        found.append(seen)
    np.testing.assert_allclose(*found, atol=1e-7)


def linkage() -> sk.Scene:
    """A trunk on two legs with ball feet that strike each other, tied by loops to a rod and a ball; a ball on a box."""
    scene = sk.Scene("linkage")
    scene.ground(static=0.6, kinetic=0.5)
    trunk = sk.Box((0.3, 0.3, 0.1))
    scene.body("trunk", sk.Joint("root", "free"), position=(0, 0, 0.52), mass=3.0, shape=trunk)
    limb = sk.Inertia.of(0.4, (0, 0, -0.1), (2e-3, 2e-3, 2e-3))
    for side, name in ((1.0, "left"), (-1.0, "right")):
        hip = sk.Joint(f"{name}_hip", "revolute", "y", lower=-1.5, upper=1.5, friction=0.02)
        knee = sk.Joint(f"{name}_knee", "revolute", "x", lower=-1.5, upper=1.5)
        foot = {"shape": sk.Sphere(0.04), "shape_position": (0, 0, -0.18)}
        scene.body(f"{name}_thigh", hip, parent="trunk", position=(0.12 * side, 0, -0.1), inertia=limb)
        scene.body(f"{name}_shank", knee, parent=f"{name}_thigh", position=(0, 0, -0.2), inertia=limb, **foot)
    for name, place, shape in (
        ("rod", (0.6, 0.0, 0.3), sk.Capsule(0.03, 0.2)),
        ("bob", (0.6, 0.5, 0.05), sk.Sphere(0.05)),
        ("box", (0.0, 0.6, 0.1), sk.Box((0.2, 0.2, 0.2))),
        ("ball", (0.02, 0.6, 0.245), sk.Sphere(0.05)),
    ):
        scene.body(name, sk.Joint(name, "free"), position=place, mass=0.5, shape=shape)
    scene.close("pin", "trunk", "rod", "ball", (0.2, 0.0, 0.05))
    scene.close("end", "rod", "bob", "ball", (0.0, 0.0, -0.1))
    scene.sensor("hip", "left_thigh")
    return scene


@pytest.mark.slow
def test_points_and_bodies_together_do_what_bodies_do() -> None:
    """Step by step from the same states: slots of one, three and six coordinates in one tree, loops, self-contact."""
    mixed, whole = (Simulation(linkage(), Exact(tolerance=1e-11), DT) for _ in range(2))
    rng, widths = np.random.default_rng(1), set()
    for k in range(1200):
        if k % 100 == 0:
            mixed.reset()
            mixed.v[:], mixed.q[7:11] = 0.8 * rng.normal(size=len(mixed.v)), rng.uniform(-0.6, 0.6, 4)
        whole.reset(mixed.state)
        tau = np.zeros(len(mixed.v))
        tau[6:10] = 2.0 * rng.normal(size=4)
        whole._problem.pointwise[0] = 0
        for sim in (mixed, whole):
            sim.step(tau=tau)
            assert sim.residual.converged
        p = mixed._problem
        for node in range(p.count[NODES]):
            widths.add(tuple(sorted(p.slot_width[p.slot_begin[node] : p.slot_begin[node + 1]].tolist())))
        np.testing.assert_allclose(mixed.v, whole.v, atol=1e-7)
        np.testing.assert_allclose(mixed.sensor("hip"), whole.sensor("hip"), atol=1e-6)
        np.testing.assert_allclose(mixed.loop_wrench("pin"), whole.loop_wrench("pin"), atol=1e-6)
    assert {(3,), (6,)} <= widths
    assert any(set(some) == {1, 3, 6} for some in widths)


@pytest.mark.parametrize("offset", [0.0, 1e-17, 1e-12, 1e-6])
def test_a_point_on_the_axis_of_a_hinge_does_not_spoil_the_others(offset: float) -> None:
    """A top that stands on its axis bears nothing that moves; its arm falls on the ground and stays there."""
    scene = sk.Scene("top")
    scene.ground(static=0.6, kinetic=0.4)
    top = {"shape": sk.Sphere(0.1), "shape_position": (offset, 0, 0)}
    scene.body("top", sk.Joint("turn", "revolute", "z"), position=(0.37, 0.21, 0.1), mass=1.0, **top)
    arm = {"shape": sk.Sphere(0.05), "shape_position": (0.3, 0, 0)}
    scene.body("arm", sk.Joint("bend", "revolute", "y"), parent="top", position=(0.3, 0, 0), mass=1.0, **arm)
    sim = Simulation(scene, dt=DT)
    sim.v[0] = 1.0
    for _ in range(400):
        sim.step()
        assert sim.residual.converged
        assert sim.pose("arm").apply((0.3, 0.0, 0.0))[2] > 0.05 - 1e-9


def test_an_island_does_not_know_of_others() -> None:
    """A box slides and comes to rest, to the bit the same whether a ball far away is pushed or not."""
    found = []
    for push in (0.0, 5.0):
        scene = sk.Scene("two")
        scene.ground(static=0.6, kinetic=0.5)
        scene.body("box", sk.Joint("box", "free"), position=(0, 0, 0.1), mass=1.0, shape=sk.Box((0.2, 0.2, 0.2)))
        scene.body("ball", sk.Joint("ball", "free"), position=(9, 0, 0.1), mass=1.0, shape=sk.Sphere(0.1))
        sim, rng = Simulation(scene, dt=DT), np.random.default_rng(0)
        sim.v[0], sim.v[5] = 0.3, 0.4
        for _ in range(600):
            sim.push("ball", (*(push * rng.normal(size=2)), 0.0))
            sim.step()
        found.append(np.concatenate((sim.q[:7], sim.v[:6])))
    np.testing.assert_array_equal(*found)
