"""Rigid-body dynamics: one algorithm per file, compiled; `Dynamics` is what users see."""

from sesshoku.dynamics.dynamics import Dynamics, Energy

__all__ = ["Dynamics", "Energy"]
