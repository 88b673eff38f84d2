"""What a contact law is: one kernel that fills the impulses of the problem of a step, and its options."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from typing import Any, ClassVar, Final

from numba import types

from sesshoku.constraint.problem import HANDLE as PROBLEM
from sesshoku.constraint.problem import Problem
from sesshoku.dynamics.system import HANDLE as SYSTEM
from sesshoku.geometry.space import HANDLE as SPACE
from sesshoku.geometry.space import Space
from sesshoku.given import number
from sesshoku.handle import Arrays
from sesshoku.kernel import address_of, by_pointer
from sesshoku.model import Model

__all__ = ["Law", "NoContact", "call_law", "enact"]

ARGUMENTS: Final = (SYSTEM, SPACE, PROBLEM, types.float64)  # and the step
KINDS: Final = {"Handle": PROBLEM, "int": types.int64, "float": types.float64}  # what arguments of stages are
call_law = by_pointer(*ARGUMENTS)


@dataclass(frozen=True, kw_only=True)
class Law:
    """A contact law. Its fields are its options: numbers, which its kernel finds in this order in ``options``.

    Stages are kernels of a problem, the number of an island and more numbers that the law calls by address: compiled
    once, and not again inside everything that calls them.

    Attributes:
        tolerance: residual up to which a step counts as converged, relative to the velocities with no contact.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    kernel: ClassVar[Callable[..., Any] | None]
    stages: ClassVar[tuple[Callable[..., Any], ...]] = ()
    elastic: ClassVar[bool] = False  # whether it knows surfaces that have a stiffness
    pointwise: ClassVar[bool] = False  # whether a body may take part by the only point that it is touched at

    tolerance: float = 1e-8

    def __post_init__(self) -> None:
        number(self.tolerance, "tolerance", above=0.0)

    @property
    def rigid(self) -> bool:
        """Whether depth is an error, which is taken back by moving bodies apart."""
        return True

    def companions(self, space: Space, problem: Problem) -> tuple[Arrays, ...]:
        """Memory that the law needs besides the problem, two at most."""
        del space, problem
        return ()

    def more_points(self, space: Space) -> int:
        """Points that the law needs besides those of contacts and loops."""
        del space
        return 0

    def shaped(self, model: Model) -> Model:
        """The model with shapes that the law can deal with."""
        return model


@dataclass(frozen=True, kw_only=True)
class NoContact(Law):
    """Bodies pass through each other, joints through their limits."""

    name = "none"
    summary = "no contact forces: bodies pass through each other, joints through their limits"
    kernel = None


def enact(law: Law, space: Space, problem: Problem) -> None:
    """Let the steps on a problem follow a law."""
    problem.companions = law.companions(space, problem)
    for k, companion in enumerate(problem.companions):
        problem.companion[k] = companion.address
    for k, option in enumerate(fields(law)):
        problem.options[k] = getattr(law, option.name)
    problem.rigid[0] = law.rigid
    problem.pointwise[0] = law.pointwise and problem.crowd[0] == 0  # blocks of heaps are all of one size
    problem.law[0] = 0 if law.kernel is None else address_of(law.kernel, *ARGUMENTS)
    for k, stage in enumerate(law.stages):
        kinds = [kind for name, kind in stage.py_func.__annotations__.items() if name != "return"]  # type: ignore[attr-defined]
        problem.stage[k] = address_of(stage, *(KINDS[kind] for kind in kinds))
