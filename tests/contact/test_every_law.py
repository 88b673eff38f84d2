"""What holds under every rigid law: joint friction and limits, loops, couplings, materials, states, integrators."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from law_scenes import heap, leg
from sesshoku.contact import Exact, Law, Lcp, Multipoint, Penalty, Volume
from sesshoku.sim import Simulation

G, DT = 9.81, 1e-3
LAWS = {
    "exact": Exact(),
    "multipoint": Multipoint(),
    "multipoint as printed": Multipoint(faithful=True),
    "lcp": Lcp(),
    "lcp from nothing": Lcp(warm=False),
    "lcp with fixed axes": Lcp(fixed=True),
    "lcp with the disc": Lcp(disc=True),
    "volume": Volume(),
}
with_penalty = pytest.mark.parametrize("law", [*LAWS.values(), Penalty()], ids=[*LAWS, "penalty"])
every_law = pytest.mark.parametrize("law", LAWS.values(), ids=LAWS)


@with_penalty
def test_joints_with_friction_hold_their_load(law: Law) -> None:
    sim = leg(20.0, law)
    sim.step(n=200)  # a polyhedron that stands for the ball overlaps at first, and is moved out
    start = sim.q[1:].copy()
    sim.step(n=2000)
    assert sim.contacts.force[:, 2].sum() == pytest.approx(7.0 * G, rel=1e-3)
    np.testing.assert_allclose(sim.q[1:], start, atol=1e-9)


@with_penalty
def test_joint_limits_hold(law: Law) -> None:
    """Without friction the knee gives way, down to a limit, and is stopped there."""
    sim = leg(0.0, law)
    found = []
    for _ in range(2000):
        sim.step()
        found.append(sim.q[1:].copy())
    hip, knee = np.array(found).T
    assert hip.min() > -1.0 - 1e-9
    assert knee.max() < 1.2 + 1e-9
    assert min(hip.min() + 1.0, 1.2 - knee.max()) < 1e-9


def four_bar() -> sk.Scene:
    """A parallelogram of four rods on pins, one closed as a loop, one with friction, on the ground."""
    scene = sk.Scene("four-bar linkage")
    scene.ground(static=0.6)
    scene.body("base", sk.Joint("root", "free"), position=(0, 0, 0.01), mass=1.0, shape=sk.Box((0.4, 0.2, 0.02)))
    rod = {"shape": sk.Box((0.02, 0.02, 0.3)), "shape_position": (0.0, 0.0, 0.15)}
    for name, x, friction in (("left", -0.15, 2.0), ("right", 0.15, 0.0)):
        joint = sk.Joint(name, "revolute", axis="y", friction=friction)
        scene.body(name, joint, parent="base", position=(x, 0, 0.05), mass=0.3, **rod)
    top = {"shape": sk.Box((0.3, 0.02, 0.02)), "shape_position": (0.15, 0.0, 0.03)}
    scene.body("top", sk.Joint("top", "revolute", axis="y"), parent="left", position=(0, 0, 0.3), mass=0.4, **top)
    scene.close("pin", "top", "right", "hinge", (0.3, 0.0, 0.0), axis=(0.0, 1.0, 0.0))
    return scene


@every_law
def test_loops_stay_closed(law: Law) -> None:
    scene = four_bar()
    sim = Simulation(scene, law=law, dt=DT)
    sim.q[scene.joint("left").q] = sim.q[scene.joint("right").q] = 0.3
    sim.q[scene.joint("top").q] = -0.3
    sim.step(n=100)
    start, loop = sim.q.copy(), scene.loops["pin"]
    sim.step(n=1000)
    a, b = (
        np.array([sim.pose(body).apply(place) for place in places])
        for body, places in ((loop.a, loop.places_a), (loop.b, loop.places_b))
    )
    np.testing.assert_allclose(a, b, atol=1e-9)
    np.testing.assert_allclose(sim.q, start, atol=1e-6)  # what the sweeps leave over creeps
    assert sim.wrench("base")[2] == pytest.approx(2.0 * G, abs=1e-4)


@every_law
def test_joints_follow_others(law: Law) -> None:
    """Two weights on rails, only one of which touches the ground: it carries both."""
    scene = sk.Scene("lifts")
    scene.ground()
    for name, x, foot in (("a", 0.0, 0.1), ("b", 1.0, 0.02)):
        joint = sk.Joint(name, "prismatic", "z")
        scene.body(name, joint, position=(x, 0.0, 0.1), mass=1.0, shape=sk.Sphere(foot))
    scene.couple("b", "a", 0.0, 1.0)
    sim = Simulation(scene, law=law, dt=DT)
    sim.step(n=1000)
    assert sim.q[1] == pytest.approx(sim.q[0], abs=1e-9)
    assert sim.contacts.force[0, 2] == pytest.approx(2.0 * G, rel=1e-6)


@every_law
def test_friction_is_that_of_the_pair_of_materials(law: Law) -> None:
    """Two blocks pushed alike: the one with the slippery pair slides, under its own kinetic coefficient."""
    scene = sk.Scene("pair")
    scene.ground(static=0.8)
    for name, y in (("rough", 0.0), ("smooth", 1.0)):
        box = sk.Box((0.1, 0.1, 0.02))
        scene.body(name, sk.Joint(name, "free"), position=(0.0, y, 0.01), mass=1.0, shape=box)
    scene.material("ground", "smooth", static=0.3, kinetic=0.2)
    sim = Simulation(scene, law=law, dt=DT)
    sim.push("rough", (0.5 * G, 0.0, 0.0))
    sim.push("smooth", (0.5 * G, 0.0, 0.0))
    sim.step(n=100)
    assert abs(sim.v[0]) < 1e-6
    before = sim.v[6]
    sim.step(n=100)
    assert (sim.v[6] - before) / (100 * DT) == pytest.approx((0.5 - 0.2) * G, rel=1e-6)


@every_law
def test_restored_state_gives_the_same_bits(law: Law) -> None:
    sim = heap(law)
    sim.step(n=120)
    state = sim.state
    sim.step(n=60)
    end, again = sim.state, heap(law)
    again.reset(state)
    again.step(n=60)
    assert again.state == end


@every_law
@pytest.mark.parametrize("integrator", ["rk4", "rkg"])
def test_under_every_integrator(integrator: str, law: Law) -> None:
    scene = sk.Scene("block")
    scene.ground(static=0.5)
    scene.body("block", sk.Joint("root", "free"), position=(0, 0, 0.05), mass=1.0, shape=sk.Box((0.1, 0.1, 0.1)))
    sim = Simulation(scene, law=law, dt=DT, integrator=integrator)
    sim.v[0] = 0.2
    sim.step(n=500)
    assert np.abs(sim.v).max() < 1e-6
    assert sim.contacts.force[:, 2].sum() == pytest.approx(G, abs=1e-6)


@every_law
def test_a_point_that_cannot_yield_is_left_alone(law: Law) -> None:
    """A slider on a level rail that overlaps the ground a little: nothing presses it, nothing breaks."""
    scene = sk.Scene("rail")
    scene.ground(static=0.5)
    scene.body("slider", sk.Joint("x", "prismatic", "x"), position=(0, 0, 0.0999), mass=1.0, shape=sk.Sphere(0.1))
    sim = Simulation(scene, law=law, dt=DT)
    sim.v[0] = 1.0
    sim.step(n=10)
    assert sim.v[0] == 1.0
    assert not sim.contacts.force.any()
