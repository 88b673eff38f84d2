"""Contact patches: from overlaps to variables, with the velocity that takes them out of each other (paper 3, eqs. 5–9).

As printed the target of a patch is the velocity field that fits k times the depth best, by least squares over the
contact plane, Q⁻¹ k cᵀ n: a turn about e1 and e2 and a normal velocity.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.coulomb import OPEN, SLIP, STICK
from sesshoku.contact.points import KINETIC, RESTITUTION, STATIC, STILL, coefficient, from_tree
from sesshoku.contact.rows import is_contact
from sesshoku.contact.volume.memory import PATCHES, VARIABLES, Handle
from sesshoku.contact.volume.patch import lever
from sesshoku.contact.volume.variables import add_variable, own_response
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.overlap.depth import Moments
from sesshoku.geometry.overlap.find import ContactVolume, find_overlap
from sesshoku.geometry.overlap.workspace import SECTION
from sesshoku.geometry.overlap.workspace import Handle as Overlap
from sesshoku.geometry.polyhedral.select import tangents
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Motion, velocity_at
from sesshoku.spatial.row import load3, load_motion, store3, store_motion
from sesshoku.spatial.vector import Vec3, cross, dot, norm, scale, subtract

__all__ = ["FAITHFUL", "corner_speed", "find_patches"]

GAIN: Final = 1000.0  # k of the paper [1/s]
NARROW: Final = 1e-9  # determinant of Q, of the product of its diagonal: less is a line or a point
FAITHFUL: Final = 3  # of `options`
SMALL: Final = 1e-6  # lever of a patch, at least [m]
RIGID: Final = 1e-12  # share of its response at which a patch does not yield along its normal, and is left alone
STRUCK: Final = 2.0  # times what gravity gives in a step: what sticks and is found faster has been torn off


@kernel
def target(m: Moments) -> Vec3:
    """Turns about e1 and e2 and normal velocity, per k, that fit the depth best over the contact plane [m, 1].

    The velocity at (x, y) is vn + w1 y − w2 x. A plane without width is pushed apart without a turn.
    """
    r0, r1, r2 = (m.yy, -m.xy, m.y), (-m.xy, m.xx, -m.x), (m.y, -m.x, m.area)
    rest = (m.hy, -m.hx, m.h)
    x0, x1, x2 = cross(r1, r2), cross(r2, r0), cross(r0, r1)
    det = dot(r0, x0)
    if det <= NARROW * m.xx * m.yy * m.area:
        return 0.0, 0.0, m.h / m.area
    k = 1.0 / det
    return (
        k * (rest[0] * x0[0] + rest[1] * x1[0] + rest[2] * x2[0]),
        k * (rest[0] * x0[1] + rest[1] * x1[1] + rest[2] * x2[1]),
        k * (rest[0] * x0[2] + rest[1] * x1[2] + rest[2] * x2[2]),
    )


@kernel
def corner_speed(m: Handle, j: int, slip: Motion) -> float:
    """Largest tangential speed of a corner of a patch, for a motion at its centroid in its axes [m/s]."""
    most, section = 0.0, m.section
    for k in range(m.number[j]):
        u, v = slip[1][0] - slip[0][2] * section[j, k, 1], slip[1][1] + slip[0][2] * section[j, k, 0]
        most = max(most, u * u + v * v)
    return sqrt(most)


@kernel
def seen_from(axes: tuple[Vec3, Vec3, Vec3], v: Vec3) -> Vec3:
    """Components along axes."""
    return dot(axes[0], v), dot(axes[1], v), dot(axes[2], v)


@kernel
def motion_before(s: SystemHandle, a: int, b: int, point: Vec3, axes: tuple[Vec3, Vec3, Vec3]) -> Motion:
    """Motion of body b against a at a point at the start of the step, along axes."""
    turn, velocity = (0.0, 0.0, 0.0), (0.0, 0.0, 0.0)
    if b >= 0:
        motion = load_motion(s.velocity, b)
        turn, velocity = motion[0], velocity_at(motion, from_tree(s, b, point))
    if a >= 0:
        motion = load_motion(s.velocity, a)
        turn, velocity = subtract(turn, motion[0]), subtract(velocity, velocity_at(motion, from_tree(s, a, point)))
    return seen_from(axes, turn), seen_from(axes, velocity)


@kernel
def find_patches(s: SystemHandle, g: SpaceHandle, p: Problem, w: Overlap, m: Handle, i: int, dt: float) -> None:
    """Patches and their variables for the overlaps among the contacts of island i; needs responses."""
    q, end = p.point_begin[i], p.point_begin[i + 1]
    while q < end:
        first, k = q, p.source[q]
        q += 1
        if not is_contact(p, first):
            continue
        a, b, depth = g.shapes[k, 0], g.shapes[k, 1], -g.gap[k]
        while q < end and is_contact(p, q) and g.shapes[p.source[q], 0] == a and g.shapes[p.source[q], 1] == b:
            depth = max(depth, -g.gap[p.source[q]])
            q += 1
        if depth > 0.0:
            found = find_overlap(g, w, a, b, p.options[FAITHFUL] == 0.0)
            if found.volume > 0.0:
                add_patch(s, g, p, w, m, first, q, found, dt)


@kernel
def add_patch(
    s: SystemHandle, g: SpaceHandle, p: Problem, w: Overlap, m: Handle, first: int, last: int, found: ContactVolume,
    dt: float,
) -> None:  # fmt: skip
    """A patch for an overlap, with its six variables; points first .. last - 1 are of its shapes."""
    j, k = m.count[PATCHES], p.source[first]
    m.count[PATCHES] = j + 1
    m.first[j], m.last[j] = first, last
    a, b = g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]]
    axes = found.e1, found.e2, found.normal
    number = w.count[SECTION]
    if dot(found.normal, found.normal) == 0.0:  # one inside the other: a point along the shortest way out
        n = load3(p.normal, first)
        e1, e2 = tangents(n)
        axes = e1, e2, n
        number = 0
    m.number[j] = max(number, 1)
    m.section[j, 0, 0] = m.section[j, 0, 1] = 0.0
    for c in range(number):
        m.section[j, c, 0], m.section[j, c, 1] = w.section[c, 0], w.section[c, 1]
    store3(m.centroid, j, found.centroid)
    for axis in range(3):
        for c in range(3):
            m.axes[j, 3 * axis + c] = axes[axis][c]
    before = motion_before(s, a, b, found.centroid, axes)
    store_motion(m.slip, j, before)
    set_target(g, p, m, j, found, before)
    m.static[j], m.kinetic[j] = coefficient(g, p, first, STATIC), coefficient(g, p, first, KINETIC)
    m.caught[j], m.state[j] = 0, STICK
    store3(m.wish, j, (0.0, 0.0, 0.0))
    known, sliding = False, False
    for c in range(first, last):
        known = known or p.state[p.source[c]] != OPEN
        sliding = sliding or p.state[p.source[c]] == SLIP
    gravity = dt * norm((s.gravity[0], s.gravity[1], s.gravity[2]))
    moves = sliding or corner_speed(m, j, before) > (STRUCK * gravity + STILL if known else STILL)
    if p.options[FAITHFUL] == 0.0 and (moves or not m.static[j] > 0.0):
        m.state[j] = SLIP
        wish_to_stop(m, j, before)
    m.began[j] = m.state[j]
    x, y = from_tree(s, a, found.centroid), from_tree(s, b, found.centroid)
    slot_a, slot_b = p.ends[first, 0], p.ends[first, 1]
    nothing, typical = (0.0, 0.0, 0.0), 1.0 / p.scale[first]
    for axis in range(3):
        turn, offset = (axes[axis], nothing), -m.target[j, axis] if axis < 2 else 0.0
        add_variable(m, slot_a, turn, slot_b, turn, offset, 0.0)
    turning = 0.0
    for axis in range(3):
        turning = max(turning, own_response(p, m, 6 * j + axis))
    reach = max(lever(m.section[j], m.number[j], (0.0, 0.0)), SMALL)
    for axis in range(3):
        # a moment of a small patch is of little use: where others do the same, they are to do it
        m.typical[6 * j + axis] = max(turning, typical / (reach * reach))
    for axis in range(3):
        e, offset = axes[axis], -m.target[j, 2] if axis == 2 else 0.0
        add_variable(m, slot_a, (cross(x, e), e), slot_b, (cross(y, e), e), offset, typical)
    if own_response(p, m, 6 * j + 5) < RIGID * typical:  # a rail that leaves it no way along its normal
        m.count[PATCHES], m.count[VARIABLES] = j, 6 * j


@kernel
def set_target(g: SpaceHandle, p: Problem, m: Handle, j: int, found: ContactVolume, before: Motion) -> None:
    """Fill target, and the integrals that weigh errors of the velocity.

    As printed the law drives bodies apart by their velocity. Contact cannot take it back again, so they hop: by default
    they are moved apart without speed (contact/separate.py), and the target is rest, or a bounce.
    """
    moments = found.moments
    m.weight[j, 0], m.weight[j, 1], m.weight[j, 2] = moments.area, moments.x, moments.y
    m.weight[j, 3], m.weight[j, 4], m.weight[j, 5] = moments.xx, moments.xy, moments.yy
    wanted = (0.0, 0.0, 0.0)
    if p.options[FAITHFUL] != 0.0 and moments.area > 0.0:
        wanted = scale(GAIN, target(moments))
    bounce = -coefficient(g, p, m.first[j], RESTITUTION) * before[1][2]
    store3(m.target, j, (wanted[0], wanted[1], max(wanted[2], bounce)))


@kernel
def wish_to_stop(m: Handle, j: int, slip: Motion) -> None:
    """What friction is to be like where a patch slips from the start: against its motion."""
    reach = lever(m.section[j], m.number[j], (0.0, 0.0))
    turn, velocity = slip
    f1, f2, tn = -velocity[0], -velocity[1], -reach * turn[2]
    size = sqrt(f1 * f1 + f2 * f2 + tn * tn)
    if size > 0.0:
        store3(m.wish, j, (f1 / size, f2 / size, reach * tn / size))
