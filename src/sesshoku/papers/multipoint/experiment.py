"""The experiments of paper 0 on a box and a plate."""

from __future__ import annotations

from typing import Final

from sesshoku.papers.experiment import Experiment
from sesshoku.papers.multipoint.box import box_experiment
from sesshoku.papers.multipoint.points import points_experiment
from sesshoku.papers.multipoint.threshold import threshold_experiment

__all__ = ["MULTIPOINT"]

MULTIPOINT: Final = Experiment(
    "multipoint",
    "paper 0: rigid contact at many points, by impulses of least norm",
    {
        "a box rests, slides and bounces": box_experiment,
        "where a box gives way": threshold_experiment,
        "points that are left out": points_experiment,
    },
)
