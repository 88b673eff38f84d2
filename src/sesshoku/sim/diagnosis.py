"""What to tell users when a simulation goes wrong, or leaves something out."""

from __future__ import annotations

import warnings
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact.law import Law
from sesshoku.contact.points import COMPLIANCE
from sesshoku.dynamics.system import System
from sesshoku.errors import DivergedError, UnsimulatedWarning, UnsupportedError
from sesshoku.model import Model

__all__ = ["diverged", "refuse_stiffness", "warn_of_overlaps"]

SINGULAR: Final = 1e15  # 1/(kg m²): a velocity that yields so much has no inertia of its own
SHOWN: Final = 3  # pairs of links that are named


def warn_of_overlaps(model: Model, pairs: NDArray[np.int64]) -> None:
    """Name the links that never touch each other because the file has them overlapping; colliders (k, 2)."""
    colliders = model.colliders
    names = sorted({f"'{colliders[a].owner}' and '{colliders[b].owner}'" for a, b in pairs.tolist()})
    if names:
        more = f", and {len(names) - SHOWN} more pairs" if len(names) > SHOWN else ""
        text = f"{model.name}: contact of {'; '.join(names[:SHOWN])}{more}, which overlap as the file has them"
        warnings.warn(UnsimulatedWarning(f"{text}: not simulated"), stacklevel=4)


def refuse_stiffness(coefficients: NDArray[np.float64], law: Law, integrator: str) -> None:
    """Elastic surfaces need a law that knows them, and steps that move bodies as it expects: by their new velocity."""
    if not coefficients[..., COMPLIANCE].any():
        return
    for wrong, remedy in (
        (f"law '{law.name}'" if not law.elastic else "", "law='exact'"),
        (f"integrator '{integrator}'" if integrator != "semi_implicit" else "", "integrator='semi_implicit'"),
    ):
        if wrong:
            problem = f"A surface has a stiffness, and the {wrong} knows rigid ones only"
            raise UnsupportedError(problem, element="material", remedy=f"Take {remedy}, or leave the stiffness out")


def diverged(system: System, dt: float) -> DivergedError:
    """Which joint moves without bounds, and what may help."""
    s, model = system, system.model
    worst = int(np.argmax(np.abs(np.nan_to_num(s.v, nan=np.inf))))
    remedy = f"Take a smaller dt than {dt:g} s, or softer gains; semi_implicit bears stiff springs and servos"
    given = {"tau": s.tau, "control": s.control, "external": s.external}
    broken = [name for name, values in given.items() if not np.isfinite(values).all()]
    stuck = int(np.argmax(np.nan_to_num(s.compliance, nan=-np.inf)))
    if broken:
        remedy = f"{' and '.join(broken)} had numbers that are not finite: look where they come from"
    elif s.compliance[stuck] > SINGULAR:
        worst, remedy = stuck, "Its inertia is singular: remove the joint, or whatever moves the body the same way"
    joint = next(j for j in model.joints if worst in np.atleast_1d(np.arange(model.nv)[j.v]))
    body = model.body_names[model.dof_body[worst]]
    return DivergedError(
        f"{model.name}: diverged at {s.clock[0]:.6g} s: joint '{joint.name}' of body '{body}' moves at "
        f"{s.v[worst]:.3g}. {remedy}; the recording up to here is kept."
    )
