"""The kernels that Python calls: each takes the address of a `System` and runs the stages it needs."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.articulated import expand, factor, solve
from sesshoku.dynamics.bias import body_wrenches
from sesshoku.dynamics.inertia import factor_matrix, inertia_matrix, solve_matrix
from sesshoku.dynamics.integrate import advance, difference
from sesshoku.dynamics.inverse import inverse_dynamics
from sesshoku.dynamics.jacobian import drift, jacobian
from sesshoku.dynamics.kinematics import kinematics
from sesshoku.dynamics.load import place, subtract_wrench
from sesshoku.dynamics.momentum import centre_of_mass, energy, momentum
from sesshoku.dynamics.relative import relative_motion
from sesshoku.dynamics.system import at
from sesshoku.dynamics.test_force import test_force
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, subtract

__all__ = [
    "fill_drift",
    "fill_jacobian",
    "fill_matrix",
    "fill_relative_motion",
    "point_of",
    "prepare",
    "run_advance",
    "run_com",
    "run_difference",
    "run_energy",
    "run_forward",
    "run_forward_by_matrix",
    "run_inverse",
    "run_kinematics",
    "run_loaded_inverses",
    "run_momentum",
    "run_solve",
    "run_test_force",
]

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@kernel
def prepare(address: int) -> None:
    """Everything about this instant: kinematics, inertias and bias wrenches."""
    s = at(address)
    kinematics(s)
    body_wrenches(s)
    for d in range(len(s.diagonal)):
        s.diagonal[d] = s.armature[d]


@kernel
def run_kinematics(address: int) -> None:
    """Poses and velocities."""
    kinematics(at(address))


@kernel
def fill_matrix(address: int, out: Array) -> None:
    """The inertia matrix as a full one."""
    s = at(address)
    prepare(address)
    inertia_matrix(s)
    for d in range(len(s.row)):
        e = d
        while e >= 0:
            out[d, e] = out[e, d] = s.matrix[s.row[d] + s.dof_depth[e]]
            e = s.dof_parent[e]


@kernel
def run_inverse(address: int, rate: Array, out: Array) -> None:
    """Inverse dynamics."""
    prepare(address)
    inverse_dynamics(at(address), rate, out)


@kernel
def run_loaded_inverses(address: int, rates: Array, body: Index, point: Array, forces: Array, out: Array) -> None:
    """Inverse dynamics for each v̇ of (m, nv) with its forces of (m, k, 3) on bodies (-1: none) at points (k, 3).

    Leaves in ``carried`` what acts on each body through its joint in the last one, about the tree's origin.
    """
    s = at(address)
    for call in range(len(rates)):
        prepare(address)
        for k in range(len(body)):
            i = body[k]
            if i >= 0:
                here = subtract(load3(point, k), load3(s.origin, s.root[i]))
                force = (forces[call, k, 0], forces[call, k, 1], forces[call, k, 2])
                subtract_wrench(s, i, here, ((0.0, 0.0, 0.0), force))
        for d in range(len(s.applied)):
            s.applied[d] = rates[call, d]
        inverse_dynamics(s, s.applied, s.reduced)
        for d in range(len(s.applied)):
            out[call, d] = s.reduced[d]


@kernel
def run_forward(address: int, q: Array, v: Array, tau: Array, out: Array) -> None:
    """Forward dynamics by articulated bodies."""
    s = at(address)
    for k in range(len(s.q)):
        s.q[k] = q[k]
    for d in range(len(s.v)):
        s.v[d] = v[d]
    prepare(address)
    factor(s, tau, s.wrench)
    expand(s)
    for d in range(len(out)):
        out[d] = s.acceleration[d]


@kernel
def run_forward_by_matrix(address: int, x: Array) -> None:
    """Forward dynamics by the sparse factor; x is the force, then the acceleration."""
    s = at(address)
    prepare(address)
    inertia_matrix(s)
    factor_matrix(s)
    for d in range(len(x)):
        s.applied[d] = 0.0
    inverse_dynamics(s, s.applied, s.reduced)
    for d in range(len(x)):
        x[d] -= s.reduced[d]
    solve_matrix(s, x)


@kernel
def run_solve(address: int, x: Array) -> None:
    """M⁻¹ times each column, by articulated bodies."""
    s = at(address)
    prepare(address)
    s.wrench[:] = 0.0
    factor(s, s.applied, s.wrench)
    for column in range(x.shape[1]):
        for d in range(len(s.applied)):
            s.applied[d] = x[d, column]
        solve(s, s.applied, s.wrench)
        for d in range(len(s.applied)):
            x[d, column] = s.acceleration[d]


@kernel
def point_of(address: int, i: int, point: Array) -> Vec3:
    """A point of body i, given in its kernel frame, from the tree's origin in world axes."""
    return place(at(address), i, (point[0], point[1], point[2]))


@kernel
def fill_jacobian(address: int, i: int, point: Array, out: Array) -> None:
    """Jacobian of a point of body i."""
    kinematics(at(address))
    jacobian(at(address), i, point_of(address, i, point), out)


@kernel
def fill_drift(address: int, i: int, point: Array, out: Array) -> None:
    """J̇ v of a point of body i."""
    kinematics(at(address))
    drift(at(address), i, point_of(address, i, point), out)


@kernel
def fill_relative_motion(
    address: int, body: Index, point: Array, carrier: Index, position: Array, velocity: Array, drift: Array
) -> None:
    """Where points (k, 3) of bodies are, and how they move as their carriers see it, (k, 3) each."""
    s = at(address)
    kinematics(s)
    for k in range(len(body)):
        x, speed, rate = relative_motion(s, body[k], load3(point, k), carrier[k])
        store3(position, k, x)
        store3(velocity, k, speed)
        store3(drift, k, rate)


@kernel
def run_com(address: int) -> Vec3:
    """Centre of mass."""
    prepare(address)
    return centre_of_mass(at(address))


@kernel
def run_momentum(address: int, about: Vec3, out: Array) -> None:
    """Momentum about a point."""
    prepare(address)
    momentum(at(address), about, out)


@kernel
def run_energy(address: int, out: Array) -> None:
    """Kinetic and potential energy."""
    prepare(address)
    energy(at(address), out)


@kernel
def run_test_force(address: int, bodies: Index, out: Array) -> None:
    """Response of bodies to unit wrenches on them."""
    prepare(address)
    s = at(address)
    factor(s, s.applied, s.wrench)
    test_force(s, bodies, out)


@kernel
def run_advance(address: int, q: Array, v: Array, dt: float) -> None:
    """Move a configuration."""
    advance(at(address), q, v, dt)


@kernel
def run_difference(address: int, start: Array, end: Array, out: Array) -> None:
    """Velocity between two configurations."""
    difference(at(address), start, end, out)
