"""The overlap of two convex polyhedra: against Qhull, closed forms and symmetries."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from overlaps import CUBE, RANDOM, Two, area, corners_of, cut_through, halfspaces, radius, seeds, triangles_of
from polyhedra import PAIRS, prism, random_pose, round_hull, solid
from sesshoku.errors import ModelError
from sesshoku.geometry.overlap import overlap
from sesshoku.geometry.overlap.clip import clip
from sesshoku.geometry.overlap.workspace import at as work_at
from sesshoku.geometry.space import at as space_at
from sesshoku.kernel import kernel
from sesshoku.model import Box, Collider, Hull, Plane, Sphere
from sesshoku.spatial.pose import Pose

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("pair", RANDOM)
def test_random_pairs_against_qhull(pair):
    """Volume, centroid, normal and section of a thousand pairs; of those without overlap, that they have none."""
    two, rng, overlapping = Two(*PAIRS[pair]), np.random.default_rng(5), 0
    size = 0.1
    for _ in range(1000):
        two.at(random_pose(rng, 0.04), random_pose(rng, 0.04))
        planes, of_a = halfspaces(two)
        found = two.find()
        if found.volume == 0.0:
            assert radius(planes) < 1e-9 * size
            continue
        overlapping += 1
        # Qhull works in the dual, whose rounding grows with the ratio of size and thickness
        corners = corners_of(planes, found.centroid)
        triangles, areas = triangles_of(corners)
        inside = corners.mean(axis=0)
        volumes = np.einsum("tx,tx->t", triangles[:, 0] - inside, areas) / 3
        assert found.volume == pytest.approx(volumes.sum(), rel=1e-8)
        centroid = inside + volumes @ (triangles - inside).sum(axis=1) / (4 * volumes.sum())
        assert found.centroid == pytest.approx(centroid, abs=1e-8 * size)
        middles = triangles.mean(axis=1)
        heights = np.abs(middles @ planes[:, :3].T - planes[:, 3])
        sign = np.where(heights[:, :of_a].min(axis=1) < heights[:, of_a:].min(axis=1), 1.0, -1.0)
        weighted = sign @ areas
        if np.linalg.norm(weighted) < 1e-6 * np.linalg.norm(areas, axis=1).sum():
            continue  # one inside the other
        assert found.normal == pytest.approx(weighted / np.linalg.norm(weighted), abs=1e-6)
        assert area(found.section) == pytest.approx(cut_through(corners, found.centroid, found.axes), rel=1e-7)
    assert overlapping > 500


@kernel
def clip_here(space, work, a, b):
    clip(space_at(space), work_at(work), a, b, 1.0)


@pytest.mark.parametrize("pair", RANDOM)
def test_faces_know_their_body(pair):
    """The overlap is a closed polyhedron, each face of which lies in a face of the body that its sign names."""
    two, rng, signs = Two(*PAIRS[pair]), np.random.default_rng(6), set()
    for _ in range(100):
        two.at(random_pose(rng, 0.04), random_pose(rng, 0.04))
        clip_here(two.space.address, two.work.address, 0, 1)
        work, (vertices, faces, side) = two.work, two.work.count[:3]
        if faces == 0:
            continue
        rings = np.split(work.loop[side], work.start[side, : faces + 1])[1:-1]
        edges = [edge for ring in rings for edge in zip(ring, np.roll(ring, -1), strict=True)]
        assert set(edges) == {(b, a) for a, b in edges}
        assert len({vertex for vertex, _ in edges}) == vertices
        assert vertices - len(edges) // 2 + faces == 2
        for sign, ring in zip(work.sign[side], rings, strict=False):
            _, normals, offsets, _ = solid(two.space, 0 if sign > 0 else 1)
            heights = (work.point[ring] + two.space.position[1]) @ normals.T - offsets
            assert np.abs(heights).max(axis=0).min() < 1e-14
            signs.add(sign)
    assert signs == {1.0, -1.0}


def subdivided(triangles, times):
    for _ in range(times):
        a, b, c = triangles[:, 0], triangles[:, 1], triangles[:, 2]
        d, e, f = (a + b) / 2, (b + c) / 2, (c + a) / 2
        quarters = ((a, d, f), (d, b, e), (f, e, c), (d, e, f))
        triangles = np.concatenate([np.stack(q, axis=1) for q in quarters])
    return triangles


@pytest.mark.slow
@pytest.mark.parametrize("pair", RANDOM)
def test_moments_against_quadrature(pair):
    """Edge midpoints of many small triangles: exact but where the depth has its kink."""
    two, rng, compared = Two(*PAIRS[pair]), np.random.default_rng(8), 0
    while compared < 3:
        two.at(random_pose(rng, 0.05), random_pose(rng, 0.05))
        found = two.find()
        if not found.normal.any():
            continue
        compared += 1
        triangles, _ = triangles_of(corners_of(halfspaces(two)[0], found.centroid))
        small = subdivided((triangles - found.centroid) @ found.axes.T, 7)
        sides = small[:, 1:, :2] - small[:, :1, :2]
        weight = np.abs(sides[:, 0, 0] * sides[:, 1, 1] - sides[:, 0, 1] * sides[:, 1, 0])[:, None] / 6
        x, y, z = np.moveaxis((small + np.roll(small, 1, axis=1)) / 2, 2, 0)
        h = np.abs(z)
        expected = [(weight * f).sum() for f in (1 + 0 * x, x, y, x * x, x * y, y * y, h, h * x, h * y)]
        s = np.sqrt(expected[0])
        scale = np.array([1, s, s, s * s, s * s, s * s, 1, s, s]) * np.repeat([expected[0], expected[6]], (6, 3))
        assert np.abs(np.array(found.moments) - expected) / scale == pytest.approx(0, abs=1e-6)


def test_slab():
    """A box of 0.2 × 0.1 m, d deep in the ground: area 2 S, depth d / 2 everywhere, the section is its outline."""
    d = 1e-4
    two = Two(Plane(), Box((0.2, 0.1, 0.3))).at(((5.0, 5.0, 1.0),), ((0.5, 0.2, 1.15 - d),))
    found = two.find()
    s, xx, yy = 0.02, 0.02 * 0.2**2 / 12, 0.02 * 0.1**2 / 12
    assert found.volume == pytest.approx(s * d, rel=1e-10)
    assert found.centroid == pytest.approx([0.5, 0.2, 1 - d / 2], abs=1e-14)
    assert found.normal == pytest.approx([0, 0, 1], abs=1e-15)
    moments = (2 * s, 0, 0, 2 * xx, 0, 2 * yy, s * d, 0, 0)
    assert found.moments == pytest.approx(moments, rel=1e-10, abs=1e-15)
    assert sorted(map(tuple, found.section.round(12))) == [(-0.1, -0.05), (-0.1, 0.05), (0.1, -0.05), (0.1, 0.05)]
    assert area(found.section) == pytest.approx(s, rel=1e-12)
    assert two.find(1, 0).normal == pytest.approx([0, 0, -1], abs=1e-15)


@pytest.mark.parametrize("depth", [1e-9, 1e-6, 1e-3, 0.1])
def test_edge_and_corner_in_a_plane(depth):
    """A cube that stands on its edge or its corner: a prism and a pyramid, whose centroids are known."""
    two = Two(Plane(), CUBE)
    edge = two.at((), ((0, 0, np.sqrt(0.5) - depth), Rotation.from_rotvec((np.pi / 4, 0, 0)).as_matrix())).find()
    assert edge.volume == pytest.approx(depth**2, rel=1e-6 if depth < 1e-8 else 1e-8)
    assert edge.centroid == pytest.approx([0, 0, -depth / 3], abs=1e-7 * depth + 1e-15)
    assert area(edge.section) == pytest.approx(4 / 3 * depth, rel=1e-6)
    turn, _ = Rotation.align_vectors([(0, 0, 1)], [(1, 1, 1)])
    corner = two.at((), ((0, 0, np.sqrt(0.75) - depth), turn.as_matrix())).find()
    assert corner.volume == pytest.approx(np.sqrt(3) / 2 * depth**3, rel=1e-5 if depth < 1e-8 else 1e-8)
    assert corner.centroid == pytest.approx([0, 0, -depth / 4], abs=1e-5 * depth)
    assert area(corner.section) == pytest.approx(3 * np.sqrt(3) / 2 * (0.75 * depth) ** 2, rel=1e-5)
    assert len(edge.section) == 4
    assert len(corner.section) == 3
    for found in (edge, corner):
        assert found.normal == pytest.approx([0, 0, 1], abs=1e-6)


@settings(deadline=None, max_examples=300)
@given(st.sampled_from(RANDOM), seeds)
def test_frames_and_order_do_not_matter(pair, seed):
    rng = np.random.default_rng(seed)
    two, poses, (shift, turn) = Two(*PAIRS[pair]), [random_pose(rng, 0.05) for _ in "ab"], random_pose(rng, 1.0)
    found = two.at(*poses).find()
    swapped = two.find(1, 0)
    assert swapped.normal == pytest.approx(-found.normal, abs=1e-7)
    moved = two.at(*((shift + turn @ x, turn @ r) for x, r in poses)).find()
    assert moved.normal == pytest.approx(turn @ found.normal, abs=1e-7)
    for other, back in ((swapped, lambda x: x), (moved, lambda x: (x - shift) @ turn)):
        assert other.volume == pytest.approx(found.volume, rel=1e-9, abs=1e-16)
        if found.volume > 1e-12:
            assert back(other.centroid) == pytest.approx(found.centroid, abs=1e-9)
            assert len(other.section) == len(found.section)
            assert area(other.section) == pytest.approx(area(found.section), rel=1e-7)


@pytest.mark.slow
@settings(deadline=None, max_examples=300)
@given(seeds, st.floats(0.1, 0.9))
def test_parts_add_up_and_more_is_more(seed, part):
    """A box sawn in two overlaps as the whole one does, in volume and first moment; a part never more than it."""
    rng = np.random.default_rng(seed)
    size, hull, origin, turn = np.array((0.2, 0.3, 0.1)), round_hull(20, seed=seed % 5), *random_pose(rng, 0.05)
    whole = Two(Box(tuple(size)), hull).at((origin, turn)).find()
    volume, moment = 0.0, np.zeros(3)
    for share, side in ((part, -1), (1 - part, 1)):
        middle = origin + turn @ (side * size * (1 - share, 0, 0) / 2)
        piece = Two(Box(tuple(size * (share, 1, 1))), hull).at((middle, turn)).find()
        assert piece.volume <= whole.volume * (1 + 1e-12)
        volume, moment = volume + piece.volume, moment + piece.volume * piece.centroid
    assert volume == pytest.approx(whole.volume, rel=1e-11, abs=1e-18)
    assert moment == pytest.approx(whole.volume * whole.centroid, abs=1e-12 * 0.1**4)


def test_from_python():
    """Two shapes with poses; the section lies in its plane, in the world."""
    pose = Pose.at((0.2, 0.3, 1.39), rpy=(0, 0, 0.5))
    found = overlap(Collider(Box((4, 4, 2))), Collider(prism(6, 0.2, 0.8), pose))
    outline = 1.5 * np.sqrt(3) * 0.2**2
    assert found.volume == pytest.approx(0.01 * outline, rel=1e-12)
    assert found.centroid == pytest.approx([0.2, 0.3, 0.995], abs=1e-14)
    assert found.normal == pytest.approx([0, 0, 1], abs=1e-14)
    assert found.section.shape == (6, 3)
    assert found.section[:, 2] == pytest.approx(0.995, abs=1e-14)
    assert area(found.section[:, :2]) == pytest.approx(outline, rel=1e-12)
    apart = overlap(Collider(CUBE), Collider(CUBE, Pose.at((3, 0, 0))))
    assert (apart.volume, len(apart.section)) == (0.0, 0)
    with pytest.raises(ModelError, match="Sphere"):
        overlap(Collider(Sphere(1.0)), Collider(CUBE))
    with pytest.raises(ModelError, match="two planes"):
        overlap(Collider(Plane()), Collider(Plane()))
    corner = overlap(Collider(Hull(np.eye(4)[:, :3])), Collider(CUBE))
    assert corner.volume == pytest.approx(1 / 6 - 3 / 48, rel=1e-12)  # less the three ends beyond the cube
