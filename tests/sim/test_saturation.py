"""Drives at their limits: the force that acts is the clamped law of the end of the step, for all drives at once."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk


def arm() -> sk.Scene:
    scene = sk.Scene("arm")
    for name, parent, height in (("upper", None, 0.0), ("lower", "upper", 0.5)):
        joint = sk.Joint(f"{name}_joint", "revolute", "y", damping=0.1)
        scene.body(name, joint, parent=parent, position=(0, 0, height), inertia=sk.Inertia.rod(1.0, (0, 0, 0.5)))
        scene.actuator(sk.Actuator.position(f"{name}_joint", kp=500.0, kd=20.0, limit=10.0, gear=1.5))
    return scene


@pytest.mark.parametrize("dt", [1e-3, 5e-3, 2e-2])
@pytest.mark.parametrize("scene", [arm(), sk.load("hoap_class")], ids=lambda scene: scene.name)
def test_force_is_the_clamped_law(scene: sk.Scene, dt: float) -> None:
    sim = sk.Simulation(scene, law="none", dt=dt)
    m, rng = sim.model, np.random.default_rng(0)
    gain, offset, kp, kd = m.actuator_gain.T
    at_limit = inside = 0
    speed = min(2.0, 0.002 / dt)  # of fast joints the forces act half a step ahead
    for _ in range(200):
        q, v = sim.dynamics.integrate(m.q0, rng.normal(size=m.nv)), speed * rng.normal(size=m.nv)
        sim.q, sim.v, sim.control = q, v, rng.normal(size=m.nu)
        sim.step()
        # what acted, from the motion: inverse dynamics without the damping
        acted = sim.dynamics.inverse(q, v, (sim.v - v) / dt) + m.damping * sim.v
        end_v = sim.v[m.actuator_dof]
        end_q = q[m.actuator_q] + dt * end_v
        law = gain * sim.control + offset - m.actuator_gear * (kp * end_q + kd * end_v)
        clamped = np.clip(law, m.actuator_range[:, 2], m.actuator_range[:, 3])
        np.testing.assert_allclose(acted[m.actuator_dof], m.actuator_gear * clamped, atol=1e-8)
        at_limit += (law != clamped).sum()
        inside += (law == clamped).sum()
    assert min(at_limit, inside) > 5, "both cases must occur"


def beast(kp: float, kd: float, limit: float) -> sk.Scene:
    """A trunk on four legs of two joints each, on the ground."""
    scene = sk.Scene("beast")
    scene.ground(static=0.8)
    scene.body("trunk", sk.Joint("root", "free"), position=(0, 0, 0.55), mass=5.0, shape=sk.Box((0.3, 0.3, 0.1)))
    for leg in range(4):
        x, y = 0.12 * (1 if leg & 1 else -1), 0.12 * (1 if leg & 2 else -1)
        thigh, shin = f"thigh{leg}", f"shin{leg}"
        for name, parent, place, shape, centre in (
            (thigh, "trunk", (x, y, -0.06), sk.Capsule(0.02, 0.2), (0, 0, -0.13)),
            (shin, thigh, (0, 0, -0.26), sk.Sphere(0.02), (0, 0, -0.22)),
        ):
            joint = sk.Joint(f"{name}_joint", "revolute", "y")
            scene.body(name, joint, parent=parent, position=place, mass=0.4, shape=shape, shape_position=centre)
            scene.actuator(sk.Actuator.position(joint.name, kp=kp, kd=kd, limit=limit))
    return scene


def contact_force(sim: sk.Simulation, q: np.ndarray) -> np.ndarray:
    """The generalised force of all contacts of the last step."""
    total, names = np.zeros(sim.model.nv), sim.model.body_names
    for bodies, point, force in zip(sim.contacts.bodies, sim.contacts.point, sim.contacts.force, strict=True):
        for body, sign in zip(bodies, (-1.0, 1.0), strict=True):
            if body >= 0:
                jacobian = sim.dynamics.jacobian(names[body], q)
                arm = point - sim.dynamics.pose(names[body], q).position
                total += sign * (jacobian[:3].T @ force + jacobian[3:].T @ np.cross(arm, force))
    return total


@pytest.mark.parametrize(("kp", "kd", "limit"), [(50.0, 50.0, 4.0), (100.0, 10.0, 10.0)])
def test_contact_holds_where_it_changes_what_drives_do(kp: float, kd: float, limit: float) -> None:
    """What moves the beast is what is reported: the weight, contact, and drives within their limits."""
    sim, rng = sk.Simulation(beast(kp, kd, limit)), np.random.default_rng(0)
    m, off, changed = sim.model, 0, 0
    for step in range(4000):
        if step % 3 == 0:
            sim.control = 0.9 * sim.control + rng.normal(size=m.nu)
        if step % 1000 == 0:  # also where it has fallen over
            sim.reset()
        q, v = sim.q.copy(), sim.v.copy()
        sim.step()
        if sim._system.lead.any():
            continue  # of fast joints the forces act half a step ahead
        acted = sim.dynamics.inverse(q, v, (sim.v - v) / sim.dt) - contact_force(sim, q)
        np.testing.assert_allclose(acted[:6], 0.0, atol=1e-8)
        drive, end_v = acted[m.actuator_dof], sim.v[m.actuator_dof]
        assert np.abs(drive).max() <= limit + 1e-8
        law = m.actuator_gain[:, 0] * sim.control - kp * (q[m.actuator_q] + sim.dt * end_v) - kd * end_v
        now = m.actuator_gain[:, 0] * sim.control - kp * q[m.actuator_q] - kd * v[m.actuator_dof]
        off += (np.abs(drive - np.clip(law, -limit, limit)) > 1e-6).any()
        changed += (np.abs(np.clip(law, -limit, limit)) < limit).any() and (np.abs(now) > limit).any()
    assert changed > 100, "contact must let drives out of their limits"
    assert off <= 3, "drives that do not settle are held, which is rare"
