"""Inertias in world axes, and the wrench each body needs to follow its bias acceleration (Newton–Euler)."""

from __future__ import annotations

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.inertia import about_origin, apply_inertia, rotate_symmetric
from sesshoku.spatial.motion import add_motion, cross_force
from sesshoku.spatial.rotation import rotate
from sesshoku.spatial.row import load3, load6, load9, load_motion, store3, store6, store_motion
from sesshoku.spatial.vector import add, scale

__all__ = ["body_wrenches"]


@kernel
def body_wrenches(s: Handle) -> None:
    """Fill first_moment, moments and wrench = I a + v ×* I v of each body; needs kinematics."""
    rotation, position, velocity, acceleration = s.rotation, s.position, s.velocity, s.bias_acceleration
    mass, com, inertia = s.mass, s.com, s.inertia
    first_moment, moments, wrench = s.first_moment, s.moments, s.wrench
    for i in range(len(mass)):
        m, r = mass[i], load9(rotation, i)
        centre = add(load3(position, i), rotate(r, load3(com, i)))
        first = scale(m, centre)
        about = about_origin(m, centre, rotate_symmetric(r, load6(inertia, i)))
        v = load_motion(velocity, i)
        momentum = apply_inertia(m, first, about, v)
        rate = apply_inertia(m, first, about, load_motion(acceleration, i))
        store3(first_moment, i, first)
        store6(moments, i, about)
        store_motion(wrench, i, add_motion(rate, cross_force(v, momentum)))
