"""Steps and forward dynamics without contact against MuJoCo and Pinocchio, and how long the start takes."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable
from functools import partial
from os import environ
from time import perf_counter
from typing import Any

import numpy as np
from rich.table import Table

from sesshoku.bench.peers import mjcf, robot_file
from sesshoku.bench.timing import interleaved
from sesshoku.dynamics import Dynamics
from sesshoku.errors import UnsimulatedWarning
from sesshoku.model import Scene, load
from sesshoku.sim import Simulation

__all__ = ["measure", "table"]

ROBOTS = {
    "g1": "g1_description/urdf/g1_29dof_rev_1_0.urdf",
    "talos": "talos_data/robots/talos_full_v2.urdf",
}
DT = 1e-3


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each robot µs per call of ours and of the peers and their ratios; then the start-up times [s]."""
    result: dict[str, Any] = {}
    for name, file in ROBOTS.items():
        progress(f"{name}: stepping and forward dynamics")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", UnsimulatedWarning)  # the peers get the same bare trees
            scene = load(robot_file(file), floating=True)
        result[name] = measure_robot(scene)
    progress("start-up in fresh processes: cold cache, then warm")
    result["start"] = measure_start()
    return result


def measure_robot(scene: Scene) -> dict[str, float]:
    """One robot, floating: a step, and v̇ from (q, v, tau)."""
    import mujoco
    import pinocchio

    model = scene.model
    peer = mujoco.MjModel.from_xml_string(mjcf(model, DT))
    data = mujoco.MjData(peer)
    sim = Simulation(scene, law="none", dt=DT)
    dynamics = Dynamics(model)
    rng = np.random.default_rng(0)
    tau = rng.normal(size=model.nv)
    q, v = model.q0.copy(), rng.normal(size=model.nv)
    other = pinocchio.buildModelFromUrdf(scene.file, pinocchio.JointModelFreeFlyer())
    other_data = other.createData()
    other_q = pinocchio.neutral(other)
    check_same(sim, peer, data)

    def ours() -> None:
        sim.step()

    def theirs() -> None:
        mujoco.mj_step(peer, data)

    times = interleaved(
        {
            "ours": ours,
            "mujoco": theirs,
            "forward": partial(dynamics.forward, q, v, tau),
            "aba": partial(pinocchio.aba, other, other_data, other_q, v, tau),
        }
    )
    return {
        "velocities": model.nv,
        "ours_us": times["ours"] * 1e6,
        "mujoco_us": times["mujoco"] * 1e6,
        "ratio_mujoco": times["mujoco"] / times["ours"],
        "ours_forward_us": times["forward"] * 1e6,
        "pinocchio_aba_us": times["aba"] * 1e6,
        "ratio_pinocchio": times["aba"] / times["forward"],
    }


def check_same(sim: Simulation, peer: Any, data: Any) -> None:
    """What is timed must be the same motion: a hundred steps of both from one state, then back to the start."""
    import mujoco

    mujoco.mj_resetData(peer, data)
    data.qpos[:] = sim.q
    v = np.random.default_rng(1).normal(size=peer.nv)
    data.qvel[:], sim.v = v, v
    for _ in range(100):
        mujoco.mj_step(peer, data)
        sim.step()
    error = float(np.abs(data.qpos - sim.q).max())
    if not error < 1e-6:
        raise AssertionError(f"the peer does not move the same way: {error:g} after 100 steps")
    sim.reset()
    mujoco.mj_resetData(peer, data)
    data.qpos[:] = sim.q


def measure_start() -> dict[str, float]:
    """Seconds of fresh processes: first compile, warm import, and a whole warm ``sesshoku run`` of one step."""
    one_step = ["-m", "sesshoku", "run", "hoap_class", "--time", "0.001", "--json"]
    with tempfile.TemporaryDirectory() as cache:
        cold = seconds(one_step, cache)
        warm = min(seconds(one_step, cache) for _ in range(3))
        imported = min(seconds(["-c", "import sesshoku"], cache) for _ in range(3))
        bare = min(seconds(["-c", "pass"], cache) for _ in range(3))
    return {"first_compile_s": cold - warm, "warm_import_s": imported - bare, "warm_run_s": warm}


def seconds(arguments: list[str], cache: str) -> float:
    """How long a fresh interpreter takes, with the kernels' cache in a folder of its own."""
    begin = perf_counter()
    environment = {**environ, "SESSHOKU_CACHE": cache}
    subprocess.run([sys.executable, *arguments], check=True, env=environment, capture_output=True)
    return perf_counter() - begin


def table(result: dict[str, Any]) -> Table:
    """The same for people."""
    out = Table(title=f"step and forward dynamics without contact, dt {DT:g} s")
    for title in (
        "robot",
        "veloc-\nities",
        "step\nµs",
        "MuJoCo\nµs",
        "ratio",
        "forward\nµs",
        "Pinocchio\naba, µs",
        "ratio",
    ):
        out.add_column(title, justify="left" if title == "robot" else "right")
    for name in ROBOTS:
        row = result[name]
        out.add_row(
            name,
            str(row["velocities"]),
            f"{row['ours_us']:.2f}",
            f"{row['mujoco_us']:.2f}",
            f"{row['ratio_mujoco']:.2f}",
            f"{row['ours_forward_us']:.2f}",
            f"{row['pinocchio_aba_us']:.2f}",
            f"{row['ratio_pinocchio']:.2f}",
        )
    start = result["start"]
    out.caption = (
        f"first compile {start['first_compile_s']:.1f} s, warm import {start['warm_import_s']:.2f} s, "
        f"warm run {start['warm_run_s']:.2f} s"
    )
    return out
