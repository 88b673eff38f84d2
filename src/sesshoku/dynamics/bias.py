"""Inertias in world axes, and the wrench each body needs to follow its bias acceleration (Newton–Euler)."""

from __future__ import annotations

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.inertia import about_origin, apply_symmetric, rotate_symmetric
from sesshoku.spatial.motion import move_wrench, velocity_at
from sesshoku.spatial.rotation import rotate
from sesshoku.spatial.row import load3, load6, load9, load_motion, store3, store6, store_motion
from sesshoku.spatial.vector import add, cross, scale

__all__ = ["body_wrenches"]


@kernel
def body_wrenches(s: Handle) -> None:
    """Fill first_moment, moments and wrench of each body; needs kinematics.

    Newton at the centre of mass, Euler about it, then moved to the tree's origin.
    """
    rotation, position, velocity, acceleration = s.rotation, s.position, s.velocity, s.bias_acceleration
    mass, com, inertia = s.mass, s.com, s.inertia
    first_moment, moments, wrench = s.first_moment, s.moments, s.wrench
    for i in range(len(mass)):
        m, r = mass[i], load9(rotation, i)
        centre = add(load3(position, i), rotate(r, load3(com, i)))
        central = rotate_symmetric(r, load6(inertia, i))
        v, a = load_motion(velocity, i), load_motion(acceleration, i)
        # of the material point at the centre of mass: the spatial acceleration lacks angular × its velocity
        rate = add(velocity_at(a, centre), cross(v[0], velocity_at(v, centre)))
        moment = add(apply_symmetric(central, a[0]), cross(v[0], apply_symmetric(central, v[0])))
        store3(first_moment, i, scale(m, centre))
        store6(moments, i, about_origin(m, centre, central))
        store_motion(wrench, i, move_wrench(centre, (moment, scale(m, rate))))
