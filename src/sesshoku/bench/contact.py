"""The exact law against MuJoCo: time per step called from Python, creep, penetration and residual."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from dataclasses import dataclass, replace
from math import pi
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from sesshoku.bench.peers import mjcf, robot_file
from sesshoku.dynamics import entry
from sesshoku.dynamics.system import System
from sesshoku.errors import UnsimulatedWarning
from sesshoku.geometry.detect import detect
from sesshoku.geometry.kind import PLANE
from sesshoku.geometry.space import Space
from sesshoku.model import Actuator, Box, Capsule, Collider, Joint, Scene, Sphere, load
from sesshoku.sim import Simulation
from sesshoku.spatial.pose import Pose

__all__ = ["measure", "table"]

Array = NDArray[np.float64]
G1 = "g1_description/urdf/g1_29dof_rev_1_0.urdf"
GO2 = "go2_description/urdf/go2.urdf"
DT = 1e-3
SETTLE, STEPS, ROUNDS = 1000, 200, 25  # steps before, and in each of the repeated runs
PUSH = 60.0  # standard deviation of each component of the random force on the trunk [N]
CREEP = 1e-3  # a peer that is faster than this does not count as standing [m/s]
SETTINGS = {
    f"{cone}{', no slip' if passes else ''}, {jacobian}": (cone, passes, jacobian)
    for cone in ("pyramidal", "elliptic")
    for passes in (0, 10)
    for jacobian in ("dense", "sparse")
}


@dataclass(frozen=True)
class Case:
    """A scene with its coefficient of friction, the bodies that should stay, and the one that is pushed, if one is."""

    scene: Scene
    friction: float
    still: tuple[str, ...]
    pushed: str | None = None

    @property
    def posture(self) -> str | None:
        """How the scene begins."""
        return "stand" if "stand" in self.scene.postures else None


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each scene ours_us, mujoco_us (its fastest setting that does not creep), ratio, residual, creep and more."""
    result: dict[str, Any] = {}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnsimulatedWarning)
        for name, make in cases().items():
            progress(f"{name}: standing")
            result[name] = measure_case(make())
    return result


def cases() -> dict[str, Callable[[], Case]]:
    """The scenes by name."""
    robots = {
        f"g1_{points}_{how}": lambda points=points, how=how: g1(points, how == "pushed")
        for how in ("still", "pushed")
        for points in (8, 16, 32)
    }
    return {**robots, "go2": go2, "box_on_slope": slope, "grasp": grasp}


def measure_case(case: Case) -> dict[str, Any]:
    """Every engine settles, then repeats the same run from there; the best round of each counts."""
    sim = Simulation(case.scene, dt=DT, posture=case.posture)
    sim.step(n=SETTLE)
    pushes = np.random.default_rng(0).normal(size=(STEPS, 3)) * (PUSH if case.pushed else 0.0)
    creep = _our_creep(sim, case)
    start, residual, depth, iterations = sim.state, 0.0, 0.0, 0
    for push in pushes:
        _push(sim, case, push)
        sim.step()
        residual, iterations = max(residual, sim.residual.total), max(iterations, sim.iterations)
        depth = max(depth, float(sim.contacts.depth.max(initial=0.0)))
    contacts = len(sim.contacts)
    runs: dict[str, Callable[[], float]] = {"ours": lambda: _our_run(sim, case, start, pushes)}
    peers = {name: Peer(case, *setting) for name, setting in SETTINGS.items()}
    runs |= {name: (lambda peer=peer: peer.run(pushes)) for name, peer in peers.items()}  # type: ignore[misc]
    best = dict.fromkeys(runs, float("inf"))
    for _ in range(ROUNDS):
        for name, run in runs.items():
            best[name] = min(best[name], run() / STEPS * 1e6)
    standing = [name for name, peer in peers.items() if peer.creep < CREEP] or list(peers)
    fastest = min(standing, key=lambda name: best[name])
    return {
        "contacts": contacts,
        "ours_us": best["ours"],
        "mujoco_us": best[fastest],
        "ratio": best[fastest] / best["ours"],
        "residual": residual,
        "iterations": iterations,
        "creep": creep,
        "penetration": depth,
        "mujoco_setting": fastest,
        "mujoco_creep": peers[fastest].creep,
        "mujoco": {
            name: {"us": best[name], "creep": peer.creep, "penetration": peer.depth} for name, peer in peers.items()
        },
    }


def _push(sim: Simulation, case: Case, force: Array) -> None:
    if case.pushed is not None:
        sim.external[sim.model.body(case.pushed), :3] = force


def _our_creep(sim: Simulation, case: Case) -> float:
    """Speed of what should stay, over the steps of a run without pushes [m/s]."""
    before = np.array([sim.pose(name).position for name in case.still])
    sim.step(n=STEPS)
    after = np.array([sim.pose(name).position for name in case.still])
    return float(np.linalg.norm(after - before, axis=1).max() / (STEPS * DT))


def _our_run(sim: Simulation, case: Case, start: Any, pushes: Array) -> float:
    """Seconds for one run."""
    sim.reset(start)
    row = sim.external[sim.model.body(case.pushed)] if case.pushed is not None else np.zeros(6)
    step = sim.step
    begin = perf_counter()
    for push in pushes:
        row[:3] = push
        step()
    return perf_counter() - begin


