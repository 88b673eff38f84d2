"""The same robots for the peers, and robot files to measure on."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from sesshoku.errors import SesshokuError
from sesshoku.model import Box, Capsule, Cylinder, Ellipsoid, Hull, Model, Plane, Sphere
from sesshoku.model.compile import quaternion
from sesshoku.model.joint import BALL, FREE, PRISMATIC, REVOLUTE
from sesshoku.model.shape import Shape

__all__ = ["mjcf", "robot_file"]

MUJOCO_JOINT = {REVOLUTE: "hinge", PRISMATIC: "slide", BALL: "ball", FREE: "free"}


def robot_file(name: str) -> Path:
    """A URDF of the package example-robot-data, by its path below ``robots/``."""
    spec = importlib.util.find_spec("pinocchio")
    folders = [Path(place).parents[3] for place in (spec.submodule_search_locations or [])] if spec else []
    for folder in folders:
        path = folder / "share/example-robot-data/robots" / name
        if path.exists():
            return path
    raise SesshokuError(f"{name} is not there. Install it with pip install example-robot-data.")


def mjcf(model: Model, dt: float, *, shapes: bool = False, friction: float | None = None) -> str:
    """The model as MJCF: the same bodies, joints and inertias, nothing to limit; on request with its shapes.

    With a coefficient of friction also with joint limits and drives, and without the margin of the shapes: MuJoCo would
    keep them that far apart.
    """
    root = ElementTree.Element("mujoco")
    gravity = " ".join(map(repr, model.gravity.tolist()))
    ElementTree.SubElement(root, "compiler", angle="radian", autolimits="false", balanceinertia="false")
    option = ElementTree.SubElement(root, "option", timestep=repr(dt), gravity=gravity)
    ElementTree.SubElement(option, "flag", contact="enable" if shapes else "disable")
    assets = ElementTree.SubElement(root, "asset")
    world = ElementTree.SubElement(root, "worldbody")
    elements: list[ElementTree.Element] = []
    for i, name in enumerate(model.body_names):
        parent = world if model.parent[i] < 0 else elements[model.parent[i]]
        body = ElementTree.SubElement(
            parent,
            "body",
            name=name,
            pos=_text(model.placement_position[i]),
            quat=_text(quaternion(model.placement_rotation[i].reshape(3, 3))),
        )
        xx, yy, zz, xy, xz, yz = model.inertia[i]
        ElementTree.SubElement(
            body,
            "inertial",
            pos=_text(model.com[i]),
            mass=repr(float(model.mass[i])),
            fullinertia=_text(np.array([xx, yy, zz, xy, xz, yz])),
        )
        d, kind = model.v_start[i], int(model.kind[i])
        joint = {"type": MUJOCO_JOINT[kind]}
        if kind != FREE:
            joint |= {"armature": repr(float(model.armature[d])), "damping": repr(float(model.damping[d]))}
        if kind in (REVOLUTE, PRISMATIC):
            joint |= {"axis": "0 0 1", "name": f"joint{i}"}
            if friction is not None and np.isfinite([model.lower[d], model.upper[d]]).all():
                joint |= {"limited": "true", "range": _text(np.array([model.lower[d], model.upper[d]]))}
        ElementTree.SubElement(body, "joint", joint)
        elements.append(body)
    for k, placed in enumerate(model.colliders if shapes else ()):
        parent = world if placed.body < 0 else elements[placed.body]
        geom = {"pos": _text(placed.pose.position), "quat": _text(quaternion(placed.pose.rotation))}
        if isinstance(placed.shape, Hull):
            ElementTree.SubElement(assets, "mesh", name=f"mesh{k}", vertex=_text(placed.shape.points.ravel()))
        geom |= _geom(placed.shape, k) | {"name": f"geom{k}", "mass": "0"}
        geom |= {"margin": repr(model.margin / 2)} if friction is None else {"friction": f"{friction} 0.005 0.0001"}
        ElementTree.SubElement(parent, "geom", geom)
    contact = ElementTree.SubElement(root, "contact")
    for a, b in _excluded(model) if shapes else ():
        ElementTree.SubElement(contact, "exclude", body1=a, body2=b)
    drives = ElementTree.SubElement(root, "actuator")
    for u in range(model.nu if friction is not None else 0):
        gain, offset, kp, kd = model.actuator_gain[u].tolist()
        limits = model.actuator_range[u, 2:]
        drive = {
            "joint": f"joint{model.dof_body[model.actuator_dof[u]]}", "gear": repr(float(model.actuator_gear[u])),
            "biastype": "affine", "gainprm": repr(gain), "biasprm": f"{offset} {-kp} {-kd}",
        }  # fmt: skip
        if np.isfinite(limits).all():
            drive |= {"forcelimited": "true", "forcerange": _text(limits)}
        ElementTree.SubElement(drives, "general", drive)
    return ElementTree.tostring(root, encoding="unicode")


def _geom(shape: Shape, number: int) -> dict[str, str]:
    """Type and size of a shape in the words of MJCF."""
    if isinstance(shape, Plane):
        return {"type": "plane", "size": "0 0 1"}
    if isinstance(shape, Sphere):
        return {"type": "sphere", "size": repr(shape.radius)}
    if isinstance(shape, Capsule):
        return {"type": "capsule", "size": f"{shape.radius!r} {shape.length / 2!r}"}
    if isinstance(shape, Cylinder):
        return {"type": "cylinder", "size": f"{shape.radius!r} {shape.length / 2!r}"}
    if isinstance(shape, Ellipsoid):
        return {"type": "ellipsoid", "size": _text(np.array(shape.radii))}
    if isinstance(shape, Box):
        return {"type": "box", "size": _text(np.array(shape.size) / 2)}
    return {"type": "mesh", "mesh": f"mesh{number}"}


def _excluded(model: Model) -> list[tuple[str, str]]:
    """Pairs of moving bodies whose contact is switched off by name."""
    pairs = set()
    for pair in model.disabled_pairs:
        bodies = {model.frames[name].body for name in pair if name in model.frames}
        if len(bodies) == 2 and -1 not in bodies:
            a, b = sorted(bodies)
            pairs.add((model.body_names[a], model.body_names[b]))
    return sorted(pairs)


def _text(numbers: np.ndarray) -> str:
    return " ".join(repr(float(x)) for x in numbers)
