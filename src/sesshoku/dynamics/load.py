"""What acts on the bodies from outside: wrenches of the user, carried weights, the medium.

All are subtracted from ``wrench``, which then is what the joints must give.
"""

from __future__ import annotations

from math import pi

from sesshoku.dynamics.system import EXTERNAL, Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Wrench, add_motion, move_wrench, scale_motion, velocity_at
from sesshoku.spatial.rotation import multiply, rotate, rotate_back
from sesshoku.spatial.row import load3, load9, load_motion, store_motion
from sesshoku.spatial.vector import Vec3, add, scale, subtract

__all__ = ["held_wrenches", "hold_nothing", "loads", "place", "subtract_wrench"]


@kernel
def loads(s: Handle) -> None:
    """Subtract every load from wrench; needs body_wrenches."""
    if s.flags[EXTERNAL] != 0:
        external_wrenches(s)
    for k in range(len(s.lift_body)):
        i = s.lift_body[k]
        weight = scale(s.lift_mass[k], (s.gravity[0], s.gravity[1], s.gravity[2]))
        subtract_wrench(s, i, place(s, i, load3(s.lift_position, k)), ((0.0, 0.0, 0.0), scale(-1.0, weight)))
    for k in range(len(s.fluid_body)):
        fluid_drag(s, k)


@kernel
def place(s: Handle, i: int, point: Vec3) -> Vec3:
    """A point of body i, given in its kernel frame, from the tree's origin in world axes."""
    return add(load3(s.position, i), rotate(load9(s.rotation, i), point))


@kernel
def subtract_wrench(s: Handle, i: int, point: Vec3, f: Wrench) -> None:
    """Take a wrench about ``point`` that acts on body i off what the joints must give."""
    store_motion(s.wrench, i, add_motion(load_motion(s.wrench, i), scale_motion(-1.0, move_wrench(point, f))))


@kernel
def external_wrenches(s: Handle) -> None:
    """The wrenches the user has put on bodies, about their centres of mass."""
    for i in range(len(s.mass)):
        force, moment = load_motion(s.external, i)
        subtract_wrench(s, i, place(s, i, load3(s.com, i)), (moment, force))


@kernel
def hold_nothing(s: Handle) -> None:
    """No wrenches nor forces of contact are held."""
    s.held_wrench[:] = 0.0
    s.held_force[:] = 0.0


@kernel
def held_wrenches(s: Handle) -> None:
    """The wrenches of contact held over a step, each on the first body of its tree: they go along with it.

    What bodies of a tree do to each other is in held_force.
    """
    for i in range(len(s.mass)):
        subtract_wrench(s, i, load3(s.position, i), load_motion(s.held_wrench, i))


@kernel
def fluid_drag(s: Handle, k: int) -> None:
    """Viscous and quadratic drag on the box of equal inertia, in its own axes (the inertia-box model of MuJoCo)."""
    i, density, viscosity = s.fluid_body[k], s.medium[0], s.medium[1]
    axes = multiply(load9(s.rotation, i), load9(s.fluid_rotation, k))
    centre = place(s, i, load3(s.fluid_position, k))
    v = load_motion(s.velocity, i)
    wind = (s.medium[2], s.medium[3], s.medium[4])
    w = rotate_back(axes, v[0])
    u = rotate_back(axes, subtract(velocity_at(v, centre), wind))
    a, b, c = load3(s.fluid_size, k)
    diameter = (a + b + c) / 3.0
    linear, angular = 3.0 * pi * viscosity * diameter, pi * viscosity * diameter**3
    force = (
        -(linear + 0.5 * density * b * c * abs(u[0])) * u[0],
        -(linear + 0.5 * density * a * c * abs(u[1])) * u[1],
        -(linear + 0.5 * density * a * b * abs(u[2])) * u[2],
    )
    moment = (
        -(angular + density * a * (b**4 + c**4) / 64.0 * abs(w[0])) * w[0],
        -(angular + density * b * (a**4 + c**4) / 64.0 * abs(w[1])) * w[1],
        -(angular + density * c * (a**4 + b**4) / 64.0 * abs(w[2])) * w[2],
    )
    subtract_wrench(s, i, centre, (rotate(axes, moment), rotate(axes, force)))
