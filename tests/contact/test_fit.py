"""What a step says about how well its islands fit the law."""

from __future__ import annotations

from math import inf, nan

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.constraint.problem import at
from sesshoku.contact.fit import nothing_yet, take_stock
from sesshoku.contact.residual import Residual
from sesshoku.kernel import kernel


@kernel
def report(address: int, first: float, second: float) -> None:
    """Statistics of a step with two islands that have these residuals."""
    p = at(address)
    nothing_yet(p)
    take_stock(p, 0, 2.0, first, 1e-8, 1.0)
    take_stock(p, 0, 3.0, second, 1e-8, 1.0)


@pytest.mark.parametrize(
    ("first", "second", "total", "missed"),
    [(1e-9, 5e-9, 5e-9, 0), (5e-9, 1e-9, 5e-9, 0), (1e-9, 1e-3, 1e-3, 1), (nan, 1e-9, nan, 1), (1e-9, nan, nan, 1),
     (inf, nan, nan, 2)],
)  # fmt: skip
def test_the_worst_island_counts_also_where_it_is_no_number(
    first: float, second: float, total: float, missed: int
) -> None:
    scene = sk.load("box")
    scene.ground()
    problem = sk.Simulation(scene)._problem
    assert problem is not None
    report(problem.address, first, second)
    np.testing.assert_equal(problem.statistics, [total, 5.0, missed])
    found = Residual.of(problem)
    np.testing.assert_equal(found.total, total)
    assert found.converged == (missed == 0)
