"""Centre of mass, momentum and energy of everything that moves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics.drive import spring_energy
from sesshoku.dynamics.load import place
from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.inertia import apply_inertia
from sesshoku.spatial.motion import add_motion, move_wrench, power
from sesshoku.spatial.row import load3, load6, load_motion
from sesshoku.spatial.vector import Vec3, add, dot, scale

__all__ = ["centre_of_mass", "energy", "momentum"]

Array = NDArray[np.float64]


@kernel
def centre_of_mass(s: Handle) -> Vec3:
    """Of all moving bodies, in the world [m]; needs body_wrenches."""
    total, sum_ = 0.0, (0.0, 0.0, 0.0)
    for i in range(len(s.mass)):
        total += s.mass[i]
        sum_ = add(sum_, add(load3(s.first_moment, i), scale(s.mass[i], load3(s.origin, s.root[i]))))
    return scale(1.0 / total if total > 0.0 else 0.0, sum_)


@kernel
def momentum(s: Handle, point: Vec3, out: Array) -> None:
    """Fill (6,): linear momentum, and angular momentum about ``point`` of the world; needs body_wrenches.

    Rotor inertia (armature) has no place in space and is not part of it.
    """
    total = ((0.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    for i in range(len(s.mass)):
        own = apply_inertia(s.mass[i], load3(s.first_moment, i), load6(s.moments, i), load_motion(s.velocity, i))
        total = add_motion(total, move_wrench(add(load3(s.origin, s.root[i]), scale(-1.0, point)), own))
    out[0], out[1], out[2] = total[1]
    out[3], out[4], out[5] = total[0]


@kernel
def energy(s: Handle, out: Array) -> None:
    """Fill (2,): kinetic energy with rotors, potential energy of gravity and springs [J]; needs body_wrenches.

    Heights count from the world's origin.
    """
    kinetic, gravity = 0.0, (s.gravity[0], s.gravity[1], s.gravity[2])
    for i in range(len(s.mass)):
        v = load_motion(s.velocity, i)
        kinetic += 0.5 * power(v, apply_inertia(s.mass[i], load3(s.first_moment, i), load6(s.moments, i), v))
    for d in range(len(s.v)):
        kinetic += 0.5 * s.armature[d] * s.v[d] * s.v[d]
    total = 0.0
    for i in range(len(s.mass)):
        total += s.mass[i]
    potential = spring_energy(s) - total * dot(gravity, centre_of_mass(s))
    for k in range(len(s.lift_body)):
        i = s.lift_body[k]
        here = add(load3(s.origin, s.root[i]), place(s, i, load3(s.lift_position, k)))
        potential += s.lift_mass[k] * dot(gravity, here)
    out[0], out[1] = kinetic, potential
