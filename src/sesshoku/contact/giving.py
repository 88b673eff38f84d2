"""Heaps that do not find their forces at once give way: by micrometres, and only to changes.

A heap that comes to rest stops as soon as some forces hold it; then few others do. The next step has to find such
forces among hundreds of contacts that are about to slip, and the larger the heap, the more Newton steps that takes. So
a contact of it that bore an impulse r₀ in the step before gives way to what is added to that or taken away,

    s = u + γ (r − r₀),   γ = κ/ρ,

s being the velocity that the law speaks of, and κ a small share of the point's own response 1/ρ. It is a spring in
series with the law, known by its force: at a step of 1 ms a sphere yields by 1 µm per weight of its own. Forces that do
not change move nothing: what rests, rests as rigid bodies do. What touches anew is rigid; so are loops and joints.

No spring is softer than the heaviest body of the island would be: light bodies under a heavy one would buckle.
"""

from __future__ import annotations

from math import inf
from typing import Final

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import copy_impulses, evaluate, remember, residual
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3, dot, scale, subtract

__all__ = ["STEPS", "give_way", "gives_still"]

STEPS: Final = 50  # that a heap gives way before it is tried again whether it finds its forces at once
NOTHING: Final = (0.0, 0.0, 0.0)


@kernel
def gives_still(p: Handle, i: int) -> int:
    """For how many steps island i, or a part of it, is still to give way."""
    left = 0
    for node in range(p.node_begin[i], p.node_begin[i + 1]):
        left = max(left, p.kept_gave[p.tree[node]])
    return left


@kernel
def least_response(p: Handle, i: int) -> float:
    """Velocity per impulse of the heaviest body of island i [1/kg]."""
    least = inf
    for slot in range(p.slot_begin[p.node_begin[i]], p.slot_begin[p.node_begin[i + 1]]):
        if p.slot_width[slot] != 1:
            least = min(least, p.mobility[slot, 9] / 3.0)
    return least


@kernel
def borne_by(p: Handle, k: int) -> Vec3:
    """The impulse to whose changes point k is to give way; nothing if it strikes, is new, elastic or no contact."""
    if p.give[k] > 0.0 or p.friction[k] < 0.0 or dot(load3(p.normal, k), load3(p.bias, k)) < 0.0:
        return NOTHING
    return load3(p.begun, k)


@kernel
def give_way(p: Handle, i: int, steps: int, tol: float, reference: float) -> float:
    """Let island i begin anew with points that give way, in this step and so many in all; its residual."""
    most = least_response(p, i)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        r = borne_by(p, k)
        store3(p.borne, k, r)
        if dot(r, r) > 0.0:
            p.give[k] = min(p.giving[0] / p.scale[k], most)
            p.scale[k] = 1.0 / (1.0 / p.scale[k] + p.give[k])
            store3(p.bias, k, subtract(load3(p.bias, k), scale(p.give[k], r)))
    p.gave[i] = steps
    copy_impulses(p, i, p.begun, p.row_begun, p.impulse, p.row_impulse)
    evaluate(p, i)
    remember(p, i)
    return residual(p, i, tol, reference)
