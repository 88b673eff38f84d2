"""Compilation: the cache follows the sources, the notice is said once, indices stay inside."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numba
import pytest

import sesshoku

PACKAGE = Path(sesshoku.__file__).parent


def python(code: str, cache: Path, source: Path | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    env = {**os.environ, "SESSHOKU_CACHE": str(cache), "PYTHONPATH": str(source or PACKAGE.parent), **environment}
    return subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)


def test_kernels_are_cached_and_say_so_once(tmp_path: Path) -> None:
    code = "from sesshoku.spatial.vector import cross; print(cross((1., 0., 0.), (0., 1., 0.)))"
    first, second = python(code, tmp_path), python(code, tmp_path)
    assert first.stdout == second.stdout == "(0.0, 0.0, 1.0)\n"
    assert first.stderr.count("compiling kernels, once") == 1
    assert second.stderr == ""


@pytest.mark.slow
def test_an_edit_in_another_file_is_noticed(tmp_path: Path) -> None:
    """Numba alone would go on with the old `cross` inside the cached `cross_motion`."""
    source = tmp_path / "source"
    shutil.copytree(PACKAGE, source / "sesshoku", ignore=shutil.ignore_patterns("__pycache__"))
    spin = "((0., 0., 1.), (0., 0., 0.)), (1., 0., 0.)"
    code = f"from sesshoku.spatial.motion import velocity_at; print(velocity_at({spin}))"
    assert python(code, tmp_path, source).stdout == "(0.0, 1.0, 0.0)\n"
    vector = source / "sesshoku/spatial/vector.py"
    text = vector.read_text()
    assert "(a[1] * b[2] - a[2] * b[1]" in text
    vector.write_text(text.replace("(a[1] * b[2] - a[2] * b[1]", "(7.0 + a[1] * b[2] - a[2] * b[1]"))
    assert python(code, tmp_path, source).stdout == "(7.0, 1.0, 0.0)\n"


def test_old_caches_are_swept(tmp_path: Path) -> None:
    for k in range(10):
        (tmp_path / "sesshoku" / f"old{k}").mkdir(parents=True)
    python("import sesshoku.kernel", tmp_path)
    assert len(list((tmp_path / "sesshoku").iterdir())) <= 6


def test_unwritable_cache_falls_back(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    found = python("from sesshoku.kernel import cache_folder; print(cache_folder())", blocked, TMPDIR=str(tmp_path))
    assert Path(found.stdout.strip()).is_dir()


@pytest.mark.slow
def test_no_kernel_reads_or_writes_outside_its_arrays(tmp_path: Path) -> None:
    """Every kernel once with bounds checked: free, ball, planar and one-degree joints, all integrators and reports."""
    code = """
import numpy as np, sesshoku as sk
scene = sk.load("hoap_class")
inertia = sk.Inertia.of(1.0, (0.1, 0, 0), (1, 2, 3))
scene.body("hinge", sk.Joint("a", "planar"), inertia=inertia)
scene.body("swing", sk.Joint("b", "ball", stiffness=3.0), parent="hinge", inertia=inertia)
scene.include(sk.load("box"), prefix="other_", position=(2.0, 0.0, 0.0))
scene.medium = sk.Medium(1.2, 0.1)
for integrator in ("semi_implicit", "rk4", "rkg"):
    sim = sk.Simulation(scene, integrator=integrator)
    sim.push("hinge", (1.0, 2.0, 3.0))
    sim.v = np.random.default_rng(0).normal(size=sim.model.nv)
    sim.step(n=5)
    assert np.isfinite(sim.acceleration()).all()
d, q, v = sim.dynamics, sim.q.copy(), sim.v.copy()
names = [sim.model.body_names[i] for i in (0, 7, sim.model.n - 1)]
d.inertia_matrix(q), d.forward(q, v, v), d.forward_by_matrix(q, v, v), d.inverse(q, v, v)
d.solve(q, np.eye(sim.model.nv))
d.test_force(names, q), d.momentum(q, v), d.energy(q, v), d.com(q), d.difference(q, sim.model.q0)
[(d.jacobian(n, q), d.drift(n, q, v), d.pose(n, q)) for n in names]
print("inside")
"""
    assert python(code, tmp_path, NUMBA_BOUNDSCHECK="1").stdout == "inside\n"


@pytest.mark.slow
def test_no_routine_of_contacts_reads_or_writes_outside_its_arrays(tmp_path: Path) -> None:
    """Every two kinds of shapes, overlapping and apart, with bounds checked."""
    code = """
