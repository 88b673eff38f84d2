"""All points and rows of an island on the central path: directions to it and along it, and steps there.

See within.py and within_row.py for one of them. How far a direction leads is measured by the shares of all that may not
become negative.
"""

from __future__ import annotations

from math import inf, sqrt

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import evaluate, settle
from sesshoku.contact.flow import gather, relative, relative_row, respond
from sesshoku.contact.linear import find_direction
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
    bears,
    change_of,
    complete,
    linearise_within,
    measure,
    put_within,
)
from sesshoku.contact.within_row import (
    ROW_NUMBERS,
    aim_row,
    aim_row_along,
    aim_row_at_bend,
    complete_row,
    linearise_row_within,
    measure_row,
    put_row_within,
    row_bears,
)
from sesshoku.kernel import kernel

__all__ = ["find_directions", "go", "keep", "look", "put_all_within", "return_to_kept", "share_borne", "turn_to_path"]


@kernel
def put_all_within(p: Handle, i: int, sigma: float) -> None:
    """Put points and rows where their barriers would balance, and forget the directions of another path."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        put_within(p, k, sigma, 3.0 / p.scale[k])
        for c in range(NUMBERS):
            p.path[k, KEPT_ALONG, c] = p.path[k, BEND, c] = 0.0
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        put_row_within(p, k, sigma)
        for c in range(ROW_NUMBERS):
            p.row_path[k, KEPT_ALONG, c] = p.row_path[k, BEND, c] = 0.0


@kernel
def look(p: Handle, i: int, tol: float, reference: float) -> float:
    """Slides and residual of island i where it is on the path."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for c in range(3):
            p.impulse[k, c] = p.path[k, PLACE, c]
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_impulse[k] = p.row_path[k, PLACE, 0]
    evaluate(p, i)
    return settle(p, i, tol, reference)


@kernel
def direct(p: Handle, i: int, stage: int, which: int) -> None:
    """Fill a direction from what points and rows have been aimed at; stage 1 has the factor already."""
    gather(p, i, p.push, p.row_push, p.wrench)
    respond(p, i, p.wrench, p.change)
    find_direction(p.stage[stage], (p, i))
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        complete(p, k, which, relative(p, k, p.change))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        complete_row(p, k, which, relative_row(p, k, p.change))


@kernel
def turn_to_path(p: Handle, i: int, sigma: float) -> float:
    """Find the direction to the path at σ: how far it is."""
    far = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        linearise_within(p, k)
        aim(p, k, sigma)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        linearise_row_within(p, k)
        aim_row(p, k, sigma)
    direct(p, i, 0, TOWARD)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for a in measure(p, k, TOWARD):
            far = farther(far, a)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        for a in measure_row(p, k, TOWARD):
            far = farther(far, a)
    return far


@kernel
def farther(far: float, a: float) -> float:
    """The larger size, infinity where one is no number."""
    return max(far, abs(a)) if abs(a) < inf else inf


@kernel
def find_directions(p: Handle, i: int, sigma: float) -> tuple[float, float, float]:
    """Directions to the path and along it: how far to correct, by which change of log σ, and log σ over length."""
    turn_to_path(p, i, sigma)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        aim_along(p, k, sigma)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        aim_row_along(p, k, sigma)
    direct(p, i, 1, ALONG)
    square, both = 1.0, 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for a, b in zip(measure(p, k, TOWARD), measure(p, k, ALONG)):  # noqa: B905
            square += b * b
            both += a * b
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        for a, b in zip(measure_row(p, k, TOWARD), measure_row(p, k, ALONG)):  # noqa: B905
            square += b * b
            both += a * b
    change = -both / square
    return lean(p, i, change), change, 1.0 / sqrt(square)


@kernel
def lean(p: Handle, i: int, change: float) -> float:
    """Add a change of log σ along the path to the direction to it: how far that leads."""
    far = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for c in range(NUMBERS):
            p.path[k, TOWARD, c] += change * p.path[k, ALONG, c]
        for a in measure(p, k, TOWARD):
            far = farther(far, a)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        for c in range(ROW_NUMBERS):
            p.row_path[k, TOWARD, c] += change * p.row_path[k, ALONG, c]
        for a in measure_row(p, k, TOWARD):
            far = farther(far, a)
    return far


@kernel
def keep(p: Handle, i: int) -> None:
    """Keep the place of island i and the directions there, and find how the path bends."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        aim_at_bend(p, k)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        aim_row_at_bend(p, k)
    direct(p, i, 1, BEND)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for c in range(NUMBERS):
            p.path[k, KEPT, c] = p.path[k, PLACE, c]
            p.path[k, KEPT_TOWARD, c] = p.path[k, TOWARD, c]
            p.path[k, KEPT_ALONG, c] = p.path[k, ALONG, c]
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        for c in range(ROW_NUMBERS):
            p.row_path[k, KEPT, c] = p.row_path[k, PLACE, c]
            p.row_path[k, KEPT_TOWARD, c] = p.row_path[k, TOWARD, c]
            p.row_path[k, KEPT_ALONG, c] = p.row_path[k, ALONG, c]


@kernel
def return_to_kept(p: Handle, i: int) -> None:
    """Take the kept place again."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for c in range(NUMBERS):
            p.path[k, PLACE, c] = p.path[k, KEPT, c]
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        for c in range(ROW_NUMBERS):
            p.row_path[k, PLACE, c] = p.row_path[k, KEPT, c]


@kernel
def share_borne(p: Handle, i: int, toward: int, x: float) -> float:
    """How much of a step all points and rows bear."""
    most = inf
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        most = min(most, bears(p, k, toward, x))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        most = min(most, row_bears(p, k, toward, x))
    return most


@kernel
def go(p: Handle, i: int, toward: int, x: float, share: float) -> None:
    """Take a share of a step."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        for c in range(NUMBERS):
            p.path[k, PLACE, c] += share * change_of(p.path, k, toward, x, c)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        for c in range(ROW_NUMBERS):
            p.row_path[k, PLACE, c] += share * change_of(p.row_path, k, toward, x, c)
