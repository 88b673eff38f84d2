"""Contacts of boxes and hulls in motion keep their identity."""

import numpy as np
import pytest

from polyhedra import BODIES, GROUNDS, contacts, place, prism, resting, space_of
from sesshoku.spatial.pose import rotation_from_rpy

pytestmark = pytest.mark.slow


def lost(space, poses, margin):
    """How many features vanish from one pose to the next."""
    count, before = 0, None
    for position, rpy in poses:
        place(space, 1, position, rotation_from_rpy(rpy))
        now = set(contacts(space, 0, 1, margin).feature)
        if before is not None:
            count += len(before - now)
        before = now
    return count


@pytest.mark.parametrize(("ground", "body"), GROUNDS)
@pytest.mark.parametrize("motion", ["slide", "spin", "rock"])
def test_no_identity_is_lost_without_cause(ground, body, motion):
    """All corners stay above the ground and within the margin throughout, so each loss would be without cause."""
    space, rng = resting(ground, BODIES[body]), np.random.default_rng(0)
    times, noise = np.linspace(0.0, 5.0, 4000), 1e-6 * rng.normal(size=(4000, 4))
    z = 0.05 - 1e-5
    poses = {
        "slide": [
            ((np.sin(t), 0.5 * np.cos(t), z + e[0]), (e[1], e[2], 0.1 + e[3]))
            for t, e in zip(times, noise, strict=True)
        ],
        "spin": [((e[3], e[1], z + e[0]), (e[1], e[2], 3 * t)) for t, e in zip(times, noise, strict=True)],
        "rock": [((0, 0, z), (4e-3 * np.sin(7 * t), 3e-3 * np.cos(9 * t), 0.3)) for t in times],
    }[motion]
    assert lost(space, poses, 4e-3) == 0


@pytest.mark.parametrize("where", [(1.9, 0.0), (2.0, 0.0), (1.9, 1.85)])
def test_no_identity_is_lost_on_the_edge(where):
    """A box at rest over an edge, flush with it, or flush with a corner, trembling."""
    space, rng = resting("box", BODIES["box"]), np.random.default_rng(0)
    noise = rng.normal(size=(3000, 6)) * 1e-7
    poses = [((where[0] + e[0], where[1] + e[1], 0.05 - 1e-5 + e[2]), e[3:]) for e in noise]
    assert lost(space, poses, 2e-3) == 0


def test_no_identity_is_lost_between_equal_boxes():
    """Every corner of one is at a corner of the other, and their roles change at random."""
    space, rng = space_of(BODIES["box"], BODIES["box"]), np.random.default_rng(0)
    noise = rng.normal(size=(3000, 6)) * 1e-7
    poses = [((e[0], e[1], 0.1 - 1e-5 + e[2]), e[3:]) for e in noise]
    assert lost(space, poses, 2e-3) == 0
    assert len(contacts(space, 0, 1).gap) == 4


def test_a_spinning_disc_keeps_its_points():
    for ground in ("plane", "box"):
        space, rng = resting(ground, prism(64)), np.random.default_rng(0)
        noise = rng.normal(size=(3000, 3)) * 1e-7
        poses = [((0, 0, 0.05 - 1e-5 + e[2]), (e[0], e[1], 1e-3 * k)) for k, e in enumerate(noise)]
        assert lost(space, poses, 2e-3) == 0
