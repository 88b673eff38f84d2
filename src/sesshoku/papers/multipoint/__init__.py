"""Paper 0: rigid contact at many points."""

from sesshoku.papers.multipoint.experiment import MULTIPOINT

__all__ = ["MULTIPOINT"]
