"""The contact laws by name. A law is one kernel: it fills the impulses of the problem of a step."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from numba import types

from sesshoku.constraint.problem import HANDLE as PROBLEM
from sesshoku.constraint.problem import Problem
from sesshoku.contact.exact import exact
from sesshoku.contact.linear import newton_direction
from sesshoku.dynamics.system import HANDLE as SYSTEM
from sesshoku.geometry.space import HANDLE as SPACE
from sesshoku.kernel import address_of, by_pointer

__all__ = ["LAWS", "Law", "call_law", "enact"]

ARGUMENTS: Final = (SYSTEM, SPACE, PROBLEM, types.float64)  # and the step
call_law = by_pointer(*ARGUMENTS)


@dataclass(frozen=True)
class Law:
    """A contact law: what it is, and its kernel (None: bodies pass through each other).

    Stages are kernels of a problem and the number of an island that the law calls by address: compiled once, and not
    again inside everything that calls them.
    """

    summary: str
    kernel: Callable[..., Any] | None
    stages: tuple[Callable[..., Any], ...] = ()


LAWS: Final = {
    "exact": Law("Signorini and Coulomb without relaxation, static and kinetic friction", exact, (newton_direction,)),
    "none": Law("no contact forces: bodies pass through each other, joints through their limits", None),
}


def enact(name: str, problem: Problem) -> None:
    """Let the steps on a problem follow a law."""
    law = LAWS[name]
    problem.law[0] = 0 if law.kernel is None else address_of(law.kernel, *ARGUMENTS)
    for k, stage in enumerate(law.stages):
        problem.stage[k] = address_of(stage, PROBLEM, types.int64)
