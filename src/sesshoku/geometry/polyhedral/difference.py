"""The difference of two polyhedra, all a − b of their points: it holds the origin where they overlap.

Its face nearest to the origin tells the least overlap, its point nearest to the origin the distance.
"""

from __future__ import annotations

from sesshoku.geometry.polyhedral.pair import Pair
from sesshoku.geometry.polyhedral.support import farthest
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import rotate, rotate_back
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import Vec3, add, scale, subtract

__all__ = ["farthest_of_difference"]


@kernel
def farthest_of_difference(g: Handle, pair: Pair, d: Vec3) -> Vec3:
    """Vertex farthest along d of the difference of a and b, in the frame of a."""
    v, w = farthest(g, pair.p, d), farthest(g, pair.q, scale(-1.0, rotate_back(pair.r, d)))
    return subtract(load3(g.vertex, v), add(rotate(pair.r, load3(g.vertex, w)), pair.t))
