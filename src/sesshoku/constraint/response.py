"""How the slots respond to impulses on each other, by test forces on the articulated-body factor of the step.

Kokkevis' method, as paper 1 uses it, but for a whole body at once: a unit wrench passed up its ancestors leaves at each
velocity d the generalised force y = Sᵀ f and goes on as f − U y/D. The response of slot a to impulses on slot b is the
sum of yᵃ yᵇ/D over the velocities that both depend on; a unit force on a joint begins with y = 1 and goes on as −U/D.
"""

from __future__ import annotations

import numpy as np

from sesshoku.constraint.problem import NODES, SLOTS, Handle
from sesshoku.dynamics.articulated import expand
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Motion, Wrench, add_motion, move_wrench, power, scale_motion
from sesshoku.spatial.row import load3, load_motion, store_motion
from sesshoku.spatial.vector import scale

__all__ = ["apply_impulses", "free_twists", "hold_impulses", "responses"]

STILL = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))


@kernel
def pass_on(u: Wrench, y: float, f: Wrench) -> Wrench:
    """What is left of a wrench above a velocity that yields: f − U y/D."""
    return add_motion(f, scale_motion(-y, u))


@kernel
def climb(s: SystemHandle, p: Handle, k: int) -> None:
    """Pass the six unit wrenches of a body to the root, side by side."""
    freedom, response, dof_parent, dof_depth = s.freedom, s.response, s.dof_parent, s.dof_depth
    left, chain = p.left, p.chain
    a, b, c = ((1.0, 0.0, 0.0), STILL[0]), ((0.0, 1.0, 0.0), STILL[0]), ((0.0, 0.0, 1.0), STILL[0])
    e, f, g = (STILL[0], (1.0, 0.0, 0.0)), (STILL[0], (0.0, 1.0, 0.0)), (STILL[0], (0.0, 0.0, 1.0))
    d = p.slot_dof[k]
    p.slot_length[k] = dof_depth[d] + 1
    while d >= 0:
        column, u, at = load_motion(freedom, d), load_motion(response, d), np.uintp(dof_depth[d])
        chain[k, at] = d
        y = (
            power(column, a), power(column, b), power(column, c),
            power(column, e), power(column, f), power(column, g),
        )  # fmt: skip
        left[k, at, 0], left[k, at, 1], left[k, at, 2], left[k, at, 3], left[k, at, 4], left[k, at, 5] = y
        a, b, c = pass_on(u, y[0], a), pass_on(u, y[1], b), pass_on(u, y[2], c)
        e, f, g = pass_on(u, y[3], e), pass_on(u, y[4], f), pass_on(u, y[5], g)
        d = dof_parent[d]


@kernel
def climb_from_joint(s: SystemHandle, p: Handle, k: int) -> None:
    """Pass the unit force on a velocity to the root."""
    d = p.slot_dof[k]
    p.slot_length[k] = s.dof_depth[d] + 1
    f, y = STILL, 1.0
    while True:
        depth = s.dof_depth[d]
        p.chain[k, depth], p.left[k, depth, 0] = d, y
        f = pass_on(load_motion(s.response, d), y, f)
        d = s.dof_parent[d]
        if d < 0:
            return
        y = power(load_motion(s.freedom, d), f)


@kernel
def common(p: Handle, a: int, b: int) -> int:
    """Number of velocities that slots a and b both depend on."""
    chain = p.chain
    length: int = min(p.slot_length[a], p.slot_length[b])
    for depth in range(length):
        if chain[a, depth] != chain[b, depth]:
            return depth
    return length