class Peer:
    """MuJoCo with one choice of cone, no-slip passes and Jacobian, settled on the same scene."""

    def __init__(self, case: Case, cone: str, passes: int, jacobian: str) -> None:
        import mujoco

        model = case.scene.model
        self.model = mujoco.MjModel.from_xml_string(mjcf(model, DT, shapes=True, friction=case.friction))
        self.model.opt.cone = getattr(mujoco.mjtCone, f"mjCONE_{cone.upper()}")
        self.model.opt.jacobian = getattr(mujoco.mjtJacobian, f"mjJAC_{jacobian.upper()}")
        self.model.opt.noslip_iterations = passes
        self.model.opt.impratio = 10.0 if cone == "elliptic" else 1.0  # as MuJoCo recommends
        self.model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        self.data = mujoco.MjData(self.model)
        free = Simulation(case.scene, law="none", dt=DT, posture=case.posture)
        self.data.qpos[:], self.data.ctrl[:] = free.q, free.control
        for _ in range(SETTLE):
            mujoco.mj_step(self.model, self.data)
        bodies = [mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, name) for name in case.still]
        before = self.data.xpos[bodies].copy()
        for _ in range(STEPS):
            mujoco.mj_step(self.model, self.data)
        self.creep = float(np.linalg.norm(self.data.xpos[bodies] - before, axis=1).max() / (STEPS * DT))
        self.depth = float(max((-self.data.contact.dist).max(initial=0.0), 0.0))
        self.state = mujoco.mjtState.mjSTATE_INTEGRATION
        self.start = np.zeros(mujoco.mj_stateSize(self.model, self.state))
        mujoco.mj_getState(self.model, self.data, self.start, self.state)
        self.body = 0 if case.pushed is None else mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, case.pushed)
        self.mujoco = mujoco

    def run(self, pushes: Array) -> float:
        """Seconds for one run."""
        self.mujoco.mj_setState(self.model, self.data, self.start, self.state)
        row, step, model, data = self.data.xfrc_applied[self.body], self.mujoco.mj_step, self.model, self.data
        begin = perf_counter()
        for push in pushes:
            row[:3] = push
            step(model, data)
        return perf_counter() - begin


def g1(points: int, pushed: bool) -> Case:
    """G1 on servos, on spheres under its feet and nothing else."""
    scene = load(robot_file(G1), floating=True)
    for name, body in list(scene.bodies.items()):
        scene.bodies[name] = replace(body, colliders=())
    feet = ("left_ankle_roll_link", "right_ankle_roll_link")
    for foot in feet:
        places = [(x, y, -0.03) for x in np.linspace(-0.05, 0.12, points // 4) for y in (-0.025, 0.025)]
        spheres = tuple(Collider(Sphere(0.005), Pose.at(place)) for place in places)
        scene.bodies[foot] = replace(scene.bodies[foot], colliders=spheres)
    scene.servo(500.0, 20.0)
    _stand(scene, {})
    return Case(scene, 0.8, feet, "pelvis" if pushed else None)


def go2() -> Case:
    """Go2 on servos, with the shapes of its file."""
    scene = load(robot_file(GO2), floating=True)
    scene.servo(100.0, 4.0)
    bend = {"hip": 0.0, "thigh": 0.8, "calf": -1.6}
    _stand(scene, bend)
    feet = tuple(f"{leg}_calf" for leg in ("FL", "FR", "RL", "RR"))
    return Case(scene, 0.8, feet)


def _stand(scene: Scene, bend: dict[str, float]) -> None:
    """Put a robot on the ground, its joints bent by parts of their names, as its posture 'stand'."""
    scene.ground(static=0.8)
    model = scene.model
    system, space = System(model), Space(model)
    for joint in model.joints:
        for part, angle in bend.items():
            if f"_{part}_" in joint.name:
                system.q[joint.q] = angle
    entry.run_kinematics(system.address)
    detect(system.address, space.address)
    system.q[2] -= space.lower[space.kind != PLANE, 2].min() + space.margin.max()
    scene.posture("stand", system.q)


def slope() -> Case:
    """A box of 1 kg at rest on a slope of 20 degrees with friction 0.7."""
    scene = Scene("box on a slope")
    angle = 20 * pi / 180
    scene.ground(rpy=(0.0, angle, 0.0), static=0.7)
    lifted = (0.05 * np.sin(angle), 0.0, 0.05 * np.cos(angle))
    scene.body(
        "box", Joint("box", "free"), position=lifted, rpy=(0.0, angle, 0.0), mass=1.0, shape=Box((0.1, 0.1, 0.1))
    )
    return Case(scene, 0.7, ("box",))


def grasp() -> Case:
    """A capsule of 45 g between two pads that press with 12 N, friction 0.7."""
    scene = Scene("grasp")
    scene.body("object", Joint("object", "free"), mass=0.045, shape=Capsule(0.02, 0.05))
    for name, side in (("left", -1.0), ("right", 1.0)):
        slide = Joint(name, "prismatic", axis=(-side, 0.0, 0.0))
        scene.body(name, slide, position=(0.03 * side, 0.0, 0.0), mass=0.1, shape=Box((0.02, 0.04, 0.04)))
        scene.actuator(Actuator(name, name, offset=12.0))
        scene.material("object", name, static=0.7)
    return Case(scene, 0.7, ("object",))


def table(result: dict[str, Any]) -> Table:
    """The same for people."""
    out = Table(title="a step with contact, called from Python")
    titles = (
        "scene",
        "contacts",
        "ours, µs",
        "MuJoCo, µs",
        "ratio",
        "residual",
        "creep, m/s",
        "MuJoCo's",
        "its setting",
    )
    for title in titles:
        out.add_column(title, justify="left" if title in ("scene", "its setting") else "right")
    for name, row in result.items():
        out.add_row(
            name, str(row["contacts"]), f"{row['ours_us']:.2f}", f"{row['mujoco_us']:.2f}", f"{row['ratio']:.2f}",
            f"{row['residual']:.1e}", f"{row['creep']:.1e}", f"{row['mujoco_creep']:.1e}", row["mujoco_setting"],
        )  # fmt: skip
    return out
