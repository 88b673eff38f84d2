"""Sweeps over an island of many trees, with longer steps than what would stop each point by itself.

A point has a step of its own along the normal and one across: spheres yield across 3.5 times as much. Newton's method
is the better one near a solution. But where bodies still move, forces change by a quarter from step to step, and what
is left of that falls to a hundredth in forty sweeps, which cost as much as three Newton steps.
"""

from __future__ import annotations

from math import sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import split
from sesshoku.contact.fit import evaluate, go_back, judge
from sesshoku.contact.flow import answer, slide_of
from sesshoku.contact.sweep import nudge_point, sweep_rows
from sesshoku.geometry.polyhedral.select import tangents
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, dot, scale, subtract

__all__ = ["find_steps", "project_apart", "relax", "relaxed"]

ROUNDS: Final = 20  # jams may go on by a tenth in each
SWEEPS: Final = 10  # of a round, which costs about as much as a Newton step
ALL: Final = 5  # of so many sweeps the first one is over all points, the others over those that bear
SLOW: Final = 0.9  # of the residual: a round that leaves more does not lead on
# Steps over those that would stop a point: 1.3 to 1.6 take as many rounds in heaps of spheres, 1.0 and 1.7 more.
LONGER: Final = 1.4
YIELDING: Final = 1e-3  # of a point's mean response: what yields less in a direction has a step as if it yielded so


@kernel
def find_steps(p: Handle, i: int) -> None:
    """Fill step of the points of island i: impulses per velocity along the normal, and in the plane of slip.

    One for both directions of slip, by the larger response: with a step each, the law that is solved is not Coulomb's.
    Together they never are longer than LONGER times what would stop the point in any direction.
    """
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        a, b = p.ends[k, 0], p.ends[k, 1]
        if p.friction[k] < 0.0 or (a >= 0 and b >= 0 and p.slot_node[a] == p.slot_node[b]):
            p.step[k, 0] = p.step[k, 1] = LONGER * p.scale[k] / 3.0  # by the trace: what is not limited would diverge
            continue
        n = load3(p.normal, k)
        e, f = tangents(n)
        least, along = YIELDING / p.scale[k], answer(p, k, n, n)
        first, second, mixed = answer(p, k, e, e), answer(p, k, f, f), answer(p, k, e, f)
        half = 0.5 * (first - second)
        across = 0.5 * (first + second) + sqrt(half * half + mixed * mixed)
        along, across = max(along + p.give[k], least), max(across + p.give[k], least)
        tilt = sqrt((answer(p, k, n, e) ** 2 + answer(p, k, n, f) ** 2) / (along * across))  # none of spheres; below 1
        p.step[k, 0] = LONGER / (along * (1.0 + tilt))
        p.step[k, 1] = LONGER / (across * (1.0 + tilt))


@kernel
def project_apart(n: Vec3, mu: float, r: Vec3, u: Vec3, h: float, across: float) -> Vec3:
    """The impulse of a point after steps of its own along the normal and in the plane of slip."""
    if mu < 0.0:
        return subtract(r, scale(h, u))
    along, tangent = split(n, r)
    speed, slip = split(n, u)
    along, tangent = max(along - h * speed, 0.0), subtract(tangent, scale(across, slip))
    square, most = dot(tangent, tangent), mu * along
    if square > most * most:  # before any root: most points stick
        tangent = scale(most / sqrt(square), tangent)
    return add(scale(along, n), tangent)


@kernel
def relax_points(p: Handle, i: int, every: bool) -> None:
    """Project every point of island i once, or only those that bear."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        r = load3(p.impulse, k)
        if every or r[0] != 0.0 or r[1] != 0.0 or r[2] != 0.0:
            u = slide_of(p, k, r)
            projected = project_apart(load3(p.normal, k), p.friction[k], r, u, p.step[k, 0], p.step[k, 1])
            store3(p.impulse, k, projected)
            nudge_point(p, p.twist, k, subtract(projected, r))


@kernel
def relax(p: Handle, i: int) -> None:
    """A round of sweeps over the points and rows of island i; needs `find_steps` and twists."""
    for number in range(SWEEPS):
        relax_points(p, i, number % ALL == 0)
        sweep_rows(p, i)


@kernel
def relaxed(p: Handle, i: int, goal: float, reference: float, best: float) -> float:
    """Rounds of sweeps until the residual is within the goal, or a round does not lead on; returns the best residual.

    Its impulses are kept.
    """
    find_steps(p, i)
    now, rounds, ahead = best, 0, True
    while ahead and rounds < ROUNDS:
        before = now
        relax(p, i)
        evaluate(p, i)
        rounds += 1
        now, best = judge(p, i, goal, reference, best)
        ahead = best > goal and now < SLOW * before
    go_back(p, i)
    return best
