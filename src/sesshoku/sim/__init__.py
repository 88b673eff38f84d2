"""Scenes in motion: simulation, state, recording."""

from sesshoku.sim.contacts import OPEN, SLIP, STICK, Contacts
from sesshoku.sim.explicit import least_inertia
from sesshoku.sim.recording import Recording
from sesshoku.sim.simulation import Controller, Simulation
from sesshoku.sim.state import State

__all__ = ["OPEN", "SLIP", "STICK", "Contacts", "Controller", "Recording", "Simulation", "State", "least_inertia"]
