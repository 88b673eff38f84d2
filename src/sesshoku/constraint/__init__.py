"""What bodies must not do: the problem that contacts, joint limits, joint friction and loops make of one step.

`NewtonEuler` is motion on surfaces, apart from that problem.
"""

from sesshoku.constraint.newton_euler import NewtonEuler, SurfaceMotion, Terms
from sesshoku.constraint.surface import Surface
from sesshoku.constraint.surface_motion import SurfaceIntegrator, SurfaceRun
from sesshoku.constraint.surface_point import Places, SurfacePoint

__all__ = [
    "NewtonEuler",
    "Places",
    "Surface",
    "SurfaceIntegrator",
    "SurfaceMotion",
    "SurfacePoint",
    "SurfaceRun",
    "Terms",
]
