"""What of a URDF can touch: its collision elements as colliders of a scene."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from xml.etree.ElementTree import Element

from sesshoku.errors import FileFormatError, ModelError
from sesshoku.model.collider import Collider
from sesshoku.model.mesh import convex_part
from sesshoku.model.package import find_file
from sesshoku.model.pinocchio import body_of_link
from sesshoku.model.scene import Scene
from sesshoku.model.shape import Box, Capsule, Cylinder, Hull, Shape, Sphere
from sesshoku.model.urdf_check import numbers, required
from sesshoku.spatial.pose import Pose

__all__ = ["add_colliders"]

SHAPES = ("box", "sphere", "cylinder", "capsule", "mesh")


def add_colliders(
    scene: Scene, robot: Element, folder: Path, package_dirs: Iterable[str | Path], *, hulls: bool = False
) -> None:
    """Give the bodies of a scene the collision elements of the links they were read from.

    A mesh becomes its convex hull; those that are not convex are named in ``scene.unsimulated``, and so are
    geometries that URDF does not know. Visual meshes are not read: no motion depends on them.

    Args:
        scene: what the robot was read into.
        robot: the ``<robot>`` as the file has it.
        folder: where the file lies.
        package_dirs: where else its meshes are looked for, see `find_file`.
        hulls: whether hulls are what is wanted, also of meshes that are not convex.
    """
    reader = _Reader(folder, tuple(package_dirs), hulls)
    for link in robot.findall("link"):
        name = link.get("name", "")
        for collider in reader.colliders(link, f"link '{name}'"):
            scene.attach(body_of_link(scene, name), collider)
    scene.unsimulated += reader.unknown
    if reader.hollow:
        first, *others = reader.hollow
        more = f" and {len(others)} more" if others else ""
        scene.unsimulated.append(f"hollows of the collision mesh '{first}'{more} (the convex hull is taken)")


@dataclass
class _Reader:
    """Collision elements of one file, and what was noticed on the way."""

    folder: Path
    package_dirs: tuple[str | Path, ...]
    hulls: bool
    hollow: dict[str, None] = field(default_factory=dict)  # names of meshes that are not convex, in order
    unknown: list[str] = field(default_factory=list)

    def colliders(self, link: Element, where: str) -> Iterator[Collider]:
        """What of a link can touch; a cylinder can be called a capsule in an element that Pinocchio has added."""
        capsules = {entry.get("name") for entry in link.findall("collision_checking/capsule")}
        for collision in link.findall("collision"):
            shape = self.shape(required(collision, "geometry", where), where)
            if isinstance(shape, Cylinder) and collision.get("name", "") in capsules:
                shape = Capsule(shape.radius, shape.length)
            if shape is not None:
                yield Collider(shape, _origin(collision, where), collision.get("name") or None)

    def shape(self, geometry: Element, where: str) -> Shape | None:
        """The one shape of a ``<geometry>``."""
        if len(geometry) == 0:
            remedy = f"Give one of {', '.join(SHAPES)}"
            raise FileFormatError("the <geometry> of its <collision> is empty", element=where, remedy=remedy)
        element = geometry[0]
        if element.tag == "box":
            x, y, z = numbers(element, "size", where, count=3)
            return Box((x, y, z))
        if element.tag == "sphere":
            return Sphere(*numbers(element, "radius", where))
        if element.tag in ("cylinder", "capsule"):
            (radius,), (length,) = numbers(element, "radius", where), numbers(element, "length", where)
            return Cylinder(radius, length) if element.tag == "cylinder" else Capsule(radius, length)
        if element.tag == "mesh":
            return self.hull(element, where)
        self.unknown.append(f"collision <{element.tag}> of {where}")
        return None

    def hull(self, mesh: Element, where: str) -> Hull:
        """The convex hull of a mesh, scaled."""
        uri = mesh.get("filename") or ""
        scale = numbers(mesh, "scale", where, count=3, default="1 1 1")
        if 0.0 in scale:
            raise ModelError("the scale of its collision mesh is zero", element=where, remedy="Correct it")
        path = find_file(uri, self.folder, self.package_dirs)
        if path is None:
            raise FileFormatError(
                f"its collision mesh '{uri}' is not there",
                element=where,
                remedy="Pass package_dirs=[...] with the folder that holds its package, or correct it",
            )
        part = convex_part(path)
        filled = part.hollow and not self.hulls
        if filled:
            self.hollow[path.name] = None
        return Hull(part.points * scale, filled)


def _origin(collision: Element, where: str) -> Pose:
    origin = collision.find("origin")
    if origin is None:
        return Pose()
    position, rpy = (numbers(origin, name, where, count=3, default="0 0 0") for name in ("xyz", "rpy"))
    return Pose.at(position, rpy=rpy)
