"""The contact-by-volume law (paper 3): one wrench for each overlap, friction of force and torque judged together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

import numpy as np

from sesshoku.constraint.problem import ISLANDS, TOLERANCE
from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.coulomb import STICK
from sesshoku.contact.fit import least_speed, nothing_yet, reference_speed, take_stock
from sesshoku.contact.law import Law
from sesshoku.contact.volume.friction import release, sticks, tear_off, turn, turned_round
from sesshoku.contact.volume.memory import BOUNDS, MOST, PATCHES, VARIABLES, Handle, Memory, at
from sesshoku.contact.volume.patches import FAITHFUL, find_patches
from sesshoku.contact.volume.polyhedra import polyhedral
from sesshoku.contact.volume.program import choose_patch, choose_rest, run
from sesshoku.contact.volume.share import begin_with, share
from sesshoku.contact.volume.slip import drop_friction, find_gaps, follow, forget, worst_gap
from sesshoku.contact.volume.variables import add_loops, add_rows, see_all
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.overlap.workspace import Workspace
from sesshoku.geometry.overlap.workspace import at as overlap_at
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel

if TYPE_CHECKING:
    from sesshoku.constraint.problem import Problem as ProblemArrays
    from sesshoku.geometry.space import Space
    from sesshoku.handle import Arrays
    from sesshoku.model import Model

__all__ = ["Volume", "volume"]

EDGES, SEPARATED = 1, 2  # of `options`, before FAITHFUL
PASSES: Final = 40  # of wrenches and friction in turn
SWEEPS: Final = 200  # over the parts of an island that is too large for one program


@kernel
def solve_whole(p: Problem, m: Handle, i: int, fresh: bool, faithful: bool) -> float:
    """One program for all variables of island i; the largest change of a velocity."""
    m.count[BOUNDS] = 0
    n = 0
    for j in range(m.count[PATCHES]):
        n = choose_patch(m, j, n)
    n = choose_rest(p, m, i, 6 * m.count[PATCHES], m.count[VARIABLES], n)
    return run(p, m, i, n, fresh, faithful)


@kernel
def solve_parts(p: Problem, m: Handle, i: int, faithful: bool, goal: float) -> float:
    """A program for each patch, point of a loop and row of island i, in turn until nothing changes; what still did."""
    most = 0.0
    for _ in range(SWEEPS):
        most = 0.0
        for j in range(m.count[PATCHES]):
            m.count[BOUNDS] = 0
            most = max(most, run(p, m, i, choose_patch(m, j, 0), True, faithful))
        for v in range(6 * m.count[PATCHES], m.count[VARIABLES]):
            m.count[BOUNDS] = 0
            most = max(most, run(p, m, i, choose_rest(p, m, i, v, v + 1, 0), True, faithful))
        if most <= goal:
            break
    return most


@kernel
def judge(p: Problem, m: Handle) -> bool:
    """Let patches stick or slip by their wrenches; whether any has changed."""
    edges, separated, changed = int(p.options[EDGES]), p.options[SEPARATED] != 0.0, False
    for j in range(m.count[PATCHES]):
        if m.state[j] == STICK:
            if not sticks(m, j, edges, separated):
                tear_off(p, m, j)
                m.caught[j] += 1
                changed = True
        elif turned_round(p, m, j):
            if m.caught[j] == 0:
                release(m, j)
                m.caught[j] = 1
            else:
                turn(p, m, j)
            changed = True
    return changed


@kernel
def solve_wrenches(p: Problem, m: Handle, i: int, fresh: bool, goal: float) -> float:
    """Impulses of the variables of island i for friction as it is; what velocities still changed by, at least."""
    faithful = p.options[FAITHFUL] != 0.0
    if m.count[VARIABLES] <= MOST:
        solve_whole(p, m, i, fresh, faithful)
        return 0.0
    return solve_parts(p, m, i, faithful, goal)


@kernel
def let_slide(p: Problem, m: Handle, i: int, goal: float) -> None:
    """Where friction presses until it would hold all it can (a jam): only that of the wrenches without friction.

    It never drives, so that contact adds no energy.
    """
    drop_friction(p, m, False)
    solve_wrenches(p, m, i, True, goal)
    slips = find_gaps(m)
    forget(m, slips)
    follow(p, m, slips)
    solve_wrenches(p, m, i, False, goal)
    for _ in range(m.count[PATCHES]):
        if not drop_friction(p, m, True):
            break
        solve_wrenches(p, m, i, False, goal)


@kernel
def solve_island(p: Problem, m: Handle, i: int, goal: float) -> tuple[int, float]:
    """Impulses of the variables of island i: passes taken, and what velocities still changed by in the last."""
    changed, passes, off = True, 0, 0.0
    while passes < PASSES:
        left = solve_wrenches(p, m, i, changed, goal)
        passes += 1
        changed = judge(p, m)
        slips = find_gaps(m)
        off = max(worst_gap(p, m), left)
        if off <= goal and not changed:
            return passes, off
        if changed or passes == 1:
            forget(m, slips)
        follow(p, m, slips)
        if p.options[FAITHFUL] != 0.0:
            return passes, off
    let_slide(p, m, i, goal)
    return passes, off


@kernel
def volume(s: SystemHandle, g: SpaceHandle, p: Problem, dt: float) -> None:
    """The law: wrenches of all patches, with the loops and rows of their islands."""
    m, w, floor = at(p.companion[0]), overlap_at(p.companion[1]), least_speed(s, dt)
    nothing_yet(p)
    for i in range(p.count[ISLANDS]):
        m.count[PATCHES] = m.count[VARIABLES] = 0
        find_patches(s, g, p, w, m, i, dt)
        add_loops(p, m, i)
        add_rows(p, m, i)
        begin_with(g, p, m)
        see_all(p, m, i)
        reference = reference_speed(p, i, floor)
        passes, off = solve_island(p, m, i, p.options[TOLERANCE] * reference)
        see_all(p, m, i)
        share(g, p, m, i)
        take_stock(p, passes, off / reference, reference)


@dataclass(frozen=True, kw_only=True)
class Volume(Law):
    """One wrench for each overlap of two convex bodies; friction is judged for force and torque together (paper 3).

    Attributes:
        tolerance: by which the friction of slipping patches may differ from what is due, as velocities relative to
            those with no contact.
        edges: of the pyramid inscribed in the friction cone at each corner of the section; 0: the true cone.
        separated: whether force and torque have a limit each, as in older tests, for comparison.
        faithful: as printed: one pass of wrenches and friction, squared velocity errors instead of Gauss's principle,
            and depth taken back by speed; by default passes go on until all wrenches agree with their friction, and
            depth is taken back by moving bodies apart.
        deviation: by which polyhedra that stand for spheres, capsules, cylinders and ellipsoids may differ from these,
            of their smallest radius.
    """

    name = "volume"
    summary = "one wrench for each overlap, by its volume; friction of force and torque together"
    kernel = volume

    tolerance: float = 1e-6
    edges: int = 8
    separated: bool = False
    faithful: bool = False
    deviation: float = 0.01

    @property
    def rigid(self) -> bool:
        """As printed, depth is taken back by velocities of the law itself."""
        return not self.faithful

    def companions(self, space: Space, problem: ProblemArrays) -> tuple[Arrays, ...]:
        """Memory of patches and of overlaps."""
        overlap = Workspace(space)
        points, corners = len(problem.scale), len(overlap.section)
        patches = min(points, int(np.count_nonzero(np.triu(np.ones((len(space.kind),) * 2), 1))))
        return Memory(max(patches, 1), corners, len(problem.loop_body), len(problem.row_scale)), overlap

    def shaped(self, model: Model) -> Model:
        """The model with polyhedra for smooth shapes; what is not convex is refused."""
        return polyhedral(model, self.deviation)
