"""Heaps that do not find their forces give way: by a micrometre at a contact, and only to changes.

A heap that comes to rest stops as soon as some forces hold it; then few others do. The next step has to find such
forces among hundreds of contacts that are about to slip, and the larger the heap, the more Newton steps that takes. So
a contact of it that bore an impulse r₀ in the step before has a spring in series with the law, known by its force,

    s = u + γ (r − c),   γ = min(κ/ρ, w/|r₀|),

s being the velocity that the law speaks of, κ a share of the point's own response 1/ρ, and w the velocity by which a
load sinks at most. c is the impulse that the spring holds: r₀ if the contact gave way in the step before. A spring
holds only what it has taken up itself: what was borne by rigid steps gives no energy back. Forces that do not change
move nothing: what rests, rests as rigid bodies do. What touches anew is rigid; so are loops and joints, and bodies that
touch each other at several points: towers of boxes would sway, and find their forces more easily.
"""

from __future__ import annotations

from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import copy_impulses, evaluate, remember, settle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import dot, norm, scale, subtract

__all__ = ["SHARE", "STEPS", "allow_giving", "give_way", "gives_still", "held_after", "stiffen"]

STEPS: Final = 50  # that a heap gives way before it is tried again whether it finds its forces at once
PARALLEL: Final = 0.9  # cosine of two normals of one patch
SINKS: Final = (1e-6, 1e-3)  # by which a load sinks at most [m], [m/s]
FAR: Final = 10.0  # times that: nothing is to give way by more
SHARE, SPEED, STEP = 0, 1, 2  # of `giving`: κ, w [m/s], and dt


@kernel
def gives_still(p: Handle, i: int) -> int:
    """For how many steps island i, or a part of it, is still to give way."""
    left = 0
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        left = max(left, p.kept_gave[p.tree[node]])
    return left


@kernel
def allow_giving(p: Handle, dt: float) -> None:
    """Say by how much points may give way in a step of dt."""
    p.giving[SPEED], p.giving[STEP] = min(SINKS[0] / dt, SINKS[1]), dt


@kernel
def alike(p: Handle, k: int, other: int) -> bool:
    """Whether two points are of one patch: between the same bodies, along about the same normal."""
    same = p.ends[k, 0] == p.ends[other, 0] and p.ends[k, 1] == p.ends[other, 1]
    return same and dot(load3(p.normal, k), load3(p.normal, other)) > PARALLEL


@kernel
def alone(p: Handle, i: int, k: int) -> bool:
    """Whether point k of island i is a patch by itself; points of one follow each other."""
    first, last = p.point_begin[i], p.point_begin[i + 1] - 1
    return not ((k > first and alike(p, k, k - 1)) or (k < last and alike(p, k, k + 1)))


@kernel
def give_by(p: Handle, k: int, give: float) -> None:
    """Let point k give way by so much per impulse, from another number or none [1/kg]."""
    more = give - p.give[k]
    p.give[k], p.scale[k] = give, 1.0 / (1.0 / p.scale[k] + more)
    store3(p.bias, k, subtract(load3(p.bias, k), scale(more, load3(p.borne, k))))


@kernel
def give_at(p: Handle, i: int, k: int) -> bool:
    """Let point k of island i give way to changes of what it bore.

    False if it strikes, is new, elastic, no contact or one of a patch.
    """
    if p.give[k] > 0.0 or p.friction[k] < 0.0 or dot(load3(p.normal, k), load3(p.bias, k)) < 0.0:
        return False
    borne, held = load3(p.force, p.source[k]), p.giving[STEP] * p.held[p.source[k]]
    size = norm(borne)
    if size == 0.0 or not alone(p, i, k):
        return False
    p.gives[k] = 1
    store3(p.borne, k, scale(min(held / size, 1.0), borne))
    give_by(p, k, min(p.giving[SHARE] / p.scale[k], p.giving[SPEED] / size))
    return True


@kernel
def give_way(p: Handle, i: int, steps: int, tol: float, reference: float, best: float) -> float:
    """Let island i begin anew with points that give way, in this step and so many in all; its residual.

    If there are none it stays as it is.
    """
    some = False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        some |= give_at(p, i, k)
    if not some:
        return best
    p.gave[i] = steps
    copy_impulses(p, i, p.begun, p.row_begun, p.impulse, p.row_impulse)
    evaluate(p, i)
    remember(p, i)
    return settle(p, i, tol, reference)


@kernel
def stiffen(p: Handle, i: int) -> bool:
    """Make springs of island i stiffer that give far more than loads should sink by: by what they bear now.

    Whether there were any: their loads grew by a shock.
    """
    found = False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        r = load3(p.impulse, k)
        if p.gives[k] != 0 and p.give[k] * norm(subtract(r, load3(p.borne, k))) > FAR * p.giving[SPEED]:
            give_by(p, k, min(p.give[k], p.giving[SPEED] / norm(r)))
            found = True
    return found


@kernel
def held_after(p: Handle, k: int, gave: bool, dt: float) -> float:
    """The force that the spring of point k holds after a step in which its island gave way or not [N]."""
    borne = norm(load3(p.impulse, k)) / dt
    return borne if gave and p.gives[k] != 0 else min(p.held[p.source[k]], borne)
