"""Sesshoku (接触, "contact"): the forces bodies exert in contact, and the motion that follows."""

from sesshoku.dynamics import Dynamics, Energy
from sesshoku.errors import (
    DivergedError,
    FileFormatError,
    MasslessBodyError,
    ModelError,
    SesshokuError,
    UnsimulatedWarning,
    UnsupportedError,
)
from sesshoku.model import (
    Actuator,
    Body,
    Box,
    Capsule,
    Cylinder,
    Frame,
    Inertia,
    Joint,
    JointIndex,
    Medium,
    Model,
    Scene,
    Site,
    Sphere,
    load,
)
from sesshoku.sim import Controller, Recording, Simulation, State
from sesshoku.spatial import Pose
from sesshoku.version import __version__

__all__ = [
    "Actuator",
    "Body",
    "Box",
    "Capsule",
    "Controller",
    "Cylinder",
    "DivergedError",
    "Dynamics",
    "Energy",
    "FileFormatError",
    "Frame",
    "Inertia",
    "Joint",
    "JointIndex",
    "MasslessBodyError",
    "Medium",
    "Model",
    "ModelError",
    "Pose",
    "Recording",
    "Scene",
    "SesshokuError",
    "Simulation",
    "Site",
    "Sphere",
    "State",
    "UnsimulatedWarning",
    "UnsupportedError",
    "__version__",
    "load",
]
