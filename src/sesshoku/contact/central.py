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
from sesshoku.contact.fit import copy_impulses, go_back, remember
from sesshoku.contact.linear import orientation
from sesshoku.contact.path import (
    find_directions,
    go,
    keep,
    look,
    put_all_within,
    return_to_kept,
    share_borne,
    turn_to_path,
)
from sesshoku.contact.proximal import persist
from sesshoku.contact.within import KEPT_TOWARD, TOWARD
from sesshoku.kernel import kernel

__all__ = ["follow_path", "from_nothing", "has_path"]

MOST: Final = 400  # Newton steps on the path
START: Final = 10.0  # σ at its beginning, over that of impulses that stop a point
SOFTER: Final = (0.2, 3.0)  # steps to the path shorter than this make σ larger, by the factor
NEAR, FAR = 0.7, 1.5  # of `measure`, of what is to be corrected: near enough to advance, too far to correct
EASY: Final = 0.2  # the same: so near that advances become longer
LENGTH, LONGEST, LEAST = 0.3, 2.0, 1e-5  # of an advance, over the root of the number of points
LONGER, SHORTER, CAUTIOUS = 2.0, 0.3, 0.7  # by which advances change: if easy; if too far; after a correction
CORRECTIONS: Final = 2  # in a row; where more are needed the advance was too long
EDGE: Final = 0.9  # of the way to the edge of a cone, or to a bound
ENDS: Final = (1e-5, 1e-6, 1e-7)  # residuals from which phase B is tried
SOFT, HARDER = 1e-3, 3.0  # its κ, and by how much it softens


@kernel
def has_path(p: Handle, i: int) -> bool:
    """Whether island i has contacts at all: by their scales σ is chosen."""
    cones = 0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        cones += p.friction[k] >= 0.0
    return cones > 0


@kernel
def take_step(p: Handle, i: int, toward: int, x: float) -> float:
    """Take a step, as much of it as points and rows bear: that share."""
    share = min(1.0, EDGE * share_borne(p, i, toward, x))
    go(p, i, toward, x, share)
    return share


@kernel
def advance(p: Handle, i: int, x: float) -> tuple[float, float]:
    """Advance from the place that is kept by x or, if points do not bear that, less: by how much, and the share."""
    return_to_kept(p, i)
    while EDGE * share_borne(p, i, KEPT_TOWARD, x) < 1.0 and 1e-4 < abs(x) < inf:
        x *= CAUTIOUS
    return x, take_step(p, i, KEPT_TOWARD, x)


@kernel
def reach_path(p: Handle, i: int, reference: float) -> tuple[int, float]:
    """Come near the path where σ is large: Newton steps taken, and σ."""
    count, total = p.point_begin[i + 1] - p.point_begin[i], 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        total += p.scale[k]
    sigma = START * reference * reference * total / (3.0 * count * count)
    put_all_within(p, i, sigma)
    for steps in range(1, MOST):
        look(p, i, 0.0, reference)
        far = turn_to_path(p, i, sigma)
        share = take_step(p, i, TOWARD, 0.0)
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
            sigma *= exp(correct * take_step(p, i, TOWARD, 0.0))
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


@kernel
def from_nothing(p: Handle, i: int, tol: float, reference: float, best: float) -> tuple[int, float]:
    """Phase C, if there is a path: Newton steps taken, and the best residual of all phases, whose impulses are kept.

    Where it began is forgotten: its place is needed.
    """
    if not has_path(p, i):
        return 0, best
    copy_impulses(p, i, p.best, p.row_best, p.begun, p.row_begun)
    steps, now = follow_path(p, i, tol, reference)
    if now < best:
        return steps, now
    copy_impulses(p, i, p.begun, p.row_begun, p.best, p.row_best)
    go_back(p, i)
    return steps, best
