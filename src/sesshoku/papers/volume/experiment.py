"""The experiments of paper 3, and a humanoid."""

from __future__ import annotations

from typing import Final

from sesshoku.papers.experiment import Experiment
from sesshoku.papers.volume.box import box_experiment
from sesshoku.papers.volume.humanoid import humanoid_experiment
from sesshoku.papers.volume.moments import moments_experiment
from sesshoku.papers.volume.region import region_experiment
from sesshoku.papers.volume.signs import signs_experiment
from sesshoku.papers.volume.slide_and_spin import slide_and_spin_experiment
from sesshoku.papers.volume.spin import spin_experiment
from sesshoku.papers.volume.stack import stack_experiment
from sesshoku.papers.volume.stick import stick_experiment
from sesshoku.papers.volume.timing import timing_experiment

__all__ = ["VOLUME"]

VOLUME: Final = Experiment(
    "volume",
    "paper 3: contact by volume, friction of force and torque together",
    {
        "integrals over an overlap": moments_experiment,
        "signs of two equations": signs_experiment,
        "which friction a square patch bears": region_experiment,
        "which friction a simulated box bears": stick_experiment,
        "free and uniform pressure": spin_experiment,
        "a box rests and slides": box_experiment,
        "a box slides and spins": slide_and_spin_experiment,
        "a stack stands and slides": stack_experiment,
        "a humanoid stands and falls": humanoid_experiment,
        "time against the separated test": timing_experiment,
    },
)
