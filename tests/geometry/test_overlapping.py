"""Links that overlap as the file has them."""

from __future__ import annotations

import pytest

import sesshoku as sk
from sesshoku.bench.falls import fallen_robot
from sesshoku.geometry.overlapping import overlapping


def arm(depth: float, fixed: bool = False) -> sk.Scene:
    """Base, hinge and a box that overlaps the base, which is a robot of its own if the hinge is fixed to the world."""
    scene, cube = sk.Scene("arm"), sk.Box((0.1, 0.1, 0.1))
    scene.body("base", sk.Joint("root", "free"), mass=1.0, shape=cube)
    hinge = {"parent": None if fixed else "base", "inertia": sk.Inertia.rod(0.1, (0.0, 0.0, 0.1))}
    scene.body("hinge", sk.Joint("hinge", "revolute", "y"), **hinge)
    place = {"parent": "hinge", "position": (0.0, 0.0, 0.1 - depth)}
    scene.body("box", sk.Joint("box", "revolute", "x"), mass=1.0, shape=cube, **place)
    return scene


@pytest.mark.parametrize(("depth", "found"), [(-1e-3, 0), (0.0, 0), (4.9e-5, 0), (5.1e-5, 1), (5e-3, 1)])
def test_links_of_one_robot(depth: float, found: int) -> None:
    assert len(overlapping(arm(depth).model)) == found


def test_links_of_two_robots_are_no_matter_of_a_file() -> None:
    assert len(overlapping(arm(5e-3, fixed=True).model)) == 0


def test_they_are_named_and_never_touch() -> None:
    with pytest.warns(sk.UnsimulatedWarning, match="'base' and 'box', which overlap as the file has them"):
        sim = sk.Simulation(arm(1e-4))
    sim.step()
    assert len(sim.contacts) == 0


def test_the_torso_of_talos_does_not_jam() -> None:
    """It is 0.09 mm in the pelvis, next to its hinge: contact there bore meganewtons."""
    sim = fallen_robot("talos")
    pairs = {tuple(sim.model.colliders[k].owner for k in pair) for pair in overlapping(sim.model)}
    assert ("base_link", "torso_2_link") in pairs
