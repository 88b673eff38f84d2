"""A model as URDF, one file for each tree, for peers that read nothing else."""

from __future__ import annotations

import warnings
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
from numpy.typing import NDArray
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

from sesshoku.geometry.filter import allowed_pairs
from sesshoku.geometry.overlapping import overlapping
from sesshoku.model import Box, Capsule, Cylinder, Hull, Model, Sphere
from sesshoku.model.joint import FREE, PRISMATIC, REVOLUTE
from sesshoku.model.shape import Shape

__all__ = ["apart", "trees", "write_urdf"]

Array = NDArray[np.float64]
JOINTS = {REVOLUTE: "revolute", PRISMATIC: "prismatic"}
FAR = 1e3  # limit of a joint without one: URDF wants a number


def trees(model: Model) -> list[int]:
    """First bodies of the trees."""
    return [int(i) for i in np.flatnonzero(model.parent < 0)]


def apart(model: Model) -> list[tuple[int, int]]:
    """Pairs of moving bodies with shapes that never touch each other."""
    body = np.array([placed.body for placed in model.colliders])
    touch = {(int(body[a]), int(body[b])) for a, b in np.argwhere(allowed_pairs(model, overlapping(model)))}
    shaped = sorted(set(body.tolist()) - {-1})
    return [(a, b) for a in shaped for b in shaped if a < b and not {(a, b), (b, a)} & touch]


def write_urdf(model: Model, root: int, folder: Path, *, capsules: bool) -> Path:
    """One tree with its shapes; one that is not free hangs from the link ``world``. Joints have the numbers of bodies.

    URDF has no capsule, but some readers do: without ``capsules`` they are left out.
    """
    robot = ElementTree.Element("robot", name=f"tree{root}")
    if model.kind[root] != FREE:
        ElementTree.SubElement(robot, "link", name="world")
    for i in np.flatnonzero(model.root == root).tolist():
        link = ElementTree.SubElement(robot, "link", name=model.body_names[i])
        inertial = ElementTree.SubElement(link, "inertial")
        _origin(inertial, model.com[i], np.eye(3))
        ElementTree.SubElement(inertial, "mass", value=repr(float(model.mass[i])))
        names = ("ixx", "iyy", "izz", "ixy", "ixz", "iyz")
        ElementTree.SubElement(inertial, "inertia", dict(zip(names, map(repr, model.inertia[i].tolist()), strict=True)))
        for k, placed in enumerate(model.colliders):
            if placed.body == i and (capsules or not isinstance(placed.shape, Capsule)):
                collision = ElementTree.SubElement(link, "collision")
                _origin(collision, placed.pose.position, placed.pose.rotation)
                _geometry(ElementTree.SubElement(collision, "geometry"), placed.shape, folder / f"hull{k}.obj")
        if model.kind[i] != FREE:
            _joint(robot, model, i)
    path = folder / f"tree{root}.urdf"
    ElementTree.indent(robot)  # PyBullet reads lines of a thousand characters at most
    path.write_text(ElementTree.tostring(robot, encoding="unicode"))
    return path


def _joint(robot: ElementTree.Element, model: Model, i: int) -> None:
    """The joint that moves body i, along or about its own z."""
    d, parent = model.v_start[i], model.parent[i]
    joint = ElementTree.SubElement(robot, "joint", name=f"joint{i:03}", type=JOINTS[int(model.kind[i])])
    ElementTree.SubElement(joint, "parent", link="world" if parent < 0 else model.body_names[parent])
    ElementTree.SubElement(joint, "child", link=model.body_names[i])
    ElementTree.SubElement(joint, "axis", xyz="0 0 1")
    _origin(joint, model.placement_position[i], model.placement_rotation[i].reshape(3, 3))
    lower, upper = np.clip([model.lower[d], model.upper[d]], -FAR, FAR).tolist()
    limit = {"lower": lower, "upper": upper, "effort": 1e9, "velocity": 1e9}
    ElementTree.SubElement(joint, "limit", {name: repr(value) for name, value in limit.items()})


def _origin(parent: ElementTree.Element, position: Array, rotation: Array) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UserWarning)  # where the angles are not unique any will do
        rpy = Rotation.from_matrix(rotation).as_euler("xyz")
    ElementTree.SubElement(parent, "origin", xyz=_text(position), rpy=_text(rpy))


def _geometry(out: ElementTree.Element, shape: Shape, file: Path) -> None:
    if isinstance(shape, Sphere):
        ElementTree.SubElement(out, "sphere", radius=repr(shape.radius))
    elif isinstance(shape, Box):
        ElementTree.SubElement(out, "box", size=_text(np.array(shape.size)))
    elif isinstance(shape, Capsule):
        ElementTree.SubElement(out, "capsule", radius=repr(shape.radius), length=repr(shape.length))
    elif isinstance(shape, Cylinder):
        ElementTree.SubElement(out, "cylinder", radius=repr(shape.radius), length=repr(shape.length))
    elif isinstance(shape, Hull):
        file.write_text(_obj(shape.points))
        ElementTree.SubElement(out, "mesh", filename=str(file))
    else:
        raise TypeError(f"URDF has no {type(shape).__name__}")


def _obj(points: Array) -> str:
    """The convex hull as Wavefront text, faces turned outwards."""
    hull = ConvexHull(points)
    lines = [f"v {_text(point)}" for point in points]
    for corners, equation in zip(hull.simplices, hull.equations, strict=True):
        a, b, c = points[corners]
        turned = corners if np.dot(np.cross(b - a, c - a), equation[:3]) > 0 else corners[::-1]
        lines.append("f " + " ".join(str(int(k) + 1) for k in turned))
    return "\n".join(lines) + "\n"


def _text(numbers: Array) -> str:
    return " ".join(repr(float(x)) for x in numbers)
