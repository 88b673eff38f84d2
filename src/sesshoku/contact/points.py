"""From contacts of the space to points of the problem, with friction, bias and the impulses of the last step."""

from __future__ import annotations

from math import inf
from typing import Final

from sesshoku.constraint.point import place_point
from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import OPEN, SLIP, split
from sesshoku.contact.elastic import carry, make_elastic, spin_about
from sesshoku.contact.flow import relative
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import velocity_at
from sesshoku.spatial.row import load3, load_motion, store3
from sesshoku.spatial.vector import Vec3, add, dot, norm, scale, subtract

__all__ = [
    "COMPLIANCE",
    "KINETIC",
    "RESTITUTION",
    "SLOP",
    "STATIC",
    "STILL",
    "coefficient",
    "contact_tree",
    "fill_point",
    "from_tree",
    "point_velocity",
    "recall",
    "slip_before",
]

SLOP: Final = 1e-5  # depth that is left alone and, in heaps, gap that is none [m, rad]
STILL: Final = 1e-6  # a new contact slower than this begins at rest [m/s]
STATIC, KINETIC, RESTITUTION, COMPLIANCE = 0, 1, 2, 3


@kernel
def mean_shear(p: Handle, begin: int, end: int) -> Vec3:
    """Mean elongation of contacts of two shapes that bore something: a new one among them has moved as they have."""
    total, count = (0.0, 0.0, 0.0), 0
    for j in range(begin, end):
        if p.kept_mode[j] != OPEN:
            total, count = add(total, load3(p.kept_shear, j)), count + 1
    return scale(1.0 / max(count, 1), total)


@kernel
def is_between(p: Handle, j: int, low: int, high: int) -> bool:
    """Whether what is kept at j is between these two shapes."""
    return j < p.kept_count[0] and p.kept_shapes[j, 0] == low and p.kept_shapes[j, 1] == high  # type: ignore[no-any-return]


@kernel
def recall(g: SpaceHandle, p: Handle) -> None:
    """Fill force, shear and state of the contacts with impulse and both of the last step, where identity goes on."""
    shapes, feature, kept_shapes, kept_feature = g.shapes, g.feature, p.kept_shapes, p.kept_feature
    begin, known = 0, p.kept_count[0]
    for k in range(g.count[0]):
        low, high = min(shapes[k, 0], shapes[k, 1]), max(shapes[k, 0], shapes[k, 1])
        if is_between(p, k, low, high) and kept_feature[k] == feature[k]:  # mostly it stands where it stood
            impulse, shear, mode = load3(p.kept_impulse, k), load3(p.kept_shear, k), p.kept_mode[k]
        else:
            while begin < known and (
                kept_shapes[begin, 0] < low or (kept_shapes[begin, 0] == low and kept_shapes[begin, 1] < high)
            ):
                begin += 1
            j = begin
            while is_between(p, j, low, high) and kept_feature[j] != feature[k]:
                j += 1
            if is_between(p, j, low, high):
                impulse, shear, mode = load3(p.kept_impulse, j), load3(p.kept_shear, j), p.kept_mode[j]
            else:
                impulse, shear, mode = (0.0, 0.0, 0.0), mean_shear(p, begin, j), OPEN
        store3(p.force, k, impulse)
        store3(p.shear, k, shear)
        p.state[k] = mode


@kernel
def from_tree(s: SystemHandle, i: int, point: Vec3) -> Vec3:
    """A point of the world from the origin of the tree of body i; zero for the world, where nobody looks at it."""
    return subtract(point, load3(s.origin, s.root[i])) if i >= 0 else (0.0, 0.0, 0.0)


@kernel
def point_velocity(s: SystemHandle, i: int, x: Vec3) -> Vec3:
    """Velocity of body i at x from its tree's origin, at the start of the step; the world rests."""
    return velocity_at(load_motion(s.velocity, i), x) if i >= 0 else (0.0, 0.0, 0.0)


@kernel
def slip_before(s: SystemHandle, g: SpaceHandle, p: Handle, q: int) -> Vec3:
    """Tangential velocity of B against A at a contact, at the start of the step."""
    k = p.source[q]
    i, j = g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]]
    point = load3(g.point, k)
    before = subtract(point_velocity(s, j, from_tree(s, j, point)), point_velocity(s, i, from_tree(s, i, point)))
    _, slip = split(load3(p.normal, q), before)
    return slip


@kernel
def coefficient(g: SpaceHandle, p: Handle, q: int, which: int) -> float:
    """Of the materials at a contact: STATIC or KINETIC friction, or RESTITUTION."""
    k = p.source[q]
    return p.coefficients[p.material[g.shapes[k, 0]], p.material[g.shapes[k, 1]], which]  # type: ignore[no-any-return]


@kernel
def normal_bias(gap: float, slop: float, restitution: float, before: float, free: float, dt: float) -> float:
    """What is added to the normal velocity: then it must not be negative.

    A gap larger than ``slop`` may close but not further. A body that would strike in this step leaves with its speed of
    approach times the restitution. Depth must not grow; it is taken back elsewhere, see separate.py.
    """
    if 0.0 < gap <= slop:
        gap = 0.0
    bias = max(gap, 0.0) / dt
    if restitution > 0.0 and before < 0.0 and gap + dt * free < 0.0:
        return min(restitution * before, bias)
    return bias


@kernel
def contact_tree(s: SystemHandle, g: SpaceHandle, k: int) -> int:
    """The tree, by its first body, of one body of a contact."""
    return s.root[max(g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]])]  # type: ignore[no-any-return]


@kernel
def fill_point(
    s: SystemHandle, g: SpaceHandle, p: Handle, q: int, k: int, slop: float, struck: float, dt: float
) -> float:
    """Fill point q of the problem with contact k; needs numbers, responses and free twists.

    A gap up to ``slop`` is none. A sticking contact found faster than ``struck`` has been torn off, if it is rigid.
    Returns the squared velocity of the point with no impulse, with the bias of a rigid one.
    """
    first, second = g.shapes[k, 0], g.shapes[k, 1]
    i, j = g.body[first], g.body[second]
    point, n = load3(g.point, k), load3(g.normal, k)
    x, y = from_tree(s, i, point), from_tree(s, j, point)
    place_point(p, q, i, j, x, y)
    store3(p.normal, q, n)
    along, tangent = split(n, subtract(point_velocity(s, j, y), point_velocity(s, i, x)))
    row, column = p.material[first], p.material[second]
    compliance, restitution = p.coefficients[row, column, COMPLIANCE], p.coefficients[row, column, RESTITUTION]
    fastest = STILL if p.state[k] == OPEN else struck if compliance == 0.0 else inf
    sliding = p.state[k] == SLIP or norm(tangent) > fastest
    p.friction[q] = p.coefficients[row, column, KINETIC if sliding else STATIC]
    free = relative(p, q, p.free)
    gap, slop = g.gap[k], slop if compliance == 0.0 else 0.0
    speed = normal_bias(gap, slop, restitution, along, dot(n, free), dt)
    bias = scale(speed, n)
    store3(p.bias, q, bias)
    store3(p.impulse, q, load3(p.force, k))
    if compliance > 0.0 and (speed >= 0.0 or gap / dt < speed):  # else it strikes, and restitution says what follows
        store3(p.shear, k, carry(load3(p.shear, k), n, dt * spin_about(s, i, j, n)))
        make_elastic(p, q, compliance, gap, load3(p.shear, k), dt)
    free = add(free, bias)
    return dot(free, free)
