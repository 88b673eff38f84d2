"""Closed forms of elastic contacts: how far they yield, how they share a load, what they keep and what they lose."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.integrate import solve_ivp

import sesshoku as sk
from sesshoku.bench.pile_scenes import WOOD, mound
from sesshoku.model.shape import Shape

G, DT = 9.81, 1e-3
SIDE, HEIGHT = 0.2, 0.1
BLOCK = sk.Box((SIDE, SIDE, HEIGHT))


def block(
    stiffness: float, angle: float = 0.0, heading: float = 0.0, dt: float = DT, shape: Shape = BLOCK, **material: float
) -> sk.Simulation:
    """A block of 1 kg on an elastic plane, tilted towards a heading."""
    scene = sk.Scene("block")
    scene.gravity = (G * np.sin(angle) * np.cos(heading), G * np.sin(angle) * np.sin(heading), -G * np.cos(angle))
    scene.ground(stiffness=stiffness, **material)
    scene.body("block", sk.Joint("root", "free"), position=(0, 0, HEIGHT / 2), mass=1.0, shape=shape)
    return sk.Simulation(scene, dt=dt)


def ball(stiffness: float, height: float = 0.0, dt: float = DT, **material: float) -> sk.Simulation:
    """A ball of 1 kg and 0.1 m above elastic ground."""
    scene = sk.Scene("ball")
    scene.ground(stiffness=stiffness, **material)
    scene.body("ball", sk.Joint("root", "free"), position=(0, 0, 0.1 + height), mass=1.0, shape=sk.Sphere(0.1))
    return sk.Simulation(scene, dt=dt)


@pytest.mark.parametrize("stiffness", [1e4, 1e6, 1e8])
def test_a_block_sinks_by_its_weight_over_the_stiffness_of_its_points(stiffness: float) -> None:
    sim = block(stiffness, static=0.5)
    sim.step(n=1000)
    assert HEIGHT / 2 - sim.q[2] == pytest.approx(G / (4 * stiffness), rel=1e-6)
    np.testing.assert_allclose(sim.contacts.force[:, 2], G / 4, rtol=1e-9)
    np.testing.assert_allclose(sim.contacts.depth, G / (4 * stiffness), rtol=1e-6)


def test_two_elastic_surfaces_are_springs_in_series() -> None:
    scene = sk.Scene("ball")
    scene.ground(static=0.5, stiffness=3e4)
    soft = sk.Material(stiffness=6e4)
    scene.body("ball", sk.Joint("root", "free"), position=(0, 0, 0.1), mass=1.0, shape=sk.Sphere(0.1), material=soft)
    sim = sk.Simulation(scene, dt=DT)
    sim.step(n=500)
    assert 0.1 - sim.q[2] == pytest.approx(G / 2e4, rel=1e-6)


def test_four_legs_share_a_load_as_springs_do() -> None:
    """Three would do: rigid forces are one choice of many, and depend on the past; those of springs do not."""
    weights = []
    for first in ((0.0, 0.0), (0.05, -0.08)):
        sim = block(1e6, static=0.5)
        sim.push("block", (0.0, 0.0, -50.0), np.cross((*first, 0.0), (0.0, 0.0, -50.0)))
        sim.step(n=200)
        sim.push("block", (0.0, 0.0, -20.0), np.cross((0.03, 0.02, 0.0), (0.0, 0.0, -20.0)))
        sim.step(n=800)
        x, y = sim.contacts.point[:, 0], sim.contacts.point[:, 1]
        share = (G + 20.0) / 4 + 20.0 * (0.03 * x + 0.02 * y) / (4 * (SIDE / 2) ** 2)
        np.testing.assert_allclose(sim.contacts.force[:, 2], share, rtol=1e-4)
        weights.append(sim.contacts.force[:, 2])
    np.testing.assert_allclose(*weights, rtol=1e-6)


@pytest.mark.parametrize("heading", np.linspace(0.0, 2 * np.pi, 5)[:-1] + 0.1)
def test_below_the_static_angle_a_block_does_not_creep(heading: float) -> None:
    sim = block(1e6, np.arctan(0.5) * 0.98, heading, static=0.5)
    sim.step(n=1000)
    start = sim.q[:3].copy()
    sim.step(n=9000)
    assert np.linalg.norm(sim.q[:3] - start) < 1e-9


@pytest.mark.parametrize(("stiffness", "most"), [(3e5, 1e-9), (1e6, 3e-5), (1e7, 1e-9)])
def test_a_cylinder_hardly_creeps(stiffness: float, most: float) -> None:
    """Its rim has four points or five, by its tilt, which they change: with 1e6 N/m another one in each step."""
    sim = block(stiffness, np.arctan(0.5) * 0.9, 0.7, shape=sk.Cylinder(SIDE / 2, HEIGHT), static=0.5)
    sim.step(n=1000)
    start = sim.q[:3].copy()
    sim.step(n=2000)
    assert np.linalg.norm(sim.q[:3] - start) < most


def test_a_push_below_the_limit_is_given_back() -> None:
    """The block moves by the force over the stiffness of its four points, and returns."""
    sim = block(1e6, static=0.5)
    sim.step(n=300)
    start = sim.q[:2].copy()
    foot = (0.0, 0.0, -(HEIGHT / 2))  # the force acts at the ground, so that the block does not tilt
    sim.push("block", (2.0, -1.0, 0.0), np.cross(foot, (2.0, -1.0, 0.0)))
    sim.step(n=500)
    np.testing.assert_allclose(sim.q[:2] - start, np.array((2.0, -1.0)) / 4e6, rtol=1e-4)
    sim.push("block", (0.0, 0.0, 0.0))
    sim.step(n=500)
    np.testing.assert_allclose(sim.q[:2] - start, 0.0, atol=1e-10)


@pytest.mark.parametrize(("share", "slips"), [(0.995, False), (1.005, True)])
def test_it_gives_way_at_the_static_limit(share: float, slips: bool) -> None:
    """The push grows slowly: at once, the springs would swing over the limit."""
    sim = block(1e6, static=0.5, kinetic=0.4)
    sim.step(n=300)
    for k in range(1000):
        force = (share * 0.5 * G * (k + 1) / 1000, 0.0, 0.0)
        sim.push("block", force, np.cross((0.0, 0.0, -(HEIGHT / 2)), force))
        sim.step()
    sim.step(n=500)
    assert (sim.v[0] > 0.1) == slips
    if not slips:
        assert abs(sim.v[0]) < 1e-9


@pytest.mark.parametrize("speed", [1.0, 3.0])
def test_a_sliding_block_stops_where_kinetic_friction_says(speed: float) -> None:
    """As the rigid one, within four times what it sinks by.

    It slides from the start on: one that has been at rest feels static friction for one more step.
    """
    sim = block(1e7, static=0.5, kinetic=0.4)
    start = sim.q[0]
    sim.v[0] = speed
    sim.step(n=1200)
    assert sim.q[0] - start == pytest.approx(speed**2 / (2 * 0.4 * G) - speed * DT / 2, abs=1e-6)
    assert abs(sim.v[0]) < 1e-9
    assert abs(sim.q[1]) < 1e-9


def test_a_ball_on_a_soft_spring_follows_its_equation() -> None:
    """m z̈ = −m g − k (z + τ ż), critically damped, from where it touches: against the closed form, to first order."""
    stiffness, errors = 100.0, []
    omega = np.sqrt(stiffness)
    for dt in (1e-3, 5e-4):
        sim = ball(stiffness, dt=dt, static=0.5)
        sim.step(n=round(0.3 / dt))
        sag = G / stiffness
        expected = -sag + sag * (1.0 + omega * 0.3) * np.exp(-omega * 0.3)
        errors.append(abs(sim.q[2] - 0.1 - expected))
    assert errors[0] < 2e-3 * G / stiffness
    assert errors[1] < 0.6 * errors[0]


def heights(sim: sk.Simulation, steps: int) -> list[float]:
    """How high a ball comes after each time it has touched the ground [m]."""
    tops, top, touched = [], 0.0, False
    for _ in range(steps):
        sim.step()
        bears = bool(sim.contacts.force.any())
        if bears and touched and top > 0.0:
            tops.append(top)
        touched = touched or bears
        top = 0.0 if bears else max(top, sim.q[2] - 0.1)
    return tops


@pytest.mark.parametrize("stiffness", [1e4, 1e5, 1e7])
def test_a_ball_hardly_bounces_without_restitution(stiffness: float) -> None:
    """Critical damping of a spring that does not pull leaves e⁻² of the speed, and the step takes more of it."""
    assert max(heights(ball(stiffness, height=0.2, static=0.5), 1000), default=0.0) < np.exp(-4.0) * 0.2


def test_with_small_steps_it_rises_as_a_spring_with_critical_damping_lets_it() -> None:
    """Against the differential equation of a ball of 1 kg: m z̈ = −m g + max(−k (z + τ ż), 0) while z < 0, by SciPy."""
    stiffness, sim = 1e5, ball(1e5, height=0.2, dt=2e-5, static=0.5)
    tau = 2.0 / np.sqrt(stiffness)

    def rates(_: float, x: np.ndarray) -> tuple[float, float]:
        push = max(-stiffness * (x[0] + tau * x[1]), 0.0) if x[0] < 0.0 else 0.0
        return x[1], push - G

    path = solve_ivp(rates, (0.0, 0.05), (0.0, -np.sqrt(2 * G * 0.2)), max_step=1e-5)
    assert heights(sim, 30000)[0] == pytest.approx(path.y[0].max(), rel=0.03)


@pytest.mark.parametrize("stiffness", [1e4, 1e6, 1e8])
def test_with_restitution_it_bounces_as_a_rigid_one(stiffness: float) -> None:
    """To e² of the height before, again and again."""
    tops = heights(ball(stiffness, height=0.2, static=0.5, restitution=0.7), 1500)
    assert len(tops) >= 4
    for before, after in zip([0.2, *tops], tops[:4], strict=False):
        assert after == pytest.approx(0.49 * before, rel=0.03)


def test_springs_give_back_what_they_hold_beside_surfaces_with_restitution() -> None:
    """A ball without restitution rises as high whether something else in the scene bounces or not."""
    tops = []
    for restitution in (0.0, 0.9):
        sim = ball(1e5, height=0.2, dt=1e-4, static=0.5)
        bouncing = sk.Material(0.5, restitution=restitution)
        sim.scene.body("other", position=(5.0, 0.0, 0.0), shape=sk.Sphere(0.1), material=bouncing)
        tops.append(heights(sk.Simulation(sim.scene, dt=1e-4), 6000)[0])
    assert tops[0] == tops[1] > 1e-3


@pytest.mark.parametrize("margin", [None, 0.05])
@pytest.mark.parametrize("stiffness", [1e3, 1e6])
def test_nothing_pushes_before_it_touches(stiffness: float, margin: float | None) -> None:
    sim = ball(stiffness, height=0.1, dt=1e-4, static=0.5)
    if margin is not None:
        sim.scene.margin = margin
        sim = sk.Simulation(sim.scene, dt=1e-4)
    while sim.q[2] > 0.1:
        assert not sim.contacts.force.any()
        assert sim.v[2] == pytest.approx(-G * sim.time, abs=1e-12)
        sim.step()
    assert sim.contacts.force.any()


@pytest.mark.parametrize("dt", [1e-3, 1e-4])
def test_what_yields_fast_still_sticks(dt: float) -> None:
    """A push at once moves the block at centimetres per second, by its springs: friction is still the static one."""
    sim = block(1e4, dt=dt, static=0.5, kinetic=0.1)
    sim.step(n=round(0.3 / dt))
    start = sim.q[0]
    force = (0.3 * G, 0.0, 0.0)
    sim.push("block", force, np.cross((0.0, 0.0, -(HEIGHT / 2)), force))
    sim.step(n=round(0.3 / dt))
    assert sim.q[0] - start == pytest.approx(0.3 * G / 4e4, rel=1e-3)


def test_balls_that_strike_keep_their_momentum_and_gain_no_energy() -> None:
    """Kinetic energy and what the springs have stored, where every spring begins at the surface."""
    scene, rng = sk.Scene("cloud"), np.random.default_rng(3)
    scene.gravity = (0.0, 0.0, 0.0)
    soft = sk.Material(static=0.5, stiffness=1e4)
    for k in range(12):
        place = 0.25 * np.array((k % 3, k // 3 % 2, k // 6))
        name = f"ball{k}"
        scene.body(name, sk.Joint(name, "free"), position=place, mass=0.5, shape=sk.Sphere(0.1), material=soft)
    sim = sk.Simulation(scene, dt=DT)
    sim.v.reshape(-1, 6)[:, :3] = -3.0 * (sim.q.reshape(-1, 7)[:, :3] - (0.25, 0.125, 0.125)) + rng.normal(size=(12, 3))
    momentum = sim.v.reshape(-1, 6)[:, :3].sum(axis=0)
    kinetic, before, struck = sim.energy.total, np.inf, 0
    for _ in range(400):
        sim.step()
        contacts = sim.contacts  # depth is that at the start of the step, and so is the elongation along the surface
        across = sim._problem.shear[: len(contacts)]
        energy = kinetic + 0.5 * 5e3 * ((np.maximum(contacts.depth, 0.0) ** 2).sum() + (across**2).sum())
        assert energy <= before + 1e-12
        kinetic, before = sim.energy.total, energy
        struck += int((contacts.force != 0.0).any())
        np.testing.assert_allclose(sim.v.reshape(-1, 6)[:, :3].sum(axis=0), momentum, atol=1e-12)
    assert struck > 50
    assert before < 5.0  # of 13.7 at the start


def turntable(stiffness: float | None) -> sk.Simulation:
    """A heavy table that turns, and a block on it."""
    scene = sk.Scene("turntable")
    table = sk.Joint("table", "revolute", axis=(0, 0, 1))
    scene.body("table", table, position=(0, 0, 0.05), mass=1e6, shape=sk.Box((1.0, 1.0, 0.1)))
    rubber = sk.Material(static=0.8, stiffness=stiffness)
    shape = sk.Box((0.1, 0.1, 0.05))
    scene.body("block", sk.Joint("block", "free"), position=(0.3, 0, 0.125), mass=0.5, shape=shape, material=rubber)
    sim, rate = sk.Simulation(scene, dt=DT), 2.0
    sim.v[0] = rate
    sim.v[1:7] = (0.0, 0.3 * rate, 0.0, 0.0, 0.0, rate)
    return sim


def test_a_block_on_a_turntable_is_carried_round() -> None:
    """The spring that holds it to its circle turns with it: one that keeps its direction would let it creep.

    Steps along straight lines widen the circle, of a rigid block as much: it is what elastic ones are compared with.
    """
    rigid, elastic = turntable(None), turntable(1e4)
    ways = []
    for n in (1000, 9000):
        places = []
        for sim in (rigid, elastic):
            sim.step(n=n)
            places.append((np.hypot(sim.q[1], sim.q[2]), np.arctan2(sim.q[2], sim.q[1])))
            assert (sim.contacts.state[sim.contacts.force.any(axis=1)] == sk.STICK).all()
        ways.append(np.subtract(*places[::-1]))
    widened = np.hypot(rigid.q[1], rigid.q[2]) - 0.3
    assert widened / 10.0 == pytest.approx((2.0 * 0.3 * DT) ** 2 / (2 * 0.3) / DT, rel=0.02)  # m/s, over 10 s
    assert ways[0][0] == pytest.approx(0.5 * 2.0**2 * 0.3 / 4e4, rel=0.3)  # what the springs yield by, and the tilt
    np.testing.assert_allclose(ways[1], ways[0], atol=1e-6)


@pytest.mark.parametrize("spheres", [30, pytest.param(300, marks=pytest.mark.slow)])
def test_a_mound_of_wood_settles(spheres: int) -> None:
    """Every step converges, few Newton steps are taken, it comes to rest, and the ground carries its weight.

    Last digits decide how long a loose sphere rolls on: at 2.5 s some mounds have one at 2 mm/s, whatever the
    tolerance.
    """
    sim = sk.Simulation(mound(spheres, WOOD), dt=DT)
    steps = 0
    for _ in range(3500):
        sim.step()
        assert sim.residual.converged
        steps += sim.iterations
    assert steps < 3500
    squares = [np.sum(sim.velocity(name)[:3] ** 2) for name in sim.scene.bodies if name.startswith("sphere")]
    assert len(squares) == spheres
    assert np.sqrt(np.mean(squares)) < 2e-4
    assert np.sqrt(max(squares)) < 2e-3
    contacts = sim.contacts
    outside = (contacts.bodies < 0).any(axis=1)
    sign = np.where(contacts.bodies[outside, 0] < 0, 1.0, -1.0)
    assert (sign * contacts.force[outside, 2]).sum() == pytest.approx(spheres * 0.1 * G, rel=1e-4)
