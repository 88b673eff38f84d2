"""Phase C of the exact law: along the central path, for bodies that jam.

Softened by σ (within.py) the law has one solution where σ is large, and a curve of solutions leads from there to one
where σ is zero. Newton's method follows it: each step a correction and an advance, both from one factor. Among bodies
that jam the path turns back at places: σ has to grow again before it can shrink on. There the law itself has several
solutions, and what looks for the nearest one, as phases A and B do, goes in circles. So the length of an advance is not
measured by σ but by how far the impulses go, and the sign of the determinant says which way is forward (Keller's
pseudo-arclength). An advance that leads too far from the path is taken back, and made shorter.

The path does not depend on the impulses of the last step. Phase B ends it, from where it is near enough.
"""

from __future__ import annotations

from math import exp, inf, sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import evaluate, go_back, remember, settle
from sesshoku.contact.flow import gather, relative, respond
from sesshoku.contact.linear import find_direction, orientation
from sesshoku.contact.linearised import give_way
from sesshoku.contact.proximal import persist
from sesshoku.contact.within import (
    ALONG,
    BEND,
    KEPT,
    KEPT_ALONG,
    KEPT_TOWARD,
    NUMBERS,
    PLACE,
    TOWARD,
    aim,
    aim_along,
    aim_at_bend,
    change_of_room,
    fraction,
    linearise_within,
    measure,
    put_within,
    until,
)
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import dot, subtract

__all__ = ["follow_path", "has_path"]

FEW: Final = 3  # trees up to which phase B is faster, however many their points are
MOST: Final = 400  # Newton steps on the path
START: Final = 10.0  # σ at its beginning, over that of impulses that stop a point
SOFTER: Final = (0.2, 3.0)  # steps to the path shorter than this make σ larger, by the factor
NEAR, FAR = 0.7, 1.5  # of `measure`, of what is to be corrected: near enough to advance, too far to correct
EASY: Final = 0.2  # the same: so near that advances become longer
LENGTH, LONGEST, LEAST = 0.3, 2.0, 1e-5  # of an advance, over the root of the number of points
LONGER, SHORTER, CAUTIOUS = 2.0, 0.3, 0.7  # by which advances change: if easy; if too far; after a correction
CORRECTIONS: Final = 2  # in a row; where more are needed the advance was too long
EDGE: Final = 0.9  # of the way to the edge of the cone
ENDS: Final = (1e-5, 1e-6, 1e-7)  # residuals from which phase B is tried
SOFT, HARDER = 1e-3, 3.0  # its κ, and by how much it softens


@kernel
def has_path(p: Handle, i: int) -> bool:
    """Whether island i has enough trees, and points only, none without a cone."""
    bound = p.row_begin[i + 1] > p.row_begin[i] or p.node_begin[i + 1] - p.node_begin[i] <= FEW
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        bound = bound or p.friction[k] < 0.0
    return not bound


@kernel
def direct(p: Handle, i: int, stage: int, which: int) -> None:
    """Fill a direction of the points of island i from what they have been aimed at; stage 1 has the factor already."""
    gather(p, i, p.push, p.row_push, p.wrench)
    respond(p, i, p.wrench, p.change)
    find_direction(p.stage[stage], (p, i))
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        u = relative(p, k, p.change)
        dr = subtract(load3(p.push, k), give_way(p, k, u))
        p.path[k, which, 0], p.path[k, which, 1], p.path[k, which, 2] = dr
        p.path[k, which, 3] += dot(load3(p.normal, k), u)
        if p.friction[k] > 0.0:
            p.path[k, which, 4] -= p.stiffness[k, 4] * change_of_room(p, k, dr)


