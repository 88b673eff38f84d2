"""Phase B of the exact law."""

from __future__ import annotations

import numpy as np
import pytest

from sesshoku.bench.pile_scenes import plate
from sesshoku.constraint.problem import at
from sesshoku.contact.proximal import persist, proximal
from sesshoku.kernel import kernel
from sesshoku.sim import Simulation


@kernel
def rounds(address: int, best: float, patient: bool) -> tuple[int, float]:
    """Phase B of island 0 from its impulses as they are: Newton steps counted, and the residual."""
    p = at(address)
    p.best[:] = p.impulse
    if patient:
        return persist(p, 0, 0.1, 3.0, 1e-8, 1e-5, best)
    return proximal(p, 0, 0.1, 30, 3.0, 1e-8, 1e-5, best)


@pytest.mark.parametrize("patient", [False, True])
@pytest.mark.parametrize("size", [1e12, np.inf, np.nan])
def test_it_ends_where_it_is_lost_from_the_start(size: float, patient: bool) -> None:
    """Impulses of an impact in a step that has hardly any motion: a residual beyond what a round begins with."""
    sim = Simulation(plate(8))
    sim.step(n=50)
    sim._problem.impulse[:8] = size
    steps, residual = rounds(sim._problem.address, np.inf, patient)
    assert steps <= 60
    assert residual > 1e-8
