"""What bodies must not do: the problem that contacts, joint limits, joint friction and loops make of one step.

`NewtonEuler` is motion on surfaces, apart from that problem.
"""

from sesshoku.constraint.surface.motion import SurfaceIntegrator, SurfaceRun
from sesshoku.constraint.surface.newton_euler import NewtonEuler, SurfaceMotion, Terms
from sesshoku.constraint.surface.point import Places, SurfacePoint
from sesshoku.constraint.surface.surface import Surface

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
