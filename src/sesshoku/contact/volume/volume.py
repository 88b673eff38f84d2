"""The contact-by-volume law (paper 3): one wrench for each overlap, friction of force and torque judged together.

Passes of wrenches and friction do not settle every island: where friction turns the slip round within the step, its
direction is not known beforehand. Such an island, and a large one, is solved by way of the corners of its patches: see
corners.py. As printed there is one pass, and nothing else.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import TYPE_CHECKING, Final

import numpy as np

from sesshoku.constraint.problem import ISLANDS, TOLERANCE
from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.coulomb import STICK
from sesshoku.contact.fit import least_speed, nothing_yet, reference_speed, take_stock
from sesshoku.contact.law import Law
from sesshoku.contact.linear import newton_direction, same_factor
from sesshoku.contact.solver import solve_island
from sesshoku.contact.volume.corners import solve_corners
from sesshoku.contact.volume.friction import release, sticks, tear_off, turn, turned_round
from sesshoku.contact.volume.memory import BOUNDS, BY_CORNERS, MOST, PATCHES, VARIABLES, Handle, Memory, at
from sesshoku.contact.volume.patches import FAITHFUL, find_patches
from sesshoku.contact.volume.polyhedra import polyhedral
from sesshoku.contact.volume.program import choose_patch, choose_rest, run
from sesshoku.contact.volume.share import begin_with, share
from sesshoku.contact.volume.slip import find_gaps, follow, forget, worst_gap
from sesshoku.contact.volume.variables import act_all, add_loops, add_rows
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.overlap.workspace import Handle as Overlap
from sesshoku.geometry.overlap.workspace import Workspace
from sesshoku.geometry.overlap.workspace import at as overlap_at
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel

if TYPE_CHECKING:
    from sesshoku.constraint.problem import Problem as ProblemArrays
    from sesshoku.geometry.space import Space
    from sesshoku.handle import Arrays
    from sesshoku.model import Model

__all__ = ["Volume", "pose_wrenches", "volume"]

EDGES, SEPARATED = 1, 2  # of `options`, before FAITHFUL
MANY: Final = 36  # variables of an island above which the way over the corners is the shorter one
PASSES: Final = 6  # of wrenches and friction in turn
SWEEPS: Final = 200  # over the parts of an island that is too large for one program, as printed


@kernel
def pose_wrenches(s: SystemHandle, g: SpaceHandle, p: Problem, w: Overlap, m: Handle, i: int, dt: float) -> None:
    """The variables of island i: of its patches, loops and rows."""
    m.count[PATCHES] = m.count[VARIABLES] = 0
    for c in range(p.coordinate_begin[p.node_begin[i]], p.coordinate_begin[p.node_begin[i + 1]]):
        p.change[c] = 0.0
    find_patches(s, g, p, w, m, i, dt)
    add_loops(p, m, i)
    add_rows(p, m, i)


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
def solve_parts(p: Problem, m: Handle, i: int, goal: float) -> float:
    """As printed: a program for each patch, loop point and row of island i, until nothing changes; what still did."""
    most = 0.0
    for _ in range(SWEEPS):
        most = 0.0
        for j in range(m.count[PATCHES]):
            m.count[BOUNDS] = 0
            most = max(most, run(p, m, i, choose_patch(m, j, 0), True, True))
        for v in range(6 * m.count[PATCHES], m.count[VARIABLES]):
            m.count[BOUNDS] = 0
            most = max(most, run(p, m, i, choose_rest(p, m, i, v, v + 1, 0), True, True))
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
    """Impulses of the variables of island i for friction as it is; by what velocities are still off."""
    faithful = p.options[FAITHFUL] != 0.0
    if m.count[VARIABLES] <= MOST:
        return 0.0 if solve_whole(p, m, i, fresh, faithful) < inf else inf
    return solve_parts(p, m, i, goal)


@kernel
def solve_patches(p: Problem, m: Handle, i: int, goal: float) -> tuple[int, float]:
    """Impulses of the variables of island i: passes taken, and by how much friction is off, as a velocity.

    Infinite if passes do not come to rest, or a program has no solution.
    """
    changed, passes = True, 0
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
    return passes, inf


@kernel
def volume(s: SystemHandle, g: SpaceHandle, p: Problem, dt: float) -> None:
    """The law: wrenches of all patches, with the loops and rows of their islands."""
    m, w, tol, floor = at(p.companion[0]), overlap_at(p.companion[1]), p.options[TOLERANCE], least_speed(s, dt)
    faithful = p.options[FAITHFUL] != 0.0
    nothing_yet(p)
    m.count[BY_CORNERS] = 0
    for i in range(p.count[ISLANDS]):
        pose_wrenches(s, g, p, w, m, i, dt)
        reference = reference_speed(p, i, floor)
        steps, off = 0, inf
        if faithful or m.count[VARIABLES] <= MANY:
            begin_with(g, p, m)
            act_all(p, m, i)
            steps, off = solve_patches(p, m, i, tol * reference)
        off /= reference
        if off == inf and not faithful:
            edges, separated = int(p.options[EDGES]), p.options[SEPARATED] != 0.0
            more, off = solve_corners(s, g, p, m, i, edges, separated, tol, reference)
            steps += more
            m.count[BY_CORNERS] += 1
        act_all(p, m, i)
        share(g, p, m, i)
        take_stock(p, i, steps, off, tol, reference)


def most_patches(space: Space) -> int:
    """Overlaps that there may be at once."""
    shapes = len(space.kind)
    return max(min(len(space.gap), shapes * (shapes - 1) // 2), 1)


@dataclass(frozen=True, kw_only=True)
class Volume(Law):
    """One wrench for each overlap of two convex bodies; friction is judged for force and torque together (paper 3).

    Attributes:
        tolerance: by which the friction of slipping patches may differ from what is due, as velocities relative to
            those with no contact.
        edges: of the pyramid inscribed in the friction cone at each corner of the section; 0: the true cone. By way of
            corners it decides on static friction alone, and so does the next.
        separated: whether force and torque have a limit each, as in older tests, for comparison.
        faithful: as printed: one pass of wrenches and friction, squared velocity errors instead of Gauss's principle,
            and depth taken back by speed; by default all wrenches agree with their friction, and depth is taken back
            by moving bodies apart.
        deviation: by which polyhedra that stand for spheres, capsules, cylinders and ellipsoids may differ from these,
            of their smallest radius.
    """

    name = "volume"
    summary = "one wrench for each overlap, by its volume; friction of force and torque together"
    kernel = volume
    stages = (newton_direction, same_factor, solve_island)

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
        return Memory(
            most_patches(space), len(overlap.section), len(problem.loop_body), len(problem.row_scale)
        ), overlap

    def more_points(self, space: Space) -> int:
        """Those for the corners of patches: a section has at most one for each face of both shapes."""
        return 0 if self.faithful else most_patches(space) * 2 * int(np.diff(space.face_start).max(initial=1))

    def shaped(self, model: Model) -> Model:
        """The model with polyhedra for smooth shapes; what is not convex is refused."""
        return polyhedral(model, self.deviation)
