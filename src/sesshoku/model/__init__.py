"""What is simulated: the builder, the immutable model, loaders for robot files."""

from sesshoku.model.actuator import Actuator
from sesshoku.model.bush import Bush
from sesshoku.model.collider import Collider
from sesshoku.model.inertia import Inertia
from sesshoku.model.joint import Joint
from sesshoku.model.load import load
from sesshoku.model.loop import Coupling, Loop
from sesshoku.model.material import Material
from sesshoku.model.model import Frame, JointIndex, Model
from sesshoku.model.scene import Body, Medium, Scene, Site
from sesshoku.model.sensor import Sensor
from sesshoku.model.shape import Box, Capsule, Cylinder, Ellipsoid, HeightField, Hull, Plane, Sphere, Terrain

__all__ = [
    "Actuator",
    "Body",
    "Box",
    "Bush",
    "Capsule",
    "Collider",
    "Coupling",
    "Cylinder",
    "Ellipsoid",
    "Frame",
    "HeightField",
    "Hull",
    "Inertia",
    "Joint",
    "JointIndex",
    "Loop",
    "Material",
    "Medium",
    "Model",
    "Plane",
    "Scene",
    "Sensor",
    "Site",
    "Sphere",
    "Terrain",
    "load",
]
