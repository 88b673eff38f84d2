"""How the slots respond to impulses on each other, by test forces on the articulated-body factor of the step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import NODES, SLOTS, Handle
from sesshoku.dynamics.articulated import expand
from sesshoku.dynamics.load import hold_nothing
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.dynamics.test_force import (
    climb,
    climb_from_joint,
    climb_from_point,
    common,
    respond_bodies,
    respond_points,
)
from sesshoku.kernel import U, kernel
from sesshoku.spatial.motion import Motion, Wrench, add_motion, move_wrench, power, scale_motion, velocity_at
from sesshoku.spatial.row import load3, load_motion, store_motion
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale

__all__ = ["apply_impulses", "free_twists", "hold_impulses", "own_response", "responses", "slot_twist"]

Array = NDArray[np.float64]
STILL = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@kernel
def respond(s: SystemHandle, p: Handle, a: int, b: int) -> None:
    """Fill the response of slots a and b of one node to each other, both ways."""
    node = p.slot_node[a]
    first = p.coordinate_begin[node]
    stride, begin = p.coordinate_begin[node + 1] - first, p.response_begin[node]
    row, column = p.slot_coordinate[a] - first, p.slot_coordinate[b] - first
    here, there = begin + row * stride + column, begin + column * stride + row
    height, width = p.slot_width[a], p.slot_width[b]
    length = common(p.chain, a, b, min(p.slot_length[a], p.slot_length[b]))
    if height == 6 and width == 6:
        respond_bodies(s, p.left, p.chain, a, b, length, p.response, here, stride, there)
        return
    if height == 3 and width == 3:
        respond_points(s, p.left, p.chain, a, b, length, p.response, here, stride, there)
        return
    for j in range(height):
        for k in range(width):
            total = 0.0
            for depth in range(length):
                total += p.left[a, depth, j] * s.compliance[p.chain[a, depth]] * p.left[b, depth, k]
            p.response[here + j * stride + k] = p.response[there + k * stride + j] = total


@kernel
def responses(s: SystemHandle, p: Handle) -> None:
    """Fill the response Λ of every node, and the mobility of its bodies; needs the factor."""
    for k in range(p.count[SLOTS]):
        if p.slot_width[k] == 1:
            p.slot_length[k] = climb_from_joint(s, p.slot_dof[k], k, p.chain, p.left)
        elif p.slot_width[k] == 3:
            p.slot_length[k] = climb_from_point(s, p.slot_dof[k], k, load3(p.slot_place, k), p.chain, p.left)
        else:
            p.slot_length[k] = climb(s, p.slot_dof[k], k, p.chain, p.left)
    for t in range(p.count[NODES]):
        for a in range(p.slot_begin[t], p.slot_begin[t + 1]):
            for b in range(p.slot_begin[t], a + 1):
                respond(s, p, a, b)
            if p.slot_width[a] != 1:
                find_mobility(p, a)


@kernel
def find_mobility(p: Handle, slot: int) -> None:
    """Fill mobility of a body: its response at x is X A Xᵀ − X B − Bᵀ Xᵀ + C, of turning, mixed, of velocity."""
    node = p.slot_node[slot]
    first = p.coordinate_begin[node]
    n, at = U(p.coordinate_begin[node + 1] - first), U(p.slot_coordinate[slot] - first)
    m, k = p.response, U(p.response_begin[node]) + at * n + at  # unsigned throughout: no test whether negative
    mobility, row = p.mobility, U(slot)
    if p.slot_width[slot] == 3:
        for j in range(9):
            mobility[row, j] = 0.0
        mobility[row, 9] = m[k] + m[k + n + U(1)] + m[k + U(2) * n + U(2)]
        return
    turning = (m[k], m[k + n + U(1)], m[k + U(2) * n + U(2)])
    mobility[row, 0] = turning[1] + turning[2]
    mobility[row, 1] = turning[0] + turning[2]
    mobility[row, 2] = turning[0] + turning[1]
    mobility[row, 3] = -2.0 * m[k + U(1)]
    mobility[row, 4] = -2.0 * m[k + U(2)]
    mobility[row, 5] = -2.0 * m[k + n + U(2)]
    mobility[row, 6] = 2.0 * (m[k + U(2) * n + U(4)] - m[k + n + U(5)])
    mobility[row, 7] = 2.0 * (m[k + U(5)] - m[k + U(2) * n + U(3)])
    mobility[row, 8] = 2.0 * (m[k + n + U(3)] - m[k + U(4)])
    mobility[row, 9] = m[k + U(3) * n + U(3)] + m[k + U(4) * n + U(4)] + m[k + U(5) * n + U(5)]


@kernel
def own_response(p: Handle, slot: int, x: Vec3) -> float:
    """Trace of the response of a body at x, from where its motion is taken, to an impulse there [1/kg]."""
    m, k = p.mobility, U(slot)
    turning = (
        m[k, 0] * x[0] + m[k, 3] * x[1] + m[k, 4] * x[2],
        m[k, 1] * x[1] + m[k, 5] * x[2],
        m[k, 2] * x[2],
    )
    return dot(add(turning, (m[k, 6], m[k, 7], m[k, 8])), x) + m[k, 9]  # type: ignore[no-any-return]


@kernel
def slot_motion(s: SystemHandle, p: Handle, k: int, v: Array, a: Array, dt: float) -> Motion:
    """Motion of the body of a slot, were the velocities v + dt a."""
    total = STILL
    for depth in range(p.slot_length[k]):
        d = p.chain[k, depth]
        total = add_motion(total, scale_motion(v[d] + dt * a[d], load_motion(s.freedom, d)))
    return total


@kernel
def slot_twist(s: SystemHandle, p: Handle, k: int, v: Array, a: Array, dt: float, out: Array) -> None:
    """Fill the coordinates of a slot in ``out``, were the velocities v + dt a."""
    c = p.slot_coordinate[k]
    if p.slot_width[k] == 1:
        d = p.slot_dof[k]
        out[c] = v[d] + dt * a[d]
    elif p.slot_width[k] == 3:
        out[c], out[c + 1], out[c + 2] = velocity_at(slot_motion(s, p, k, v, a, dt), load3(p.slot_place, k))
    else:
        (out[c], out[c + 1], out[c + 2]), (out[c + 3], out[c + 4], out[c + 5]) = slot_motion(s, p, k, v, a, dt)


@kernel
def free_twists(s: SystemHandle, p: Handle, dt: float) -> None:
    """Fill free: what the coordinates would be at the end of the step with no impulse; needs responses."""
    for k in range(p.count[SLOTS]):
        slot_twist(s, p, k, s.v, s.acceleration, dt, p.free)


@kernel
def apply_impulses(s: SystemHandle, p: Handle, wrench: Array, dt: float) -> None:
    """Solve the step again with impulses on the slots; needs responses, and what the free step has reduced."""
    reduced, compliance, left, chain = s.reduced, s.compliance, p.left, p.chain
    for k in range(p.count[SLOTS]):
        c, width = p.slot_coordinate[k], p.slot_width[k]
        for depth in range(p.slot_length[k]):
            total = 0.0
            for j in range(width):
                total += left[k, depth, j] * wrench[c + j]
            d = chain[k, depth]
            reduced[d] += total * compliance[d] / dt
    expand(s)


@kernel
def slot_wrench(p: Handle, k: int) -> Wrench:
    """The impulses on the body of a slot, about the origin of its tree."""
    wrench, c = p.wrench, p.slot_coordinate[k]
    first = (wrench[c], wrench[c + 1], wrench[c + 2])
    if p.slot_width[k] == 3:
        return cross(load3(p.slot_place, k), first), first
    return first, (wrench[c + 3], wrench[c + 4], wrench[c + 5])


@kernel
def hold_impulses(s: SystemHandle, p: Handle, dt: float) -> None:
    """Fill held_force with the impulses over dt as forces in the joints, held_wrench with what acts on each tree.

    So bodies of a tree that hold each other, by meganewtons where they touch next to a joint's axis, do so wherever the
    tree moves: were these wrenches held on the bodies, they would not cancel any more.
    """
    wrench, held = p.wrench, s.held_wrench
    hold_nothing(s)
    for k in range(p.count[SLOTS]):
        c, d = p.slot_coordinate[k], p.slot_dof[k]
        if p.slot_width[k] == 1:
            s.held_force[d] = wrench[c] / dt
        else:
            store_motion(held, s.dof_body[d], scale_motion(1.0 / dt, slot_wrench(p, k)))
    for i in range(len(s.parent) - 1, -1, -1):
        f, parent = load_motion(held, i), s.parent[i]
        if parent < 0:
            store_motion(held, i, move_wrench(scale(-1.0, load3(s.position, i)), f))
            continue
        for d in range(s.v_start[i], s.v_end[i]):
            s.held_force[d] += power(load_motion(s.freedom, d), f)
        store_motion(held, parent, add_motion(load_motion(held, parent), f))
        store_motion(held, i, STILL)
