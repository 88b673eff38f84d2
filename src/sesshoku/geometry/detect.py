"""From the poses of the bodies to the list of contacts: broad phase, then each pair to the routine for its shapes."""

from __future__ import annotations

from sesshoku.dynamics.kinematics import kinematics
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.dynamics.system import at as system_at
from sesshoku.geometry.ahead import foresee, nearer
from sesshoku.geometry.broad import bound_shapes, find_pairs, place_shapes
from sesshoku.geometry.routine import call_routine
from sesshoku.geometry.space import Handle, at
from sesshoku.kernel import kernel

__all__ = ["collide", "detect", "detect_here", "find_contacts"]


@kernel
def collide(g: Handle, a: int, b: int, margin: float) -> None:
    """Append the contacts of two shapes that are closer than the margin.

    Reported with the body of the lower number as A, the world before all; the routines want the lower kind first.
    """
    kind, body = g.kind, g.body
    if body[a] > body[b]:
        a, b = b, a
    g.count[1] = 1 if kind[a] > kind[b] else 0
    if kind[a] > kind[b]:
        a, b = b, a
    routine = g.routine[kind[a], kind[b]]
    if routine != 0:
        call_routine(routine, (g, a, b, margin))


@kernel
def find_contacts(s: SystemHandle, g: Handle) -> None:
    """Fill the contacts of the space; needs kinematics."""
    place_shapes(s, g)
    foresee(s, g)
    bound_shapes(g)
    find_pairs(g)
    g.count[0] = 0
    pairs, margin = g.sorted_pairs, g.margin
    for k in range(min(g.pair_count[0], len(pairs))):
        a, b = pairs[k, 0], pairs[k, 1]
        collide(g, a, b, max(margin[a] + margin[b], nearer(s, g, a, b)))


@kernel
def detect(system: int, space: int) -> int:
    """Find all contacts for the poses that kinematics left; returns their number."""
    g = at(space)
    find_contacts(system_at(system), g)
    return g.count[0]  # type: ignore[no-any-return]


@kernel
def detect_here(system: int, space: int) -> int:
    """Kinematics from q and v, then all contacts."""
    kinematics(system_at(system))
    return detect(system, space)


@kernel
def collide_pair(system: int, space: int, a: int, b: int) -> int:
    """The contacts of one pair of shapes, however far apart; needs kinematics."""
    g = at(space)
    place_shapes(system_at(system), g)
    g.count[0] = 0
    collide(g, a, b, 1e30)
    return g.count[0]  # type: ignore[no-any-return]
