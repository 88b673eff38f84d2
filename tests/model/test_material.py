"""Materials and how they combine."""

from __future__ import annotations

import math

import pytest

import sesshoku as sk
from sesshoku.contact.material import material_table
from sesshoku.model.material import combine

ICE, RUBBER = sk.Material(0.1, 0.05), sk.Material(0.9, 0.7, restitution=0.5)


@pytest.mark.parametrize(
    ("a", "b", "expected"),
    [
        (sk.Material(), sk.Material(), (1.0, 1.0, 0.0, 0.0)),
        (ICE, sk.Material(), (0.1, 0.05, 0.0, 0.0)),
        (ICE, RUBBER, (0.9, 0.7, 0.5, 0.0)),
        (sk.Material(0.1, priority=1), RUBBER, (0.1, 0.1, 0.5, 0.0)),
        (sk.Material(restitution=0.2, priority=1), RUBBER, (0.9, 0.7, 0.2, 0.0)),
        (sk.Material(stiffness=2e6), sk.Material(priority=1), (1.0, 1.0, 0.0, 5e-7)),
        (sk.Material(stiffness=2e6), sk.Material(0.3, priority=1, stiffness=5e5), (0.3, 0.3, 0.0, 2.5e-6)),
        (sk.Material(stiffness=math.inf), sk.Material(stiffness=1e6), (1.0, 1.0, 0.0, 1e-6)),
    ],
)
def test_two_surfaces_combine_whatever_their_order(a, b, expected) -> None:
    assert combine(a, b) == combine(b, a) == pytest.approx(expected, rel=1e-15)


@pytest.mark.parametrize(
    "wrong",
    [
        {"static": -1.0},
        {"static": 0.3, "kinetic": 0.4},
        {"kinetic": 0.4},
        {"restitution": 1.5},
        {"stiffness": 0.0},
        {"stiffness": -1e6},
        {"stiffness": math.nan},
    ],
)
def test_wrong_coefficients_are_refused(wrong) -> None:
    with pytest.raises(sk.ModelError, match="material"):
        sk.Material(**wrong)


def two_boxes(stiffness: float | None = None) -> sk.Scene:
    scene = sk.Scene()
    scene.ground(static=0.3, kinetic=0.2, stiffness=stiffness)
    for name, material in (("a", RUBBER), ("b", RUBBER)):
        scene.body(name, sk.Joint(name, "free"), mass=1.0, shape=sk.Box((1, 1, 1)), material=material)
    return scene


def test_the_ground_decides_and_a_named_pair_before_it() -> None:
    scene = two_boxes()
    scene.material("ground", "b", static=0.6)
    kinds, table = material_table(scene.model)
    ground, a, b = kinds
    assert table[ground, a].tolist() == [0.3, 0.2, 0.5, 0.0]
    assert table[ground, b].tolist() == [0.6, 0.6, 0.5, 0.0]
    assert table[a, b].tolist() == [0.9, 0.7, 0.5, 0.0]
    assert (table == table.transpose(1, 0, 2)).all()


def test_stiffness_of_a_named_pair_is_that_of_both() -> None:
    scene = two_boxes(stiffness=4e6)
    scene.material("a", "b", stiffness=1e6)
    kinds, table = material_table(scene.model)
    ground, a, b = kinds
    assert table[a, b].tolist() == [0.9, 0.7, 0.5, 1e-6]
    assert table[ground, a, 3] == 2.5e-7
    scene.material("ground", "a", stiffness=math.inf)
    assert material_table(scene.model)[1][ground, a, 3] == 0.0


def test_a_pair_that_touches_nothing_is_refused() -> None:
    scene = two_boxes()
    scene.material("a", "nobody", static=0.6)
    with pytest.raises(sk.ModelError, match="nobody"):
        _ = scene.model


def test_friction_of_mjcf_is_read() -> None:
    scene = sk.load(
        """<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1" friction="0.4"/>
        <body><freejoint/><geom name="ball" size="0.1" friction="0.6"/></body>
        <body><freejoint/><geom name="smooth" size="0.1" condim="1" priority="1"/></body>
        </worldbody><contact><pair geom1="floor" geom2="ball" friction="0.2 0.2"/></contact></mujoco>"""
    )
    names = [placed.collider.name for placed in scene.model.colliders]
    kinds, table = material_table(scene.model)
    floor, ball, smooth = (kinds[names.index(name)] for name in ("floor", "ball", "smooth"))
    assert table[floor, ball, 0] == pytest.approx(0.2)
    assert table[floor, smooth, 0] == 0.0
    assert table[ball, smooth, 0] == 0.0
