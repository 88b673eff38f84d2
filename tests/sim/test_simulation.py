"""Simulation: state as a value, ways to drive it, errors that say what to do."""

from __future__ import annotations

import copy
import pickle

import numpy as np
import pytest

import sesshoku as sk

INTEGRATORS = ("semi_implicit", "rk4", "rkg")


def shaken(integrator: str = "semi_implicit") -> sk.Simulation:
    sim = sk.Simulation(sk.load("hoap_class"), integrator=integrator)
    rng = np.random.default_rng(0)
    sim.v = rng.normal(size=sim.model.nv)
    sim.control += rng.normal(size=sim.model.nu) * 0.1
    sim.push("left_foot", (1.0, 2.0, 3.0))
    return sim


@pytest.mark.parametrize("integrator", INTEGRATORS)
def test_restored_state_gives_the_same_bits(integrator: str) -> None:
    sim = shaken(integrator)
    sim.step(n=50)
    state = sim.state
    sim.step(n=100)
    first = sim.state
    sim.reset(state)
    assert sim.state == state
    sim.step(n=100)
    assert sim.state == first
    other = shaken(integrator)  # another simulation, from the saved state alone
    other.reset(state)
    other.step(n=100)
    assert other.state == first


def test_many_steps_in_one_call_are_the_same_bits() -> None:
    one, many = shaken(), shaken()
    for _ in range(60):
        one.step()
    many.step(n=60)
    assert one.state == many.state


def test_state_is_a_value() -> None:
    sim = shaken()
    state = sim.state
    sim.step(n=10)
    assert state.time == 0.0
    assert sim.state != state
    with pytest.raises(ValueError, match="read-only"):
        state.q[0] = 1.0


def test_reset_goes_back_to_the_start() -> None:
    sim = sk.Simulation(sk.load("hoap_class"), posture="crouch")
    start = sim.state
    sim.run(0.05)
    sim.reset()
    assert sim.state == start
    assert len(sim.recording) == 0
    np.testing.assert_array_equal(sim.q, sim.model.postures["crouch"])


def test_servos_begin_by_holding_the_posture() -> None:
    scene = sk.load("hoap_class")
    scene.gravity = (0.0, 0.0, 0.0)
    sim = sk.Simulation(scene, posture="crouch")
    sim.step(n=100)
    np.testing.assert_allclose(sim.q[7:], sim.model.postures["crouch"][7:], atol=1e-9)


def test_changed_gravity_takes_effect() -> None:
    scene = sk.load("box")
    _ = scene.model
    scene.gravity = (0.0, 0.0, -1.62)
    assert sk.Simulation(scene).acceleration()[2] == pytest.approx(-1.62)


def test_torque_with_and_without_the_free_joint() -> None:
    sim = sk.Simulation(sk.load("hoap_class"))
    tau = np.random.default_rng(0).normal(size=20)
    np.testing.assert_array_equal(sim.acceleration(tau), sim.acceleration(np.concatenate([np.zeros(6), tau])))


def test_torque_is_not_kept() -> None:
    sim = sk.Simulation(sk.load("pendulum"))
    sim.q = [0.0] * sim.model.nq
    sim.step([3.0])
    after = sim.v.copy()
    other = sk.Simulation(sk.load("pendulum"))
    other.q, other.v = sim.q, after
    sim.step()
    other.step()
    np.testing.assert_array_equal(sim.v, other.v)


def test_controller_is_called_before_each_step() -> None:
    times: list[float] = []

    def controller(sim: sk.Simulation) -> list[float]:
        times.append(sim.time)
        return [0.0] * sim.model.nv

    sim = sk.Simulation(sk.load("double_pendulum"), dt=0.01)
    recording = sim.run(0.1, controller, every=3)
    np.testing.assert_allclose(times, np.arange(10) * 0.01)
    np.testing.assert_allclose(recording.time, [0.0, 0.03, 0.06, 0.09, 0.1])


def test_joint_by_name() -> None:
    scene = sk.load("hoap_class")
    sim = sk.Simulation(scene)
    sim.q[scene.joint("left_knee").q] = 0.3
    assert (sim.q != scene.model.q0).sum() == 1
    with pytest.raises(sk.ModelError, match=r"no joint 'left_kne'.*left_knee"):
        scene.joint("left_kne")