import numpy as np, sesshoku as sk
rng = np.random.default_rng(0)
solids = [
    sk.Sphere(0.1), sk.Capsule(0.05, 0.2), sk.Ellipsoid((0.1, 0.2, 0.1)), sk.Cylinder(0.1, 0.2),
    sk.Box((0.2, 0.3, 0.2)), sk.Hull(rng.normal(size=(20, 3)) * 0.1),
]
x, y = np.meshgrid([-1.0, 0.0, 1.0], [-1.0, 0.0, 1.0], indexing="ij")
corners = np.array([(k, k + 3, k + 4, k, k + 4, k + 1) for k in (0, 1, 3, 4)]).reshape(-1, 3)
scene = sk.Scene()
scene.ground()
scene.body("heights", shape=sk.HeightField(rng.uniform(0, 0.1, (6, 6)), (1.5, 1.5)))
scene.body("terrain", shape=sk.Terrain(np.stack([x, y, 0.1 * x * y], axis=-1).reshape(-1, 3), corners))
for k in range(2):
    for i, solid in enumerate(solids):
        scene.body(f"{i}{k}", sk.Joint(f"{i}{k}", "free"), mass=1.0, shape=solid)
sim, seen = sk.Simulation(scene), set()
for _ in range(400):
    for start in sim.model.q_start:
        turn = rng.normal(size=4)
        sim.q[start : start + 7] = [*rng.uniform(-0.4, 0.4, 2), rng.uniform(0, 0.3), *turn / np.linalg.norm(turn)]
    for pair in sim.contacts.colliders:
        seen.add(frozenset(type(sim.model.colliders[c].shape).__name__ for c in pair))
print(len(seen))
"""
    done = python(code, tmp_path, NUMBA_BOUNDSCHECK="1")
    assert done.stdout == "39\n"  # 21 of two solids, and each of 6 with each of 3 surfaces
    assert "Error" not in done.stderr  # what is called by its address cannot raise: it says so and goes on


@pytest.mark.slow
def test_no_law_reads_or_writes_outside_its_arrays(tmp_path: Path) -> None:
    """A heap that is stirred, with a loop, and an arm with friction at its limits: hard enough for every stage."""
    code = """
import numpy as np, sesshoku as sk
rng = np.random.default_rng(0)
scene = sk.Scene()
scene.ground(static=0.6, kinetic=0.4, restitution=0.3)
link = sk.Inertia.of(1.0, (0.1, 0.0, 0.0), (0.01, 0.01, 0.01))
for k in range(3):
    joint = sk.Joint(f"j{k}", "revolute", "y", friction=1.0, lower=-0.05, upper=0.05)
    parent, place = (f"l{k - 1}", (0.2, 0.0, 0.0)) if k else (None, (-0.5, 0.0, 0.09))
    ball = dict(shape=sk.Sphere(0.05), shape_position=(0.2, 0.0, 0.0))
    scene.body(f"l{k}", joint, parent=parent, position=place, inertia=link, **ball)
places = [(x, y, 0.05 + 0.08 * z) for z in range(3) for x in (0.2, 0.29, 0.38) for y in (-0.09, 0.0, 0.09)]
for k, place in enumerate(places):
    mass = 10 ** rng.uniform(-1, 1)
    scene.body(f"b{k}", sk.Joint(f"b{k}", "free"), position=place, mass=mass, shape=sk.Sphere(0.05))
scene.close("pin", "b0", "b1", position=(0.2, -0.05, 0.05))
scene.couple("j2", "j1", 0.0, 1.0)
for law in ("exact", "lcp", "multipoint", "penalty"):
    sim, contacts, iterations = sk.Simulation(scene, law=law), 0, 0
    for _ in range(3 if law == "multipoint" else 40):  # its equations take the cube of the bodies
        sim.v += 0.1 * rng.normal(size=sim.model.nv)
        sim.step()
        contacts, iterations = max(contacts, len(sim.contacts)), max(iterations, sim.iterations)
    print(law, contacts > 40, iterations > (6 if law == "exact" else 1))  # exact: more than its first phase
"""
    done = python(code, tmp_path, NUMBA_BOUNDSCHECK="1", NUMBA_OPT="0")  # compiles twice as fast
    laws = ("exact", "lcp", "multipoint", "penalty")
    assert done.stdout == "".join(f"{law} True True\n" for law in laws)  # full Newton steps do not suffice
    assert "Error" not in done.stderr  # a law is called by its address, too


def test_functions_without_a_module_compile() -> None:
    """Such as users make by exec: the notice asks every compilation whether it is one of ours."""
    made: dict[str, Any] = {"__name__": None}
    exec("def twice(x):\n    return 2 * x\n", made)
    assert numba.njit(made["twice"])(21) == 42
