"""Robot files as XML: read with errors that say what the file is instead."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

from sesshoku.errors import FileFormatError

__all__ = ["Document", "is_text", "read_document"]

XACRO = re.compile(r"\{[^}]*\bxacro\b[^}]*\}")
COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)


@dataclass(frozen=True)
class Document:
    """A parsed XML document.

    Attributes:
        root: its root element; tags are without namespace.
        file: the path it was read from, None for a text.
    """

    root: ElementTree.Element
    file: str | None

    @property
    def folder(self) -> Path:
        """Where its relative paths start."""
        return Path.cwd() if self.file is None else Path(self.file).resolve().parent


def is_text(source: str | Path) -> bool:
    """Whether a source is XML itself and not the path of a file."""
    return isinstance(source, str) and source.lstrip().startswith("<")


def read_document(source: str | Path, *roots: str) -> Document:
    """Parse a file or a text whose root element is one of ``roots``; raises `FileFormatError`."""
    file = None if is_text(source) else str(source)
    expected = " or ".join(f"<{root}>" for root in roots)
    root = _parse(str(source).encode() if file is None else _bytes(Path(source)), file)
    if any(XACRO.match(element.tag) for element in root.iter()):
        raise FileFormatError("is a xacro macro", file=file, remedy="Expand it first: xacro FILE > robot.urdf")
    for element in root.iter():
        element.tag = element.tag.rpartition("}")[2]
    if root.tag not in roots:
        raise FileFormatError(
            f"its root element is <{root.tag}>", file=file, remedy=f"Give a file whose root is {expected}"
        )
    return Document(root, file)


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a null character in the path
        reason = getattr(error, "strerror", None) or str(error)
        raise FileFormatError(f"cannot be read ({reason.lower()})", file=str(path), remedy="Check the path") from error


def _parse(data: bytes, file: str | None) -> ElementTree.Element:
    if not data.strip():
        raise FileFormatError("is empty", file=file, remedy="Give a URDF or MJCF file")
    # Comments with "--" inside are not XML, but common in robot files and accepted by their other readers.
    text = COMMENT.sub(lambda comment: b"\n" * comment[0].count(b"\n"), data)
    try:
        return ElementTree.fromstring(text)
    except (ElementTree.ParseError, ValueError, LookupError) as error:  # the last two: unknown encodings
        raise FileFormatError(f"is not XML ({error})", file=file, remedy="Correct it there") from error
