"""Contacts of boxes and hulls lie on both, move along, and do not depend on who comes first."""

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from polyhedra import PAIRS, contacts, place, random_pose, solid, space_of

pytestmark = pytest.mark.slow


seeds = st.integers(0, 2**32 - 1)
names = st.sampled_from([*PAIRS])


@given(seeds, names)
def test_witness_points_lie_on_both_surfaces(seed, name):
    space, rng = space_of(*PAIRS[name]), np.random.default_rng(seed)
    place(space, 0, *random_pose(rng))
    place(space, 1, *random_pose(rng))
    found = contacts(space, 0, 1, 0.05)
    for shape, side in ((0, -0.5), (1, 0.5)):
        _, normals, offsets, _ = solid(space, shape)
        witness = found.point + side * found.gap[:, None] * found.normal
        assert (np.abs((witness @ normals.T - offsets).max(axis=1, initial=-np.inf)) < 1e-6).all()


@given(seeds, names)
@example(380, "hull-hull 100")  # edge on edge: rounding decides which end of an edge is the farthest vertex
@example(4975, "hull-hull 100")
@example(1312, "box-hull")
def test_a_motion_of_both_moves_the_contacts_along(seed, name):
    space, rng = space_of(*PAIRS[name]), np.random.default_rng(seed)
    place(space, 0, *random_pose(rng))
    place(space, 1, *random_pose(rng))
    before = contacts(space, 0, 1, 0.05)
    shift, turn = random_pose(rng)
    for shape in (0, 1):
        rotation = turn @ space.rotation[shape].reshape(3, 3)
        place(space, shape, turn @ space.position[shape] + shift, rotation)
    after = contacts(space, 0, 1, 0.05)
    assert (after.feature == before.feature).all()
    assert np.allclose(after.gap, before.gap, rtol=0, atol=1e-9)
    assert np.allclose(after.point, before.point @ turn.T + shift, rtol=0, atol=1e-7)
    assert np.allclose(after.normal, before.normal @ turn.T, rtol=0, atol=1e-7)


@given(seeds, st.sampled_from(["box-box", "hull-hull 8", "hull-hull 20-60", "hull-hull of boxes"]))
def test_swapping_the_shapes_flips_the_normal(seed, name):
    space, rng = space_of(*PAIRS[name], *PAIRS[name][::-1]), np.random.default_rng(seed)
    for one, other in ((0, 3), (1, 2)):
        pose = random_pose(rng)
        place(space, one, *pose)
        place(space, other, *pose)
    one, other = contacts(space, 0, 1, 0.05), contacts(space, 2, 3, 0.05)
    assert len(one.gap) == len(other.gap)
    assert np.allclose(np.sort(one.gap), np.sort(other.gap), rtol=0, atol=1e-9)
    assert np.allclose(one.normal, -other.normal, rtol=0, atol=1e-7)
    for point in one.point:
        assert np.linalg.norm(other.point - point, axis=1).min() < 1e-6
