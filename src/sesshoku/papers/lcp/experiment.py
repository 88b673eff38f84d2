"""The experiments of paper 1 on a block, a joint and a standing humanoid."""

from __future__ import annotations

from typing import Final

from sesshoku.papers.experiment import Experiment
from sesshoku.papers.lcp.block import block_experiment
from sesshoku.papers.lcp.bush import bush_experiment
from sesshoku.papers.lcp.convergence import convergence_experiment
from sesshoku.papers.lcp.matrix import matrix_experiment
from sesshoku.papers.lcp.slip import slip_experiment
from sesshoku.papers.lcp.timing import timing_experiment

__all__ = ["LCP"]

LCP: Final = Experiment(
    "lcp",
    "paper 1: contact as a linear complementarity problem, by projected Gauss–Seidel",
    {
        "a block lands, slides and bounces": block_experiment,
        "where a block gives way": slip_experiment,
        "contact space by test forces": matrix_experiment,
        "sweeps against the exact solution": convergence_experiment,
        "stability of the foot bush": bush_experiment,
        "time against contacts": timing_experiment,
    },
)
