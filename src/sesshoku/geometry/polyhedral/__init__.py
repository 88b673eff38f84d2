"""Contacts of boxes, hulls and planes: the axis of least overlap, then the faces that meet along it."""
