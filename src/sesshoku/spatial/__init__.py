"""3-vectors, rotations and spatial algebra: small compiled functions on tuples; `Pose` to build models."""

from sesshoku.spatial.pose import Pose

__all__ = ["Pose"]
