"""The exact law: Signorini and Coulomb without relaxation, by Newton's method in body space; see solver.py.

On redundant points that slip the law has more than one solution; which one is found depends on the impulses that the
solver begins with, those of the last step. ``independent`` begins with none, and with points that yield a little: then
there is one solution, and the rigid one next to it is taken.
"""

from __future__ import annotations

from dataclasses import dataclass

from sesshoku.constraint.island import is_heap
from sesshoku.constraint.problem import ISLANDS, TOLERANCE, Handle
from sesshoku.contact.fit import least_speed, nothing_yet, reference_speed, take_stock
from sesshoku.contact.law import Law
from sesshoku.contact.linear import newton_direction, same_factor
from sesshoku.contact.restitution import BLOWS, WEAKER, add_energy, strikes, weaken
from sesshoku.contact.solver import SOLVER, call_solver, solve_island
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.given import number
from sesshoku.kernel import kernel

__all__ = ["Exact", "exact"]

INDEPENDENT, OF_HEAPS = 1, 2  # of `options`


@kernel
def exact(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> None:
    """The law: impulses of all islands, and statistics."""
    independent, tol, floor = int(p.options[INDEPENDENT]), p.options[TOLERANCE], least_speed(s, dt)
    nothing_yet(p)
    for i in range(p.count[ISLANDS]):
        reference = reference_speed(p, i, floor)
        admitted = max(p.options[OF_HEAPS], tol) if is_heap(p, i) else tol
        call_solver(p.stage[SOLVER], (p, i, independent, tol, admitted, reference))
        steps, blows = p.outcome[0], 0
        while blows < BLOWS and strikes(p, i) and add_energy(s, p, i):
            blows += 1
            weaken(p, i, WEAKER if blows < BLOWS else 0.0)
            call_solver(p.stage[SOLVER], (p, i, independent, tol, admitted, reference))
            steps += p.outcome[0]
        take_stock(p, i, steps, p.outcome[1], admitted, reference)


@dataclass(frozen=True, kw_only=True)
class Exact(Law):
    """Signorini and Coulomb without relaxation: no creep below the static limit, kinetic friction above it.

    Attributes:
        independent: whether a step depends on nothing but the state of the bodies, on which contacts stuck, and on how
            far elastic ones have yielded along the surface. The law has more than one solution where redundant points
            slip; by default the one next to the last step's is taken, which is faster.
        heap_tolerance: the tolerance for a heap, an island of more than 20 trees, if it is larger. While it moves it is
            solved to this one; it meets ``tolerance`` where it rests.
    """

    name = "exact"
    summary = "Signorini and Coulomb without relaxation, static and kinetic friction"
    kernel = exact
    stages = (newton_direction, same_factor, solve_island)
    elastic = True
    pointwise = True

    independent: bool = False
    heap_tolerance: float = 1e-4

    def __post_init__(self) -> None:
        super().__post_init__()
        number(self.heap_tolerance, "heap_tolerance", above=0.0)
