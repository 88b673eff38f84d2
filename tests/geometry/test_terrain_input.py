"""Surfaces as they are given: wrong ones, slivers, odd edges, vertices given twice."""

import numpy as np
import pytest

from on_surface import Pair, grid
from sesshoku.errors import ModelError
from sesshoku.geometry.surface import terrain_surface
from sesshoku.model import Box, HeightField, Sphere, Terrain

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("surface", "word"),
    [
        (Terrain(np.array([[0, 0, np.nan], [1, 0, 0], [0, 1, 0]]), np.array([[0, 1, 2]])), "finite"),
        (Terrain(np.zeros((3, 3)), np.zeros((0, 3), dtype=int)), "no triangles"),
        (Terrain(np.eye(3), np.array([[0, 1, 1]])), "without area"),
        (Terrain(np.array([[0, 0, 0], [1, 0, 0], [2, 0, 0.0]]), np.array([[0, 1, 2]])), "without area"),
        (Terrain(np.eye(3), np.array([[0, 1, 3]])), "outside"),
        (Terrain(np.eye(3), np.array([[0, 1, -1]])), "outside"),
        (Terrain(np.eye(3), np.array([[0.0, 1, 2]])), "integers"),
        (Terrain(np.eye(4), np.array([[0, 1, 2]])), "shapes"),
        (HeightField(np.array([[0, np.nan], [0, 0]]), (1.0, 1.0)), "finite"),
        (HeightField(np.zeros((1, 5)), (1.0, 1.0)), "shape"),
        (HeightField(np.zeros((3, 3)), (1.0, 0.0)), "size"),
    ],
)
def test_wrong_surfaces_are_refused(surface, word):
    with pytest.raises(ModelError, match=word):
        Pair(Sphere(0.1), surface)


def test_slivers_are_left_out_and_odd_edges_are_borders():
    square = np.array([(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0.5, 0, 0), (0, 0, 1), (0.5, 0.5, 1)], dtype=float)
    prepared = terrain_surface(Terrain(square, np.array([(0, 1, 2), (0, 4, 1), (0, 2, 3)])))
    assert len(prepared.triangles) == 2
    assert (prepared.beyond >= 0).sum() == 2
    three = terrain_surface(Terrain(square, np.array([(0, 1, 2), (0, 2, 3), (0, 2, 6)])))
    assert (three.beyond == -1).all()
    disagree = terrain_surface(Terrain(square, np.array([(0, 1, 2), (2, 0, 5), (0, 3, 2)])))
    assert (disagree.beyond == -1).all()


def test_vertices_given_twice_make_no_seam():
    """Triangles that each bring their own vertices, as STL files have them."""
    flat = grid(np.zeros((5, 5)), (1.0, 1.0))
    own = Terrain(flat.vertices[flat.triangles].reshape(-1, 3), np.arange(flat.triangles.size).reshape(-1, 3))
    pair = Pair(Box((0.5, 0.5, 0.1)), own)((0.02, 0.03, 0.05))
    assert len(pair.gap) == 4
