"""What users give: where it is no number, or not as many as it takes, one sentence says so."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.contact import Exact, solve


def scene(**changed: object) -> sk.Scene:
    made = sk.Scene("box")
    made.ground()
    made.body("box", sk.Joint("root", "free"), position=(0, 0, 0.05), mass=1.0, shape=sk.Box((0.1, 0.1, 0.1)))
    for name, value in changed.items():
        setattr(made, name, value)
    return made


def sim(**options: object) -> sk.Simulation:
    return sk.Simulation(scene(), **options)


WRONG: dict[str, Callable[[], object]] = {
    "gravity is": lambda: scene(gravity=(1, 2)).model,
    "gravity is 9": lambda: scene(gravity=9.81).model,
    "margin is inf": lambda: scene(margin=np.inf).model,
    "margin is nan": lambda: scene(margin=np.nan).model,
    "dt is 'a'": lambda: sim(dt="a"),
    "dt is None": lambda: sim(dt=None),
    "dt is -1": lambda: sim(dt=-1),
    "tolerance is nan": lambda: Exact(tolerance=np.nan),
    "tolerance is inf": lambda: Exact(tolerance=np.inf),
    "tolerance is -1": lambda: Exact(tolerance=-1.0),
    "tolerance is 'x'": lambda: Exact(tolerance="x"),
    "tol is 'a'": lambda: solve(np.eye(3), np.zeros(3), 0.5, "a"),
    "force is 1.0": lambda: sim().push("box", 1.0),
    r"force is \(1, 2\)": lambda: sim().push("box", (1, 2)),
    "force is 'abc'": lambda: sim().push("box", "abc"),
    r"point is \(1, 2\)": lambda: sim().push("box", (1, 2, 3), point=(1, 2)),
    "tau is": lambda: sim().step(["a"] * 6),
    "q is": lambda: setattr(sim(), "q", ["a"] * 7),
    "material: static is 'a'": lambda: sk.Material("a"),
    "material: restitution is '0.5'": lambda: sk.Material(0.5, restitution="0.5"),
    r"size of a box is \('1'": lambda: sk.Box(("1", "2", "3")),
    "radius of a sphere is": lambda: sk.Sphere("x"),
    "radius and length of a capsule is": lambda: sk.Capsule(0.1, "x"),
    "gravity is .*nan": lambda: scene(gravity=(0, 0, np.nan)).model,
    "material: stiffness is 'a'": lambda: sk.Material(0.5, stiffness="a"),
    "material is 'rubber'": lambda: scene().body("x", shape=sk.Sphere(0.1), material="rubber"),
    r"position is \(0, 0\)": lambda: scene().body("x", position=(0, 0)),
    r"rpy is \(0, 0\)": lambda: sk.Scene("x").ground(rpy=(0, 0)),
    "quaternion is": lambda: scene().body("x", quaternion=(1, 0, 0)),
    "size of a box is": lambda: sk.Box((1, 1)),
    "radii of an ellipsoid is": lambda: sk.Ellipsoid((1, 1)),
    "str is not a state": lambda: sim().reset("x"),
    "cannot load a int": lambda: sk.load(3),
    "folder is not there": lambda: sim().recording.save(Path("nowhere") / "at_all.npz"),
}


@pytest.mark.parametrize(("sentence", "attempt"), WRONG.items(), ids=WRONG)
def test_what_is_wrong_is_said(sentence: str, attempt: Callable[[], object]) -> None:
    with pytest.raises(sk.SesshokuError, match=sentence):
        attempt()
