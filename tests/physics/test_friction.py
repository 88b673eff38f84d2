"""Closed forms of dry friction under the exact law."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk

G, DT = 9.81, 1e-3
HEADINGS = np.radians([0.0, 17.0, 45.0, 90.0, 133.0, 200.0, 311.0])
LENGTH, WIDTH, HEIGHT = 0.3, 0.2, 0.1


def block(angle: float = 0.0, heading: float = 0.0, **coefficients: float) -> sk.Simulation:
    """A block of 1 kg at rest on a slope that falls towards a heading; the block itself is turned towards x."""
    normal = np.array([np.sin(angle) * np.cos(heading), np.sin(angle) * np.sin(heading), np.cos(angle)])
    tilt = (-np.arcsin(normal[1]), np.arctan2(normal[0], normal[2]), 0.0)
    scene = sk.Scene("block on slope")
    scene.ground(rpy=tilt, **coefficients)
    box = sk.Box((LENGTH, WIDTH, HEIGHT))
    scene.body("block", sk.Joint("root", "free"), position=normal * HEIGHT / 2, rpy=tilt, mass=1.0, shape=box)
    return sk.Simulation(scene, law="exact", dt=DT)


def test_each_corner_of_a_resting_block_carries_a_quarter() -> None:
    sim = block()
    sim.step(n=1000)
    np.testing.assert_allclose(sim.contacts.force, [[0.0, 0.0, G / 4]] * 4, atol=1e-9)
    np.testing.assert_allclose(sim.wrench("ground"), [0.0, 0.0, -G, 0.0, 0.0, 0.0], atol=1e-9)
    assert (sim.contacts.state == sk.STICK).all()


@pytest.mark.parametrize("heading", np.radians(np.arange(0.0, 360.0, 15.0)))
def test_block_below_the_static_angle_does_not_creep(heading: float) -> None:
    sim = block(np.arctan(0.595), heading, static=0.6, kinetic=0.4)
    start = sim.q.copy()
    sim.step(n=10_000)
    assert np.linalg.norm(sim.q[:3] - start[:3]) < 1e-9
    assert np.abs(sim.q - start).max() < 1e-9
    assert (sim.contacts.state != sk.SLIP).all()  # a corner that carries nothing reads OPEN
    assert sim.residual.converged


@pytest.mark.parametrize("heading", HEADINGS)
def test_between_the_two_angles_rest_stays_rest_and_motion_stays_motion(heading: float) -> None:
    angle, kinetic, speed, steps = np.arctan(0.5), 0.4, 0.3, 1000
    downhill = np.array([np.cos(angle) * np.cos(heading), np.cos(angle) * np.sin(heading), -np.sin(angle)])
    resting = block(angle, heading, static=0.6, kinetic=kinetic)
    moving = block(angle, heading, static=0.6, kinetic=kinetic)
    start = resting.q[:3].copy()
    moving.v[:3] = speed * downhill
    for sim in (resting, moving):
        sim.step(n=steps)
        assert sim.residual.converged
    assert np.linalg.norm(resting.q[:3] - start) < 1e-9
    rate, time = G * (np.sin(angle) - kinetic * np.cos(angle)), steps * DT
    np.testing.assert_allclose(moving.v[:3], (speed + rate * time) * downhill, atol=1e-8)
    np.testing.assert_allclose(moving.v[3:], 0.0, atol=1e-8)
    path = speed * time + rate * time * (time + DT) / 2
    np.testing.assert_allclose(moving.q[:3] - start, path * downhill, atol=1e-7)
    assert not (moving.contacts.state == sk.STICK).any()


def test_what_slides_elsewhere_changes_nothing() -> None:
    """A block that has just begun to slip goes on slipping, whatever another island does: the same bits."""
    angle = np.arctan(0.405)
    normal, downhill = (np.array([np.sin(a), 0.0, np.cos(a)]) for a in (angle, angle + np.pi / 2))
    runs = []
    for others in (False, True):
        scene = sk.Scene("slope")
        scene.ground(rpy=(0.0, angle, 0.0), static=0.6, kinetic=0.4)
        for k in range(1 + others):
            joint, box = sk.Joint(f"root{k}", "free"), sk.Box((LENGTH, WIDTH, HEIGHT))
            place = normal * HEIGHT / 2 + (0.0, 5.0 * k, 0.0)
            scene.body(f"block{k}", joint, position=place, rpy=(0.0, angle, 0.0), mass=1.0, shape=box)
        sim = sk.Simulation(scene, dt=DT)
        sim.v[:3] = 5e-5 * downhill
        sim.v[6:9] = 100.0 * downhill if others else 0.0
        sim.step(n=200)
        parts = sim.residual
        runs.append((sim.q[:7], sim.v[:6], sim.contacts.state[:4]))
        assert max(parts.signorini, parts.cone, parts.dissipation) < 1e-8
    for alone, beside in zip(*runs, strict=True):
        np.testing.assert_array_equal(alone, beside)
    assert (runs[0][2] == sk.SLIP).all()


@pytest.mark.parametrize("speed", [1.0, 3.0, 10.0])
@pytest.mark.parametrize("heading", HEADINGS)
def test_stopping_distance(speed: float, heading: float) -> None:
    """v0²/(2 μ g) − v0 dt/2: velocities change first, so the path is a rectangle per step shorter on average."""
    kinetic = 0.4
    sim = block(static=0.6, kinetic=kinetic)
    ahead, aside = np.array([np.cos(heading), np.sin(heading)]), np.array([-np.sin(heading), np.cos(heading)])
    start = sim.q.copy()
    sim.v[:2] = speed * ahead
    height = []
    for _ in range(int(speed / (kinetic * G * DT)) + 100):
        sim.step()
        height.append(sim.q[2] - start[2])
    path = sim.q[:2] - start[:2]
    assert path @ ahead == pytest.approx(speed**2 / (2 * kinetic * G) - speed * DT / 2, abs=1e-6)
    drift = sim.law.tolerance * (path @ ahead)  # what the solver may leave
    assert abs(path @ aside) < drift
    assert np.abs(sim.q[3:] - start[3:]).max() < drift / WIDTH
    assert np.abs(height).max() < 1e-9
    assert np.abs(sim.v).max() < 1e-9
    assert not (sim.contacts.state == sk.SLIP).any()  # a corner may carry nothing: four are redundant


def test_sliding_sphere_ends_rolling_at_five_sevenths() -> None:
    speed, friction, radius = 2.0, 0.2, 0.1
    scene = sk.load("sphere")
    scene.ground(static=friction)
    sim = sk.Simulation(scene, dt=DT)
    sim.v[0] = speed
    while not sim.contacts.state.any() or sim.contacts.state[0] == sk.SLIP:
        sim.step()
    assert sim.time == pytest.approx(2 * speed / (7 * friction * G), abs=DT)
    sim.step(n=1000)
    np.testing.assert_allclose(sim.v[:3], [5 / 7 * speed, 0.0, 0.0], atol=1e-9)
    spin = sim.pose("sphere").rotation @ sim.v[3:]
    np.testing.assert_allclose(spin, [0.0, 5 / 7 * speed / radius, 0.0], atol=1e-8)


def square_block(side: float, static: float, kinetic: float) -> sk.Simulation:
    scene = sk.Scene("square block")
    scene.ground(static=static, kinetic=kinetic)
    box = sk.Box((side, side, 0.1))
    scene.body("block", sk.Joint("root", "free"), position=(0.0, 0.0, 0.05), mass=1.0, shape=box)
    return sk.Simulation(scene, dt=DT)


def test_four_corners_resist_spin_with_half_a_diagonal_as_lever() -> None:
    """Each corner of a square of side a is a/√2 from the middle: the moment is 0.7071 μ N a."""
    side, static, kinetic = 0.4, 0.6, 0.4
    lever = side / np.sqrt(2.0)
    sim = square_block(side, static, kinetic)
    sim.push("block", (0.0, 0.0, 0.0), (0.0, 0.0, 0.999 * lever * static * G))
    sim.step(n=1000)
    np.testing.assert_allclose(sim.v, 0.0, atol=1e-9)
    sim.push("block", (0.0, 0.0, 0.0), (0.0, 0.0, 1.001 * lever * static * G))
    sim.step(n=10)
    assert sim.v[5] > 0.0

    sim = square_block(side, static, kinetic)
    spin, steps = 5.0, 100
    sim.v[5] = spin
    sim.step(n=steps)
    slowing = lever * kinetic * G / (side**2 / 6)
    np.testing.assert_allclose(sim.v, [0, 0, 0, 0, 0, spin - slowing * steps * DT], atol=1e-8)
    np.testing.assert_allclose(sim.wrench("block")[3:], [0.0, 0.0, -lever * kinetic * G], atol=1e-6)


@pytest.mark.parametrize("ratio", [0.9, 0.99, 1.01, 1.1])
def test_push_tips_before_it_slides_iff_it_is_high(ratio: float) -> None:
    """A block of width b pushed at height y slides at μ m g and tips at m g b/(2 y): tips first iff y > b/(2 μ)."""
    friction, width, height = 0.4, 0.2, 0.6
    critical = width / (2 * friction)
    y = ratio * critical
    slides, tips = friction * G, G * width / (2 * y)
    scene = sk.Scene("pushed block")
    scene.ground(static=friction)
    box = sk.Box((width, 0.3, height))
    scene.body("block", sk.Joint("root", "free"), position=(0.0, 0.0, height / 2), mass=1.0, shape=box)
    sim = sk.Simulation(scene, dt=DT)
    start = sim.q.copy()

    sim.push("block", (0.999 * min(slides, tips), 0.0, 0.0), point=(-width / 2, 0.0, y))
    sim.step(n=1000)
    assert np.abs(sim.q - start).max() < 1e-9

    sim.push("block", (1.003 * min(slides, tips), 0.0, 0.0), point=(-width / 2, 0.0, y))
    sim.step(n=100)
    tilt, contacts = sim.pose("block").rotation[0, 2], sim.contacts
    front = contacts.point[:, 0] > sim.q[0]
    assert sim.residual.converged
    if ratio > 1.0:
        assert tilt > 1e-6
        assert (contacts.state[front] == sk.STICK).all()
        assert not contacts.force[~front].any()
    else:
        assert abs(tilt) < 1e-9
        assert not (contacts.state == sk.STICK).any()
        assert sim.v[0] == pytest.approx(0.003 * slides * 100 * DT, rel=1e-6)


def test_what_rests_hardly_takes_newton_steps() -> None:
    """On a slope: what is left over of one step does not go on as a cycle of two."""
    sim = sk.Simulation(sk.load("box_on_slope"), dt=DT)
    sim.step(n=2000)
    steps = 0
    for _ in range(400):
        sim.step()
        steps += sim.iterations
    assert steps < 20


@pytest.mark.parametrize("heading", [0.0, 0.3, 2.0])
@pytest.mark.parametrize("gap", [0.0, 1e-6, 1e-3])
def test_a_block_slides_over_tiles(heading: float, gap: float) -> None:
    """Boxes side by side, at one height but for rounding: the distance is that on a plane, and it goes straight on."""
    scene, speed, kinetic, side = sk.Scene("tiles"), 3.0, 0.4, 0.5
    rough = sk.Material(0.6, kinetic, priority=1)
    for i, j in np.ndindex(7, 7):
        place = ((side + gap) * (i - 3.4), (side + gap) * (j - 2.7), -0.05)
        scene.body(f"tile{i}{j}", position=place, shape=sk.Box((side, side, 0.1)), material=rough)
    block = sk.Box((0.3, 0.2, 0.1))
    scene.body("block", sk.Joint("root", "free"), position=(0.0, 0.0, 0.05), mass=1.0, shape=block)
    sim, way = sk.Simulation(scene), np.array((np.cos(heading), np.sin(heading)))
    sim.v[:2] = speed * way
    for _ in range(900):
        sim.step()
        assert sim.residual.converged
    assert sim.q[:2] @ way == pytest.approx(speed**2 / (2 * kinetic * G) - speed * DT / 2, abs=1e-6)
    assert abs(sim.q[1] * way[0] - sim.q[0] * way[1]) < 1e-6
    assert np.abs(sim.v).max() < 1e-9
