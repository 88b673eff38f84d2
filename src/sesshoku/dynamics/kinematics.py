"""Poses, freedoms, velocities and bias accelerations of all bodies, from the root outwards."""

from __future__ import annotations

from math import cos, sin

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.model.joint import FREE, PRISMATIC, REVOLUTE
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
def free_body(s: Handle, i: int, qi: int, vi: int) -> None:
    """A free body, which begins a tree: its own place is the tree's origin."""
    q, v = s.q, s.v
    store3(s.origin, i, (q[qi], q[qi + 1], q[qi + 2]))
    r = axes_of(normalise(load_quaternion(q, qi + 3)))
    store_motion(s.freedom, vi, (ZERO, (1.0, 0.0, 0.0)))
    store_motion(s.freedom, vi + 1, (ZERO, (0.0, 1.0, 0.0)))
    store_motion(s.freedom, vi + 2, (ZERO, (0.0, 0.0, 1.0)))
    store_motion(s.freedom, vi + 3, ((r[0], r[3], r[6]), ZERO))
    store_motion(s.freedom, vi + 4, ((r[1], r[4], r[7]), ZERO))
    store_motion(s.freedom, vi + 5, ((r[2], r[5], r[8]), ZERO))
    linear = (v[vi], v[vi + 1], v[vi + 2])
    angular = rotate(r, (v[vi + 3], v[vi + 4], v[vi + 5]))
    # at zero v̇ the body's own place moves on straight; the spatial acceleration sees that as linear × angular
    against_gravity = scale(-1.0, (s.gravity[0], s.gravity[1], s.gravity[2]))
    store9(s.rotation, i, r)
    store3(s.position, i, ZERO)
    store_motion(s.velocity, i, (angular, linear))
    store_motion(s.bias_acceleration, i, (ZERO, add(against_gravity, cross(linear, angular))))


@kernel
def kinematics(s: Handle) -> None:
    """Fill origin, rotation, position, freedom, velocity and bias_acceleration from q and v."""
    q, v, parent, kind, q_start, v_start = s.q, s.v, s.parent, s.kind, s.q_start, s.v_start
    placement_position, placement_rotation, origin = s.placement_position, s.placement_rotation, s.origin
    rotation, position, freedom, velocity = s.rotation, s.position, s.freedom, s.velocity
    bias_acceleration, gravity = s.bias_acceleration, s.gravity
    for i in range(len(kind)):
        p, qi, vi = parent[i], q_start[i], v_start[i]
        if kind[i] == FREE:
            free_body(s, i, qi, vi)
            continue
        if p < 0:
            store3(origin, i, load3(placement_position, i))
            r, x = load9(placement_rotation, i), ZERO
            motion, acceleration = (ZERO, ZERO), (ZERO, (-gravity[0], -gravity[1], -gravity[2]))
        else:
            store3(origin, i, load3(origin, p))
            outer = load9(rotation, p)
            r = multiply(outer, load9(placement_rotation, i))
            x = add(load3(position, p), rotate(outer, load3(placement_position, i)))
            motion, acceleration = load_motion(velocity, p), load_motion(bias_acceleration, p)
        if kind[i] == REVOLUTE:
            r = turn_z(r, cos(q[qi]), sin(q[qi]))
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
