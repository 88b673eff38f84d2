"""How well the last step satisfied the law, part by part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import ISLANDS, POINTS, Problem

__all__ = ["Residual"]

Array = NDArray[np.float64]
TINY: Final = 1e-300


@dataclass(frozen=True)
class Residual:
    """What is left over of the contact law after a step; all zero when nothing touches.

    Velocities are relative to what those of their island would be with no contact; impulses are counted as the
    velocities they cause at their own point.

    Attributes:
        total: norm of the natural residual over all contacts, limits and joint frictions; what the solver stops by.
        signorini: largest violation of 0 ≤ normal impulse ⟂ normal velocity ≥ 0.
        cone: largest excess of the tangential impulse over friction times the normal one.
        dissipation: largest shortfall of friction's power from the most the cone admits, against the slip.
        converged: whether the total is within the tolerance.
        gave: largest velocity by which a contact of a heap gave way to a change of its impulse [m/s], see giving.py.
        rigid: the total if such contacts are judged as rigid ones; the total itself where none gave way.
    """

    total: float = 0.0
    signorini: float = 0.0
    cone: float = 0.0
    dissipation: float = 0.0
    converged: bool = True
    gave: float = 0.0
    rigid: float = 0.0

    def __float__(self) -> float:
        return self.total

    @staticmethod
    def of(problem: Problem) -> Residual:
        """From what the last step has left in the problem."""
        total, _, missed = problem.statistics.tolist()
        n, islands = int(problem.count[POINTS]), int(problem.count[ISLANDS])
        if n == 0:
            return Residual(total, converged=missed == 0, rigid=total)
        contacts = np.flatnonzero(problem.friction[:n] >= 0.0)  # the others close loops
        normal, friction = problem.normal[contacts], problem.friction[contacts]
        reference = np.repeat(problem.reference[:islands], np.diff(problem.point_begin[: islands + 1]))[contacts, None]
        velocity = problem.slide[contacts] / reference
        impulse = problem.impulse[contacts] / problem.scale[contacts, None] / reference
        along, rate = (np.einsum("ni,ni->n", normal, x) for x in (impulse, velocity))
        tangent, slip = impulse - along[:, None] * normal, velocity - rate[:, None] * normal
        speed, limit = np.linalg.norm(slip, axis=1), friction * along
        power = np.einsum("ni,ni->n", tangent, slip)
        return Residual(
            total,
            float(np.abs(np.minimum(along, rate)).max(initial=0.0)),
            float(np.maximum(np.linalg.norm(tangent, axis=1) - limit, 0.0).max(initial=0.0)),
            float(np.abs(limit * speed + power).max(initial=0.0)),
            missed == 0,
            _gave(problem, contacts),
            max([total, *(_rigid(problem, i) for i in np.flatnonzero(problem.gave[:islands]).tolist())]),
        )


def _gave(problem: Problem, contacts: NDArray[np.intp]) -> float:
    """The largest velocity by which these contacts, in the order of the points, have given way."""
    chosen = contacts[problem.gives[contacts] != 0]
    change = np.linalg.norm(problem.impulse[chosen] - problem.borne[chosen], axis=1)
    return float((problem.give[chosen] * change).max(initial=0.0))


def _rigid(problem: Problem, island: int) -> float:
    """The total of an island by its contacts alone, as if those that have given way were rigid."""
    points = slice(problem.point_begin[island], problem.point_begin[island + 1])
    normal, friction, impulse = problem.normal[points], problem.friction[points], problem.impulse[points]
    give = np.where(problem.gives[points] != 0, problem.give[points], 0.0)[:, None]
    velocity = problem.slide[points] - give * (impulse - problem.borne[points])
    scale = 1.0 / (1.0 / problem.scale[points, None] - give)
    missing = (impulse - _projected(normal, friction, impulse, velocity, scale)) / scale
    return float(np.linalg.norm(missing[friction >= 0.0]) / problem.reference[island])


def _projected(normal: Array, friction: Array, impulse: Array, velocity: Array, scale: Array) -> Array:
    """r − ρ s of each contact, s De Saxcé's velocity, projected on its friction cone."""

    def split(x: Array) -> tuple[Array, Array]:
        along = np.einsum("ni,ni->n", normal, x)
        return along, x - along[:, None] * normal

    slip = np.linalg.norm(split(velocity)[1], axis=1)
    y = impulse - scale * (velocity + (friction * slip)[:, None] * normal)
    along, tangent = split(y)
    size = np.linalg.norm(tangent, axis=1)
    height = np.maximum(along + friction * size, 0.0) / (1.0 + friction**2)
    on_cone = height[:, None] * (normal + (friction / np.maximum(size, TINY))[:, None] * tangent)
    found: Array = np.where((size <= friction * along)[:, None], y, on_cone)
    return found
