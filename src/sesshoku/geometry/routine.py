"""Which routine finds the contacts of two shapes: one for each two kinds, called by its address.

So a scene compiles only what its shapes need.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any, Final

import numpy as np
from numba import types
from numpy.typing import NDArray

from sesshoku.geometry.environment import collide_capsule, collide_cylinder, collide_round, collide_solid
from sesshoku.geometry.kind import BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, PLANE, SPHERE, TERRAIN
from sesshoku.geometry.polyhedral.collide import collide_boxes, collide_polyhedra
from sesshoku.geometry.polyhedral.plane import collide_plane_box, collide_plane_hull
from sesshoku.geometry.smooth.capsule import capsule_capsule
from sesshoku.geometry.smooth.capsule_box import capsule_box
from sesshoku.geometry.smooth.collide import convex_convex
from sesshoku.geometry.smooth.plane import plane_capsule, plane_cylinder, plane_ellipsoid, plane_sphere
from sesshoku.geometry.smooth.sphere import sphere_shape
from sesshoku.geometry.space import HANDLE
from sesshoku.kernel import address_of, by_pointer

__all__ = ["call_routine", "routines"]

ARGUMENTS: Final = (HANDLE, types.int64, types.int64, types.float64)  # space, shapes, margin
call_routine = by_pointer(*ARGUMENTS)

ENVIRONMENT: Final = (PLANE, TERRAIN)  # of which two never touch
SPECIAL: Final[dict[tuple[int, int], Callable[..., Any]]] = {
    (PLANE, SPHERE): plane_sphere,
    (PLANE, CAPSULE): plane_capsule,
    (PLANE, ELLIPSOID): plane_ellipsoid,
    (PLANE, CYLINDER): plane_cylinder,
    (PLANE, BOX): collide_plane_box,
    (PLANE, HULL): collide_plane_hull,
    **{(SPHERE, other): sphere_shape for other in (SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX)},
    (CAPSULE, CAPSULE): capsule_capsule,
    (CAPSULE, BOX): capsule_box,
    (BOX, BOX): collide_boxes,
    (BOX, HULL): collide_polyhedra,
    (HULL, HULL): collide_polyhedra,
    (SPHERE, TERRAIN): collide_round,
    (ELLIPSOID, TERRAIN): collide_round,
    (CAPSULE, TERRAIN): collide_capsule,
    (CYLINDER, TERRAIN): collide_cylinder,
    (BOX, TERRAIN): collide_solid,
    (HULL, TERRAIN): collide_solid,
}


def routines(kinds: Iterable[int]) -> NDArray[np.int64]:
    """Addresses of the routines for shapes of these kinds, the lower kind first, (kinds, kinds); 0 for none."""
    table = np.zeros((TERRAIN + 1, TERRAIN + 1), dtype=np.int64)
    present = set(kinds)
    for a in present:
        for b in present:
            if a <= b and not (a in ENVIRONMENT and b in ENVIRONMENT):
                table[a, b] = address_of(SPECIAL.get((a, b), convex_convex), *ARGUMENTS)
    return table
