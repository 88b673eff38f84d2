"""What of a body can touch: a shape at its place, and whom it touches."""

from __future__ import annotations

from dataclasses import dataclass, field

from sesshoku.errors import ModelError
from sesshoku.model.material import PLAIN, Material
from sesshoku.model.shape import Shape
from sesshoku.spatial.pose import Pose

__all__ = ["Collider"]


@dataclass(frozen=True)
class Collider:
    """A shape on a body.

    Two colliders can touch if the group of one has a bit in common with the mask of the other.

    Attributes:
        shape: what it is.
        pose: in the body frame.
        name: the file's name, if it has one.
        group: bits it belongs to (``contype`` of MJCF).
        mask: bits it touches (``conaffinity`` of MJCF).
        margin: contacts are reported this far before they touch, if that is more than the scene's margin [m].
        material: what its surface is like.
    """

    shape: Shape
    pose: Pose = field(default_factory=Pose)
    name: str | None = None
    group: int = 1
    mask: int = 1
    margin: float = 0.0
    material: Material = PLAIN

    def __post_init__(self) -> None:
        if not isinstance(self.material, Material):
            raise ModelError(f"material is {self.material!r}", remedy="Give a sesshoku.Material")
