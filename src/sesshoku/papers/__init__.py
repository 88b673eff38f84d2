"""The papers as they are printed: their own forms, models and experiments, beside what Sesshoku made of them."""

from typing import Final

from sesshoku.papers.experiment import Check, Experiment, Findings
from sesshoku.papers.lcp.experiment import LCP
from sesshoku.papers.multipoint.experiment import MULTIPOINT
from sesshoku.papers.newton_euler.experiment import NEWTON_EULER
from sesshoku.papers.volume.experiment import VOLUME

__all__ = ["EXPERIMENTS", "Check", "Experiment", "Findings"]

EXPERIMENTS: Final = {experiment.name: experiment for experiment in (MULTIPOINT, LCP, NEWTON_EULER, VOLUME)}