def test_divergence_names_joint_body_and_time_and_keeps_the_recording() -> None:
    sim = sk.Simulation(sk.load("double_pendulum"), dt=0.01)

    def unstable(sim: sk.Simulation) -> np.ndarray:
        return 1e6 * sim.v + 1.0

    with pytest.raises(sk.DivergedError, match=r"diverged at .* s: joint '.*' of body '.*'"):
        sim.run(10.0, unstable)
    assert len(sim.recording) > 1
    assert np.isfinite(sim.recording.q).all()


@pytest.mark.parametrize("law", ["none", "exact"])
def test_a_position_that_is_no_number_is_said(law: str) -> None:
    sim = sk.Simulation(sk.load("standing_hoap"), law)
    sim.q[0] = np.nan
    with pytest.raises(sk.DivergedError, match="diverged"):
        sim.step(n=3)


def test_state_restored_while_servos_are_at_their_limits() -> None:
    sim = shaken()
    sim.control += 3.0
    sim.step(n=20)
    state = sim.state
    sim.step(n=50)
    first = sim.state
    sim.reset(state)
    sim.step(n=50)
    assert sim.state == first


def test_recording_is_cut_where_the_state_was() -> None:
    sim = shaken()
    sim.run(0.01)
    state = sim.state
    sim.run(0.01)
    sim.reset(state)
    sim.run(0.005)
    np.testing.assert_allclose(sim.recording.time, np.arange(16) * 1e-3, atol=1e-12)


def test_failed_reset_changes_nothing() -> None:
    sim, other = shaken(), sk.Simulation(sk.load("box"))
    before = sim.state
    with pytest.raises(sk.SesshokuError, match="q has shape"):
        sim.reset(other.state)
    assert sim.state == before


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda sim: pickle.loads(pickle.dumps(sim))])
def test_copies_go_their_own_way(copied) -> None:
    sim = shaken()
    sim.run(0.01)
    twin = copied(sim)
    assert twin.state == sim.state
    state = sim.state
    twin.step(n=10)
    assert sim.state == state
    sim.step(n=10)
    assert sim.state == twin.state
    assert len(twin.recording) == 11


def test_two_joints_for_one_freedom_are_found() -> None:
    scene = sk.Scene("twice")
    twins = (sk.Joint("first", "revolute"), sk.Joint("second", "revolute"))
    scene.body("wheel", twins, inertia=sk.Inertia.of(1.0, (0.1, 0.2, 0.3), (0.1, 0.1, 0.2)))
    with pytest.raises(sk.DivergedError, match="singular"):
        sk.Simulation(scene).run(0.1, lambda sim: [0.1, 0.2])


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda scene: sk.Simulation(scene, dt=0.0), "dt is 0"),
        (lambda scene: sk.Simulation(scene, law="magic"), "unknown law 'magic'"),
        (lambda scene: sk.Simulation(scene, integrator="euler"), "unknown integrator"),
        (lambda scene: sk.Simulation(scene, posture="yoga"), "unknown posture"),
        (lambda scene: sk.Simulation(scene).step([1.0, 2.0, 3.0]), "tau has shape"),
        (lambda scene: sk.Simulation(scene).step([1.0]), "tau has shape"),
        (lambda scene: sk.Simulation(scene).step(n=2.5), "n is 2.5"),
        (lambda scene: sk.Simulation(scene).step(n=-1), "n is -1"),
        (lambda scene: sk.Simulation(scene).run(float("nan")), "duration is nan"),
        (lambda scene: sk.Simulation(scene).run(-1.0), "duration is -1"),
        (lambda scene: sk.Simulation(scene).run(1.0, every=0), "every is 0"),
        (lambda scene: sk.Simulation("pendulum"), "a str is not a scene"),
        (lambda scene: sk.Simulation(scene).step([float("nan")] * 2), "tau had numbers that are not finite"),
        (lambda scene: setattr(sk.Simulation(scene), "q", [1.0]), "q has shape"),
        (lambda scene: sk.Simulation(scene).push("world", (0, 0, 1)), "fixed to the world"),
        (lambda scene: sk.Simulation(scene).recording.save("x.mp4"), r"\.npz"),
    ],
)
def test_wrong_calls_say_what_to_do(call, message: str) -> None:
    with pytest.raises(sk.SesshokuError, match=message):
        call(sk.load("double_pendulum"))
