"""Contacts of boxes, hulls and planes: the axis of least overlap, then the faces that meet along it."""

from sesshoku.geometry.polyhedral.collide import collide_polyhedra

__all__ = ["collide_polyhedra"]
