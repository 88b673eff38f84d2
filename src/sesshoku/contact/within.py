"""One point within its cone: Signorini's and Coulomb's law softened by a parameter σ [J].

With slack w and λ, a velocity of slip over the share of friction ρ = r_T / r_N,

    r_N w = σ,  w = u_N,  u_T = −λ ρ,  λ g = σ  with  g = r_N (μ − |ρ|²/μ),

with all of r_N, w, λ and g positive. As σ vanishes this becomes the law; unlike the forms of De Saxcé and of Alart and
Curnier it is smooth, also where a point does not slip. A step of Newton's method on it is dr = e − A J dV as in
coulomb.py, now with A = α (n + m d) nᵀ + β d dᵀ + γ t tᵀ, d the direction of friction, t = n × d.

Rows of ``path`` of a point are places and directions, each an impulse with w and λ. Where μ is zero λ is not used. A
point of a loop has no cone: it is an equation, u = 0, and yields so little that Newton's steps do not mind.
"""

from __future__ import annotations

from math import inf, sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import Handle
from sesshoku.contact.coulomb import STICK, WITHIN, split
from sesshoku.contact.linearised import give_way
from sesshoku.geometry.polyhedral.select import tangents
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = [
    "ALONG",
    "BEND",
    "EQUATION",
    "KEPT",
    "KEPT_ALONG",
    "KEPT_TOWARD",
    "NUMBERS",
    "PLACE",
    "TOWARD",
    "aim",
    "aim_along",
    "aim_at_bend",
    "bears",
    "change_of",
    "complete",
    "linearise_within",
    "measure",
    "put_within",
    "until",
]

PLACE, TOWARD, ALONG, KEPT, KEPT_TOWARD, KEPT_ALONG, BEND = 0, 1, 2, 3, 4, 5, 6  # of `path`
NUMBERS: Final = 5  # impulse, w, λ
EQUATION: Final = 1e-8  # by which an equation yields in a Newton step, in units of its own response
TINY: Final = 1e-12  # share of friction below which it has no direction
Array = NDArray[np.float64]
Place = tuple[Vec3, Vec3, float, float, float]
Measure = tuple[float, float, float, float, float]


@kernel
def impulse_of(p: Handle, k: int, which: int) -> Vec3:
    """The impulse of a place or direction."""
    return p.path[k, which, 0], p.path[k, which, 1], p.path[k, which, 2]


@kernel
def place(p: Handle, k: int) -> Place:
    """Where a point is: normal, direction of friction, normal impulse, share of friction |ρ|, and g."""
    n, mu = load3(p.normal, k), p.friction[k]
    along, tangent = split(n, impulse_of(p, k, PLACE))
    size = norm(tangent)
    d = scale(1.0 / size, tangent) if size > TINY * along else tangents(n)[0]
    share = size / along
    return n, d, along, share, along * (mu - share * share / mu) if mu > 0.0 else 1.0


@kernel
def put_within(p: Handle, k: int, sigma: float, response: float) -> None:
    """Let a point without friction bear what balances its barrier, if it yields by ``response`` [1/kg]."""
    mu, along = p.friction[k], sqrt(sigma / response)
    r = scale(along if mu >= 0.0 else 0.0, load3(p.normal, k))
    p.path[k, PLACE, 0], p.path[k, PLACE, 1], p.path[k, PLACE, 2] = r
    p.path[k, PLACE, 3] = sigma / along
    p.path[k, PLACE, 4] = sigma / (mu * along) if mu > 0.0 else 1.0


@kernel
def yielding(p: Handle, k: int) -> float:
    """By which an elastic point answers along its normal to what a rigid one there would, 1 if it is rigid."""
    along, w = dot(load3(p.normal, k), impulse_of(p, k, PLACE)), p.path[k, PLACE, 3]
    return 1.0 / (1.0 + p.give[k] * along / w)  # type: ignore[no-any-return]


