"""Heaps that give way to changes of their forces: the law holds with what they give, and what rests is rigid."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.bench.piles import full_bin, mound, put_sphere, put_walls
from sesshoku.contact import Exact
from sesshoku.contact.coulomb import SLIP, STICK
from sesshoku.errors import ModelError
from sesshoku.model import Box, Joint, Material, Scene, Sphere
from sesshoku.sim import Simulation

DT, G = 1e-3, 9.81
SINKS = 1e-6  # what a load sinks by at most [m]
FAR = 1.1e-2  # nothing gives way faster, some percent for the last round of stiffer springs [m/s]


def give_from_now(sim: Simulation, steps: int = 1000) -> None:
    """Let every heap give way, whether it finds its forces at once or not."""
    sim._problem.kept_gave[:] = steps


def energy(sim: Simulation) -> float:
    return sim.energy.kinetic + sim.energy.potential


def highest_rise(course: list[float]) -> float:
    """By how much energy is ever above its least value before."""
    return float(np.max(np.array(course[1:]) - np.minimum.accumulate(course[:-1])))


def stack(number: int) -> Simulation:
    """Cubes on each other."""
    scene = Scene("stack")
    scene.ground(static=0.5)
    for k in range(number):
        place, cube = (0.0, 0.0, 0.1 * k + 0.05), Box((0.1, 0.1, 0.1))
        scene.body(f"box{k}", Joint(f"box{k}", "free"), position=place, mass=1.0, shape=cube)
    return Simulation(scene)


@pytest.fixture(scope="module")
def settling() -> Simulation:
    """A mound of a hundred that has landed, and gives way, by less than makes springs stiffer."""
    sim = Simulation(mound(100))
    sim.step(n=250)
    while not 0.0 < sim.residual.gave < 5e-3:
        sim.step()
    return sim


def test_the_law_holds_with_what_contacts_give(settling: Simulation) -> None:
    """Signorini and Coulomb, from the state before a step and what it reports, by the rule of the module."""
    memory, start = settling.state.memory, settling.q.copy()
    kept = {
        tuple(pair): (r, held)
        for pair, r, held in zip(memory.shapes.tolist(), memory.impulse, memory.held, strict=True)
    }
    settling.step()
    contacts, velocity = settling.contacts, settling.v.reshape(-1, 6)
    turn = [settling.pose(f"sphere{k}").rotation for k in range(100)]
    centre = start.reshape(-1, 7)[:, :3]
    share, mu, gave, stuck, slipped = Exact().give, 0.5, 0.0, 0, 0
    for k in range(len(contacts)):
        n, gap, response, u = contacts.normal[k], -contacts.depth[k], 0.0, np.zeros(3)
        for body, sign in zip(contacts.bodies[k], (-1.0, 1.0), strict=True):
            if body >= 0:
                spin = turn[body] @ velocity[body, 3:]
                u += sign * (velocity[body, :3] + np.cross(spin, contacts.point[k] - centre[body]))
                response += (3.0 + 2.0 / 0.4) / 0.1  # of a sphere of 0.1 kg at its surface, the trace
        r, (r0, held) = contacts.force[k] * DT, kept.get(tuple(sorted(contacts.colliders[k])), (np.zeros(3), 0.0))
        size = np.linalg.norm(r0)
        give, c = 0.0, r0
        if size > 0.0:
            give, c = min(share * response / 3.0, SINKS / DT / size), min(DT * held / size, 1.0) * r0
        s = u + give * (r - c)
        gave = max(gave, give * float(np.linalg.norm(r - c)))
        normal, rate = r @ n, s @ n + (gap / DT if gap > 1e-5 else 0.0)
        tangent, slip = r - normal * n, s - (s @ n) * n
        assert normal >= 0.0
        assert rate > -1e-6
        assert normal * rate < 1e-9
        assert np.linalg.norm(tangent) <= mu * normal * (1.0 + 1e-9)
        if contacts.state[k] == STICK:
            assert np.linalg.norm(slip) < 2e-6
            stuck += 1
        elif contacts.state[k] == SLIP:
            np.testing.assert_allclose(tangent, -mu * normal * slip / np.linalg.norm(slip), atol=2e-3 * mu * normal)
            slipped += 1
    assert stuck > 50
    assert slipped > 0
    assert 0.0 < settling.residual.gave == pytest.approx(gave, rel=1e-6)
    assert settling.residual.total <= 1e-8 < settling.residual.rigid < 1e-2


@pytest.mark.parametrize("build", [mound, full_bin])
def test_heaps_gain_no_energy_by_giving_way(build) -> None:
    """Springs give back what they hold, which is little."""
    sim, course, gave = Simulation(build(60)), [], 0
    for _ in range(800):
        sim.step()
        course.append(energy(sim))
        gave += sim.residual.gave > 0.0
        assert sim.residual.converged
        assert sim.residual.gave < FAR
    assert gave > 100
    assert course[0] - course[-1] > 1.0
    assert highest_rise(course) < 1e-5 * (course[0] - course[-1])


def test_shocks_give_no_energy_and_hardly_sink_in() -> None:
    """A slab of 10 kg falls on sixty spheres of 0.1 kg: what they bear at once is not held by springs."""
    scene = mound(60)
    slab = Box((0.5, 0.5, 0.05))
    scene.body("slab", Joint("slab", "free"), position=(0.0, 0.0, 0.75), mass=10.0, shape=slab)
    sim, course, gave = Simulation(scene), [], 0.0
    for _ in range(600):
        sim.step()
        course.append(energy(sim))
        gave = max(gave, sim.residual.gave)
        assert sim.contacts.depth.max(initial=0.0) < 5e-5
    assert 1e-4 < gave < FAR
    assert course[0] - course[-1] > 20.0
    assert highest_rise(course) < 1e-5 * (course[0] - course[-1])


def test_what_rests_is_rigid() -> None:
    """A mound at rest, told to give way: it stands still, no force changes, and what is fixed bears its weight."""
    sim = Simulation(mound(30, seed=2))
    sim.step(n=4000)
    give_from_now(sim)
    start, force = sim.q.copy(), sim.contacts.force.copy()
    sim.step(n=500)
    assert sim.residual.gave < 1e-6
    assert np.median(np.abs((sim.q - start).reshape(-1, 7)[:, :3])) < 1e-9
    assert np.median(np.abs(sim.contacts.force - force)) < 1e-3
    contacts = sim.contacts
    sides = (contacts.bodies[:, 1] < 0).astype(float) - (contacts.bodies[:, 0] < 0)
    assert sides @ contacts.force[:, 2] == pytest.approx(-30 * 0.1 * G, rel=1e-6)


def test_a_load_sinks_by_what_its_contact_gives() -> None:
    """Twenty-five spheres on a beam, one of them pressed down, and let go again: springs stiffen under their load."""
    scene = Scene("row")
    scene.ground(static=0.8)
    scene.body("beam", Joint("beam", "free"), position=(0.0, 0.0, 0.05), mass=30.0, shape=Box((6.2, 0.2, 0.1)))
    for k in range(25):
        place = (0.24 * (k - 12), 0.0, 0.15)
        scene.body(f"ball{k}", Joint(f"ball{k}", "free"), position=place, mass=0.5, shape=Sphere(0.05))
    sim, give, heights = Simulation(scene), 0.02, []
    sim.step(n=50)
    assert sim.residual.gave == 0.0  # it finds its forces at once
    for force in (0.0, -20.0, 0.0):
        give_from_now(sim)  # when it has found its forces, it is rigid again
        sim.push("ball12", (0.0, 0.0, force))
        sim.step(n=200)
        heights.append(sim.q.reshape(-1, 7)[13, 2])
    weight, load = 0.5 * G, 0.5 * G + 20.0
    soft = min(give * (8.0 / 0.5 + 3.0 / 30.0) / 3.0 * DT**2, SINKS / weight)
    assert SINKS < heights[0] - heights[1] < soft * load
    assert heights[2] - heights[1] == pytest.approx(SINKS / load * (load - weight), rel=0.2)


def test_depth_is_taken_back() -> None:
    """A mound at rest, put 0.5 mm into itself."""
    sim = Simulation(mound(60))
    sim.step(n=1500)
    sim.q.reshape(-1, 7)[:, :3] *= 0.995
    sim.step()
    deep = sim.contacts.depth.max()
    for _ in range(100):
        give_from_now(sim)
        sim.step()
    assert deep > 3e-4
    assert sim.contacts.depth.max() < 2e-5


def test_bodies_that_touch_on_patches_do_not_give_way() -> None:
    """Towers would sway. They find their forces at once when they are at rest."""
    sim = stack(25)
    sim.step(n=20)
    for _ in range(200):
        give_from_now(sim)
        sim.step()
        assert sim.residual.gave == 0.0
        assert sim.iterations <= 2


def bounce(law: Exact) -> float:
    """A sphere falls on a row of others that are to give way: the speed that it leaves with."""
    scene, rough = Scene("bouncing"), Material(0.5, restitution=0.8)
    scene.ground(static=0.5, restitution=0.8)
    places = [(0.0999 * k, 0.0, 0.05) for k in range(24)] + [(0.0999 * 12, 0.0, 0.35)]
    for k, place in enumerate(places):
        scene.body(f"ball{k}", Joint(f"ball{k}", "free"), position=place, mass=0.1, shape=Sphere(0.05), material=rough)
    sim = Simulation(scene, law)
    fastest, start = 0.0, energy(sim)
    for _ in range(500):
        give_from_now(sim)
        sim.step()
        fastest = max(fastest, sim.velocity("ball24")[2])
    assert energy(sim) < start
    return fastest


def test_blows_do_not_give_way() -> None:
    rigid = bounce(Exact(give=0.0))
    assert rigid > 0.6 * np.sqrt(2.0 * G * 0.2)
    assert bounce(Exact()) == pytest.approx(rigid, rel=0.02)


def test_a_ball_bounces_on_a_column_that_gives_way() -> None:
    """A small ball bounces on a piston on a column of forty spheres, pressed by a force that swells and ebbs."""
    scene, rough = Scene("column"), Material(0.5)
    scene.ground(static=0.5)
    put_walls(scene, np.array((0.056, 0.056)), 7.0, rough)
    for k in range(40):
        place = (0.004 * np.cos(2.4 * k), 0.004 * np.sin(2.4 * k), 0.05 + 0.0999 * k)
        put_sphere(scene, k, place, rough)
    top, lively = 0.0999 * 40 + 0.06, Material(0.0, restitution=0.9, priority=2)
    slide = Joint("slide", "prismatic", axis=(0.0, 0.0, 1.0))
    scene.body("piston", slide, position=(0.0, 0.0, top), mass=5.0, shape=Box((0.1, 0.1, 0.1)), material=rough)
    high = (0.0, 0.0, top + 0.12)
    scene.body("ball", Joint("ball", "free"), position=high, mass=1e-3, shape=Sphere(0.02), material=lively)
    sim, before, blows, gave = Simulation(scene), 0.0, [], 0
    for k in range(1200):
        if k > 600:
            sim.push("piston", (0.0, 0.0, -500.0 * (1.0 + np.sin(2.0 * np.pi * 13.7e-3 * k))))
        if k % 150 == 0:
            sim.q[-7:-4], sim.v[-6:] = high, 0.0
        sim.step()
        gave += sim.residual.gave > 0.0
        after = sim.velocity("ball")[2]
        if k > 600 and before < -0.3 and after > before + 0.2:
            blows.append(-after / before)
        before = after
    assert gave > 300
    assert len(blows) >= 3
    assert min(blows) > 0.85


def test_springs_hold_forces_whatever_the_step() -> None:
    """A mound that rests at steps of 5 ms goes on at steps of 0.2 ms."""
    coarse, fine = Simulation(mound(30), dt=5e-3), Simulation(mound(30), dt=2e-4)
    coarse.step(n=400)
    give_from_now(coarse)
    coarse.step(n=20)
    fine.reset(coarse.state)
    start = energy(fine)
    for _ in range(50):
        give_from_now(fine)
        fine.step()
        assert energy(fine) < start + 1e-6


def test_a_restored_state_goes_on_with_the_same_bits(settling: Simulation) -> None:
    state = settling.state
    assert state.memory.gave.max() > 0
    assert state.memory.held.max() > 0.0
    settling.step(n=30)
    first = settling.q.copy()
    settling.reset(state)
    settling.step(n=30)
    np.testing.assert_array_equal(settling.q, first)


@pytest.mark.parametrize("law", [Exact(give=0.0), Exact(independent=True)])
def test_rigid_heaps(law: Exact) -> None:
    sim = Simulation(mound(30), law)
    for _ in range(300):
        sim.step()
        assert sim.residual.gave == 0.0
        assert sim.residual.rigid == sim.residual.total


@pytest.mark.parametrize("give", [-0.1, np.nan, "soft"])
def test_a_share_must_be_a_number(give) -> None:
    with pytest.raises(ModelError, match="give"):
        Exact(give=give)
