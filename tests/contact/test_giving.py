"""Heaps that give way to changes of their impulses: the law holds with what they give, and what rests is rigid."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.bench.piles import full_bin, mound
from sesshoku.contact import Exact
from sesshoku.contact.coulomb import SLIP, STICK
from sesshoku.errors import ModelError
from sesshoku.model import Box, Joint, Material, Scene, Sphere
from sesshoku.sim import Simulation

DT, G = 1e-3, 9.81


def stack(masses: list[float]) -> Simulation:
    """Cubes on each other."""
    scene = Scene("stack")
    scene.ground(static=0.5)
    for k, mass in enumerate(masses):
        place, cube = (0.0, 0.0, 0.1 * k + 0.05), Box((0.1, 0.1, 0.1))
        scene.body(f"box{k}", Joint(f"box{k}", "free"), position=place, mass=mass, shape=cube)
    return Simulation(scene)


def give_from_now(sim: Simulation, steps: int = 1000) -> None:
    """Let every heap give way, whether it finds its forces at once or not."""
    sim._problem.kept_gave[:] = steps


def stored(sim: Simulation) -> float:
    """Energy of the springs that heaps give way by [J]; their impulse is their force times the step."""
    problem = sim._problem
    n, islands = problem.count[3], problem.count[0]
    gave = np.repeat(problem.gave[:islands] > 0, np.diff(problem.point_begin[: islands + 1]))
    give = problem.give[:n][gave]
    return float(0.5 * (give * (problem.impulse[:n][gave] ** 2).sum(axis=1)).sum())


@pytest.fixture(scope="module")
def settling() -> Simulation:
    """A mound of a hundred that has landed, and gives way."""
    sim = Simulation(mound(100))
    sim.step(n=250)
    while sim.residual.gave == 0.0:
        sim.step()
    return sim


def test_the_law_holds_with_what_contacts_give(settling: Simulation) -> None:
    """Signorini and Coulomb, from positions, velocities and forces of a step alone, and the rule of the module."""
    before = {}
    contacts = settling.contacts
    for pair, force in zip(contacts.colliders.tolist(), contacts.force, strict=True):
        before[tuple(sorted(pair))] = force * DT
    start = settling.q.copy()
    settling.step()
    contacts, problem = settling.contacts, settling._problem
    bodies, velocity = contacts.bodies, settling.v.reshape(-1, 6)
    turn = [settling.pose(f"sphere{k}").rotation for k in range(100)]
    centre = start.reshape(-1, 7)[:, :3]
    share, gave, stuck = Exact().give, 0.0, 0
    for k in range(len(contacts)):
        n, mu, response, u = contacts.normal[k], 0.5, 0.0, np.zeros(3)
        for body, sign in zip(bodies[k], (-1.0, 1.0), strict=True):
            if body >= 0:
                spin = turn[body] @ velocity[body, 3:]
                u += sign * (velocity[body, :3] + np.cross(spin, contacts.point[k] - centre[body]))
                response += (3.0 + 2.0 / 0.4) / 0.1  # of a sphere of 0.1 kg at its surface, the trace
        gap = -contacts.depth[k]
        r, r0 = contacts.force[k] * DT, before.get(tuple(sorted(contacts.colliders[k].tolist())), np.zeros(3))
        give = share * response / 3.0 if r0.any() else 0.0
        s = u + give * (r - r0)
        gave = max(gave, give * float(np.linalg.norm(r - r0)))
        normal, rate = r @ n, s @ n + max(gap if gap > 1e-5 else 0.0, 0.0) / DT
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
    assert stuck > 50
    assert settling.residual.gave == pytest.approx(gave, rel=1e-6)
    assert problem.gave[0] > 0


@pytest.mark.parametrize("build", [mound, full_bin])
def test_heaps_gain_no_energy_by_giving_way(build) -> None:
    """Kinetic and potential energy and that of the springs; what touches anew is rigid, and its spring is not paid for.

    So the sum is a little larger where a heap begins to give way, and where it holds more.
    """
    sim = Simulation(build(60))
    energy, held = [], []
    for _ in range(800):
        sim.step()
        energy.append(sim.energy.kinetic + sim.energy.potential)
        held.append(stored(sim))
        assert sim.residual.converged
    fall, rises = energy[0] - energy[-1], np.diff(energy)
    assert max(held) > 1e-5
    assert fall > 1.0
    assert rises[rises > 0.0].sum() < 1e-4 * fall
    assert np.max(np.array(energy[1:]) - np.minimum.accumulate(energy[:-1])) < 5e-5 * fall


def test_what_rests_is_rigid() -> None:
    """A mound at rest, told to give way: it stands still, no force changes, and the ground bears its weight."""
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
    """Twenty-five spheres on a beam, one of them pressed down, and let go again."""
    scene = Scene("row")
    scene.ground(static=0.8)
    scene.body("beam", Joint("beam", "free"), position=(0.0, 0.0, 0.05), mass=30.0, shape=Box((6.2, 0.2, 0.1)))
    for k in range(25):
        place = (0.24 * (k - 12), 0.0, 0.15)
        scene.body(f"ball{k}", Joint(f"ball{k}", "free"), position=place, mass=0.5, shape=Sphere(0.05))
    sim = Simulation(scene, Exact(give=0.02))
    sim.step(n=50)
    assert sim.residual.gave == 0.0  # it finds its forces at once
    give_from_now(sim)
    height = sim.q.reshape(-1, 7)[13, 2]
    sim.push("ball12", (0.0, 0.0, -20.0))
    sim.step(n=200)
    compliance = DT**2 / 30.0  # by the mass of the beam
    assert height - sim.q.reshape(-1, 7)[13, 2] == pytest.approx(20.0 * compliance, rel=0.1)
    give_from_now(sim)  # meanwhile it had found its forces, and was rigid
    sim.push("ball12", (0.0, 0.0, 0.0))
    sim.step(n=200)
    assert sim.q.reshape(-1, 7)[13, 2] == pytest.approx(height, abs=0.02 * 20.0 * compliance)


def test_light_boxes_under_a_heavy_one_do_not_buckle() -> None:
    sim = stack([1.0] * 24 + [1000.0])
    sim.step(n=20)
    give_from_now(sim, 10_000)
    start = sim.q.copy()
    sim.step(n=3000)
    assert np.abs((sim.q - start).reshape(-1, 7)[:, :3]).max() < 1e-6


def test_stacks_find_their_forces_at_once() -> None:
    sim = stack([1.0] * 25)
    sim.step(n=20)
    for _ in range(200):
        sim.step()
        assert sim.residual.gave == 0.0
        assert sim.iterations <= 2


def test_blows_do_not_give_way() -> None:
    """Spheres that bounce: those that strike leave with their restitution, in a heap that gives way."""
    scene, rough = Scene("bouncing"), Material(0.5, restitution=0.8)
    scene.ground(static=0.5, restitution=0.8)
    for k in range(24):
        place = (0.0999 * k, 0.0, 0.05)  # a row of spheres that touch, and one above
        scene.body(f"ball{k}", Joint(f"ball{k}", "free"), position=place, mass=0.1, shape=Sphere(0.05), material=rough)
    scene.body(
        "high", Joint("high", "free"), position=(0.0999 * 12, 0.0, 0.35), mass=0.1, shape=Sphere(0.05), material=rough
    )
    sim = Simulation(scene)
    fastest, start = 0.0, sim.energy.kinetic + sim.energy.potential
    for _ in range(500):
        give_from_now(sim)
        sim.step()
        fastest = max(fastest, sim.velocity("high")[2])
    assert fastest > 0.6 * np.sqrt(2.0 * G * 0.2)
    assert sim.energy.kinetic + sim.energy.potential < start


def test_a_restored_state_goes_on_with_the_same_bits(settling: Simulation) -> None:
    state = settling.state
    assert state.memory.gave.max() > 0
    settling.step(n=30)
    first = settling.q.copy()
    settling.reset(state)
    settling.step(n=30)
    np.testing.assert_array_equal(settling.q, first)


def test_a_share_of_none_is_rigid() -> None:
    sim = Simulation(mound(30), Exact(give=0.0))
    for _ in range(400):
        sim.step()
        assert sim.residual.gave == 0.0


@pytest.mark.parametrize("give", [-0.1, np.nan, "soft"])
def test_a_share_must_be_a_number(give) -> None:
    with pytest.raises(ModelError, match="give"):
        Exact(give=give)