@kernel
def linearise_within(p: Handle, k: int) -> None:
    """Store A of a point: α, γ, β and m, the direction d, and λ/g, by which λ gives way to g."""
    if p.friction[k] < 0.0:
        p.mode[k], p.stiffness[k, 0] = STICK, p.scale[k] / EQUATION
        return
    _, d, along, share, room = place(p, k)
    mu, w, slip, give = p.friction[k], p.path[k, PLACE, 3], p.path[k, PLACE, 4], p.give[k]
    p.mode[k] = WITHIN
    store3(p.direction, k, d)
    p.stiffness[k, 0] = along / w * yielding(p, k)
    p.stiffness[k, 1] = p.stiffness[k, 2] = p.stiffness[k, 3] = p.stiffness[k, 4] = 0.0
    if mu > 0.0:
        both = mu * mu + share * share
        across = along / slip
        leaning = across * (mu * mu - share * share) / both
        p.stiffness[k, 1] = across / (1.0 + give * across)
        p.stiffness[k, 2] = leaning / (1.0 + give * leaning)
        p.stiffness[k, 3] = 2.0 * mu * mu * share / both / (1.0 + give * leaning)
        p.stiffness[k, 4] = slip / room


@kernel
def push_by(p: Handle, k: int, normal: float, slip: Vec3) -> None:
    """Store e of a point, from what it would be along the normal, and the velocity of slip that it is to make good."""
    n, d = load3(p.normal, k), load3(p.direction, k)
    t = cross(n, d)
    along = p.stiffness[k, 2] * dot(slip, d) + p.stiffness[k, 3] * normal
    store3(p.push, k, add(scale(normal, n), add(scale(along, d), scale(p.stiffness[k, 1] * dot(slip, t), t))))


@kernel
def aim(p: Handle, k: int, sigma: float) -> None:
    """Aim a point at the path, at σ: e, and what w and λ change by but for dr and dV."""
    if p.friction[k] < 0.0:
        store3(p.push, k, scale(-p.stiffness[k, 0], load3(p.slide, k)))
        return
    n, d, _, share, room = place(p, k)
    w, mu = p.path[k, PLACE, 3], p.friction[k]
    speed, slip = split(n, load3(p.slide, k))
    more = sigma / room if mu > 0.0 else 0.0
    normal = sigma / w * yielding(p, k) - p.stiffness[k, 0] * speed
    push_by(p, k, normal, scale(-1.0, add(slip, scale(share * more, d))))
    p.path[k, TOWARD, 3] = speed - w
    p.path[k, TOWARD, 4] = more - p.path[k, PLACE, 4] if mu > 0.0 else 0.0


@kernel
def aim_along(p: Handle, k: int, sigma: float) -> None:
    """Aim a point along the path: the same for its change by log σ."""
    if p.friction[k] < 0.0:
        store3(p.push, k, (0.0, 0.0, 0.0))
        return
    _, d, _, share, room = place(p, k)
    more = sigma / room if p.friction[k] > 0.0 else 0.0
    push_by(p, k, sigma / p.path[k, PLACE, 3] * yielding(p, k), scale(-share * more, d))
    p.path[k, ALONG, 3], p.path[k, ALONG, 4] = 0.0, more


@kernel
def change_of_room(p: Handle, k: int, dr: Vec3) -> float:
    """Change of g by a change of the impulse."""
    n, d, _, share, _ = place(p, k)
    mu = p.friction[k]
    return (mu + share * share / mu) * dot(n, dr) - 2.0 * share / mu * dot(d, dr)  # type: ignore[no-any-return]


@kernel
def turned(p: Handle, k: int, dr: Vec3) -> Vec3:
    """Change of ρ by a change of the impulse."""
    n, d, along, share, _ = place(p, k)
    normal, tangent = split(n, dr)
    return scale(1.0 / along, subtract(tangent, scale(share * normal, d)))


