"""Check a URDF before Pinocchio sees it, and pass on only what the dynamics need."""

from __future__ import annotations

from xml.etree.ElementTree import Element, SubElement

import numpy as np

from sesshoku.errors import FileFormatError, ModelError

__all__ = ["check_tree", "checked_robot", "numbers", "required"]

MOMENTS = ("ixx", "ixy", "ixz", "iyy", "iyz", "izz")
ROUNDING = 1e-12  # kg m²: CAD exports have moments like -5e-20
LIMITED = ("revolute", "prismatic")
DIRECTED = (*LIMITED, "continuous", "planar")
TYPES = (*DIRECTED, "floating", "fixed")


def checked_robot(robot: Element) -> Element:
    """A copy of a ``<robot>`` with its links' inertia and its joints, every name and number checked."""
    clean = Element("robot", name=robot.get("name") or "robot")
    for kind, copy in (("link", _link), ("joint", _joint)):
        names = set()
        for number, element in enumerate(robot.findall(kind)):
            name = element.get("name")
            if not name:
                raise FileFormatError(f"{kind} number {number} has no name", remedy="Give it one")
            if name in names:
                raise FileFormatError("its name is taken", element=f"{kind} '{name}'", remedy="Rename one")
            names.add(name)
            clean.append(copy(element, f"{kind} '{name}'"))
    return clean


def check_tree(robot: Element) -> str:
    """Check that the joints connect all links to one tree; the name of its root."""
    links = [link.get("name", "") for link in robot.findall("link")]
    if not links:
        raise FileFormatError("has no links", remedy="Give a robot with at least one <link>")
    moved_by: dict[str, str] = {}
    children: dict[str, list[str]] = {name: [] for name in links}
    for joint in robot.findall("joint"):
        where = f"joint '{joint.get('name')}'"
        parent, child = (required(joint, tag, where).get("link", "") for tag in ("parent", "child"))
        for role, link in (("parent", parent), ("child", child)):
            if link not in children:
                raise FileFormatError(
                    f"its {role} link '{link}' is not there",
                    element=where,
                    remedy="Add the link or correct the name",
                )
        if child in moved_by:
            raise FileFormatError(
                f"its child link '{child}' already hangs on {moved_by[child]}",
                element=where,
                remedy="A URDF is a tree: cut the loop",
            )
        moved_by[child] = where
        children[parent].append(child)
    roots = [name for name in links if name not in moved_by]
    if len(roots) > 1:
        raise FileFormatError(
            f"has {len(roots)} root links, such as '{roots[0]}' and '{roots[1]}'",
            remedy="Join them, or load the robots one by one and put them together with Scene.include",
        )
    reached = list(roots)
    for link in reached:  # grows as it goes
        reached += children[link]
    if len(reached) < len(links):
        lost = next(name for name in links if name not in set(reached))
        raise FileFormatError("is part of a loop", element=f"link '{lost}'", remedy="A URDF is a tree: cut the loop")
    return roots[0]


def _link(link: Element, where: str) -> Element:
    clean = Element("link", name=link.get("name", ""))
    inertial = link.find("inertial")
    if inertial is None:
        return clean
    copy = SubElement(clean, "inertial")
    _copy_origin(inertial, copy, where)
    mass = required(inertial, "mass", where)
    moments = required(inertial, "inertia", where)
    (value,) = _copy(mass, SubElement(copy, "mass"), "value", where)
    if value < 0:
        raise ModelError(f"its mass is {value}", element=where, remedy="Give a mass >= 0")
    target = SubElement(copy, "inertia")
    for name in MOMENTS:
        (moment,) = _copy(moments, target, name, where)
        if name[1] == name[2] and moment < -ROUNDING:
            raise ModelError(f"its inertia has {name}={moment}", element=where, remedy="Correct <inertia>")
    return clean


def _joint(joint: Element, where: str) -> Element:
    kind = joint.get("type", "")
    if kind not in TYPES:
        raise FileFormatError(f"its type is '{kind}'", element=where, remedy=f"Use one of {', '.join(TYPES)}")
    clean = Element("joint", name=joint.get("name", ""), type=kind)
    for tag in ("parent", "child"):
        SubElement(clean, tag, link=required(joint, tag, where).get("link", ""))
    _copy_origin(joint, clean, where)
    axis = joint.find("axis")
    if kind in DIRECTED and axis is not None:
        direction = _copy(axis, SubElement(clean, "axis"), "xyz", where, count=3)
        if np.linalg.norm(direction) < 1e-12:
            raise ModelError("its axis is zero", element=where, remedy="Give a direction in <axis xyz=...>")
    limit = required(joint, "limit", where) if kind in LIMITED else joint.find("limit")
    if kind in DIRECTED and limit is not None:
        target = SubElement(clean, "limit")
        for name in ("lower", "upper"):
            _copy(limit, target, name, where, default="0")
        for name in ("effort", "velocity"):
            _copy(limit, target, name, where)
    dynamics = joint.find("dynamics")
    if kind in DIRECTED and dynamics is not None:
        target = SubElement(clean, "dynamics")
        for name in ("damping", "friction"):
            _copy(dynamics, target, name, where, default="0")
    return clean


def _copy_origin(source: Element, target: Element, where: str) -> None:
    origin = source.find("origin")
    if origin is not None:
        copy = SubElement(target, "origin")
        for name in ("xyz", "rpy"):
            _copy(origin, copy, name, where, count=3, default="0 0 0")


def _copy(
    source: Element, target: Element, name: str, where: str, *, count: int = 1, default: str | None = None
) -> list[float]:
    """Copy an attribute of ``count`` finite numbers, and return them."""
    values = numbers(source, name, where, count=count, default=default)
    target.set(name, " ".join(map(repr, values)))
    return values


def numbers(element: Element, name: str, where: str, *, count: int = 1, default: str | None = None) -> list[float]:
    """An attribute of ``count`` finite numbers; ``where`` names the element in the error if it is none."""
    text = element.get(name, default)
    if text is None:
        raise FileFormatError(f"<{element.tag}> has no {name}", element=where, remedy="Give it")
    try:
        values = [float(word) for word in text.split()]
    except ValueError:
        values = []
    if len(values) != count or not np.isfinite(values).all():
        wanted = "a finite number" if count == 1 else f"{count} finite numbers"
        raise FileFormatError(f"<{element.tag} {name}='{text}'> is not {wanted}", element=where, remedy="Correct it")
    return values


def required(parent: Element, tag: str, where: str) -> Element:
    """The first child of that tag."""
    found = parent.find(tag)
    if found is None:
        raise FileFormatError(f"<{parent.tag}> has no <{tag}>", element=where, remedy="Add it")
    return found
