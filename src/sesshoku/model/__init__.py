"""What is simulated: the builder, the immutable model, loaders for robot files."""

from sesshoku.model.actuator import Actuator
from sesshoku.model.inertia import Inertia
from sesshoku.model.joint import Joint
from sesshoku.model.load import load
from sesshoku.model.model import Frame, JointIndex, Model
from sesshoku.model.scene import Body, Medium, Scene, Site
from sesshoku.model.shape import Box, Capsule, Cylinder, Sphere

__all__ = [
    "Actuator",
    "Body",
    "Box",
    "Capsule",
    "Cylinder",
    "Frame",
    "Inertia",
    "Joint",
    "JointIndex",
    "Medium",
    "Model",
    "Scene",
    "Site",
    "Sphere",
    "load",
]