@kernel
def aim_at_bend(p: Handle, k: int) -> None:
    """Aim a point at what the direction along the path neglects: terms of second order."""
    if p.friction[k] < 0.0:
        store3(p.push, k, (0.0, 0.0, 0.0))
        return
    n, d, along, share, room = place(p, k)
    mu, w, slip = p.friction[k], p.path[k, PLACE, 3], p.path[k, PLACE, 4]
    dr, dw, more = impulse_of(p, k, ALONG), p.path[k, ALONG, 3], p.path[k, ALONG, 4]
    normal = dot(n, dr)
    missed = -normal * dw / w * yielding(p, k)
    p.path[k, BEND, 3] = p.path[k, BEND, 4] = 0.0
    if mu <= 0.0:
        push_by(p, k, missed, (0.0, 0.0, 0.0))
        return
    turn = turned(p, k, dr)
    missing = (slip * along / mu * dot(turn, turn) - more * change_of_room(p, k, dr)) / room
    bent = add(scale(more - slip * normal / along, turn), scale(share * missing, d))
    push_by(p, k, missed, scale(-1.0, bent))
    p.path[k, BEND, 4] = missing


@kernel
def complete(p: Handle, k: int, which: int, u: Vec3) -> None:
    """Complete a direction that a point has been aimed at, with the change u of its velocity."""
    dr = subtract(load3(p.push, k), give_way(p, k, u))
    p.path[k, which, 0], p.path[k, which, 1], p.path[k, which, 2] = dr
    if p.friction[k] >= 0.0:
        p.path[k, which, 3] += dot(load3(p.normal, k), add(u, scale(p.give[k], dr)))
    if p.friction[k] > 0.0:
        p.path[k, which, 4] -= p.stiffness[k, 4] * change_of_room(p, k, dr)


@kernel
def measure(p: Handle, k: int, which: int) -> Measure:
    """Size of a direction, as shares of what may not become negative: r_N, w, λ, g; and of the cone across d."""
    if p.friction[k] < 0.0:
        return 0.0, 0.0, 0.0, 0.0, 0.0
    n, d, along, _, room = place(p, k)
    dr, mu = impulse_of(p, k, which), p.friction[k]
    normal, slack = dot(n, dr) / along, p.path[k, which, 3] / p.path[k, PLACE, 3]
    if mu <= 0.0:
        return normal, slack, 0.0, 0.0, 0.0
    across = dot(cross(n, d), dr) / (mu * along)
    return normal, slack, p.path[k, which, 4] / p.path[k, PLACE, 4], change_of_room(p, k, dr) / room, across


@kernel
def until(value: float, change: float) -> float:
    """How much of a change a positive value bears."""
    return -value / change if change < 0.0 else inf


@kernel
def fraction(n: Vec3, mu: float, r: Vec3, dr: Vec3) -> float:
    """How much of a change of the impulse leads to the edge of the cone."""
    along, tangent = split(n, r)
    normal, across = split(n, dr)
    most = until(along, normal)
    if mu <= 0.0:
        return most
    a = mu * mu * normal * normal - dot(across, across)
    b = mu * mu * along * normal - dot(tangent, across)
    c = mu * mu * along * along - dot(tangent, tangent)
    square = b * b - a * c
    if square < 0.0:
        return most
    q = -(b + sqrt(square)) if b >= 0.0 else sqrt(square) - b
    if a * q > 0.0:
        most = min(most, q / a)
    if q > 0.0:
        most = min(most, c / q)
    return most


@kernel
def change_of(path: Array, k: int, toward: int, x: float, c: int) -> float:
    """Change of a number by a step: a correction, an advance from σ to σ (1 + x), and its bend."""
    return path[k, toward, c] + x * path[k, KEPT_ALONG, c] + x * x * path[k, BEND, c]  # type: ignore[no-any-return]


@kernel
def bears(p: Handle, k: int, toward: int, x: float) -> float:
    """How much of a step a point bears."""
    if p.friction[k] < 0.0:
        return inf
    dr = (change_of(p.path, k, toward, x, 0), change_of(p.path, k, toward, x, 1), change_of(p.path, k, toward, x, 2))
    most = fraction(load3(p.normal, k), p.friction[k], impulse_of(p, k, PLACE), dr)
    for c in range(3, NUMBERS):
        most = min(most, until(p.path[k, PLACE, c], change_of(p.path, k, toward, x, c)))
    return most
