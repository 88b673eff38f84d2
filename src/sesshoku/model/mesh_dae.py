"""Triangles of COLLADA files (DAE). Our own reader: Assimp fills the memory for a minute on some broken ones."""

from __future__ import annotations

from collections.abc import Iterator
from math import radians
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

__all__ = ["read_dae"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
NONE: Index = np.zeros(0, dtype=np.int64)
DEEPEST = 100  # nodes within nodes: more is a loop


def read_dae(data: bytes) -> tuple[Array, Index]:
    """Vertices (k, 3) [m] and triangles (m, 3) of all geometries of the scene, polygons cut into fans.

    The unit of the file counts, its upward axis does not: so do ROS and Gazebo. Raises ValueError if it is broken.
    """
    try:
        root = ElementTree.fromstring(data)
    except (ElementTree.ParseError, LookupError) as error:
        raise ValueError(f"not XML: {error}") from error
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    scene = root.find("library_visual_scenes/visual_scene")
    if scene is None:
        raise ValueError("it has no scene")
    unit = root.find("asset/unit")
    meter = 1.0 if unit is None else float(unit.get("meter", 1.0))
    known = {f"#{element.get('id')}": element for element in root.iter() if element.get("id")}
    vertices, triangles, count = [np.zeros((0, 3))], [NONE.reshape(0, 3)], 0
    for transform, mesh in _instances(scene, np.eye(4), known):
        points, corners = _mesh(mesh, known)
        vertices.append(meter * (points @ transform[:3, :3].T + transform[:3, 3]))
        triangles.append(corners + count)
        count += len(points)
    return np.concatenate(vertices), np.concatenate(triangles)


def _instances(
    node: Element, transform: Array, known: dict[str, Element], depth: int = 0
) -> Iterator[tuple[Array, Element]]:
    """The meshes under a node, each with the transform of its coordinates to the scene."""
    if depth > DEEPEST:
        raise ValueError("its nodes contain themselves")
    for part in node:
        if part.tag in ("matrix", "translate", "rotate", "scale"):
            transform = transform @ _transform(part)
        elif part.tag in ("lookat", "skew"):
            raise ValueError(f"<{part.tag}> is not supported")
    for part in node:
        if part.tag == "node":
            yield from _instances(part, transform, known, depth + 1)
        elif part.tag == "instance_node":
            yield from _instances(_named(part, "url", known), transform, known, depth + 1)
        elif part.tag == "instance_geometry":
            for mesh in _named(part, "url", known).findall("mesh"):
                yield transform, mesh


def _transform(element: Element) -> Array:
    """One step of a node's transform, (4, 4)."""
    values = _floats(element)
    matrix = np.eye(4)
    if len(values) != {"matrix": 16, "rotate": 4}.get(element.tag, 3):
        raise ValueError(f"<{element.tag}> has {len(values)} numbers")
    if element.tag == "matrix":
        matrix = values.reshape(4, 4)
    elif element.tag == "translate":
        matrix[:3, 3] = values
    elif element.tag == "scale":
        matrix[:3, :3] = np.diag(values)
    elif np.any(values[:3]):
        x, y, z = values[:3] / np.linalg.norm(values[:3])
        angle = radians(values[3])
        cross = np.array([[0.0, -z, y], [z, 0.0, -x], [-y, x, 0.0]])
        matrix[:3, :3] += np.sin(angle) * cross + (1 - np.cos(angle)) * cross @ cross
    return matrix


def _mesh(mesh: Element, known: dict[str, Element]) -> tuple[Array, Index]:
    """Vertices and triangles of one geometry, in its own coordinates."""
    position = mesh.find("vertices/input[@semantic='POSITION']")
    if position is None:
        raise ValueError("a mesh has no positions")
    source = _named(position, "source", known)
    accessor, array = source.find("technique_common/accessor"), source.find("float_array")
    if array is None:
        raise ValueError("a mesh has no positions")
    stride = 3 if accessor is None else int(accessor.get("stride", 3))
    values = _floats(array)
    if stride < 3:
        raise ValueError(f"a position has {stride} numbers")
    points = values[: len(values) // stride * stride].reshape(-1, stride)[:, :3]
    corners = np.concatenate([NONE.reshape(0, 3), *(_triangles(part) for part in mesh)])
    if ((corners < 0) | (corners >= len(points))).any():
        raise ValueError(f"it names vertices that are not among its {len(points)}")
    return points, corners


def _triangles(primitive: Element) -> Index:
    """Triangles of one list of polygons, as numbers of vertices."""
    if primitive.tag in ("trifans", "tristrips"):
        raise ValueError(f"<{primitive.tag}> is not supported")
    if primitive.tag not in ("triangles", "polylist", "polygons"):
        return NONE.reshape(0, 3)
    offsets = {part.get("semantic"): int(part.get("offset", 0)) for part in primitive.findall("input")}
    stride = 1 + max(offsets.values(), default=0)
    lists = [_integers(part) for part in primitive.findall("p")]
    corners = np.concatenate([NONE, *lists])
    corners = corners[: len(corners) // stride * stride].reshape(-1, stride)[:, offsets.get("VERTEX", 0)]
    if primitive.tag == "triangles":
        sizes = np.full(len(corners) // 3, 3)
    elif primitive.tag == "polygons":
        sizes = np.array([len(part) // stride for part in lists], dtype=np.int64)
    else:
        sizes = np.concatenate([NONE, *(_integers(part) for part in primitive.findall("vcount"))])
    if (sizes < 0).any() or float(sizes.sum(dtype=float)) > len(corners):
        raise ValueError("a list of polygons is incomplete")
    return corners[_fans(sizes)]


def _fans(sizes: Index) -> Index:
    """Corners of the triangles that polygons of these sizes, one after the other, are cut into."""
    count = np.maximum(sizes - 2, 0)
    first = np.repeat(np.cumsum(sizes) - sizes, count)
    step = np.arange(count.sum()) - np.repeat(np.cumsum(count) - count, count)
    return np.stack([first, first + step + 1, first + step + 2], axis=1)


def _named(element: Element, attribute: str, known: dict[str, Element]) -> Element:
    name = element.get(attribute, "")
    if name not in known:
        raise ValueError(f"'{name}' is not there")
    return known[name]


def _floats(element: Element) -> Array:
    values = np.array((element.text or "").split(), dtype=float)
    if not np.isfinite(values).all():
        raise ValueError(f"<{element.tag}> is not finite")
    return values


def _integers(element: Element) -> Index:
    return np.array((element.text or "").split(), dtype=np.int64)
