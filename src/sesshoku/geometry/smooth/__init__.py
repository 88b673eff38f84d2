"""Contacts of smooth shapes: spheres, capsules, ellipsoids and cylinders, with each other and with flat ones."""

from sesshoku.geometry.smooth.collide import collide_smooth

__all__ = ["collide_smooth"]
