"""Scenes in motion: simulation, state, recording."""

from sesshoku.sim.recording import Recording
from sesshoku.sim.simulation import Controller, Simulation
from sesshoku.sim.state import State

__all__ = ["Controller", "Recording", "Simulation", "State"]
