"""One row within its bounds: what holds or limits a joint, softened by a parameter σ [J] as points are in within.py.

With slacks w of the lower bound and z of the upper one, all of r − l, h − r, w and z positive,

    (r − l) w = σ,  (h − r) z = σ,  u = w − z.

As σ vanishes this becomes the law of the row. A bound at infinity has no slack; a row with none at all is an equation.
A step of Newton's method is dr = e − A J dV with 1/A = w / (r − l) + z / (h − r), at least what an equation yields by.

Rows of ``row_path`` are places and directions, each an impulse with w and z.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.within import ALONG, BEND, EQUATION, PLACE, TOWARD, change_of, until
from sesshoku.kernel import kernel

__all__ = [
    "ROW_NUMBERS",
    "aim_row",
    "aim_row_along",
    "aim_row_at_bend",
    "complete_row",
    "linearise_row_within",
    "measure_row",
    "put_row_within",
    "row_bears",
]

ROW_NUMBERS: Final = 3  # impulse, w, z


@kernel
def inverse_room(p: Handle, k: int) -> tuple[float, float]:
    """One over the room to the lower and to the upper bound of a row; zero where that is at infinity."""
    r = p.row_path[k, PLACE, 0]
    return 1.0 / (r - p.row_lower[k]), 1.0 / (p.row_upper[k] - r)


@kernel
def put_row_within(p: Handle, k: int, sigma: float) -> None:
    """Let a row bear what balances its barrier, if it yields as it does to itself alone."""
    lower, upper, r = p.row_lower[k], p.row_upper[k], 0.0
    if lower > -inf and upper < inf:
        r = 0.5 * (lower + upper)
    elif lower > -inf:
        r = lower + sqrt(sigma * p.row_scale[k])
    elif upper < inf:
        r = upper - sqrt(sigma * p.row_scale[k])
    p.row_path[k, PLACE, 0] = r
    below, above = inverse_room(p, k)
    p.row_path[k, PLACE, 1], p.row_path[k, PLACE, 2] = sigma * below, sigma * above


@kernel
def linearise_row_within(p: Handle, k: int) -> None:
    """Store A of a row."""
    below, above = inverse_room(p, k)
    softness = p.row_path[k, PLACE, 1] * below + p.row_path[k, PLACE, 2] * above
    p.row_stiffness[k] = 1.0 / max(softness, EQUATION / p.row_scale[k])


@kernel
def aim_row(p: Handle, k: int, sigma: float) -> None:
    """Aim a row at the path, at σ: e, and what w and z change by but for dr."""
    below, above = inverse_room(p, k)
    p.row_push[k] = p.row_stiffness[k] * (sigma * (below - above) - p.row_slide[k])
    p.row_path[k, TOWARD, 1] = sigma * below - p.row_path[k, PLACE, 1]
    p.row_path[k, TOWARD, 2] = sigma * above - p.row_path[k, PLACE, 2]


@kernel
def aim_row_along(p: Handle, k: int, sigma: float) -> None:
    """Aim a row along the path: the same for its change by log σ."""
    below, above = inverse_room(p, k)
    p.row_push[k] = p.row_stiffness[k] * sigma * (below - above)
    p.row_path[k, ALONG, 1], p.row_path[k, ALONG, 2] = sigma * below, sigma * above


@kernel
def aim_row_at_bend(p: Handle, k: int) -> None:
    """Aim a row at what the direction along the path neglects: terms of second order."""
    below, above = inverse_room(p, k)
    dr = p.row_path[k, ALONG, 0]
    lower, upper = -dr * p.row_path[k, ALONG, 1] * below, dr * p.row_path[k, ALONG, 2] * above
    p.row_push[k] = p.row_stiffness[k] * (lower - upper)
    p.row_path[k, BEND, 1], p.row_path[k, BEND, 2] = lower, upper


@kernel
def complete_row(p: Handle, k: int, which: int, u: float) -> None:
    """Complete a direction that a row has been aimed at, with the change u of its velocity."""
    below, above = inverse_room(p, k)
    dr = p.row_push[k] - p.row_stiffness[k] * u
    p.row_path[k, which, 0] = dr
    p.row_path[k, which, 1] -= p.row_path[k, PLACE, 1] * below * dr
    p.row_path[k, which, 2] += p.row_path[k, PLACE, 2] * above * dr


@kernel
def share_of(change: float, value: float) -> float:
    """A change over a value; zero where the bound of a slack is at infinity."""
    return change / value if value > 0.0 else 0.0


@kernel
def measure_row(p: Handle, k: int, which: int) -> tuple[float, float, float, float]:
    """Size of a direction, as shares of what may not become negative: the rooms and both slacks."""
    below, above = inverse_room(p, k)
    dr, w, z = p.row_path[k, which, 0], p.row_path[k, which, 1], p.row_path[k, which, 2]
    return dr * below, dr * above, share_of(w, p.row_path[k, PLACE, 1]), share_of(z, p.row_path[k, PLACE, 2])


@kernel
def row_bears(p: Handle, k: int, toward: int, x: float) -> float:
    """How much of a step a row bears."""
    most, r = inf, p.row_path[k, PLACE, 0]
    for c in range(ROW_NUMBERS):
        d = change_of(p.row_path, k, toward, x, c)
        if c == 0:
            most = min(until(r - p.row_lower[k], d), until(p.row_upper[k] - r, -d))
        elif p.row_path[k, PLACE, c] > 0.0:
            most = min(most, until(p.row_path[k, PLACE, c], d))
    return most