@kernel
def look(p: Handle, i: int, tol: float, reference: float) -> float:
    """Slides and residual of island i where it is on the path."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for c in range(3):
            p.impulse[k, c] = p.path[k, PLACE, c]
    evaluate(p, i)
    return settle(p, i, tol, reference)


@kernel
def find_directions(p: Handle, i: int, sigma: float) -> tuple[float, float, float]:
    """Directions to the path and along it: how far to correct, by which change of log σ, and log σ over length."""
    first, last = p.point_begin[i], p.point_begin[i + 1]
    for k in range(first, last):
        linearise_within(p, k)
        aim(p, k, sigma)
    direct(p, i, 0, TOWARD)
    for k in range(first, last):
        aim_along(p, k, sigma)
    direct(p, i, 1, ALONG)
    square, both = 1.0, 0.0
    for k in range(first, last):
        toward, along = measure(p, k, TOWARD), measure(p, k, ALONG)
        for a, b in zip(toward, along):  # noqa: B905
            square += b * b
            both += a * b
    change, far = -both / square, 0.0
    for k in range(first, last):
        toward, along = measure(p, k, TOWARD), measure(p, k, ALONG)
        for a, b in zip(toward, along):  # noqa: B905
            size = abs(a + change * b)
            far = max(far, size) if size < inf else inf  # also where it is no number
    for k in range(first, last):
        for c in range(NUMBERS):
            p.path[k, TOWARD, c] += change * p.path[k, ALONG, c]
    return far, change, 1.0 / sqrt(square)


@kernel
def keep(p: Handle, i: int) -> None:
    """Keep the place of island i and the directions there, and find how the path bends."""
    first, last = p.point_begin[i], p.point_begin[i + 1]
    for k in range(first, last):
        aim_at_bend(p, k)
    direct(p, i, 1, BEND)
    for k in range(first, last):
        for c in range(NUMBERS):
            p.path[k, KEPT, c] = p.path[k, PLACE, c]
            p.path[k, KEPT_TOWARD, c] = p.path[k, TOWARD, c]
            p.path[k, KEPT_ALONG, c] = p.path[k, ALONG, c]


@kernel
def bears(p: Handle, i: int, toward: int, x: float) -> float:
    """How much of a step the points of island i bear: a correction, an advance of log σ by x, and its bend."""
    most = inf
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        d0 = p.path[k, toward, 0] + x * p.path[k, KEPT_ALONG, 0] + x * x * p.path[k, BEND, 0]
        d1 = p.path[k, toward, 1] + x * p.path[k, KEPT_ALONG, 1] + x * x * p.path[k, BEND, 1]
        d2 = p.path[k, toward, 2] + x * p.path[k, KEPT_ALONG, 2] + x * x * p.path[k, BEND, 2]
        r = (p.path[k, PLACE, 0], p.path[k, PLACE, 1], p.path[k, PLACE, 2])
        most = min(most, fraction(load3(p.normal, k), p.friction[k], r, (d0, d1, d2)))
        for c in range(3, NUMBERS):
            d = p.path[k, toward, c] + x * p.path[k, KEPT_ALONG, c] + x * x * p.path[k, BEND, c]
            most = min(most, until(p.path[k, PLACE, c], d))
    return most


@kernel
def go(p: Handle, i: int, toward: int, x: float) -> float:
    """Take such a step, as much of it as the points bear: that share."""
    share = min(1.0, EDGE * bears(p, i, toward, x))
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for c in range(NUMBERS):
            step = p.path[k, toward, c] + x * p.path[k, KEPT_ALONG, c] + x * x * p.path[k, BEND, c]
            p.path[k, PLACE, c] += share * step
    return share


@kernel
def advance(p: Handle, i: int, x: float) -> tuple[float, float]:
    """Advance from the place that is kept by x or, if points do not bear that, less: by how much, and the share."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for c in range(NUMBERS):
            p.path[k, PLACE, c] = p.path[k, KEPT, c]
    while EDGE * bears(p, i, KEPT_TOWARD, x) < 1.0 and abs(x) > 1e-4:
        x *= CAUTIOUS
    return x, go(p, i, KEPT_TOWARD, x)


@kernel
def reach_path(p: Handle, i: int, reference: float) -> tuple[int, float]:
    """Come near the path where σ is large: Newton steps taken, and σ."""
    first, last = p.point_begin[i], p.point_begin[i + 1]
    speed, total = reference / sqrt(3.0 * (last - first)), 0.0
    for k in range(first, last):
        total += p.scale[k]
    sigma = START * speed * speed * total / (last - first)
    for k in range(first, last):
        put_within(p, k, sigma, 3.0 / p.scale[k])
        for c in range(NUMBERS):
            p.path[k, KEPT_ALONG, c] = p.path[k, BEND, c] = 0.0  # of another path
    for steps in range(1, MOST):
        look(p, i, 0.0, reference)
        for k in range(first, last):
            linearise_within(p, k)
            aim(p, k, sigma)
        direct(p, i, 0, TOWARD)
        far = 0.0
        for k in range(first, last):
            for a in measure(p, k, TOWARD):
                far = max(far, abs(a))
        share = go(p, i, TOWARD, 0.0)
        if far < NEAR:
            return steps, sigma
        if share < SOFTER[0]:
            sigma *= SOFTER[1]
    return MOST, sigma


@kernel
def follow_path(p: Handle, i: int, tol: float, reference: float) -> tuple[int, float]:
    """Phase C, from nothing: Newton steps taken, and the best residual, whose impulses are kept."""
    root = sqrt(1.0 * (p.point_begin[i + 1] - p.point_begin[i]))
    used, sigma = reach_path(p, i, reference)
    length, rate, way, corrections, ends, best = LENGTH * root, 0.0, 1.0, 0, 0, inf
    kept, change, more = sigma, 0.0, 0
    while used < MOST and length > LEAST * root:
        now = look(p, i, tol, reference)
        if now < best:
            best = now
            remember(p, i)
        if ends < len(ENDS) and tol < now < ENDS[ends]:
            steps, best = persist(p, i, SOFT, HARDER, tol, reference, best)
            more += steps
            ends += 1
            look(p, i, tol, reference)
        if best <= tol:
            break
        far, correct, pace = find_directions(p, i, sigma)
        used += 1
        if far < NEAR:
            length = min(LONGER * length, LONGEST * root) if far < EASY else length
            kept, change, rate, way, corrections = sigma, correct, pace, orientation(p, i), 0
            keep(p, i)
        elif far < FAR and corrections < CORRECTIONS:
            sigma *= exp(correct * go(p, i, TOWARD, 0.0))
            corrections += 1
            length *= CAUTIOUS
            continue
        elif rate == 0.0:  # the path has not been reached
            break
        else:
            length *= SHORTER
            corrections = 0
        x, share = advance(p, i, -way * length * rate)
        length = abs(x) / rate
        sigma = kept * exp(share * (change + x))
    go_back(p, i)
    return used + more, best
