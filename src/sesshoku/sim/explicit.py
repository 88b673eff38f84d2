"""Springs and dampers that a step takes explicitly: how light a joint they leave stable."""

from __future__ import annotations

import warnings
from cmath import sqrt
from math import inf, isfinite
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.dynamics import Dynamics
from sesshoku.errors import UnstableWarning
from sesshoku.sim.reports import known
from sesshoku.sim.step import INTEGRATORS

__all__ = ["least_inertia", "warn_of_light_joints"]

HALVINGS: Final = 60  # of the interval in which the limit of rk4 is looked for
SHOWN: Final = 3  # joints that are named


def least_inertia(stiffness: float, damping: float, dt: float, integrator: str, *, explicit: bool) -> float:
    """Inertia I below which one joint with a spring k and a damper d does not come to rest [kg m² or kg].

    Where the two eigenvalues of a step leave the unit circle, while nothing but the joint holds the body (Jury's test):

    ========================================  =================================================
    implicit (``semi_implicit``)              never: 0
    explicit, ``semi_implicit``               d dt/I + k dt²/(2 I) = 2
    explicit, held over Runge–Kutta stages    d dt/I = 2; none suffices (inf) unless d > k dt/2
    taken in each Runge–Kutta stage           |1 + z + z²/2 + z³/6 + z⁴/24| = 1, I z²/dt² + d z/dt + k = 0
    ========================================  =================================================
    """
    k, d = stiffness, damping
    euler = d * dt / 2 + k * dt**2 / 4
    if known(integrator, INTEGRATORS, "integrator") == "semi_implicit":
        return euler if explicit else 0.0
    if explicit:
        return d * dt / 2 if d > k * dt / 2 else inf
    low, high = 0.0, euler  # Runge–Kutta bears whatever semi-implicit Euler bears
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        z = -dt * (d + sqrt(d * d - 4 * k * middle)) / (2 * middle)
        low, high = (low, middle) if abs(1 + z * (1 + z / 2 * (1 + z / 3 * (1 + z / 4)))) < 1 else (middle, high)
    return high


def warn_of_light_joints(dynamics: Dynamics, q: NDArray[np.float64], dt: float, integrator: str) -> None:
    """Name the joints that are too light for their explicit springs and dampers.

    What a joint moves is 1/(M⁻¹)ₖₖ, with its rotor, while all other joints are free: a foot in the air.
    """
    model = dynamics.model
    taken = (model.stiffness > 0) | (model.damping > 0)
    if integrator == "semi_implicit":
        taken &= model.explicit != 0
    dofs = np.flatnonzero(taken)
    if len(dofs) == 0:
        return
    yielding = dynamics.solve(q, np.eye(model.nv)[:, dofs])
    found = []
    for column, d in enumerate(dofs.tolist()):
        inertia = 1.0 / yielding[d, column]
        least = least_inertia(model.stiffness[d], model.damping[d], dt, integrator, explicit=bool(model.explicit[d]))
        if inertia <= least:
            joint = next(j for j in model.joints if d in np.atleast_1d(np.arange(model.nv)[j.v]))
            need = f"needs {least:.3g}" if isfinite(least) else "is damped too little for any"
            found.append(f"joint '{joint.name}' moves an inertia of {inertia:.3g} and {need}")
    if found:
        more = f"; and {len(found) - SHOWN} more" if len(found) > SHOWN else ""
        text = f"{model.name}: explicit springs and dampers are unstable at dt = {dt:g} s where nothing holds the body"
        remedy = "Take them implicitly (semi_implicit, explicit=False), add rotor inertia, or take a smaller dt"
        warnings.warn(UnstableWarning(f"{text}: {'; '.join(found[:SHOWN])}{more}. {remedy}."), stacklevel=3)
