"""The experiments of paper 2 on its arm, and beyond it on several points."""

from __future__ import annotations

from typing import Final

from sesshoku.papers.experiment import Experiment
from sesshoku.papers.newton_euler.animation import animation_experiment
from sesshoku.papers.newton_euler.cases import cases_experiment
from sesshoku.papers.newton_euler.drift import drift_experiment
from sesshoku.papers.newton_euler.instant import instant_experiment
from sesshoku.papers.newton_euler.leaving import leaving_experiment
from sesshoku.papers.newton_euler.reactions import reactions_experiment
from sesshoku.papers.newton_euler.several import several_experiment
from sesshoku.papers.newton_euler.timing import timing_experiment

__all__ = ["NEWTON_EULER"]

NEWTON_EULER: Final = Experiment(
    "newton-euler",
    "paper 2: motion on surfaces by calls of inverse dynamics",
    {
        "one instant": instant_experiment,
        "the seven cases": cases_experiment,
        "forces in the joints": reactions_experiment,
        "an animation": animation_experiment,
        "a tip that leaves and lands": leaving_experiment,
        "drift, order and energy": drift_experiment,
        "several points": several_experiment,
        "time against links": timing_experiment,
    },
)
