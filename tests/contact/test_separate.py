"""Taking depth back: bodies are moved apart, without speed, and nothing is held that the law lets move."""

from __future__ import annotations

import numpy as np
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


@pytest.mark.parametrize("lever", [1e-3, 2e-3, 5e-3])
def test_a_jam_does_not_hold_up_the_rest(lever: float) -> None:
    """A finger overlaps its base next to its hinge, where it would turn at 200 rad/s to part; the base is deep.

    The base is lifted as if there were nothing else, the finger stays.
    """
    scene = sk.Scene("jam")
    scene.ground(static=0.0)
    block, rod = sk.Box((0.2, 0.2, 0.2)), sk.Inertia.rod(0.1, (0.0, 0.0, 0.2))
    centred = sk.Inertia.of(0.05, matrix=(1e-4, 1e-4, 1e-4))
    scene.body("base", sk.Joint("slide", "prismatic", "z"), position=(0, 0, 0.1 - DEPTH), mass=1.0, shape=block)
    turned = {"position": (0.2, 0.0, 0.0), "rpy": (0.0, 0.0, 0.5)}  # away: what overlaps in the file never touches
    scene.body("post", sk.Joint("post", "revolute", "z"), parent="base", inertia=rod, **turned)
    ball = {"shape": sk.Sphere(0.02), "shape_position": (-0.08 - DEPTH, 0, -lever), "material": sk.Material(0.0)}
    scene.body("finger", sk.Joint("f", "revolute", "y"), parent="post", position=(0, 0, 0.05), inertia=centred, **ball)
    sim = Simulation(scene, dt=DT)
    sim.q[1] = -0.5
    sim.step()
    assert len(sim.contacts) == 5
    assert sim.contacts.depth == pytest.approx(DEPTH, rel=1e-3)
    assert sim.q[0] == pytest.approx(LIFT, rel=1e-3)
    assert abs(sim.q[2]) < 1e-2 * LIFT / lever


@pytest.mark.parametrize("shank", [2.0, 0.5, 0.2, 0.1])
def test_a_straight_leg_is_lifted(shank: float) -> None:
    """A trunk of 15 kg on it: its foot yields along the leg by less than a hundredth of what it does across."""
    scene, rod = sk.Scene("leg"), (0.0, 0.0, -0.4)
    scene.ground(static=0.8)
    slide, trunk = sk.Joint("slide", "prismatic", "z"), sk.Box((0.4, 0.2, 0.05))
    scene.body("trunk", slide, position=(0, 0, 0.85 - DEPTH), mass=15.0, shape=trunk)
    scene.body("thigh", sk.Joint("hip", "revolute", "y"), parent="trunk", inertia=sk.Inertia.rod(1.0, rod))
    foot = {"inertia": sk.Inertia.rod(shank, rod), "shape": sk.Sphere(0.05), "shape_position": rod}
    scene.body("shank", sk.Joint("knee", "revolute", "y"), parent="thigh", position=rod, **foot)
    sim = Simulation(scene, dt=DT)
    sim.step(n=100)
    assert sim.contacts.depth.max() < 1.1e-5


@pytest.mark.parametrize("wheel", [0.0, 15.0, 50.0])
@pytest.mark.parametrize("other", ["box", "robot"])
def test_what_sticks_to_something_fast_does_not_creep(other: str, wheel: float) -> None:
    """On a cart that speeds up, with a fast wheel: a box, or a robot with a wheel of its own that is fast or slow."""
    scene, rough = sk.Scene("cart"), sk.Material(1.0)
    slide = sk.Joint("slide", "prismatic", "x")
    scene.body("cart", slide, position=(0, 0, 0.05), mass=20.0, shape=sk.Box((1.0, 0.5, 0.1)), material=rough)
    disc = {"mass": 0.2, "shape": sk.Cylinder(0.1, 0.02)}
    scene.body("wheel", sk.Joint("hinge", "revolute", "z"), parent="cart", position=(0, 0, -0.3), **disc)
    cube, root = sk.Box((0.1, 0.1, 0.1)), sk.Joint("root", "free")
    scene.body("box", root, position=(0, 0, 0.15), mass=1.0, shape=cube, material=rough)
    if other == "robot":
        scene.body("own", sk.Joint("own", "revolute", "z"), parent="box", position=(0, 0, 0.07), **disc)
    sim = Simulation(scene, dt=DT)
    sim.step(n=50)
    sim.v[1] = wheel
    start = sim.q[2] - sim.q[0]
    force = np.zeros(sim.model.nv)
    for step in range(1200):
        force[0] = 105.0 if step < 600 else -105.0
        if other == "robot" and step % 300 == 0:
            sim.v[-1] = 20.0 - sim.v[-1]
        sim.step(force)
        assert (sim.contacts.state == sk.STICK).all()
        assert sim.q[2] - sim.q[0] == pytest.approx(start, abs=1e-9)


@pytest.mark.parametrize(("links", "speed"), [(3, 5.0), (3, 15.0), (4, 15.0)])
def test_couplings_on_curves_hold_where_they_turn_fast(links: int, speed: float) -> None:
    """Rods, each coupled to the one before by a parabola: they share joints, so one sweep is not enough."""
    scene, parent, curve = sk.Scene("fan", gravity=(0.0, 0.0, 0.0)), None, (0.0, 0.5, 0.2)
    for k in range(links):
        joint, rod = sk.Joint(f"j{k}", "revolute", "yz"[k % 2]), sk.Inertia.rod(0.5, (0.2, 0.0, 0.02))
        scene.body(f"rod{k}", joint, parent=parent, position=(0.2 if k else 0.0, 0.0, 0.0), inertia=rod)
        parent = f"rod{k}"
        if k:
            scene.couple(f"j{k}", f"j{k - 1}", *curve)
    sim = Simulation(scene, dt=DT)
    place, way = np.polynomial.Polynomial(curve), np.polynomial.Polynomial(curve).deriv()
    sim.q[0], sim.v[0] = 0.1, speed
    for k in range(1, links):
        sim.q[k], sim.v[k] = place(sim.q[k - 1]), way(sim.q[k - 1]) * sim.v[k - 1]
    start, led = sim.energy.total, False
    for _ in range(500):
        sim.step()
        led |= bool(sim._system.lead.any())
        np.testing.assert_allclose(sim.q[1:], place(sim.q[:-1]), atol=5e-4)  # it was up to 5e-3
        assert sim.energy.total < 1.005 * start
    assert led
