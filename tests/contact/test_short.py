"""Newton steps that end at the first bound: limits of coupled joints that are reached together."""

from __future__ import annotations

from math import inf

import numpy as np
import pytest

from sesshoku.bench.falls import fallen_robot, follow, pose
from sesshoku.constraint.problem import at
from sesshoku.contact.fit import evaluate, judge, reference_speed
from sesshoku.contact.full import full_steps
from sesshoku.contact.pattern import pattern
from sesshoku.contact.short import short_steps
from sesshoku.kernel import kernel
from sesshoku.model import Joint, Scene, Sphere
from sesshoku.sim import Simulation

TOLERANCE = 1e-8


@kernel
def attempt(address: int, full: int) -> tuple[int, float]:
    """Full steps, or short ones, from the impulses of island 0: how many, and the best residual."""
    p = at(address)
    pattern(p, 0)
    reference = reference_speed(p, 0, 1e-5)
    evaluate(p, 0)
    now, best = judge(p, 0, TOLERANCE, reference, inf)
    if full:
        return full_steps(p, 0, now, 40, 1e30, 1e-9, TOLERANCE, reference, best)
    return short_steps(p, 0, TOLERANCE, reference, best)


@pytest.mark.slow
def test_limits_that_are_redundant() -> None:
    """Talos with both grippers at their limits, seven coupled joints each, from impulses that mean nothing.

    Where forty full steps miss the tolerance short ones, from the best of these, mostly meet it.
    """
    sim = fallen_robot("talos")
    pose(sim, np.random.default_rng(13))
    m, start, rng = sim.model, sim.q.copy(), np.random.default_rng(1)
    joints = [joint.v for joint in m.joints if "gripper" in joint.name]
    missed = found = 0
    for _ in range(500):
        sim.reset()
        sim.q = start
        for side in ("left", "right"):
            joint = sim.scene.joint(f"gripper_{side}_joint")
            limit = m.lower[joint.v] if rng.random() < 0.5 else m.upper[joint.v]
            sim.q[joint.q] = limit * (1.0 - abs(rng.normal()) * 10.0 ** rng.uniform(-11, -7))
        follow(m, sim.q)
        sim.v[6:] = 3.0 * rng.normal(size=m.nv - 6)
        force = np.zeros(m.nv)
        force[joints] = 0.1 * rng.normal(size=len(joints))
        sim.step(force)
        problem = sim._problem
        assert problem is not None
        rows = problem.row_begin[1]
        problem.row_impulse[:rows] += rng.normal(size=rows) * 10.0 ** rng.uniform(-4, 0)
        if attempt(problem.address, 1)[1] > TOLERANCE:
            missed += 1
            found += attempt(problem.address, 0)[1] <= TOLERANCE
    assert missed >= 5, "full steps must miss some"
    assert found > 0.9 * missed  # as many full steps again: 0.8


def test_the_answer_of_a_simple_limit() -> None:
    """A slide pressed on its limit: the impulse of the force, from one of the wrong sign."""
    scene = Scene("slide", gravity=(0.0, 0.0, 0.0))
    scene.body("block", Joint("slide", "prismatic", "x", lower=-1.0, upper=0.0), mass=2.0, shape=Sphere(0.1))
    sim = Simulation(scene, dt=1e-3)
    sim.step([5.0])
    problem = sim._problem
    assert problem is not None
    problem.row_impulse[0] = 1.0
    steps, residual = attempt(problem.address, 0)
    assert steps <= 3
    assert residual <= TOLERANCE
    np.testing.assert_allclose(problem.row_impulse[0], -5e-3, atol=1e-12)
