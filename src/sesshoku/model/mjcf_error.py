"""What is wrong with an MJCF, in our words: MuJoCo's own are kept, but the element and the remedy come first."""

from __future__ import annotations

import re
from xml.etree.ElementTree import Element

from sesshoku.errors import FileFormatError, MasslessBodyError, ModelError

__all__ = ["check_numbers", "explain"]

NOT_FINITE = re.compile(r"(?:^|\s)([+-]?(?:nan|inf|infinity))(?:\s|$)", re.IGNORECASE)
TEXT = {"name", "class", "childclass", "file", "dir", "model", "joint", "body", "mesh", "material", "texture"}


def check_numbers(root: Element, file: str | None) -> None:
    """MuJoCo takes a NaN for a missing mass, or goes on with it: refuse it here."""
    for element in root.iter():
        for attribute, value in element.attrib.items():
            found = NOT_FINITE.search(value) if attribute not in TEXT else None
            if found:
                raise ModelError(
                    f"its {attribute} has the number {found.group(1)}",
                    file=file,
                    element=describe(root, element),
                    remedy="Give finite numbers",
                )


def describe(root: Element, element: Element) -> str:
    """An element by its tag and name, and the nearest named element around it."""
    around = {child: parent for parent in root.iter() for child in parent}
    text = f"{element.tag} '{element.get('name')}'" if element.get("name") else f"<{element.tag}>"
    outer = around.get(element)
    while outer is not None and not outer.get("name"):
        outer = around.get(outer)
    return f"{text} of {outer.tag} '{outer.get('name')}'" if outer is not None else text


def explain(text: str, root: Element, file: str | None) -> ModelError:
    """A typed error for MuJoCo's message."""
    text = text.removeprefix("XML ").removeprefix("Error: ").rstrip(" .")
    missing = re.search(r"[Ee]rror opening file '([^']*)'", text)
    if missing:
        assets = [element for element in root.iter() if element.get("file") == missing.group(1)]
        return FileFormatError(
            f"its file '{missing.group(1)}' cannot be opened",
            file=file,
            element=describe(root, assets[0]) if assets else None,
            remedy="Put the file there, or correct its name or the meshdir of the <compiler>",
        )
    where = re.search(r"\s*Element (?:name )?'([^']*)'(?:, id \d+)?(?:, line (\d+))?", text)
    line = f", line {where.group(2)}" if where and where.group(2) else ""
    element = f"element '{where.group(1)}'{line}" if where else None
    problem = text[: where.start()] if where else text
    if "mass and inertia of moving bodies" in problem:
        remedy = "Give the body a geom with mass, or an <inertial>"
        return MasslessBodyError("it moves but has no mass or inertia", file=file, element=element, remedy=remedy)
    return FileFormatError(f"MuJoCo cannot read it ({problem})", file=file, element=element, remedy="Correct it there")
