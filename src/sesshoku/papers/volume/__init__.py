"""Paper 3: contact by volume, with friction of force and torque judged together."""

from sesshoku.papers.volume.experiment import VOLUME

__all__ = ["VOLUME"]
