"""Convex hulls: faces, edges and vertices hang together, broken input is refused, big input is fast."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sesshoku.errors import ModelError
from sesshoku.geometry.polyhedron import MOST_VERTICES, Polyhedron, box_polyhedron, convex_hull
from sesshoku.spatial.pose import rotation_from_rpy

GRID = np.stack(np.meshgrid(*[np.linspace(0.0, 1.0, 9)] * 3), axis=-1).reshape(-1, 3)


def check(polyhedron: Polyhedron, points: np.ndarray) -> None:
    """It is a closed convex surface around the points, and all its lists agree."""
    p, size = polyhedron, np.ptp(points, axis=0).max()
    assert len(p.vertices) - len(p.edges) + len(p.faces) == 2
    heights = points @ p.normals.T - p.offsets
    assert np.abs(heights.max(axis=0)).max() < 2e-6 * size, "normals point outward and faces touch the points"
    assert np.allclose(np.linalg.norm(p.normals, axis=1), 1.0)
    around: dict[int, set[int]] = {v: set() for v in range(len(p.vertices))}
    of_edge: dict[int, list[int]] = {e: [] for e in range(len(p.edges))}
    for f, (face, sides) in enumerate(zip(p.faces, p.sides, strict=True)):
        corners = p.vertices[face]
        arms = np.roll(corners, -1, axis=0) - corners
        assert (np.cross(arms, np.roll(arms, -1, axis=0)) @ p.normals[f] > 0.0).all(), "convex and anticlockwise"
        assert face[0] == face.min()
        for a, b, e in zip(face, np.roll(face, -1), sides, strict=True):
            assert {a, b} == set(p.edges[e])
            around[a].add(f)
            of_edge[e].append(f)
    assert all(sorted(of_edge[e]) == sorted(p.edge_faces[e]) for e in of_edge)
    for v in around:
        assert around[v] == set(p.fans[v])
        assert len(p.fans[v]) == len(p.neighbours[v]) == len(p.spokes[v])
        assert all({v, w} == set(p.edges[e]) for w, e in zip(p.neighbours[v], p.spokes[v], strict=True))


@given(st.integers(0, 2**32 - 1), st.integers(4, 200), st.sampled_from([1e-3, 1.0, 1e3]))
def test_random_hulls(seed, number, scale):
    points = np.random.default_rng(seed).normal(size=(number, 3)) * scale
    check(convex_hull(points), points)


@given(st.integers(0, 2**32 - 1), st.integers(8, 60))
def test_hulls_on_a_coarse_lattice(seed, number):
    """Many points on one plane or line."""
    points = np.random.default_rng(seed).integers(0, 4, size=(number, 3)).astype(float)
    if np.linalg.matrix_rank(points - points[0]) == 3:
        check(convex_hull(points), points)


@pytest.mark.parametrize("noise", [0.0, 1e-9, 1e-7])
@pytest.mark.parametrize("kind", [np.float64, np.float32])
def test_flat_faces_are_one_polygon(noise, kind):
    rotation = rotation_from_rpy((0.3, 0.5, 0.7))
    points = (GRID + noise * np.random.default_rng(0).normal(size=GRID.shape)) @ rotation.T
    cube = convex_hull(points.astype(kind))
    check(cube, points)
    assert (len(cube.vertices), len(cube.edges), len(cube.faces)) == (8, 12, 6)


def test_box():
    box = box_polyhedron((1.0, 2.0, 3.0))
    check(box, box.vertices)
    assert [tuple(box.vertices[k] > 0) for k in (0, 1, 2, 4)] == [
        (False, False, False),
        (True, False, False),
        (False, True, False),
        (False, False, True),
    ]


def test_prism_with_many_corners():
    angles = np.arange(500) * 2 * np.pi / 500
    points = np.array([(np.cos(a), np.sin(a), z) for a in angles for z in (-1.0, 1.0)])
    prism = convex_hull(points)
    check(prism, points)
    assert (len(prism.vertices), len(prism.faces)) == (1000, 502)


@pytest.mark.parametrize(
    ("points", "words"),
    [
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0)], "3 points"),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (1, 1, 0), (0.5, 0.5, 0)], "one plane"),
        ([(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 0, 0)], "one plane"),
        ([(1, 2, 3)] * 5, "one plane"),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1e-14)], "one plane|volume"),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, np.nan)], "not finite"),
        ([(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, np.inf)], "not finite"),
    ],
)
def test_what_has_no_volume_is_refused(points, words):
    with pytest.raises(ModelError, match=words) as error:
        convex_hull(points, element="mesh 'foot'", file="robot.xml")
    assert "robot.xml" in str(error.value)
    assert "foot" in str(error.value)


@pytest.mark.slow
def test_a_million_points_take_seconds():
    points = np.random.default_rng(0).normal(size=(1_000_000, 3))
    start = time.perf_counter()
    hull = convex_hull(points)
    assert time.perf_counter() - start < 10.0
    check(hull, points)


def test_a_hull_with_too_many_vertices_is_refused():
    points = np.random.default_rng(0).normal(size=(2 * MOST_VERTICES, 3))
    points /= np.linalg.norm(points, axis=1, keepdims=True)
    with pytest.raises(ModelError, match=f"Simplify .* {MOST_VERTICES}"):
        convex_hull(points)
