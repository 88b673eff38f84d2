"""Motion on surfaces over time: the seven cases of paper 2, drift, order, energy, stick, leaving and landing."""

from functools import cache

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.constraint import NewtonEuler, Surface, SurfaceIntegrator, SurfacePoint
from sesshoku.papers.newton_euler.arm import CASES, Q0, REST, STEP, arm, on_ground, run
from sesshoku.papers.newton_euler.arm import none as no_torque
from sesshoku.papers.newton_euler.cases import longest_stick, tip_place, tip_speed
from sesshoku.papers.newton_euler.several import EXAMPLES, slider, tangent_velocity

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("case", CASES)
def test_the_papers_step_keeps_the_tip_on_the_ground(case):
    """10 s in steps of 10 ms, also where the explicit step of the notes diverges (v, vi); it always pushes."""
    projected, plain = run(case), run(case, projection=False)
    assert np.abs(projected.gap).max() < 1e-9
    assert np.abs(plain.gap).max() < 1e-3
    assert projected.normal_force.min() > 0


@pytest.mark.parametrize(("lighter", "heavier"), [("v", "vi"), ("vii", "iv")])
def test_without_torque_only_damping_by_mass_matters(lighter, heavier):
    a, b = run(lighter), run(heavier)
    assert np.abs(a.q - b.q).max() < 1e-9
    np.testing.assert_allclose(b.normal_force, 2 * a.normal_force, rtol=1e-9)


@pytest.mark.parametrize("case", ["i", "v"])
def test_regularised_friction_at_the_papers_step(case):
    found = run(case, slip_speed=0.05)
    assert np.abs(found.gap).max() < 1e-9
    assert found.normal_force.min() > 0
    assert not found.sticks.any()


@cache
def end(dt, **options):
    """Where a smooth motion ends: no friction, little damping, swaying torques."""
    method = on_ground(1.0, 0.3, 0.0)
    return SurfaceIntegrator(method, dt, **options).run(Q0, REST, CASES["iii"][2], 0.5).q[-1]


@pytest.mark.parametrize("projection", [True, False])
@pytest.mark.parametrize(
    ("integrator", "dt", "ratio", "accuracy"), [("semi_implicit", 1e-2, 2, 0.03), ("rk4", 2e-2, 16, 0.09)]
)
def test_errors_fall_with_the_order_of_the_step(integrator, dt, ratio, accuracy, projection):
    exact = end(1.25e-3, integrator="rk4", projection=False)
    errors = [np.abs(end(dt / n, integrator=integrator, projection=projection) - exact).max() for n in (1, 2, 4)]
    assert errors[0] / errors[1] == pytest.approx(ratio, rel=accuracy)
    assert errors[1] / errors[2] == pytest.approx(ratio, rel=accuracy)


def test_runge_kutta_drift_falls_at_least_with_the_fourth_power_of_the_step():
    """16 to 20 times for each halving, with regularised friction."""
    coarse, fine = (
        np.abs(run("iii", dt, 0.5, 0.05, integrator="rk4", projection=False).gap).max() for dt in (5e-3, 2.5e-3)
    )
    assert fine < 1e-6
    assert 15 < coarse / fine < 25


def test_baumgarte_draws_the_point_back():
    options = {"dt": 5e-3, "duration": 1.0, "slip_speed": 0.05, "integrator": "rk4", "projection": False}
    found, plain = run("iii", **options, baumgarte=(10.0, 10.0)), run("iii", **options)
    assert np.abs(found.gap[-1]) < np.abs(plain.gap[-1]) / 10


def test_baumgarte_in_semi_implicit_steps_takes_a_share_of_the_gap_away_in_each():
    """It takes dC/dt to −dt β² C: in 100 steps of 10 ms the gap falls to 0.99¹⁰⁰ of itself."""
    stepper = SurfaceIntegrator(on_ground(), STEP, projection=False, baumgarte=(0.0, 10.0))
    q, v = Q0 + 2e-3 * np.eye(3)[0], REST
    before = stepper.method.places(q, v).gap[0]
    for m in range(100):
        q, v, _ = stepper.step(m * STEP, q, v, no_torque)
    assert stepper.method.places(q, v).gap[0] / before == pytest.approx(0.99**100, rel=0.02)


