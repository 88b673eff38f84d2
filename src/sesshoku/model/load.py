"""One function for every source of a robot or scene."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Sequence
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sesshoku.errors import FileFormatError, ModelError, UnsimulatedWarning
from sesshoku.model.document import is_text, read_document
from sesshoku.model.mjcf import from_mujoco, load_mjcf
from sesshoku.model.pinocchio import from_pinocchio
from sesshoku.model.scene import Scene
from sesshoku.model.urdf import load_urdf

if TYPE_CHECKING:
    import mujoco
    import pinocchio

__all__ = ["load"]


def load(
    source: str | Path | Scene | mujoco.MjModel | pinocchio.Model,
    *,
    floating: bool = False,
    package_dirs: str | Path | Sequence[str | Path] = (),
    armature: float = 0.0,
    srdf: str | Path | None = None,
    hulls: bool = False,
) -> Scene:
    """A robot or scene, ready to be simulated or changed.

    Elements that are not simulated are named in one `UnsimulatedWarning`; a scene that cannot be simulated
    raises a `ModelError` with the file, the element and the remedy.

    Args:
        source: the name of a bundled robot or scene; the path or the text of a URDF or MJCF, told apart by their root
            element; a ``mujoco.MjModel``; a ``pinocchio.Model``; or a scene, which is returned as it is.
        floating: for URDF: whether the root moves freely or is fixed to the world.
        package_dirs: for URDF: packages, or folders of packages, that ``package://`` names.
        srdf: for URDF: postures and pairs that do not collide; by default the SRDF found beside it.
        hulls: for URDF: whether collision meshes that are not convex are meant to be their convex hulls. They are taken
            either way; unless they are wanted a warning names them, and contact by volume refuses them.
        armature: for URDF and Pinocchio: rotor inertia of one-degree joints that have none [kg m² or kg].
    """
    given = {"floating": floating, "package_dirs": package_dirs, "srdf": srdf, "hulls": hulls, "armature": armature}
    options = {name for name, value in given.items() if value}
    if isinstance(source, Scene):
        _check_options(options, set(), "a scene")
        return source
    if _is(source, "mujoco", "MjModel"):
        _check_options(options, set(), "a MuJoCo model")
        scene = from_mujoco(source)
    elif _is(source, "pinocchio", "Model"):
        _check_options(options, {"armature"}, "a Pinocchio model")
        scene = from_pinocchio(source, armature=armature)
    elif not isinstance(source, str | Path):
        raise ModelError(f"cannot load a {type(source).__name__}", remedy="Give a path, a text, a name or a model")
    elif (build := _bundled().get(str(source))) is not None:
        _check_options(options, set(), "a bundled name")
        scene = build()
    elif not is_text(source) and not os.path.exists(source):  # unlike Path.exists, never raises
        raise _not_found(str(source))
    elif read_document(source, "robot", "mujoco").root.tag == "robot":
        scene = load_urdf(
            source, floating=floating, package_dirs=package_dirs, armature=armature, srdf=srdf, hulls=hulls
        )
    else:
        _check_options(options, set(), "MJCF, which says itself what floats,")
        scene = load_mjcf(source)
    if scene.model.unsimulated:
        names = ", ".join(scene.model.unsimulated)
        warnings.warn(UnsimulatedWarning(f"{scene.file or scene.name}: not simulated: {names}"), stacklevel=2)
    return scene


def _is(source: Any, module: str, name: str) -> bool:
    """Whether a source is of a class of a library, which need not be imported to find out."""
    return module in sys.modules and isinstance(source, getattr(sys.modules[module], name))


def _bundled() -> dict[str, Callable[[], Scene]]:
    from sesshoku.model.robots import ROBOTS
    from sesshoku.model.scenes import SCENES

    return ROBOTS | SCENES


def _check_options(given: set[str], allowed: set[str], what: str) -> None:
    refused = sorted(given - allowed)
    if refused:
        raise ModelError(f"{', '.join(refused)} cannot be given for {what}", remedy="Leave it out")


def _not_found(name: str) -> FileFormatError:
    bundled = list(_bundled())
    near = get_close_matches(name, bundled) or bundled
    return FileFormatError(
        "no file, bundled robot or scene has this name",
        file=name,
        remedy=f"Check the path, or use a bundled name such as {', '.join(near)}",
    )
