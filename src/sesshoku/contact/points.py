"""From contacts of the space to points of the problem, with friction, bias and the impulses of the last step."""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.island import begin, link, number, touch_body
from sesshoku.constraint.limit import fill_rows, touch_rows
from sesshoku.constraint.problem import ISLANDS, PAIRS, POINTS, ROWS, TOLERANCE, Handle
from sesshoku.constraint.response import free_twists, responses
from sesshoku.contact.coulomb import OPEN, SLIP, STICK, split
from sesshoku.contact.flow import relative
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.geometry.space import Handle as SpaceHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import velocity_at
from sesshoku.spatial.row import load3, load_motion, store3
from sesshoku.spatial.vector import Vec3, dot, norm, scale, subtract

__all__ = ["keep_impulses", "pose_problem"]

SLOP: Final = 1e-5  # depth that is left alone [m]
SHARE: Final = 0.2  # of the depth beyond it that one step corrects
SPEED: Final = 0.5  # at which it does so at most [m/s]
GENTLE: Final = 0.05  # at which it may do so without weight [m/s]
STILL: Final = 1e-6  # a new contact slower than this begins at rest [m/s]
STRUCK: Final = 2.0  # times what gravity gives in a step: a sticking contact found faster than this has been torn off
SLOW: Final = 100.0  # times what the tolerance admits: a contact that is faster slips
STATIC, KINETIC, RESTITUTION = 0, 1, 2


@kernel
def touch_bodies(s: SystemHandle, g: SpaceHandle, p: Handle) -> None:
    """Let the bodies of all contacts take part."""
    body, shapes = g.body, g.shapes
    for k in range(g.count[0]):
        a, b = body[shapes[k, 0]], body[shapes[k, 1]]
        if a >= 0:
            touch_body(s, p, a)
        if b >= 0:
            touch_body(s, p, b)
        if a >= 0 and b >= 0:
            link(s, p, a, b)


@kernel
def island_of(s: SystemHandle, g: SpaceHandle, p: Handle, k: int) -> int:
    """The island of a contact."""
    a, b = g.body[g.shapes[k, 0]], g.body[g.shapes[k, 1]]
    return p.island[s.root[max(a, b)]]  # type: ignore[no-any-return]


@kernel
def sort_points(s: SystemHandle, g: SpaceHandle, p: Handle) -> None:
    """Fill source: the contacts by island."""
    begins, cursor, islands, count = p.point_begin, p.rank, p.count[ISLANDS], g.count[0]
    if islands <= 1:
        for k in range(count):
            p.source[k] = k
        begins[0], begins[islands] = 0, count
        return
    for i in range(islands + 1):
        begins[i] = 0
    for k in range(count):
        begins[island_of(s, g, p, k) + 1] += 1
    for i in range(islands):
        cursor[i] = begins[i]
        begins[i + 1] += begins[i]
    for k in range(count):
        i = island_of(s, g, p, k)
        p.source[cursor[i]] = k
        cursor[i] += 1


@kernel
def recall(g: SpaceHandle, p: Handle) -> None:
    """Fill force and state of the contacts with the impulses and states of the last step, where identity goes on."""
    shapes, feature, kept_shapes, kept_feature = g.shapes, g.feature, p.kept_shapes, p.kept_feature
    begin, known = 0, p.kept_count[0]
    for k in range(g.count[0]):
        a, b = shapes[k, 0], shapes[k, 1]
        low, high = min(a, b), max(a, b)
        while begin < known and (
            kept_shapes[begin, 0] < low or (kept_shapes[begin, 0] == low and kept_shapes[begin, 1] < high)
        ):
            begin += 1
        impulse, mode, j = (0.0, 0.0, 0.0), OPEN, begin
        while j < known and kept_shapes[j, 0] == low and kept_shapes[j, 1] == high:
            if kept_feature[j] == feature[k]:
                impulse, mode = load3(p.kept_impulse, j), p.kept_mode[j]
                break
            j += 1
        store3(p.force, k, impulse)
        p.state[k] = mode


@kernel
def point_velocity(s: SystemHandle, i: int, x: Vec3) -> Vec3:
    """Velocity of body i at x from its tree's origin, at the start of the step; the world rests."""
    return velocity_at(load_motion(s.velocity, i), x) if i >= 0 else (0.0, 0.0, 0.0)


@kernel
def own_response(p: Handle, slot: int, x: Vec3) -> float:
    """Trace of the response of a body at x to an impulse there [1/kg]."""
    node = p.slot_node[slot]
    first = p.coordinate_begin[node]
    n, at = p.coordinate_begin[node + 1] - first, p.slot_coordinate[slot] - first
    m, k = p.response, p.response_begin[node] + at * n + at
    # X A Xᵀ − X B − Bᵀ Xᵀ + C, with the blocks A of turning, B mixed, C of velocity
    turning = (m[k], m[k + n + 1], m[k + 2 * n + 2])
    trace = turning[0] + turning[1] + turning[2]
    along = (
        turning[0] * x[0] * x[0] + turning[1] * x[1] * x[1] + turning[2] * x[2] * x[2]
        + 2.0 * (m[k + 1] * x[0] * x[1] + m[k + 2] * x[0] * x[2] + m[k + n + 2] * x[1] * x[2])
    )  # fmt: skip
    mixed = (
        m[k + n + 5] - m[k + 2 * n + 4],
        m[k + 2 * n + 3] - m[k + 5],
        m[k + 4] - m[k + n + 3],
    )
    rest = m[k + 3 * n + 3] + m[k + 4 * n + 4] + m[k + 5 * n + 5]
    return dot(x, x) * trace - along - 2.0 * dot(x, mixed) + rest  # type: ignore[no-any-return]


