"""Contact by volume: rest, slide, spin, stacks, bounces, robots; what sticks and what slips; what is refused."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.contact import Volume
from sesshoku.sim import SLIP, STICK, Simulation

G, MASS, HALF = 9.81, 0.5, 0.05
LEVER = HALF * np.sqrt(2.0)


def box(
    law: Volume | None = None, static: float = 0.5, kinetic: float = 0.5, number: int = 1, restitution: float = 0.0
) -> Simulation:
    """Boxes of 0.5 kg and 0.1 m on each other, 0.1 µm deep."""
    scene = sk.Scene("boxes")
    material = sk.Material(static=static, kinetic=kinetic, restitution=restitution)
    scene.ground(static=static, kinetic=kinetic, restitution=restitution)
    for k in range(number):
        place, cube = (0.0, 0.0, (2 * k + 1) * HALF - 1e-7 * (k + 1)), sk.Box((0.1, 0.1, 0.1))
        scene.body(f"box{k}", sk.Joint(f"root{k}", "free"), position=place, mass=MASS, shape=cube, material=material)
    return Simulation(scene, law=Volume() if law is None else law)


def push_base(sim: Simulation, force: tuple[float, float], torque: float) -> None:
    """A force at the middle of the base, in units of the largest friction, and a torque, over its lever."""
    most = 0.5 * MASS * G
    x, y = most * force[0], most * force[1]
    sim.push("box0", (x, y, 0.0), moment=(HALF * y, -HALF * x, torque * most * LEVER))


def moved(sim: Simulation, steps: int = 200) -> float:
    start = sim.q.copy()
    sim.step(n=steps)
    return float(np.abs(sim.q - start).max())


def test_rest() -> None:
    sim = box()
    assert moved(sim, 1000) < 1e-9
    assert sim.wrench("box0")[2] == pytest.approx(MASS * G, rel=1e-9)
    assert np.abs(sim.v).max() < 1e-8
    assert sim.residual.converged
    assert (sim.contacts.state == STICK).all()


@pytest.mark.parametrize("speed", [1.0, 3.0])
@pytest.mark.parametrize("heading", [0.0, 0.4, np.pi / 4])
def test_sliding_box_neither_hops_nor_turns_over(speed: float, heading: float) -> None:
    sim = box(static=0.3, kinetic=0.3)
    way = np.array([np.cos(heading), np.sin(heading)])
    sim.v[:2] = speed * way
    height = tilt = 0.0
    while sim.time < speed / (0.3 * G) + 0.05:
        sim.step()
        height, tilt = max(height, sim.q[2] - HALF), max(tilt, float(np.abs(sim.q[4:]).max()))
    assert height <= 0.0
    assert tilt < 1e-7
    assert np.abs(sim.v).max() < 1e-7
    assert sim.q[:2] @ way == pytest.approx(speed**2 / (2 * 0.3 * G) - speed * 5e-4, abs=1e-6)
    assert abs(sim.q[0] * way[1] - sim.q[1] * way[0]) < 1e-6


@pytest.mark.parametrize("speed", [0.0, 1.0])
def test_aligned_stack_stands_and_slides_together(speed: float) -> None:
    sim = box(static=0.3, kinetic=0.3, number=3)
    sim.v[0::6] = speed
    sim.step(n=1000)
    places = sim.q.reshape(3, 7)[:, :3]
    assert np.abs(places[:, :2] - places[0, :2]).max() < 1e-6
    np.testing.assert_allclose(places[:, 2], (HALF, 3 * HALF, 5 * HALF), atol=1e-6)
    assert np.abs(sim.v).max() < 1e-6


def test_force_and_torque_are_judged_together() -> None:
    """At 0.9 of the largest force and 0.9 of the largest torque only the older test finds that it sticks."""
    for law, sticks in ((Volume(), False), (Volume(edges=0), False), (Volume(separated=True), True)):
        sim = box(law)
        sim.step(n=50)
        push_base(sim, (0.9, 0.0), 0.9)
        assert (moved(sim) < 1e-6) == sticks, law
        assert (sim.contacts.state == (STICK if sticks else SLIP)).all()


def test_pyramid_is_inscribed() -> None:
    """Between two edges of the pyramid the box slips at 0.9239 of the largest friction, under the true cone at 1."""
    angle = np.pi / 8
    for law, share, sticks in (
        (Volume(), 0.915, True),
        (Volume(), 0.93, False),
        (Volume(edges=0), 0.99, True),
        (Volume(edges=0), 1.01, False),
    ):
        sim = box(law)
        sim.step(n=50)
        push_base(sim, (share * np.cos(angle), share * np.sin(angle)), 0.0)
        assert (moved(sim) < 1e-6) == sticks, (law, share)


@pytest.mark.parametrize("law", [Volume(), Volume(edges=0)], ids=["pyramid", "cone"])
def test_friction_never_drives(law: Volume) -> None:
    """A box that slides and spins: its kinetic energy only falls, until it rests."""
    sim = box(law, static=0.5, kinetic=0.3)
    sim.v[:] = (0.5, 0.3, 0.0, 0.0, 0.0, 8.0)
    before = sim.energy.kinetic
    for _ in range(600):
        sim.step()
        assert sim.energy.kinetic <= before + 1e-12
        before = sim.energy.kinetic
    assert np.abs(sim.v).max() < 1e-7


def test_bounce() -> None:
    """A box that falls flat leaves with its speed times the restitution."""
    sim = box(restitution=0.5)
    sim.q[2] += 0.1
    fastest, leaving = 0.0, 0.0
    for _ in range(300):
        sim.step()
        fastest, leaving = min(fastest, sim.v[2]), max(leaving, sim.v[2])
    assert leaving == pytest.approx(-0.5 * fastest, rel=0.02)


def test_depth_is_taken_back_without_a_hop() -> None:
    sim = box()
    sim.q[2] -= 2e-3
    height = 0.0
    for _ in range(500):
        sim.step()
        height = max(height, sim.q[2] - HALF)
    assert height <= 0.0
    assert -1.1e-5 < sim.q[2] - HALF < 0.0  # what is left of it is in touch


def test_large_islands_are_solved_part_by_part() -> None:
    """A plank on 42 feet: 84 patches, too many for one program."""
    scene = sk.Scene("plank")
    scene.ground(static=0.5)
    for k in range(42):
        place, foot = (0.1 * k, 0.0, 0.02), sk.Box((0.05, 0.2, 0.04))
        scene.body(f"foot{k}", sk.Joint(f"foot{k}", "free"), position=place, mass=0.1, shape=foot)
    plank = sk.Box((4.3, 0.2, 0.04))
    scene.body("plank", sk.Joint("plank", "free"), position=(2.05, 0.0, 0.06 - 1e-7), mass=4.0, shape=plank)
    sim = Simulation(scene, law="volume")
    sim.step(n=50)
    assert np.isfinite(sim.q).all()
    assert sim.wrench("plank")[2] == pytest.approx(4.0 * G, rel=0.01)
    assert np.abs(sim.q.reshape(43, 7)[:, 2] - ([0.02] * 42 + [0.06])).max() < 1e-4


def test_a_ball_rests() -> None:
    """Smooth shapes take part by polyhedra."""
    scene = sk.Scene("ball")
    scene.ground()
    scene.body("ball", sk.Joint("root", "free"), position=(0, 0, 0.1), mass=1.0, shape=sk.Sphere(0.1))
    sim = Simulation(scene, law="volume")
    sim.step(n=1000)
    assert sim.q[2] == pytest.approx(0.1, abs=1e-3)
    assert sim.wrench("ball")[2] == pytest.approx(G, rel=1e-3)


def test_what_is_not_convex_is_refused() -> None:
    scene = sk.Scene("hills")
    scene.collider(None, sk.HeightField(np.zeros((3, 3)), (1.0, 1.0)))
    scene.body("box", sk.Joint("root", "free"), mass=1.0, shape=sk.Box((0.1, 0.1, 0.1)))
    with pytest.raises(sk.UnsupportedError, match="not convex"):
        Simulation(scene, law="volume")


@pytest.mark.parametrize("name", ["standing_hoap", "standing_hrp2"])
def test_humanoids_stand(name: str) -> None:
    sim = Simulation(sk.load(name), law="volume")
    sim.step(n=500)
    feet = [sim.pose(f"{side}_foot").position for side in ("left", "right")]
    sim.step(n=4500)
    for side, start in zip(("left", "right"), feet, strict=True):
        assert np.abs(sim.pose(f"{side}_foot").position - start).max() < 1e-7
    weight = sum(sim.wrench(f"{side}_foot")[2] for side in ("left", "right"))
    assert weight == pytest.approx(sim.model.total_mass * G, rel=1e-6)
    assert sim.residual.converged


def test_a_humanoid_falls() -> None:
    """Without servos, from standing: every step converges, and no energy comes from nowhere."""
    scene = sk.load("standing_hrp2")
    scene.actuators.clear()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.UnsimulatedWarning)
        sim = Simulation(scene, law="volume")
    sim.v[:] = 0.01 * np.random.default_rng(0).normal(size=sim.model.nv)
    least = sim.energy.total
    for _ in range(1500):
        sim.step()
        assert sim.residual.converged
        least = min(least, sim.energy.total)
        assert sim.energy.total < least + 0.1
    assert np.isfinite(sim.q).all()
