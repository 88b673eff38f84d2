"""Whether patches stick or slip, and the friction of those that slip.

A patch that moved at the start slips, the others stick, until their wrenches say otherwise: what its cones cannot hold
begins to slip, the way it would go without its friction; what friction would turn round stops, and if it cannot be held
either slips the way it goes then.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle as Problem
from sesshoku.contact.coulomb import SLIP, STICK
from sesshoku.contact.points import STILL
from sesshoku.contact.volume.kinetic import kinetic
from sesshoku.contact.volume.memory import Handle
from sesshoku.contact.volume.patches import corner_speed
from sesshoku.contact.volume.program import nudge
from sesshoku.contact.volume.static import can_stick, separate_limit
from sesshoku.contact.volume.variables import see
from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Motion, Wrench, add_motion, scale_motion
from sesshoku.spatial.row import load3, load_motion, store3, store_motion
from sesshoku.spatial.vector import Vec3

__all__ = ["fix", "friction_due", "release", "sticks", "tear_off", "turn", "turned_round"]

NOTHING: Final = 1e-12  # a smaller normal impulse is none [N s]


@kernel
def wrench_of(m: Handle, j: int) -> Wrench:
    """The impulse of a patch, in its axes."""
    x, v = m.impulse, 6 * j
    return (x[v], x[v + 1], x[v + 2]), (x[v + 3], x[v + 4], x[v + 5])


@kernel
def motion_of(p: Problem, m: Handle, j: int) -> Motion:
    """The motion of B against A at a patch under the present twist, in its axes."""
    v = 6 * j
    turn = see(p, m, v, p.twist), see(p, m, v + 1, p.twist), see(p, m, v + 2, p.twist)
    return turn, (see(p, m, v + 3, p.twist), see(p, m, v + 4, p.twist), see(p, m, v + 5, p.twist))


@kernel
def sticks(m: Handle, j: int, edges: int, separated: bool) -> bool:
    """Whether the cones at the corners of a patch bear its impulse."""
    wrench = wrench_of(m, j)
    moment, force = wrench
    if force[0] == force[1] == moment[2] == 0.0:
        return True
    if not force[2] > NOTHING or not m.static[j] > 0.0:
        return False
    if separated:
        return separate_limit(m.section[j], m.number[j], wrench, m.static[j]) >= 1.0
    return can_stick(m.section[j], m.number[j], m.linear, wrench, m.static[j], edges)


@kernel
def friction_due(m: Handle, j: int) -> Vec3:
    """(tn, f1, f2) that belong to the normal impulse of a slipping patch."""
    moment, force = wrench_of(m, j)
    most, wish = m.kinetic[j] * force[2], load3(m.wish, j)
    if not most > 0.0:
        return 0.0, 0.0, 0.0
    wanted = (moment[0], moment[1], most * wish[2]), (most * wish[0], most * wish[1], force[2])
    due = kinetic(m.section[j], m.number[j], m.linear, wanted, load_motion(m.slip, j), m.kinetic[j])
    return due[0][2], due[1][0], due[1][1]


@kernel
def fix(m: Handle, j: int, fixed: int) -> None:
    """Say whether the friction of a patch is given."""
    for k in range(2, 5):
        m.fixed[6 * j + k] = fixed


@kernel
def tear_off(p: Problem, m: Handle, j: int) -> None:
    """Let a patch slip that has stuck: as it did at the start, or as it would without its friction."""
    moment, force = wrench_of(m, j)
    most = m.static[j] * force[2]
    if most > 0.0:
        store3(m.wish, j, (force[0] / most, force[1] / most, moment[2] / most))
    given = (moment[2], force[0], force[1])
    for k in range(3):
        nudge(p, m, 6 * j + 2 + k, -given[k])
    if m.caught[j] != 0 or not corner_speed(m, j, load_motion(m.slip, j)) > STILL:
        store_motion(m.slip, j, motion_of(p, m, j))
    m.state[j] = SLIP
    fix(m, j, 1)


@kernel
def release(m: Handle, j: int) -> None:
    """Let a patch stick that has slipped."""
    m.state[j] = STICK
    fix(m, j, 0)


@kernel
def turn(p: Problem, m: Handle, j: int) -> None:
    """Let the friction of a slipping patch act more against its motion now, each time by less."""
    before, now = load_motion(m.slip, j), motion_of(p, m, j)
    first, second = corner_speed(m, j, before), corner_speed(m, j, now)
    m.caught[j] += 1
    share = 1.0 / m.caught[j]
    if first > 0.0 and second > 0.0:
        store_motion(
            m.slip, j, add_motion(scale_motion((1.0 - share) / first, before), scale_motion(share / second, now))
        )


@kernel
def turned_round(p: Problem, m: Handle, j: int) -> bool:
    """Whether the friction of a slipping patch drives it."""
    moment, force = wrench_of(m, j)
    turn, velocity = motion_of(p, m, j)
    return moment[2] * turn[2] + force[0] * velocity[0] + force[1] * velocity[1] > 0.0
