"""What a shape is to the kernels. A pair is treated with the lower kind first."""

from typing import Final

__all__ = ["BOX", "CAPSULE", "CYLINDER", "ELLIPSOID", "HULL", "PLANE", "SPHERE", "TERRAIN"]

PLANE: Final = 0  # z <= 0 is solid
SPHERE: Final = 1  # size: radius
CAPSULE: Final = 2  # size: radius, half the length between the centres of its ends, along z
ELLIPSOID: Final = 3  # size: semi-axes
CYLINDER: Final = 4  # size: radius, half the length, along z
BOX: Final = 5  # size: half the edges; it has a polyhedron, too
HULL: Final = 6  # a polyhedron
TERRAIN: Final = 7  # triangles, also those of a height field; environment only
