"""A free body that turns fast, by itself: its spin by the implicit midpoint rule, its momentum that of its mass centre.

In body axes I (ω₁ − ω₀)/dt + ω × I ω = τ with ω = (ω₀ + ω₁)/2 keeps energy and the size of the angular momentum where
nothing turns the body (τ = 0), up to two radians in a step; beyond, the equation is not always solved. The torque, and
the acceleration of the mass centre, are those of the acceleration that was found at the start.
"""

from __future__ import annotations

from typing import Final

from sesshoku.dynamics.system import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.inertia import Sym3, apply_symmetric
from sesshoku.spatial.rotation import axes_of, exponential, rotate
from sesshoku.spatial.row import load3, load6, load9
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = ["spin_after", "tumble"]

PASSES: Final = 8  # of Newton's method; three suffice up to half a radian a step
ENOUGH: Final = 1e-10  # relative change of the spin that ends them: of a slender body rounding is more than 1e-14


@kernel
def solve3(a: Vec3, b: Vec3, c: Vec3, y: Vec3) -> Vec3:
    """x with x₀ a + x₁ b + x₂ c = y."""
    normal = cross(b, c)
    whole = dot(a, normal)
    return dot(y, normal) / whole, dot(a, cross(y, c)) / whole, dot(a, cross(b, y)) / whole


@kernel
def spin_after(inertia: Sym3, spin: Vec3, torque: Vec3, dt: float) -> tuple[Vec3, bool]:
    """ω₁ of the implicit midpoint rule, all in body axes, about the centre of mass; and whether it was found."""
    after = spin
    for _ in range(PASSES):
        mean = scale(0.5, add(spin, after))
        momentum = apply_symmetric(inertia, mean)
        change = apply_symmetric(inertia, subtract(after, spin))
        left = add(change, scale(dt, subtract(cross(mean, momentum), torque)))
        # columns of I + dt/2 (ω × I − (I ω) ×)
        columns = (
            column(inertia, mean, momentum, (1.0, 0.0, 0.0), dt),
            column(inertia, mean, momentum, (0.0, 1.0, 0.0), dt),
            column(inertia, mean, momentum, (0.0, 0.0, 1.0), dt),
        )
        step = solve3(columns[0], columns[1], columns[2], left)
        after = subtract(after, step)
        if dot(step, step) <= ENOUGH**2 * dot(after, after):
            return after, True
    return after, False


@kernel
def column(inertia: Sym3, mean: Vec3, momentum: Vec3, axis: Vec3, dt: float) -> Vec3:
    """How the midpoint rule changes with ω₁ along an axis."""
    own = apply_symmetric(inertia, axis)
    return add(own, scale(0.5 * dt, subtract(cross(mean, own), cross(momentum, axis))))


@kernel
def tumble(s: Handle, i: int, dt: float) -> None:
    """Replace the acceleration of free body i, found at this instant, by that of the step; needs kinematics.

    Where the torque turns it round within the step it stays as it is.
    """
    d, r = s.v_start[i], load9(s.rotation, i)
    inertia, com = load6(s.inertia, i), load3(s.com, i)
    spin = (s.v[d + 3], s.v[d + 4], s.v[d + 5])
    rate = (s.acceleration[d], s.acceleration[d + 1], s.acceleration[d + 2])
    turning = (s.acceleration[d + 3], s.acceleration[d + 4], s.acceleration[d + 5])
    torque = add(apply_symmetric(inertia, turning), cross(spin, apply_symmetric(inertia, spin)))
    after, found = spin_after(inertia, spin, torque, dt)
    if not found:
        return
    # the mass centre goes on as it was accelerated; its place in the body turns with it
    drawn = add(cross(turning, com), cross(spin, cross(spin, com)))
    moved = rotate(axes_of(exponential(scale(dt, after))), com)
    swing = subtract(cross(spin, com), cross(after, moved))
    linear = add(rate, rotate(r, add(drawn, scale(1.0 / dt, swing))))
    s.acceleration[d], s.acceleration[d + 1], s.acceleration[d + 2] = linear
    s.acceleration[d + 3], s.acceleration[d + 4], s.acceleration[d + 5] = scale(1.0 / dt, subtract(after, spin))