def test_energy_stays_without_friction_and_damping():
    """A tenth of what the notes allow for 3 s, in 0.5 s."""
    method = on_ground(damping=0.0, friction=0.0)
    found = SurfaceIntegrator(method, 1e-3, integrator="rk4", projection=False).run(Q0, REST, no_torque, 0.5)
    energy = [method.dynamics.energy(q, v).total for q, v in zip(found.q, found.v, strict=True)]
    assert np.ptp(energy) < 1e-7 * 9.81 * 0.5
    assert np.abs(found.v).max() > 1  # it moves


@pytest.mark.parametrize("slip_speed", [0.0, 0.05])
def test_friction_never_adds_energy(slip_speed):
    """Exact friction opposes the slip at the end of the step, regularised friction that at its start."""
    found = run("iii", 5e-3, 2.0, slip_speed)
    slip = tip_speed(found.q, found.v)
    power = found.friction_force[:, 0, 1] * (slip[:-1] if slip_speed else slip[1:])
    assert power.max() < 1e-13
    assert power.min() < -1


def test_a_tip_that_sticks_does_not_creep():
    """Case i is held by friction for most of the time; regularised friction goes on creeping, as the notes say."""
    found, creeping = run("i"), run("i", slip_speed=0.05)
    first, last = longest_stick(found)
    assert last - first > 500  # the notes: about 6 s
    window = slice(first, last + 1)
    assert np.ptp(tip_place(found.q[window])) < 1e-12
    assert np.ptp(tip_place(creeping.q[window])) > 1e-3
    assert np.abs(found.v[window]).max() > 0.1  # while the links move
    friction, normal = np.abs(found.friction_force[first:last, 0, 1]), found.normal_force[first:last, 0]
    assert (friction <= 0.2 * normal * (1 + 1e-9)).all()


def test_without_projection_a_tip_that_sticks_creeps_with_the_square_of_the_step():
    creeps = []
    for dt in (1e-2, 5e-3):
        found = run("i", dt, 4.0, projection=False)
        first, last = longest_stick(found)
        creeps.append(np.ptp(tip_place(found.q[first : last + 1])))
    assert creeps[0] < 2e-5
    assert creeps[0] / creeps[1] == pytest.approx(4, rel=0.05)


@pytest.mark.parametrize("example", EXAMPLES)
def test_several_points_stay_on_their_surfaces(example):
    scene, points, q = example()
    rng = np.random.default_rng(2)
    for friction in (0.0, 0.1):
        held = [SurfacePoint(name, surface, friction, carrier) for name, surface, carrier in points]
        method = NewtonEuler(scene, held)
        stepper = SurfaceIntegrator(method, 5e-3)
        q0, v0 = stepper.project(q, 0.3 * tangent_velocity(method, q, rng))
        found = stepper.run(q0, v0, no_torque, 0.3)
        assert np.abs(found.gap).max() < 1e-9
        for q1, v1 in zip(found.q, found.v, strict=True):
            assert np.abs(method.places(q1, v1).velocity[:, 0]).max() < 1e-9
        assert np.ptp(found.q[:, -1]) > 1e-4  # it moves


@pytest.mark.parametrize("unilateral", [True, False])
@pytest.mark.parametrize("example", EXAMPLES)
def test_points_that_are_pushed_about_obey_coulomb(example, unilateral):
    """Feet that stick, slip and leave under random forces, also where friction is shared among more than it needs."""
    scene, points, q = example()
    for friction in (0.1, 1.0):
        for seed in range(2):
            rng = np.random.default_rng(seed)
            held = [SurfacePoint(name, surface, friction, carrier) for name, surface, carrier in points]
            method = NewtonEuler(scene, held, unilateral=unilateral)
            stepper = SurfaceIntegrator(method, 5e-3)
            tau = rng.normal(size=method.model.nv)
            start = stepper.project(q, tangent_velocity(method, q, rng))
            found = stepper.run(*start, lambda time, q, v, tau=tau: tau, 0.1)
            assert (found.gap.min() if unilateral else -np.abs(found.gap).max()) > -1e-9
            size = np.linalg.norm(found.friction_force, axis=2)
            assert (size <= friction * np.abs(found.normal_force) + 1e-9 * np.abs(found.normal_force).max()).all()
            assert not unilateral or found.normal_force.min() >= 0


