"""A capsule and a box: what has a closed form, against the search that serves all convex shapes."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

import sesshoku as sk
from sesshoku.geometry.smooth.capsule_box import over_face
from sesshoku.geometry.smooth.support import pair_of
from sesshoku.geometry.space import at
from sesshoku.kernel import kernel
from two_shapes import Two

CAPSULE, HALF = sk.Capsule(0.2, 0.7), np.array((0.25, 0.35, 0.45))
CORNERS = HALF * [(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]
NEAR = 0.1  # [m]

number = st.floats(-1.0, 1.0)
place = st.tuples(number, number, number)
turn = st.tuples(number, number, number, number).filter(lambda q: np.linalg.norm(q) > 0.1)


@kernel
def closed_form(address: int) -> tuple[float, bool]:
    """Distance of the core of the capsule to the box, and whether it is known."""
    _, distance, known = over_face(pair_of(at(address), 0, 1))
    return distance, known


@pytest.fixture(scope="module")
def pairs() -> tuple[Two, Two]:
    """A capsule with a box, and with the hull of its corners."""
    return Two(CAPSULE, sk.Box(tuple(2.0 * HALF))), Two(CAPSULE, sk.Hull(CORNERS))


@pytest.mark.slow
@given(place, turn, turn)
@settings(max_examples=1000, deadline=None)
def test_a_box_is_the_hull_of_its_corners(
    pairs: tuple[Two, Two], position: tuple[float, ...], a: tuple[float, ...], b: tuple[float, ...]
) -> None:
    """Each point that one has the other has, too, or one next to it that is as deep."""
    found = []
    for two in pairs:
        two.place(0, position, Rotation.from_quat(a).as_matrix())
        two.place(1, (0.0, 0.0, 0.0), Rotation.from_quat(b).as_matrix())
        found.append(two.contacts(NEAR))
    box, hull = found
    least = [min((contact.gap for contact in contacts), default=NEAR) for contacts in found]
    assert least[0] == pytest.approx(least[1], abs=1e-9)
    if box and hull and least[0] > -0.19:  # deeper, two ways out may be as short
        np.testing.assert_allclose(box[0].normal, hull[0].normal, atol=1e-6)
        assert sorted(c.gap for c in box) == pytest.approx(sorted(c.gap for c in hull), abs=1e-7)


@pytest.mark.parametrize("axis", range(3))
@pytest.mark.parametrize("side", [-1.0, 1.0])
def test_over_faces_and_edges_the_distance_has_a_closed_form(pairs: tuple[Two, Two], axis: int, side: float) -> None:
    two, up = pairs[0], side * np.eye(3)[axis]
    along = np.eye(3)[(axis + 1) % 3]
    lying = Rotation.align_vectors([along], [(0, 0, 1)])[0].as_matrix()
    two.place(0, (HALF[axis] + 0.21) * up, lying)
    two.place(1, (0.0, 0.0, 0.0))
    assert closed_form(two.space.address) == pytest.approx((0.21, 1))
    # across an edge, its lower end beyond the face but not below it
    edge, lean = HALF[axis] * up + HALF[(axis + 1) % 3] * along, 0.3
    outwards, down = np.cos(lean) * up + np.sin(lean) * along, np.cos(lean) * along - np.sin(lean) * up
    two.place(0, edge + 0.21 * outwards, Rotation.align_vectors([down], [(0, 0, 1)])[0].as_matrix())
    assert closed_form(two.space.address) == pytest.approx((0.21, 1))
