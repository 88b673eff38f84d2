"""Contact space as paper 1 builds it: one test force for each direction, on one articulated-body factorisation.

Kokkevis' method, section 3.2 of the paper: a unit force at a contact is passed to the root, the accelerations it causes
are carried out again to the bodies in contact, and projected on all directions: a column of K. That is O(n m) for the
n joints and O(m²) for the projections. Unknowns are the normal impulses of all contacts, then friction: one direction
where a contact slips, four where it sticks.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.point import arm_from_tree
from sesshoku.constraint.problem import POINTS, SLOTS, Handle
from sesshoku.constraint.problem import at as problem_at
from sesshoku.contact.coulomb import SLIP
from sesshoku.contact.directions import friction_axes
from sesshoku.contact.flow import relative
from sesshoku.contact.rows import is_contact
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.dynamics.system import at as system_at
from sesshoku.errors import SesshokuError
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.geometry.space import at as space_at
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation
from sesshoku.spatial.motion import Wrench, add_motion, power, scale_motion, velocity_at
from sesshoku.spatial.row import load3, load_motion, store3, store_motion
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = ["ContactSpace", "addresses", "assemble", "contact_space", "free_velocity", "run", "unknowns"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
STILL = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


class ContactSpace(NamedTuple):
    """A problem in the form of the paper, with k unknowns.

    Attributes:
        matrix: K (k, k): velocity along each direction per impulse along each [1/kg].
        velocity: b (k,): what it is with no contact, bias included [m/s].
        point: number of the point of each unknown (k,).
        direction: unit vectors (k, 3), world axes.
        owner: number of the normal unknown that bounds each of friction (k,); of a normal one -1.
        friction: coefficient of each unknown of friction (k,).
    """

    matrix: Array
    velocity: Array
    point: Index
    direction: Array
    owner: Index
    friction: Array


@kernel
def append(point: Index, direction: Array, owner: Index, at: int, k: int, d: Vec3, normal: int) -> int:
    """Write an unknown; the place of the next one."""
    point[at], owner[at] = k, normal
    store3(direction, at, d)
    return at + 1


@kernel
def unknowns(
    s: SystemHandle, g: SpaceHandle, p: Handle, begin: int, end: int, seed: int, step: int, fixed: bool,
    point: Index, direction: Array, owner: Index,
) -> int:  # fmt: skip
    """Fill point, direction and owner for the contacts among the points begin .. end − 1; the number of unknowns."""
    count = 0
    for k in range(begin, end):
        if is_contact(p, k):
            count = append(point, direction, owner, count, k, load3(p.normal, k), -1)
    for normal in range(count):
        k = point[normal]
        _, t, across = friction_axes(s, g, p, k, seed, step, fixed)
        count = append(point, direction, owner, count, k, t, normal)
        if p.mode[k] != SLIP:
            for d in (scale(-1.0, t), across, scale(-1.0, across)):
                count = append(point, direction, owner, count, k, d, normal)
    return count


@kernel
def pass_up(s: SystemHandle, d: int, f: Wrench, reduced: Array) -> None:
    """Pass a wrench on the body whose last velocity is d to the root; add what each velocity yields to ``reduced``."""
    while d >= 0:
        y = power(load_motion(s.freedom, d), f)
        reduced[d] += y * s.compliance[d]
        f = add_motion(f, scale_motion(-y, load_motion(s.response, d)))
        d = s.dof_parent[d]


@kernel
def carry_out(s: SystemHandle, p: Handle, reduced: Array, motion: Array) -> None:
    """Fill the motion of every body in contact, from the root outwards."""
    for slot in range(p.count[SLOTS]):
        a = STILL
        for depth in range(p.slot_length[slot]):
            d = p.chain[slot, depth]
            rate = reduced[d] - power(load_motion(s.response, d), a)
            a = add_motion(a, scale_motion(rate, load_motion(s.freedom, d)))
        store_motion(motion, slot, a)


@kernel
def moves(p: Handle, k: int, motion: Array) -> Vec3:
    """Velocity of B against A at point k."""
    u, a, b = (0.0, 0.0, 0.0), p.ends[k, 0], p.ends[k, 1]
    if b >= 0:
        u = velocity_at(load_motion(motion, b), arm_from_tree(p, b, load3(p.arm_b, k)))
    if a >= 0:
        u = subtract(u, velocity_at(load_motion(motion, a), arm_from_tree(p, a, load3(p.arm_a, k))))
    return u


@kernel
def assemble(s: SystemHandle, p: Handle, point: Index, direction: Array, count: int, out: Array) -> None:
    """Fill K (count, count), which is symmetric, row by row: what moves under one test force along all directions."""
    reduced, motion, velocity = np.empty(len(s.v)), np.empty((p.count[SLOTS], 6)), np.empty((p.count[POINTS], 3))
    for j in range(count):
        k, d = point[j], load3(direction, j)
        for c in range(len(reduced)):
            reduced[c] = 0.0
        for end in range(2):
            slot = p.ends[k, end]
            if slot >= 0:
                arm = arm_from_tree(p, slot, load3(p.arm_b if end else p.arm_a, k))
                f = scale(1.0 if end else -1.0, d)
                pass_up(s, p.slot_dof[slot], (cross(arm, f), f), reduced)
        carry_out(s, p, reduced, motion)
        for c in range(p.count[POINTS]):
            store3(velocity, c, moves(p, c, motion))
        for i in range(count):
            out[j, i] = dot(load3(direction, i), load3(velocity, point[i]))


@kernel
def free_velocity(p: Handle, point: Index, direction: Array, count: int, out: Array) -> None:
    """Fill b = a₀ − a_d, as velocities: free velocity and bias along each direction."""
    for i in range(count):
        k = point[i]
        out[i] = dot(load3(direction, i), add(relative(p, k, p.free), load3(p.bias, k)))


@kernel
def run(
    system: int, space: int, problem: int, step: int, point: Index, direction: Array, owner: Index, K: Array, b: Array
) -> int:
    """Contact space of all points of a problem that has been posed; the number of unknowns."""
    s, g, p = system_at(system), space_at(space), problem_at(problem)
    count: int = unknowns(s, g, p, 0, p.count[POINTS], 0, step, False, point, direction, owner)
    assemble(s, p, point, direction, count, K)
    free_velocity(p, point, direction, count, b)
    return count


def addresses(sim: Simulation) -> tuple[int, int, int]:
    """Of system, space and problem."""
    if sim._space is None or sim._problem is None:
        raise SesshokuError("a simulation without contact has no contact space. Give it a law.")
    return sim._system.address, sim._space.address, sim._problem.address


def contact_space(sim: Simulation) -> ContactSpace:
    """Contact space of the last step of a simulation, whatever its law, with random axes of friction."""
    where, step = addresses(sim), round(sim.time / sim.dt) - 1  # that has been taken
    assert sim._problem is not None
    most = 5 * int(sim._problem.count[POINTS])
    point, owner = np.empty(most, dtype=np.int64), np.empty(most, dtype=np.int64)
    direction, K, b = np.empty((most, 3)), np.empty((most, most)), np.empty(most)
    n = run(*where, step, point, direction, owner, K, b)
    friction = np.where(owner[:n] < 0, 0.0, sim._problem.friction[point[:n]])
    return ContactSpace(np.ascontiguousarray(K[:n, :n]), b[:n], point[:n], direction[:n], owner[:n], friction)
