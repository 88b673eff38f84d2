"""Cells of directions."""

import numpy as np

from sesshoku.geometry.compass import GRID, MIDDLES, cell_of


def test_the_middle_of_each_cell_lies_in_it():
    assert [cell_of(tuple(d)) for d in MIDDLES] == list(range(6 * GRID**2))


def test_directions_are_near_the_middle_of_their_cell():
    directions = np.random.default_rng(0).normal(size=(1000, 3))
    middles = MIDDLES[[cell_of(tuple(d)) for d in directions]]
    cosine = (directions * middles).sum(axis=1) / np.linalg.norm(directions, axis=1) / np.linalg.norm(middles, axis=1)
    assert cosine.min() > np.cos(2.0 / GRID)


def test_nonsense_has_a_cell():
    for d in ((np.nan, 0.0, 0.0), (np.nan, np.nan, np.nan), (np.inf, np.inf, 0.0), (0.0, 0.0, 0.0)):
        assert 0 <= cell_of(d) < len(MIDDLES)
