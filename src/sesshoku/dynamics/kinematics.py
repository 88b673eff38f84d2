"""Poses, freedoms, velocities and bias accelerations of all bodies, from the root outwards."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.model.joint import FREE, PRISMATIC, REVOLUTE
from sesshoku.spatial.angle import sine_cosine
from sesshoku.spatial.motion import Motion, add_motion, cross_motion, scale_motion
from sesshoku.spatial.rotation import Mat3, axes_of, multiply, normalise, rotate, turn_z
from sesshoku.spatial.row import load3, load9, load_motion, load_quaternion, store3, store9, store_motion
from sesshoku.spatial.vector import Vec3, add, cross, scale

__all__ = ["kinematics"]

Array = NDArray[np.float64]
ZERO = (0.0, 0.0, 0.0)


@kernel
def ball_freedom(freedom: Array, d: int, r: Mat3, x: Vec3, rate: Vec3) -> Motion:
    """Store the three freedoms of a ball joint at x, the body's own axes, and return its relative motion."""
    first, second, third = (r[0], r[3], r[6]), (r[1], r[4], r[7]), (r[2], r[5], r[8])
    store_motion(freedom, d, (first, cross(x, first)))
    store_motion(freedom, d + 1, (second, cross(x, second)))
    store_motion(freedom, d + 2, (third, cross(x, third)))
    angular = rotate(r, rate)
    return angular, cross(x, angular)


@kernel
def free_bodies(s: Handle) -> None:
    """Free bodies, each of which begins a tree: its own place is the tree's origin."""
    q, v, freedom, kind = s.q, s.v, s.freedom, s.kind
    against_gravity = (-s.gravity[0], -s.gravity[1], -s.gravity[2])
    for i in range(len(kind)):
        if kind[i] != FREE:
            continue
        c, d = s.q_start[i], s.v_start[i]
        r = axes_of(normalise(load_quaternion(q, c + 3)))
        store_motion(freedom, d, (ZERO, (1.0, 0.0, 0.0)))
        store_motion(freedom, d + 1, (ZERO, (0.0, 1.0, 0.0)))
        store_motion(freedom, d + 2, (ZERO, (0.0, 0.0, 1.0)))
        linear = (v[d], v[d + 1], v[d + 2])
        angular, _ = ball_freedom(freedom, d + 3, r, ZERO, (v[d + 3], v[d + 4], v[d + 5]))
        store3(s.origin, i, (q[c], q[c + 1], q[c + 2]))
        store9(s.rotation, i, r)
        store3(s.position, i, ZERO)
        store_motion(s.velocity, i, (angular, linear))
        # at zero v̇ the body's own place moves on straight; the spatial acceleration sees that as linear × angular
        store_motion(s.bias_acceleration, i, (ZERO, add(against_gravity, cross(linear, angular))))


@kernel
def sines_and_cosines(s: Handle) -> None:
    """Of all coordinates, angles or not: a loop without branches runs four at a time."""
    q, sine, cosine = s.q, s.sine, s.cosine
    for c in range(len(q)):
        sine[c], cosine[c] = sine_cosine(q[c])


@kernel
def jointed_bodies(s: Handle) -> None:
    """Bodies on revolute, prismatic and ball joints, parents first."""
    q, v, parent, order, kind, q_start, v_start = s.q, s.v, s.parent, s.order, s.kind, s.q_start, s.v_start
    placement_position, placement_rotation = s.placement_position, s.placement_rotation
    rotation, position, freedom, velocity = s.rotation, s.position, s.freedom, s.velocity
    bias_acceleration, gravity, sine, cosine = s.bias_acceleration, s.gravity, s.sine, s.cosine
    for k in range(len(order)):
        i = order[k]
        p, qi, vi = parent[i], q_start[i], v_start[i]
        if kind[i] == FREE:
            continue
        if p < 0:
            store3(s.origin, i, load3(placement_position, i))
            r, x = load9(placement_rotation, i), ZERO
            motion, acceleration = (ZERO, ZERO), (ZERO, (-gravity[0], -gravity[1], -gravity[2]))
        else:
            outer = load9(rotation, p)
            r = multiply(outer, load9(placement_rotation, i))
            x = add(load3(position, p), rotate(outer, load3(placement_position, i)))
            motion, acceleration = load_motion(velocity, p), load_motion(bias_acceleration, p)
        if kind[i] == REVOLUTE:
            r = turn_z(r, cosine[qi], sine[qi])
            axis = (r[2], r[5], r[8])
            column = (axis, cross(x, axis))
            store_motion(freedom, vi, column)
            relative = scale_motion(v[vi], column)
        elif kind[i] == PRISMATIC:
            axis = (r[2], r[5], r[8])
            x = add(x, scale(q[qi], axis))
            column = (ZERO, axis)
            store_motion(freedom, vi, column)
            relative = scale_motion(v[vi], column)
        else:
            r = multiply(r, axes_of(normalise(load_quaternion(q, qi))))
            relative = ball_freedom(freedom, vi, r, x, (v[vi], v[vi + 1], v[vi + 2]))
        store9(rotation, i, r)
        store3(position, i, x)
        store_motion(velocity, i, add_motion(motion, relative))
        store_motion(bias_acceleration, i, add_motion(acceleration, cross_motion(motion, relative)))


@kernel
def kinematics(s: Handle) -> None:
    """Fill origin, rotation, position, freedom, velocity and bias_acceleration from q and v."""
    sines_and_cosines(s)
    free_bodies(s)
    jointed_bodies(s)
