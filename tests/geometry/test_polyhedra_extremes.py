"""Boxes and hulls in poses that make no sense, inside each other, and of very different sizes."""

import numpy as np
import pytest

import sesshoku as sk
from polyhedra import CORNERS, PAIRS, best_axis, contacts, place, prism, round_hull, space_of
from sesshoku.bench.falls import ROBOTS
from sesshoku.bench.peers import robot_file
from sesshoku.geometry.distance import distance
from sesshoku.model import Box, Hull, Plane
from sesshoku.spatial.pose import rotation_from_rpy
from two_shapes import contacts_of

pytestmark = pytest.mark.slow


EVERY = [(Plane(), PAIRS["box-box"][0]), (Plane(), round_hull(100)), *PAIRS.values()]


@pytest.mark.parametrize("pair", EVERY)
@pytest.mark.parametrize("value", [np.nan, np.inf, 1e200])
def test_nonsense_poses_end(pair, value):
    space = space_of(*pair)
    for array in (space.position, space.rotation):
        for shape in (0, 1):
            kept = array[shape].copy()
            array[shape, 0] = value
            contacts_of(space.address, 0, 1, 1e-3)
            array[shape] = kept
    if np.isnan(value):
        space.position[:] = value
        contacts_of(space.address, 0, 1, 1e-3)
        assert space.count[0] == 0


@pytest.mark.parametrize("name", PAIRS)
def test_one_inside_the_other_at_the_same_place(name):
    space = space_of(*PAIRS[name])
    found = contacts(space, 0, 1)
    assert np.isfinite(found.point).all()
    assert abs(found.gap.min() - best_axis(space, 0, 1)[0]) < 1e-9


@pytest.mark.parametrize("shape", [Box((0.2, 0.3, 0.1)), round_hull(30), prism(16)])
def test_equal_shapes_at_the_same_place(shape):
    space = space_of(shape, shape)
    found = contacts(space, 0, 1)
    assert abs(found.gap.min() - best_axis(space, 0, 1)[0]) < 1e-9


@pytest.mark.parametrize("step", [(1.0, 0.0, 0.0), (1.0, 1.0, 0.0), (1.0, 1.0, 1.0), (1.0, 0.3, 0.0)])
def test_cubes_that_touch_without_overlap(step):
    """Along a face, an edge, a corner: the gap is zero."""
    for cube in (Box((1.0, 1.0, 1.0)), Hull(CORNERS)):
        space = space_of(cube, cube)
        place(space, 1, step)
        found = contacts(space, 0, 1)
        assert np.allclose(found.gap, 0.0, rtol=0, atol=1e-9)
        assert 1 <= len(found.gap) <= 4


def test_a_large_floor_and_a_small_box():
    """Tolerances are parts of the smaller one."""
    space = space_of(Box((200.0, 200.0, 2.0)), Box((0.01, 0.01, 0.01)))
    place(space, 1, (99.998, 7.0, 1.005 - 1e-6), rotation_from_rpy((0.0, 0.0, 0.7)))
    found = contacts(space, 0, 1)
    assert len(found.gap) == 5
    assert np.allclose(found.gap, -1e-6, rtol=0, atol=1e-9)
    assert np.allclose(np.sort(found.point[:, 0])[-2:], 100.0, rtol=0, atol=1e-8)


def test_beyond_the_margin_there_is_nothing():
    for pair in EVERY:
        space = space_of(*pair)
        place(space, 1, (0.6, 0.7, 0.8))
        assert len(contacts(space, 0, 1).gap) == 0


@pytest.mark.filterwarnings("ignore::sesshoku.UnsimulatedWarning")
def test_hulls_that_are_nanometres_apart():
    """The head of G1 and its shoulder: once, in one of four of such poses, 24 cm deep in each other."""
    model = sk.load(robot_file(ROBOTS["g1"]), floating=True).model
    pose = {"pitch": -2.7424593379605717, "roll": -0.24867794289544848, "yaw": -0.5308382329509945}
    rng = np.random.default_rng(0)
    for _ in range(20):
        q = model.q0.copy()
        for joint in model.joints:
            if joint.name.startswith("right_shoulder"):
                q[joint.q] = pose[joint.name.split("_")[2]] + 1e-9 * rng.normal()
        assert abs(distance(model, "head_link", "right_shoulder_yaw_link", q).gap) < 1e-7
