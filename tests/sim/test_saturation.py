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
    speed = min(5.0, 0.004 / dt)  # of fast joints the forces act half a step ahead
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
