"""Robots from URDF, read by Pinocchio."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from xml.etree.ElementTree import Element, tostring

from sesshoku.errors import FileFormatError, errors_in
from sesshoku.model.document import read_document
from sesshoku.model.pinocchio import from_pinocchio
from sesshoku.model.scene import Scene
from sesshoku.model.srdf import find_srdf, load_srdf
from sesshoku.model.urdf_check import check_tree, checked_robot
from sesshoku.model.urdf_collision import add_colliders

__all__ = ["load_urdf"]


def load_urdf(
    source: str | Path,
    *,
    floating: bool = False,
    package_dirs: str | Path | Sequence[str | Path] = (),
    armature: float = 0.0,
    srdf: str | Path | None = None,
    hulls: bool = False,
) -> Scene:
    """A robot from a URDF file or text, in Pinocchio's order of joints.

    Args:
        source: path, or the text itself.
        floating: whether the root moves freely, by a joint called ``root_joint``, or is fixed to the world. A
            file whose massless root carries a joint of type floating says so itself.
        package_dirs: packages, or folders of packages, that ``package://`` names.
        armature: rotor inertia of each one-degree joint [kg m² or kg]; URDF has no place for it.
        srdf: named postures and pairs that do not collide; by default the file of the same name beside the
            URDF or in the folder ``srdf`` beside its own.
        hulls: whether convex hulls are what is wanted, also of collision meshes that are not convex.
    """
    document = read_document(source, "robot")
    with errors_in(document.file):
        robot = checked_robot(document.root)
        root = check_tree(robot)
        packages = [package_dirs] if isinstance(package_dirs, str | Path) else package_dirs
        scene = _through_pinocchio(robot, floating and not _floats_already(robot, root), armature)
        scene.file = document.file
        add_colliders(scene, document.root, document.folder, packages, hulls=hulls)
        _couple(scene, document.root)
        if srdf is None and document.file is not None:
            srdf = find_srdf(Path(document.file))
        if srdf is not None:
            load_srdf(scene, srdf)
    return scene


def _couple(scene: Scene, robot: Element) -> None:
    """Let joints that mimic others follow them; what mimics a fixed joint keeps its offset.

    Files that people use have joints that mimic one that is not there: those stay free, and are named.
    """
    kinds = {str(joint.get("name")): joint.get("type") for joint in robot.findall("joint")}
    for joint in robot.findall("joint"):
        mimic, name = joint.find("mimic"), str(joint.get("name"))
        if mimic is None or kinds[name] == "fixed":
            continue
        leader = mimic.get("joint", "")
        if leader not in kinds:
            scene.unsimulated.append(f"mimic of joint '{name}', whose leader '{leader}' is not there")
        else:
            numbers = [_number(joint, mimic, key, default) for key, default in (("offset", 0.0), ("multiplier", 1.0))]
            scene.couple(name, None if kinds[leader] == "fixed" else leader, *numbers)


def _number(joint: Element, mimic: Element, key: str, default: float) -> float:
    text = mimic.get(key)
    try:
        return default if text is None else float(text)
    except ValueError:
        raise FileFormatError(
            f"its {key} '{text}' is no number", element=f"mimic of joint '{joint.get('name')}'", remedy="Correct it"
        ) from None


def _through_pinocchio(robot: Element, floating: bool, armature: float) -> Scene:
    import pinocchio as pin

    root = (pin.JointModelFreeFlyer(),) if floating else ()
    try:
        model = pin.buildModelFromXML(tostring(robot, encoding="unicode"), *root)
    except (ValueError, RuntimeError) as error:
        raise FileFormatError(f"Pinocchio cannot read it ({error})", remedy="Check it with check_urdf") from error
    scene = from_pinocchio(model, armature=armature)
    # Pinocchio's planar joint moves in x and y of the joint's frame, whatever its axis.
    normals = {joint.get("name"): _axis(joint) for joint in robot.findall("joint") if joint.get("type") == "planar"}
    for name, body in scene.bodies.items():
        joints = [replace(joint, axis=normals.get(joint.name, joint.axis)) for joint in body.joints]
        scene.bodies[name] = replace(body, joints=tuple(joints))
    return scene


def _axis(joint: Element) -> list[float]:
    axis = joint.find("axis")
    return [1.0, 0.0, 0.0] if axis is None else [float(word) for word in axis.get("xyz", "").split()]


def _floats_already(robot: Element, root: str) -> bool:
    massless = robot.find(f"link[@name='{root}']/inertial") is None
    joints = [joint for joint in robot.findall("joint") if joint.get("type") == "floating"]
    return massless and any(joint.find(f"parent[@link='{root}']") is not None for joint in joints)
