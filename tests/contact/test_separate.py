"""Taking depth back: bodies are moved apart, without speed, and nothing is held that the law lets move."""

from __future__ import annotations

import pytest

import sesshoku as sk
from sesshoku.sim import Simulation

G, DT, DEPTH = 9.81, 1e-3, 1e-3
LIFT = 0.2 * (DEPTH - 1e-5)  # SHARE and SLOP of points.py


def two_feet(law: str, gap: float, speed: float) -> Simulation:
    """A foot that is deep in the ground, and a second, on a slide of its own, that comes down beside it."""
    scene = sk.Scene("feet")
    scene.ground()
    foot = sk.Box((0.04, 0.04, 0.04))
    scene.body("deep", sk.Joint("deep", "prismatic", "z"), position=(0, 0, 0.02 - DEPTH), mass=1.0, shape=foot)
    slide = sk.Joint("apart", "prismatic", "z")
    scene.body("apart", slide, parent="deep", position=(0.1, 0, DEPTH + gap), mass=1.0, shape=foot)
    sim = Simulation(scene, law=law, dt=DT)
    sim.v[1] = -speed
    return sim


@pytest.mark.parametrize("law", ["exact", "volume"])
def test_what_is_deep_is_lifted_without_speed(law: str) -> None:
    sim = two_feet(law, gap=0.01, speed=0.0)
    sim.step()
    assert sim.q[0] == pytest.approx(LIFT, abs=1e-9)
    assert sim.v[0] == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize(("law", "kept"), [("exact", 0.0), ("volume", 5e-4)])
def test_what_the_law_lets_close_is_not_held_apart(law: str, kept: float) -> None:
    """Held apart by position alone, a body would fall on the spot, and gain energy from nowhere.

    The exact law stops it at the ground; that of volume knows it only once it overlaps.
    """
    sim = two_feet(law, gap=5e-4, speed=1.0)
    sim.step()
    height = 5e-4 + sim.q[0] + sim.q[1]
    assert height == pytest.approx(-kept, abs=2 * G * DT**2)
    assert sim.q[0] == pytest.approx(LIFT, abs=1e-9)


def test_what_hardly_yields_does_not_hold_up_the_rest() -> None:
    """A link overlaps next to its hinge, and carries a foot that is deep: it would turn at 50 rad/s.

    The foot is lifted as if there were nothing else, the link stays.
    """
    scene, lever = sk.Scene("jam"), 2e-3
    scene.ground(static=0.0)
    hinge, slide = sk.Joint("hinge", "revolute", "y"), sk.Joint("slide", "prismatic", "z")
    ball = {"shape": sk.Sphere(0.05), "shape_position": (lever, 0.0, 0.0)}
    scene.body("link", hinge, position=(0.0, 0.0, 0.05 - DEPTH), mass=1.0, **ball)
    foot = {"shape": sk.Box((0.04, 0.04, 0.04)), "position": (0.3, 0.0, -0.03), "mass": 1e-3}
    scene.body("foot", slide, parent="link", **foot)
    sim = Simulation(scene, dt=DT)
    sim.q[1] = 0.0
    sim.step()
    depths = dict(zip(map(tuple, sim.contacts.bodies), sim.contacts.depth, strict=True))
    assert len(depths) == 2
    assert min(depths.values()) == pytest.approx(DEPTH, abs=2e-6)
    assert sim.q[1] == pytest.approx(LIFT, rel=0.02)
    assert abs(sim.q[0]) < 1e-5
