"""What touches, as a number that does not tell which shape was clipped against which: unique within a pair."""

from __future__ import annotations

from typing import Final

from sesshoku.kernel import kernel

__all__ = ["SAME", "crossing", "vertex_of_a", "vertex_of_b"]

SAME: Final = 1e-3  # of the size: what lies so near to a vertex is called by that vertex, of a if there is one
OF_B: Final = 1 << 29
CROSSING: Final = 1 << 30  # hulls have fewer than 2¹⁵ edges


@kernel
def vertex_of_a(vertex: int) -> int:
    """A vertex of the first shape on the second."""
    return vertex


@kernel
def vertex_of_b(vertex: int) -> int:
    """A vertex of the second shape on the first."""
    return OF_B + vertex


@kernel
def crossing(edge_a: int, edge_b: int, edges_of_b: int) -> int:
    """An edge of the first shape across one of the second, which has so many."""
    return CROSSING + edge_a * edges_of_b + edge_b