@kernel
def respond_bodies(s: SystemHandle, p: Handle, a: int, b: int, begin: int, stride: int, mirror: int) -> None:
    """Fill the 6x6 response of body a to body b from ``begin`` on, and its transpose from ``mirror`` on."""
    left, chain, compliance, response, length = p.left, p.chain, s.compliance, p.response, common(p, a, b)
    row, other = np.uintp(a), np.uintp(b)
    for j in range(6):
        x = y = z = u = v = w = 0.0
        for k in range(length):
            depth = np.uintp(k)
            share = left[row, depth, np.uintp(j)] * compliance[np.uintp(chain[row, depth])]
            x += share * left[other, depth, 0]
            y += share * left[other, depth, 1]
            z += share * left[other, depth, 2]
            u += share * left[other, depth, 3]
            v += share * left[other, depth, 4]
            w += share * left[other, depth, 5]
        at = begin + j * stride
        response[at], response[at + 1], response[at + 2] = x, y, z
        response[at + 3], response[at + 4], response[at + 5] = u, v, w
        at = mirror + j
        response[at], response[at + stride], response[at + 2 * stride] = x, y, z
        response[at + 3 * stride], response[at + 4 * stride], response[at + 5 * stride] = u, v, w


@kernel
def respond(s: SystemHandle, p: Handle, a: int, b: int) -> None:
    """Fill the response of slots a and b of one node to each other, both ways."""
    node = p.slot_node[a]
    first = p.coordinate_begin[node]
    stride, begin = p.coordinate_begin[node + 1] - first, p.response_begin[node]
    row, column = p.slot_coordinate[a] - first, p.slot_coordinate[b] - first
    here, there = begin + row * stride + column, begin + column * stride + row
    height, width = p.slot_width[a], p.slot_width[b]
    if height == 6 and width == 6:
        respond_bodies(s, p, a, b, here, stride, there)
        return
    length = common(p, a, b)
    for j in range(height):
        for k in range(width):
            total = 0.0
            for depth in range(length):
                total += p.left[a, depth, j] * s.compliance[p.chain[a, depth]] * p.left[b, depth, k]
            p.response[here + j * stride + k] = p.response[there + k * stride + j] = total


@kernel
def responses(s: SystemHandle, p: Handle) -> None:
    """Fill the response Λ of every node; needs the factor."""
    for k in range(p.count[SLOTS]):
        if p.slot_width[k] == 1:
            climb_from_joint(s, p, k)
        else:
            climb(s, p, k)
    for t in range(p.count[NODES]):
        for a in range(p.slot_begin[t], p.slot_begin[t + 1]):
            for b in range(p.slot_begin[t], a + 1):
                respond(s, p, a, b)


@kernel
def free_motion(s: SystemHandle, p: Handle, k: int, dt: float) -> Motion:
    """Motion of the body of a slot, were the velocities v + dt v̇."""
    total = STILL
    for depth in range(p.slot_length[k]):
        d = p.chain[k, depth]
        total = add_motion(total, scale_motion(s.v[d] + dt * s.acceleration[d], load_motion(s.freedom, d)))
    return total


@kernel
def free_twists(s: SystemHandle, p: Handle, dt: float) -> None:
    """Fill free: what the coordinates would be at the end of the step with no impulse; needs responses."""
    free = p.free
    for k in range(p.count[SLOTS]):
        c = p.slot_coordinate[k]
        if p.slot_width[k] == 1:
            d = p.slot_dof[k]
            free[c] = s.v[d] + dt * s.acceleration[d]
        else:
            (free[c], free[c + 1], free[c + 2]), (free[c + 3], free[c + 4], free[c + 5]) = free_motion(s, p, k, dt)


@kernel
def apply_impulses(s: SystemHandle, p: Handle, dt: float) -> None:
    """Solve the step again with the impulses on the slots; needs responses, and what the free step has reduced."""
    reduced, wrench, compliance, left, chain = s.reduced, p.wrench, s.compliance, p.left, p.chain
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
def hold_impulses(s: SystemHandle, p: Handle, dt: float) -> None:
    """Fill held_wrench and held_force with the impulses over dt as forces."""
    wrench = p.wrench
    s.held_wrench[:] = 0.0
    s.held_force[:] = 0.0
    for k in range(p.count[SLOTS]):
        c, d = p.slot_coordinate[k], p.slot_dof[k]
        if p.slot_width[k] == 1:
            s.held_force[d] = wrench[c] / dt
        else:
            i = s.dof_body[d]
            f = (wrench[c], wrench[c + 1], wrench[c + 2]), (wrench[c + 3], wrench[c + 4], wrench[c + 5])
            store_motion(s.held_wrench, i, scale_motion(1.0 / dt, move_wrench(scale(-1.0, load3(s.position, i)), f)))