def test_a_plane_is_the_same_as_a_slider_in_a_closed_loop():
    """The general simulator, with the tip pinned to a nearly massless slider on the ground."""
    sim = sk.Simulation(slider(), dt=2e-3)
    sim.q[:], sim.v[:] = [*Q0, 1.0], 0.0
    found = SurfaceIntegrator(on_ground(friction=0.0), 2e-3, projection=False).run(Q0, REST, no_torque, 1.0)
    for q in found.q[1:]:
        sim.step()
        np.testing.assert_allclose(sim.q[:3], q, rtol=0, atol=1e-6)


def ball(height, **options):
    """A mass that slides up and down, above the ground."""
    scene = sk.Scene()
    scene.body("ball", sk.Joint("z", "prismatic", "z"), mass=1.0, shape=sk.Sphere(0.1))
    method = NewtonEuler(scene, [SurfacePoint("ball", Surface.plane())], unilateral=True)
    return SurfaceIntegrator(method, 1e-2, **options).run([height], [0.0], no_torque, 1.0)


@pytest.mark.parametrize("projection", [True, False])
def test_a_ball_falls_lands_and_rests(projection):
    found = ball(0.5, projection=projection)
    lands = int(np.flatnonzero(~found.apart[:, 0])[0])
    assert found.time[lands] == pytest.approx(np.sqrt(2 * 0.5 / 9.81), abs=0.011)
    assert found.q.min() > -1e-9
    np.testing.assert_allclose(found.q[lands + 1 :], 0, atol=1e-9)
    np.testing.assert_allclose(found.normal_force[lands + 3 :], 9.81, rtol=1e-6)
    impulse = found.normal_force[lands : lands + 3].sum() * 1e-2
    assert impulse == pytest.approx(found.time[lands + 3] * 9.81, rel=1e-9)  # all it fell with


def test_a_tip_leaves_the_ground_when_it_is_lifted_and_lands_again():
    method = on_ground(unilateral=True)

    def lift(time, q, v):
        return np.array([30.0, 0.0, 0.0]) if time < 0.3 else REST

    found = SurfaceIntegrator(method, 5e-3).run(Q0, REST, lift, 3.0)
    apart = found.apart[:, 0]
    assert apart.any()
    assert not apart[-1]
    assert found.gap.max() > 0.01
    assert found.gap.min() > -1e-9
    assert (found.normal_force >= 0).all()
    assert (found.normal_force[apart] == 0).all()


def test_starts_off_the_surface_are_refused_and_projected():
    stepper = SurfaceIntegrator(on_ground(), 1e-2)
    off, leaving = Q0 + 0.01 * np.eye(3)[0], 0.1 * np.eye(3)[0]
    with pytest.raises(sk.OffSurfaceError, match=r"point 'tip': it starts 0.01 m off its surface\. Begin with"):
        stepper.run(off, REST, no_torque, 0.1)
    with pytest.raises(sk.OffSurfaceError, match="m/s moving off"):
        stepper.run(Q0, leaving, no_torque, 0.1)
    q, v = stepper.project(off, leaving)
    stepper.run(q, v, no_torque, 0.02)
    assert np.abs(q - off).max() < 0.02
    unilateral = SurfaceIntegrator(on_ground(unilateral=True), 1e-2)
    unilateral.run(off, REST, no_torque, 0.02)
    with pytest.raises(sk.OffSurfaceError):
        unilateral.run(Q0 - 0.01 * np.eye(3)[0], REST, no_torque, 0.02)
    unreachable = NewtonEuler(arm(), [SurfacePoint("tip", Surface.plane((0, 0, 2.0)))])
    with pytest.raises(sk.RankError, match="do not come onto"):
        SurfaceIntegrator(unreachable, 1e-2).project(Q0, REST)


def test_options_that_mean_nothing_are_refused():
    with pytest.raises(sk.ModelError, match="no integrator 'euler'"):
        SurfaceIntegrator(on_ground(), 1e-2, integrator="euler")
    with pytest.raises(sk.ModelError, match="dt is 0"):
        SurfaceIntegrator(on_ground(), 0.0)
    with pytest.raises(sk.ModelError, match="slip_speed is -1"):
        on_ground(slip_speed=-1.0)


def test_runge_kutta_needs_smooth_forces():
    with pytest.raises(sk.ModelError, match="slip_speed"):
        SurfaceIntegrator(on_ground(), 1e-2, integrator="rk4")


def test_a_step_that_is_too_long_for_runge_kutta_is_said_to_diverge():
    with pytest.raises(sk.DivergedError, match="shorter steps"), np.errstate(all="ignore"):
        run("v", slip_speed=0.05, integrator="rk4", projection=False)
