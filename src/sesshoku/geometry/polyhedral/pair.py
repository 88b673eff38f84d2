"""Two polyhedra as one sees them from the first, and how a contact between them is reported."""

from __future__ import annotations

from typing import NamedTuple

from sesshoku.geometry.space import Handle, append
from sesshoku.kernel import kernel
from sesshoku.spatial.rotation import Mat3, rotate
from sesshoku.spatial.row import load3, load9
from sesshoku.spatial.vector import Vec3, add

__all__ = ["Pair", "report"]


class Pair(NamedTuple):
    """Shapes a and b, their polyhedra, and what is near enough for them.

    Attributes:
        a, b: shapes.
        p, q: their polyhedra.
        r, t: b is turned by r and moved by t in the frame of a.
        size: of the smaller one [m]; tolerances are parts of it.
        margin: contacts with a gap below it are reported [m].
    """

    a: int
    b: int
    p: int
    q: int
    r: Mat3
    t: Vec3
    size: float
    margin: float


@kernel
def report(g: Handle, pair: Pair, point: Vec3, n: Vec3, gap: float, feature: int) -> None:
    """Append a contact given in the frame of a, if it is within the margin."""
    if gap < pair.margin:
        r = load9(g.rotation, pair.a)
        place = add(rotate(r, point), load3(g.position, pair.a))
        append(g, pair.a, pair.b, place, rotate(r, n), gap, feature)
