"""One Newton step of an island, from its points and rows as they are linearised."""

from __future__ import annotations

from sesshoku.constraint.problem import Handle
from sesshoku.contact.fit import evaluate
from sesshoku.contact.flow import gather, respond
from sesshoku.contact.linear import find_direction
from sesshoku.contact.linearised import respond_linearly
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import add

__all__ = ["newton_step"]


@kernel
def newton_step(p: Handle, i: int) -> None:
    """Move the impulses of island i by the solution of the linearised law; needs its pattern."""
    gather(p, i, p.push, p.row_push, p.wrench)
    respond(p, i, p.wrench, p.change)
    find_direction(p.stage[0], (p, i))
    respond_linearly(p, i)
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        store3(p.impulse, k, add(load3(p.impulse, k), load3(p.push, k)))
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        p.row_impulse[k] += p.row_push[k]
    evaluate(p, i)
