"""The same robots for the peers, and robot files to measure on."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from sesshoku.errors import SesshokuError
from sesshoku.model import Model
from sesshoku.model.compile import quaternion
from sesshoku.model.joint import BALL, FREE, PRISMATIC, REVOLUTE

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


def mjcf(model: Model, dt: float) -> str:
    """The model as MJCF, without shapes: the same bodies, joints and inertias, nothing to collide or to limit."""
    root = ElementTree.Element("mujoco")
    gravity = " ".join(map(repr, model.gravity.tolist()))
    ElementTree.SubElement(root, "compiler", angle="radian", autolimits="false", balanceinertia="false")
    option = ElementTree.SubElement(root, "option", timestep=repr(dt), gravity=gravity)
    ElementTree.SubElement(option, "flag", contact="disable")
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
            joint["axis"] = "0 0 1"
        ElementTree.SubElement(body, "joint", joint)
        elements.append(body)
    return ElementTree.tostring(root, encoding="unicode")


def _text(numbers: np.ndarray) -> str:
    return " ".join(repr(float(x)) for x in numbers)
