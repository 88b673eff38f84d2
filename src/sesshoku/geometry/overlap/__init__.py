"""What two convex polyhedra have in common, for contact by volume."""

from sesshoku.geometry.overlap.overlap import Overlap, overlap

__all__ = ["Overlap", "overlap"]
