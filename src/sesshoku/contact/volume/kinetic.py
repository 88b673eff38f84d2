"""Friction of a patch that slips (paper 3, eqs. 32–34): at each corner against its velocity.

The normal force and its centre leave open how the corners share it. A linear program takes the loads whose friction is
most like the one that would have made the patch stick; where it leaves them open, they are spread evenly.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact.volume.patch import lever
from sesshoku.contact.volume.pressure import Pressure, coordinates, press
from sesshoku.contact.volume.simplex import ARTIFICIAL, COLUMN, COST, VALUE, Column, dual, enter
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Motion, Wrench
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["kinetic"]

Array = NDArray[np.float64]

NOTHING: Final = 1e-12  # a smaller normal force [N], or impulse [N s], is none
STILL: Final = 1e-12  # speed of a corner below which its friction fades [m/s]
SMALL: Final = 0.05  # of the largest friction: a component of that size or less weighs less
# Of what is maximised: less is not worth a change. A share of 1e-9 in a component, which is noise, weighs 4e-7, and
# several times that where corners are far from the first three.
GAIN: Final = 1e-5
NARROW: Final = 1e-9  # determinant of what the chosen corners span, of squares of barycentric coordinates
ROUNDING: Final = 1e-10  # of all loads
STEPS: Final = 20  # of Newton's method, most


@kernel
def kinetic(section: Array, number: int, basis: Array, wrench: Wrench, slip: Motion, friction: float) -> Wrench:
    """The wrench with the normal force and centre of pressure of a wrench that would stick, and with kinetic friction.

    ``slip`` is the velocity of B against A at the centroid, in axes (e1, e2, n).
    """
    moment, force = wrench
    if not force[2] > NOTHING:
        return (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    p = press(section, number, basis, wrench)
    most = friction * force[2]
    size = lever(section, number, (0.0, 0.0)) if number > 1 else 1.0
    k = (_weight(force[0] / most), _weight(force[1] / most), _weight(moment[2] / (most * size)) / size)
    _choose_corners(p, basis, k, slip)
    f1, f2, tn = scale(most, _shared(p, basis, k, slip))
    return (force[2] * p.centre[1], -force[2] * p.centre[0], tn), (f1, f2, force[2])


@kernel
def _choose_corners(p: Pressure, basis: Array, k: Vec3, slip: Motion) -> None:
    """Maximise the friction of the loads, weighed by k (eqs. 33, 34)."""
    for i in range(min(p.number, 3)):
        basis[i, COST] = dot(k, _friction(p.section, int(basis[i, COLUMN]), slip))
    for _ in range(10 * p.number):
        y = dual(basis)
        corner, gain = 0, 0.0
        for j in range(p.number):
            more = _gain(p, j, k, slip, y)
            if more > gain + GAIN:
                corner, gain = j, more
        b = coordinates(p.triangle, (p.section[corner, 0], p.section[corner, 1]))
        cost = dot(k, _friction(p.section, corner, slip))
        if gain == 0.0 or not enter(basis, (b[0], b[1], b[2], 0.0, 0.0), cost, corner):
            break


@kernel
def _gain(p: Pressure, corner: int, k: Vec3, slip: Motion, y: Column) -> float:
    """What is maximised rises by this much per unit of load at a corner."""
    b = coordinates(p.triangle, (p.section[corner, 0], p.section[corner, 1]))
    return dot(k, _friction(p.section, corner, slip)) - (y[0] * b[0] + y[1] * b[1] + y[2] * b[2])


@kernel
def _shared(p: Pressure, basis: Array, k: Vec3, slip: Motion) -> Vec3:
    """(f1, f2, tn) for a unit normal force and unit friction: by all corners that are as good as the basic ones.

    Often more than three are: a square that spins and slides has up to 0.28 of its friction sideways by two of its
    corners, and none by four. Of all their loads those of least squares are max(0, s·b) with barycentric coordinates b
    and a slope s, which Newton's method finds in few steps; if it does not, the loads of the basis remain.
    """
    y, load = dual(basis), coordinates(p.triangle, p.centre)
    slope = (1.0, 1.0, 1.0)
    for _ in range(STEPS):
        missing, total = load, (0.0, 0.0, 0.0)
        r0 = r1 = r2 = total
        for j in range(p.number):
            b = coordinates(p.triangle, (p.section[j, 0], p.section[j, 1]))
            share = dot(slope, b)
            if share > 0.0 and _gain(p, j, k, slip, y) >= -GAIN:
                total = add(total, scale(share, _friction(p.section, j, slip)))
                missing = subtract(missing, scale(share, b))
                r0, r1, r2 = add(r0, scale(b[0], b)), add(r1, scale(b[1], b)), add(r2, scale(b[2], b))
        if norm(missing) <= ROUNDING:
            return total
        x0, x1, x2 = cross(r1, r2), cross(r2, r0), cross(r0, r1)
        det = dot(r0, x0)
        if det <= NARROW:  # a line, a point
            break
        slope = scale(1.0 / det, add(scale(load[0], x0), add(scale(load[1], x1), scale(load[2], x2))))
    total = (0.0, 0.0, 0.0)
    for i in range(3):
        if basis[i, COLUMN] != ARTIFICIAL:
            total = add(total, scale(basis[i, VALUE], _friction(p.section, int(basis[i, COLUMN]), slip)))
    return total


@kernel
def _friction(section: Array, k: int, slip: Motion) -> Vec3:
    """(f1, f2, tn) of a unit force at corner k against its velocity."""
    x, y = section[k, 0], section[k, 1]
    w, v = slip[0][2], slip[1]
    v1, v2 = v[0] - w * y, v[1] + w * x
    against = -1.0 / max(STILL, sqrt(v1 * v1 + v2 * v2))
    return against * v1, against * v2, against * (x * v2 - y * v1)


@kernel
def _weight(share: float) -> float:
    """What a component of the friction weighs, by its share of the largest: 1 / share, but nought at nought.

    As printed the weight is 1 / share everywhere: the sign of a rounding would then decide the loads.
    """
    return share / (share * share + SMALL * SMALL)
