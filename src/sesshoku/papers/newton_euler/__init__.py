"""Paper 2: motion on surfaces by calls of inverse dynamics."""

from sesshoku.papers.newton_euler.experiment import NEWTON_EULER

__all__ = ["NEWTON_EULER"]
