"""What an SRDF adds to a robot: named postures, and pairs of bodies that do not collide."""

from __future__ import annotations

from pathlib import Path
from xml.etree.ElementTree import Element

import numpy as np
from numpy.typing import NDArray

from sesshoku.errors import FileFormatError, errors_in
from sesshoku.model.document import read_document
from sesshoku.model.pinocchio import body_of_link, coordinates
from sesshoku.model.scene import Scene

__all__ = ["find_srdf", "load_srdf"]


def find_srdf(urdf: Path) -> Path | None:
    """The SRDF of the same name beside a URDF, or in the folder ``srdf`` beside the URDF's own."""
    beside = urdf.with_suffix(".srdf")
    candidates = (beside, urdf.resolve().parent.parent / "srdf" / beside.name)
    return next((path for path in candidates if path.is_file()), None)


def load_srdf(scene: Scene, source: str | Path) -> None:
    """Add the postures (``<group_state>``) and the pairs (``<disable_collisions>``) of an SRDF to a scene.

    A posture is the scene's start with the stated joints set; groups of one state name add up. Joints and
    links that the scene does not have are passed over, since one SRDF often serves several robots.
    """
    document = read_document(source, "robot")
    with errors_in(document.file):
        for state in document.root.findall("group_state"):
            name = state.get("name") or "unnamed"
            start = scene.postures.get(name, scene.model.q0)
            scene.posture(name, _posture(scene, state, np.array(start), f"group_state '{name}'"))
    known = {*scene.bodies, "world"}
    for entry in document.root.findall("disable_collisions"):
        links = (entry.get("link1", ""), entry.get("link2", ""))
        pair = frozenset(body_of_link(scene, link) or "world" for link in links)
        if len(pair) == 2 and pair <= known:
            scene.disabled_pairs.add(pair)


def _posture(scene: Scene, state: Element, q: NDArray[np.float64], where: str) -> NDArray[np.float64]:
    values = {entry.get("name"): entry.get("value", "") for entry in state.findall("joint")}
    for body in scene.bodies.values():
        for joint in body.joints:
            if joint.name not in values:
                continue
            index = scene.joint(joint.name).q
            try:
                q[index] = np.squeeze(coordinates(body, joint, values[joint.name].split()))
            except (ValueError, IndexError) as error:
                raise FileFormatError(
                    f"'{values[joint.name]}' is not a coordinate of joint '{joint.name}'",
                    element=where,
                    remedy="Give as many numbers as the joint has coordinates",
                ) from error
    return q
