"""Contact detection against MuJoCo's collision stage and Coal, on the same poses."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
from numba import types
from rich.table import Table

from sesshoku.bench.coal_peer import coal_detection
from sesshoku.bench.peers import mjcf, robot_file
from sesshoku.bench.timing import interleaved
from sesshoku.dynamics import entry
from sesshoku.dynamics.system import System
from sesshoku.errors import UnsimulatedWarning
from sesshoku.geometry.detect import detect
from sesshoku.geometry.filter import allowed_pairs
from sesshoku.geometry.space import Space
from sesshoku.kernel import entry_point
from sesshoku.model import Box, Collider, Joint, Plane, Scene, Sphere, load
from sesshoku.spatial.pose import Pose

__all__ = ["measure", "scenes", "table"]

G1 = "g1_description/urdf/g1_29dof_rev_1_0.urdf"
TALOS = "talos_data/robots/talos_full_v2_box.urdf"
GO2 = "go2_description/urdf/go2.urdf"


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each scene µs per detection of ours, MuJoCo's and Coal's, and how many contacts each reports."""
    result: dict[str, Any] = {}
    for name, make in scenes().items():
        progress(f"{name}: detection")
        result[name] = measure_scene(make())
    return result


def measure_scene(scene: Scene) -> dict[str, float]:
    """Detection from the poses of the bodies on; kinematics are done before, once for all three."""
    import mujoco

    model = scene.model
    system, space = System(model), Space(model)
    entry.run_kinematics(system.address)
    peer = mujoco.MjModel.from_xml_string(mjcf(model, 1e-3, shapes=True))
    data = mujoco.MjData(peer)
    data.qpos[:] = model.q0
    mujoco.mj_kinematics(peer, data)
    mujoco.mj_comPos(peer, data)
    detect(system.address, space.address)
    coal, coal_count = coal_detection(space, allowed_pairs(model))
    run, system_address, space_address = entry_point(detect, types.int64, types.int64), system.address, space.address
    times = interleaved(
        {
            "ours": lambda: run(system_address, space_address),
            "mujoco": lambda: mujoco.mj_collision(peer, data),
            "coal": coal,
        }
    )
    return {
        "shapes": len(space.kind),
        "ours_us": times["ours"] * 1e6,
        "mujoco_us": times["mujoco"] * 1e6,
        "coal_us": times["coal"] * 1e6,
        "ratio_mujoco": times["mujoco"] / times["ours"],
        "ratio_coal": times["coal"] / times["ours"],
        "contacts": int(space.count[0]),
        "mujoco_contacts": int(data.ncon),
        "coal_contacts": coal_count(),
    }


def scenes() -> dict[str, Callable[[], Scene]]:
    """The scenes by name."""
    return {
        "g1_foot_spheres": g1_on_spheres,
        "talos_box_soles": lambda: standing(TALOS),
        "go2_hulls": lambda: standing(GO2),
        "tower_10_boxes": tower,
        "pile_300_spheres": pile,
    }


def standing(file: str) -> Scene:
    """A floating robot with the shapes of its file."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsimulatedWarning)
        scene = load(robot_file(file), floating=True)
    return _lowered(scene)


def g1_on_spheres() -> Scene:
    """G1 with four spheres under each foot and no other shape."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsimulatedWarning)
        scene = load(robot_file(G1), floating=True)
    for name, body in list(scene.bodies.items()):
        scene.bodies[name] = replace(body, colliders=())
    for foot in ("left_ankle_roll_link", "right_ankle_roll_link"):
        places = [(x, y, -0.03) for x in (-0.05, 0.12) for y in (-0.025, 0.025)]
        spheres = tuple(Collider(Sphere(0.005), Pose.at(place)) for place in places)
        scene.bodies[foot] = replace(scene.bodies[foot], colliders=spheres)
    return _lowered(scene)


def _lowered(scene: Scene) -> Scene:
    """On the ground, 0.1 mm deep with the lowest corner of its bounding boxes."""
    scene.body("ground", shape=Plane())
    model = scene.model
    system, space = System(model), Space(model)
    entry.run_kinematics(system.address)
    detect(system.address, space.address)
    lowest = space.lower[space.kind != 0, 2].min() + space.margin.max()
    first = next(iter(scene.bodies.values()))
    scene.bodies[first.name] = replace(first, pose=Pose.at((0.0, 0.0, -lowest - 1e-4)) @ first.pose)
    return scene


def tower() -> Scene:
    """Ten boxes on top of each other, each a little turned, 0.1 mm deep in the one below."""
    scene = Scene("tower")
    scene.body("ground", shape=Plane())
    for k in range(10):
        height = 0.05 + k * (0.1 - 1e-4) - 1e-4
        scene.body(
            f"box{k}", Joint(f"joint{k}", "free"), position=(0, 0, height), rpy=(0, 0, 0.05 * k), mass=1.0,
            shape=Box((0.1, 0.1, 0.1)),
        )  # fmt: skip
    return scene


def pile() -> Scene:
    """Three hundred spheres in a dense, slightly disordered packing on the ground."""
    scene, rng = Scene("pile"), np.random.default_rng(0)
    scene.body("ground", shape=Plane())
    radius = 0.05
    for k in range(300):
        layer, rest = divmod(k, 49)
        row, column = divmod(rest, 7)
        place = 2 * radius * np.array([column + 0.5 * (layer % 2), row + 0.5 * (layer % 2), 0.5 + layer / np.sqrt(2)])
        place = place * 0.998 + rng.uniform(-2e-4, 2e-4, size=3)
        scene.body(f"ball{k}", Joint(f"joint{k}", "free"), position=place, mass=0.1, shape=Sphere(radius))
    return scene


def table(result: dict[str, Any]) -> Table:
    """The same for people."""
    out = Table(title="contact detection, from the poses of the bodies on")
    for title in ("scene", "shapes", "con-\ntacts", "ours\nµs", "MuJoCo\nµs", "ratio", "Coal\nµs", "ratio"):
        out.add_column(title, justify="left" if title == "scene" else "right")
    for name, row in result.items():
        out.add_row(
            name,
            str(row["shapes"]),
            str(row["contacts"]),
            f"{row['ours_us']:.2f}",
            f"{row['mujoco_us']:.2f}",
            f"{row['ratio_mujoco']:.2f}",
            f"{row['coal_us']:.2f}",
            f"{row['ratio_coal']:.2f}",
        )
    return out
