"""Where the files named in a robot description lie: ``package://``, ``file://`` and plain paths."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from urllib.parse import unquote

__all__ = ["find_file"]

SEARCH_PATHS = ("ROS_PACKAGE_PATH", "GAZEBO_MODEL_PATH", "GZ_SIM_RESOURCE_PATH", "IGN_GAZEBO_RESOURCE_PATH")


def find_file(uri: str, folder: Path, package_dirs: Iterable[str | Path] = ()) -> Path | None:
    """The existing file a URI of a robot description means, or None.

    A package is looked for in ``package_dirs`` (each a package or a folder of packages), in the search paths
    of ROS and Gazebo, and in the folders above ``folder``, where the description itself lies.
    """
    scheme, separator, rest = uri.partition("://")
    if not separator:
        candidates: Iterable[Path] = [folder / uri]
    elif scheme == "file":
        candidates = [Path(unquote(rest))]
    elif scheme in ("package", "model"):
        package, _, rest = rest.partition("/")
        places = [*map(Path, package_dirs), *_environment(), folder, *folder.parents]
        candidates = _in_package(package, rest, places)
    else:
        candidates = []
    return next((path for path in candidates if _is_file(path)), None)


def _in_package(package: str, rest: str, places: list[Path]) -> Iterator[Path]:
    for place in places:
        if place.name == package:
            yield place / rest
        yield place / package / rest


def _environment() -> Iterator[Path]:
    for variable in SEARCH_PATHS:
        yield from (Path(entry) for entry in os.environ.get(variable, "").split(os.pathsep) if entry)
    for entry in os.environ.get("AMENT_PREFIX_PATH", "").split(os.pathsep):
        if entry:
            yield Path(entry, "share")


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # a name too long for the system, or with a null character
        return False
