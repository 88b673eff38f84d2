"""How well the last step satisfied the law, part by part."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sesshoku.constraint.problem import ISLANDS, POINTS, Problem

__all__ = ["Residual"]


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
    """

    total: float = 0.0
    signorini: float = 0.0
    cone: float = 0.0
    dissipation: float = 0.0
    converged: bool = True

    def __float__(self) -> float:
        return self.total

    @staticmethod
    def of(problem: Problem) -> Residual:
        """From what the last step has left in the problem."""
        total, _, missed = problem.statistics.tolist()
        n, islands = int(problem.count[POINTS]), int(problem.count[ISLANDS])
        if n == 0:
            return Residual(total, converged=missed == 0)
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
        )