@kernel
def normal_bias(gap: float, restitution: float, before: float, free: float, gravity: float, dt: float) -> float:
    """What is added to the normal velocity: then it must not be negative.

    A gap may close but not further. A body that would strike in this step leaves with its speed of approach times the
    restitution. Depth is corrected by a share, at limited speed: gravity takes it back before the body leaves the
    ground, else it would hop.
    """
    depth = max(-gap - SLOP, 0.0)
    bias = gap / dt if gap >= 0.0 else -min(SHARE * depth / dt, max(sqrt(2.0 * gravity * depth), GENTLE), SPEED)
    if restitution > 0.0 and before < 0.0 and gap + dt * free < 0.0:
        return min(restitution * before, bias)
    return bias


@kernel
def fill_points(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> None:
    """Fill everything about the points; needs numbers, responses and free twists."""
    body, material, coefficients = g.body, p.material, p.coefficients
    pairs, last_a, last_b, island = 0, -1, -1, -1
    gravity = norm((s.gravity[0], s.gravity[1], s.gravity[2]))
    struck = STRUCK * dt * gravity + STILL
    begins, islands = p.pair_begin, p.count[ISLANDS]
    for q in range(g.count[0]):
        while island + 1 < islands and p.point_begin[island + 1] <= q:
            island += 1
            begins[island] = pairs
        k = p.source[q]
        first, second = g.shapes[k, 0], g.shapes[k, 1]
        i, j = body[first], body[second]
        point, n = load3(g.point, k), load3(g.normal, k)
        x = y = (0.0, 0.0, 0.0)
        a = b = -1
        response = 0.0
        if i >= 0:
            a, x = p.body_slot[i], subtract(point, load3(s.origin, s.root[i]))
            response += own_response(p, a, x)
        if j >= 0:
            b, y = p.body_slot[j], subtract(point, load3(s.origin, s.root[j]))
            response += own_response(p, b, y)
        p.ends[q, 0], p.ends[q, 1] = a, b
        store3(p.arm_a, q, x)
        store3(p.arm_b, q, y)
        store3(p.normal, q, n)
        p.scale[q] = 3.0 / response
        if a >= 0 and b >= 0:
            if a != last_a or b != last_b:
                p.pair_slots[pairs, 0], p.pair_slots[pairs, 1] = a, b
                last_a, last_b, pairs = a, b, pairs + 1
            p.pair[q] = pairs - 1
        else:
            p.pair[q] = -1
        before = subtract(point_velocity(s, j, y), point_velocity(s, i, x))
        along, tangent = split(n, before)
        row, column = material[first], material[second]
        sliding = p.state[k] == SLIP or norm(tangent) > (STILL if p.state[k] == OPEN else struck)
        p.friction[q] = coefficients[row, column, KINETIC if sliding else STATIC]
        free = dot(n, relative(p, q, p.free))
        restitution = coefficients[row, column, RESTITUTION]
        store3(p.bias, q, scale(normal_bias(g.gap[k], restitution, along, free, gravity, dt), n))
        store3(p.impulse, q, load3(p.force, k))
    while island < islands:
        island += 1
        begins[island] = pairs
    p.count[POINTS], p.count[PAIRS] = g.count[0], pairs


@kernel
def pose_problem(s: SystemHandle, g: SpaceHandle, p: Handle, dt: float) -> bool:
    """Make the problem of this step from the contacts found and the free acceleration; false if there is none."""
    begin(p)
    touch_bodies(s, g, p)
    rows = touch_rows(s, p, dt)
    if g.count[0] == 0 and rows == 0:
        p.statistics[0] = p.statistics[1] = p.statistics[2] = 0.0
        return False
    number(s, p)
    responses(s, p)
    free_twists(s, p, dt)
    recall(g, p)
    sort_points(s, g, p)
    fill_points(s, g, p, dt)
    fill_rows(s, p, dt)
    return True


@kernel
def keep_impulses(g: SpaceHandle, p: Handle, dt: float) -> None:
    """Report forces, slips and states, and keep what the next step begins with."""
    count, slow = p.count[POINTS], SLOW * p.options[TOLERANCE] * p.statistics[3]
    for q in range(count):
        k = p.source[q]
        r, n = load3(p.impulse, q), load3(p.normal, q)
        _, tangent = split(n, subtract(load3(p.slide, q), load3(p.bias, q)))
        state = OPEN
        if dot(n, r) > 0.0:
            state = SLIP if norm(tangent) > slow else STICK
        store3(p.force, k, scale(1.0 / dt, r))
        store3(p.slip, k, tangent)
        p.state[k] = state
        a, b = g.shapes[k, 0], g.shapes[k, 1]
        p.kept_shapes[k, 0], p.kept_shapes[k, 1], p.kept_feature[k] = min(a, b), max(a, b), g.feature[k]
        store3(p.kept_impulse, k, r)
        p.kept_mode[k] = state
    p.kept_count[0] = count
    for d in range(len(p.kept_row)):
        p.kept_row[d, 0] = p.kept_row[d, 1] = p.kept_row[d, 2] = 0.0
    for k in range(p.count[ROWS]):
        p.kept_row[p.row_dof[k], p.row_kind[k]] = p.row_impulse[k]
