"""All points and rows of an island, linearised: dr = push − A J dV: see coulomb.py for one point."""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import OPEN, STICK, WITHIN, Linear, linearise
from sesshoku.contact.flow import relative, relative_row
from sesshoku.kernel import U, kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, scale, subtract

__all__ = ["give_way", "linearise_all", "linearise_point", "linearise_row", "respond_linearly"]

# Share of a point's own scale that decides between open, stick and slip. Points of one body share what it takes to stop
# it: the whole scale expects too much of each. Newton steps in a step of the pushed G1 on 8, 16, 32 points: 2.12, 2.87,
# 4.36 with 1; 2.11, 2.14, 2.47 with 1/4; 2.11, 2.14, 2.22 with 1/8. Heaps do not mind.
DECIDING: Final = 0.125


@kernel
def keep(p: Handle, k: int, line: Linear) -> None:
    """Store the linearisation of a point."""
    row = U(k)
    p.mode[row] = line[0]
    store3(p.push, k, line[1])
    p.stiffness[row, 0], p.stiffness[row, 1] = line[2], line[3]
    store3(p.direction, k, line[4])


@kernel
def linearise_point(p: Handle, k: int, eps: float) -> None:
    """Linearise a point for a full Newton step."""
    n, mu, r, u = load3(p.normal, k), p.friction[k], load3(p.impulse, k), load3(p.slide, k)
    keep(p, k, linearise(n, mu, r, u, DECIDING * p.scale[k], DECIDING * eps, p.give[k]))


@kernel
def linearise_row(p: Handle, k: int, eps: float) -> None:
    """Linearise a row for a full Newton step."""
    r, h = p.row_impulse[k], p.row_scale[k]
    y = r - h * p.row_slide[k]
    if p.row_lower[k] < y < p.row_upper[k]:
        p.row_push[k], p.row_stiffness[k] = (y - r) / eps, h / eps
    else:
        p.row_push[k] = (min(max(y, p.row_lower[k]), p.row_upper[k]) - r) / (1.0 + eps)
        p.row_stiffness[k] = 0.0


@kernel
def linearise_all(p: Handle, i: int, eps: float) -> None:
    """Linearise the points and rows of island i for a full Newton step."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        linearise_point(p, k, eps)
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        linearise_row(p, k, eps)


@kernel
def give_way(p: Handle, k: int, u: Vec3) -> Vec3:
    """A u: how the impulse of a linearised point gives way to a velocity."""
    row = U(k)
    if p.mode[row] == OPEN:
        return (0.0, 0.0, 0.0)
    if p.mode[row] == STICK:
        return scale(p.stiffness[row, 0], u)
    n, d = load3(p.normal, k), load3(p.direction, k)
    lean = p.stiffness[row, 3] if p.mode[row] == WITHIN else p.friction[row]
    slope, t = add(n, scale(lean, d)), cross(n, d)
    way = add(scale(p.stiffness[row, 0] * dot(n, u), slope), scale(p.stiffness[row, 1] * dot(t, u), t))
    return add(way, scale(p.stiffness[row, 2] * dot(d, u), d)) if p.mode[row] == WITHIN else way


@kernel
def respond_linearly(p: Handle, i: int) -> None:
    """Replace push by push − A J dV, with dV in change."""
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.push, k, subtract(load3(p.push, k), give_way(p, k, relative(p, k, p.change))))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_push[k] -= p.row_stiffness[k] * relative_row(p, k, p.change)
