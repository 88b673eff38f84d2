"""Convex decomposition through the extra."""

import sys

import numpy as np
import pytest

from sesshoku.errors import ModelError, SesshokuError
from sesshoku.model.decompose import decompose

BOX = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
FACES = np.concatenate([QUADS[:, [0, 1, 2]], QUADS[:, [0, 2, 3]]])


def ell():
    """A prism over the letter L: the unit cube without a quarter."""
    outline = np.array([(0, 0), (1, 0), (1, 0.5), (0.5, 0.5), (0.5, 1), (0, 1)])
    vertices = np.concatenate([np.column_stack([outline, np.full(6, z)]) for z in (0.0, 1.0)])
    cap = np.array([(0, 1, 2), (0, 2, 3), (0, 3, 4), (0, 4, 5)])
    k = np.arange(6)
    n = (k + 1) % 6
    sides = np.concatenate([np.stack([k, n, n + 6], 1), np.stack([k, n + 6, k + 6], 1)])
    return vertices, np.concatenate([cap[:, ::-1], cap + 6, sides])


def test_missing_package_names_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "coacd", None)
    with pytest.raises(SesshokuError, match=r"pip install 'sesshoku\[decompose\]'"):
        decompose(BOX, FACES)


def test_an_l_becomes_convex_parts_of_its_volume():
    pytest.importorskip("coacd", reason="the extra decompose is not installed")
    from scipy.spatial import ConvexHull

    vertices, triangles = ell()
    hulls = decompose(vertices, triangles)
    volume = sum(ConvexHull(hull.points).volume for hull in hulls)
    assert len(hulls) >= 2
    assert volume == pytest.approx(0.75, rel=0.05)  # its own hull has 0.875
    again = decompose(vertices, triangles)
    assert all(np.array_equal(a.points, b.points) for a, b in zip(hulls, again, strict=True))
    assert len(decompose(vertices, triangles, parts=1)) == 1


@pytest.mark.parametrize("triangles", [FACES[:0], FACES + 1, FACES[:, :2]])
def test_meshes_that_are_none(triangles):
    pytest.importorskip("coacd", reason="the extra decompose is not installed")
    with pytest.raises(ModelError):
        decompose(BOX, triangles)
