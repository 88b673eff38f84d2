"""A law on a scene: what is seen of it is what the simulation does."""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, pi, sin

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.bench.trial import Trial
from sesshoku.contact import Exact

DT = 1e-3


def trial(scene: sk.Scene, law: str | Exact = "exact", steps: int = 200) -> Trial:
    """Watched over so many steps in two blocks, the second clocked twice."""
    found = Trial(scene, law, DT, None, steps // 2)
    for block in (steps // 2, steps - steps // 2):
        found.watch(block)
        found.clock(block)
    found.clock(block)
    return found


def test_watching_and_clocking_change_no_bit() -> None:
    found, plain = trial(sk.load("sliding_box")), sk.Simulation(sk.load("sliding_box"))
    start = plain.energy.total
    plain.step(n=200)
    np.testing.assert_array_equal(found.sim.q, plain.q)
    np.testing.assert_array_equal(found.q[-1], plain.q)
    summary = found.summary()
    assert summary["energy_change"] == plain.energy.total - start
    assert found.seen["residual"][-1] == plain.residual.total
    assert found.seen["slip"][-1] == pytest.approx(plain.v[0], abs=1e-9)
    assert (summary["steps"], summary["unconverged"], summary["error"]) == (200, 0, None)
    assert 0.0 < summary["seconds_per_step"] < 1e-3


def test_creep_of_a_box_that_slides_is_its_mean_speed() -> None:
    angle, steps = 20 * pi / 180, 200
    speed = DT * 9.81 * (sin(angle) - 0.34 * cos(angle)) * np.arange(1, steps + 1)
    summary = trial(sk.load("box_giving_way"), steps=steps).summary()
    assert summary["creep"] == pytest.approx(speed[steps // 2 :].mean(), rel=1e-6)


def test_bodies_that_move_together_do_not_creep() -> None:
    scene = sk.Scene("cart")
    scene.body("cart", sk.Joint("rail", "prismatic", "x"), mass=1.0, shape=sk.Box((0.5, 0.5, 0.1)))
    cube = sk.Box((0.1, 0.1, 0.1))
    scene.body("box", sk.Joint("box", "free"), position=(0.0, 0.0, 0.1), mass=1.0, shape=cube)
    scene.velocity = (0.5, 0.5, 0.0, 0.0, 0.0, 0.0, 0.0)
    together = trial(scene)
    assert together.q[-1][0] == pytest.approx(0.1)
    assert together.summary()["creep"] < 1e-9
    scene.velocity = (0.5, 0.4, 0.0, 0.0, 0.0, 0.0, 0.0)
    scene.material("cart", "box", static=0.0)
    apart = trial(scene)
    assert apart.summary()["creep"] == pytest.approx(0.1)
    assert apart.slide(0, np.array([0, 50, 200])) == pytest.approx([0.0, 0.005, 0.02])


def test_what_touches_nothing_has_no_creep() -> None:
    assert np.isnan(trial(sk.load("pendulum")).summary()["creep"])


@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_a_scene_that_diverges_ends_the_trial() -> None:
    scene = sk.load("sphere")
    scene.velocity = (0.0, 0.0, 1e154, 0.0, 1e154, 0.0)
    found = trial(scene)
    assert found.error is not None
    assert "diverged" in found.error
    assert found.summary()["steps"] == len(found.q) - 1 < 200


def test_a_law_that_cannot_begin_ends_the_trial() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Broken(Exact):
        name = "broken"
        options: str = "not a number"

    found = trial(sk.load("box_on_slope"), Broken())
    assert found.error is not None
    assert found.summary()["steps"] == 0
    assert np.isnan(found.summary()["seconds_per_step"])


def test_sinking_in_is_no_creep() -> None:
    found = trial(sk.load("tower"), "penalty").summary()
    assert found["penetration"] > 5e-3
    assert found["creep"] < 1e-9
