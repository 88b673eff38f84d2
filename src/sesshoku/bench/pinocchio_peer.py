"""Pinocchio's solvers on bare contact problems."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["SOLVERS", "pinocchio_solver"]

Array = NDArray[np.float64]
SOLVERS = ("ADMM", "PGS")


def pinocchio_solver(name: str, W: Array, q: Array, mu: Array, tol: float) -> Callable[[], Array]:
    """A function that solves the problem once and gives its impulses, normal first.

    The tolerance is for its own measures, which are absolute; its default cap of 1000 iterations is kept. It factors
    the lower half of W: where W is not symmetric, what it solves is another problem.
    """
    import pinocchio

    n = len(mu)
    normal_last = (3 * np.arange(n)[:, None] + (1, 2, 0)).ravel()
    delassus, free = W[np.ix_(normal_last, normal_last)], q[normal_last]
    world, models, datas = pinocchio.Model(), pinocchio.StdVec_ConstraintModel(), pinocchio.StdVec_ConstraintData()
    for friction in mu.tolist():
        contact = pinocchio.PointContactConstraintModel(world, 0)
        contact.setFriction(friction)
        models.append(pinocchio.ConstraintModel(contact))
        datas.append(models[-1].createData())
    settings: Any = getattr(pinocchio, f"{name}SolverSettings")()
    for measure in ("feasibility", "complementarity"):
        for kind in ("absolute", "relative"):
            setattr(settings, f"{kind}_{measure}_tol", tol)
    solver = getattr(pinocchio, f"{name}ConstraintSolver")(3 * n)

    def run() -> Array:
        result = getattr(pinocchio, f"{name}SolverResult")()  # a new one: no warm start
        solver.solve(pinocchio.DelassusOperatorDense(delassus), free, models, datas, settings, result)
        impulse = np.empty(3 * n)
        impulse[normal_last] = result.retrieveConstraintImpulses()
        return impulse

    return run
