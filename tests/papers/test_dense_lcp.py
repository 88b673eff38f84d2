"""Paper 1 in its own form and in ours: one problem, one solution."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.contact import Lcp
from sesshoku.papers.lcp import DenseLcp

MANY = {"sweeps": 20_000, "change": 1e-13}


def tripods() -> sk.Scene:
    """A humanoid on three balls under each foot: normal forces are unique, and so is what friction does."""
    scene = sk.load("hoap_class")
    scene.ground(static=0.2, kinetic=0.15)
    places = [(0.05, 0.0, -0.035), (-0.03, 0.025, -0.035), (-0.03, -0.025, -0.035)]
    for foot in ("left_foot", "right_foot"):
        balls = tuple(sk.Collider(sk.Sphere(0.005), sk.Pose.at(place)) for place in places)
        scene.bodies[foot] = replace(scene.bodies[foot], colliders=balls)
    return scene


def test_humanoid_moves_alike() -> None:
    """Pushed about until it slips. Where more points slip than are needed, motion depends on the order of sweeps."""
    ours, paper = (sk.Simulation(tripods(), law=law, posture="crouch") for law in (Lcp(**MANY), DenseLcp(**MANY)))
    rng, slipped = np.random.default_rng(0), 0
    for _ in range(150):
        paper.reset(ours.state)
        push = rng.normal(size=3) * 8.0 + (12.0, 5.0, 0.0)
        for sim in (ours, paper):
            sim.push("trunk", push)
            sim.step()
        np.testing.assert_allclose(paper.v, ours.v, atol=1e-9)
        for foot in ("left_foot", "right_foot"):
            np.testing.assert_allclose(paper.wrench(foot), ours.wrench(foot), atol=1e-6)
        slipped += (ours.contacts.state == sk.SLIP).any()
    assert slipped > 50


def test_redundant_points_that_slip_have_more_than_one_solution() -> None:
    """Four corners under each foot: standing still they move alike; pushed until they slip, they do not."""
    scene = sk.load("hoap_class")
    scene.ground(static=0.2, kinetic=0.15)
    ours, paper = (sk.Simulation(scene, law=law, posture="crouch") for law in (Lcp(**MANY), DenseLcp(**MANY)))
    off = np.zeros(150)
    for k in range(150):
        paper.reset(ours.state)
        for sim in (ours, paper):
            sim.push("trunk", (12.0, 5.0, 0.0) if k >= 50 else (0.0, 0.0, 0.0))
            sim.step()
        off[k] = np.abs(paper.v - ours.v).max()
    assert off[:50].max() < 1e-10
    assert off[50:].max() > 1e-6


@pytest.mark.parametrize("fixed", [False, True])
def test_one_contact_has_the_same_impulse(fixed: bool) -> None:
    """A spinning ball, first slipping, then rolling: three unknowns and no choice."""
    scene = sk.load("sphere")
    scene.ground(static=0.5, kinetic=0.4, restitution=0.3)
    laws = (Lcp(fixed=fixed, **MANY), DenseLcp(fixed=fixed, **MANY))
    ours, paper = (sk.Simulation(scene, law=law) for law in laws)
    for sim in (ours, paper):
        sim.v[:] = [0.3, -0.2, -1.0, 5.0, 3.0, 1.0]
    for _ in range(300):
        ours.step()
        paper.step()
        np.testing.assert_allclose(paper.contacts.force, ours.contacts.force, atol=1e-8)
    np.testing.assert_allclose(paper.q, ours.q, atol=1e-10)


def test_joint_limits_and_loops_hold_afterwards() -> None:
    scene = sk.Scene("pendulum")
    joint = sk.Joint("pin", "revolute", "y", upper=0.5)
    scene.body("rod", joint, mass=1.0, shape=sk.Box((0.3, 0.02, 0.02)), shape_position=(0.15, 0.0, 0.0))
    sim = sk.Simulation(scene, law=DenseLcp())
    sim.step(n=1000)
    assert sim.q[0] == pytest.approx(0.5, abs=1e-8)
