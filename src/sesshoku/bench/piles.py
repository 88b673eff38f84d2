"""How the time of a step grows with the number of contacts: feet under one plate, piles, mounds and bins of spheres."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from sesshoku.contact import Exact
from sesshoku.model import Box, Joint, Material, Scene, Sphere
from sesshoku.sim import Simulation

__all__ = ["full_bin", "measure", "mound", "pile", "plate", "table"]

Array = NDArray[np.float64]
FEET = (8, 32, 128, 512)
SPHERES = (30, 100, 300)
TOGETHER = 900  # spheres of each size: several heaps are measured, since last digits decide what happens in one
DT = 1e-3
SETTLE = 200  # steps of plates before what is measured
STEPS = 400
PILE_STEPS = 8000  # of piles, from the start on: the spheres fall, roll apart and slowly come to rest
MOUND_STEPS = 2500  # of mounds: they fall by millimetres and come to rest
BIN_STEPS = 1500  # of bins: they fall, lie on each other and jam
LAST = 500  # of all these, the last ones: mounds are at rest then
LAYERS = 4  # of a mound
WOOD = 4e6  # stiffness of a sphere [N/m]: by Hertz, under the weight of another, 3e6 with a modulus of 10 GPa


def plate(feet: int) -> Scene:
    """A plate of 10 kg on so many feet, in rows of four."""
    scene = Scene(f"plate on {feet} feet")
    scene.ground(static=0.8)
    scene.body("plate", Joint("root", "free"), position=(0.0, 0.0, 0.05), mass=10.0, shape=Box((2.0, 0.5, 0.04)))
    for x in np.linspace(-0.95, 0.95, feet // 4):
        for y in (-0.2, -0.07, 0.07, 0.2):
            scene.collider("plate", Sphere(0.02), (x, y, -0.03))
    return scene


def pile(spheres: int, stiffness: float | None = None, seed: int = 0) -> Scene:
    """Three layers of spheres that fall apart in a tray, and roll ever more slowly, nearly all side by side."""
    rough = Material(0.5, stiffness=stiffness)
    return heap(f"pile of {spheres}", spheres, rough, seed, room=1.75, height=0.2, disorder=0.01)


def mound(spheres: int, stiffness: float | None = None, seed: int = 0) -> Scene:
    """Four layers of spheres of 0.1 m, each in the hollows of the one below, as cannonballs lie, after a fall of 2 cm.

    A rim holds the lowest, which is four spheres wide: 30 are a pyramid, 10 more make it one sphere longer.
    """
    scene, rng, rough = Scene(f"mound of {spheres}"), np.random.default_rng(seed), Material(0.5, stiffness=stiffness)
    scene.ground(static=0.5)
    pitch, sides = 0.102, np.array((LAYERS, LAYERS + (spheres - 30) // 10))
    put_walls(scene, 0.5 * pitch * sides, 0.08, rough)
    number = 0
    for layer in range(LAYERS):
        for place in np.ndindex(*(sides - layer)):
            across = pitch * (np.array(place) - 0.5 * (sides - layer - 1))
            position = np.array((*across, 0.055 + 0.0907 * layer)) + rng.uniform(-5e-4, 5e-4, 3)
            put_sphere(scene, number, tuple(position), rough)
            number += 1
    return scene


def full_bin(spheres: int, stiffness: float | None = None, seed: int = 0) -> Scene:
    """The same between walls that leave no room to fall apart: they jam."""
    rough = Material(0.5, stiffness=stiffness)
    return heap(f"bin of {spheres}", spheres, rough, seed, room=1.0, height=1.0, disorder=0.004)


def heap(name: str, spheres: int, rough: Material, seed: int, *, room: float, height: float, disorder: float) -> Scene:
    """Spheres of 0.1 m, slightly out of order, friction 0.5, between four walls ``room`` times as wide as they are."""
    scene, rng = Scene(name), np.random.default_rng(seed)
    scene.ground(static=0.5)
    side = max(2, round((spheres / 3) ** 0.5))
    put_walls(scene, np.full(2, 0.055 * side * room), height, rough)
    for k in range(spheres):
        layer, rest = divmod(k, side * side)
        across = 0.11 * (np.array(divmod(rest, side)) - 0.5 * (side - 1)) + rng.uniform(-disorder, disorder, 2)
        put_sphere(scene, k, (*across, 0.06 + 0.11 * layer), rough)
    return scene


def put_walls(scene: Scene, half: Array, height: float, material: Material) -> None:
    """Four walls about the origin, at these distances along x and y."""
    x, y = half
    for sign in (-1.0, 1.0):
        along_y, along_x = Box((0.1, 2.0 * y + 0.4, height)), Box((2.0 * x + 0.4, 0.1, height))
        scene.collider(None, along_y, (sign * (x + 0.05), 0.0, 0.5 * height), material=material)
        scene.collider(None, along_x, (0.0, sign * (y + 0.05), 0.5 * height), material=material)


def put_sphere(scene: Scene, number: int, position: tuple[float, ...], material: Material) -> None:
    """A sphere of 0.1 m and 0.1 kg."""
    name = f"sphere{number}"
    scene.body(name, Joint(name, "free"), position=position, mass=0.1, shape=Sphere(0.05), material=material)


def scenes() -> dict[str, tuple[Callable[..., Scene], float | None, Exact, int]]:
    """Kinds of heaps of spheres: how one is made, of which stiffness, by which law, how many steps it is measured."""
    exact, strict = Exact(), Exact(heap_tolerance=Exact.tolerance)
    return {
        "piles": (pile, None, exact, PILE_STEPS),
        "mounds": (mound, None, exact, MOUND_STEPS),
        "wooden_mounds": (mound, WOOD, exact, MOUND_STEPS),
        "strict_mounds": (mound, None, strict, MOUND_STEPS),
        "bins": (full_bin, None, exact, BIN_STEPS),
        "wooden_bins": (full_bin, WOOD, exact, BIN_STEPS),
        "strict_bins": (full_bin, None, strict, BIN_STEPS),
    }


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each scene contacts, time per step and contact, Newton steps, unconverged steps; how the time grows.

    ``growth`` of a kind is the largest over the smallest time per step and contact.
    """
    result: dict[str, Any] = {"plates": {}}
    for feet in FEET:
        progress(f"plate on {feet} feet")
        result["plates"][str(feet)] = run([plate(feet)], Exact(), "plate", SETTLE, STEPS)
    for kind, (build, stiffness, law, steps) in scenes().items():
        result[kind] = {}
        for spheres in SPHERES:
            progress(f"{title(kind)} of {spheres}")
            several = [build(spheres, stiffness, seed) for seed in range(TOGETHER // spheres)]
            result[kind][str(spheres)] = run(several, law, None, 0, steps)
    contacts, times = (np.log([row[key] for row in result["plates"].values()]) for key in ("contacts", "us"))
    growth = {}
    for kind, rows in result.items():
        each = [row["us_per_contact"] for row in rows.values()]
        growth[kind] = max(each) / min(each)
    return {**result, "plates_exponent": float(np.polyfit(contacts, times, 1)[0]), "growth": growth}


def title(kind: str) -> str:
    """The name of one of a kind."""
    return kind.removesuffix("s").replace("_", " ")


def run(scenes: list[Scene], law: Exact, pushed: str | None, settle: int, steps: int) -> dict[str, float]:
    """The mean over ``steps`` after ``settle``; times are those of the processor, whatever else the machine does.

    ``residual`` is the largest; ``beyond`` the share of steps whose residual is above the tolerance, and their median;
    ``last_beyond`` that share at the end. ``depth`` is the largest, ``speed`` that of the bodies at the end, their root
    mean square.
    """
    times, contacts, iterations, depth, left = (np.zeros((len(scenes), steps)) for _ in range(5))
    squares: list[float] = []
    missed = 0
    for j, scene in enumerate(scenes):
        sim, rng = Simulation(scene, law, DT), np.random.default_rng(0)
        sim.step(n=settle)
        for k in range(steps):
            if pushed is not None:
                sim.push(pushed, rng.normal(size=3) * 20.0)
            begin = thread_time()
            sim.step()
            times[j, k] = 1e6 * (thread_time() - begin)
            contacts[j, k], iterations[j, k] = len(sim.contacts), sim.iterations
            depth[j, k], left[j, k] = sim.contacts.depth.max(initial=0.0), sim.residual.total
            missed += not sim.residual.converged
        squares += [float(np.sum(sim.velocity(name)[:3] ** 2)) for name in scene.bodies if name != "ground"]
    beyond = left > law.tolerance
    return {
        "scenes": len(scenes),
        "tolerance": law.tolerance,
        "heap_tolerance": law.heap_tolerance,
        "steps": steps,
        "contacts": float(contacts.mean()),
        "us": float(times.mean()),
        "us_per_contact": float(times.sum() / contacts.sum()),
        "median_us_per_contact": float(np.median(times / np.maximum(contacts, 1.0))),
        "last_us_per_contact": float(times[:, -LAST:].sum() / contacts[:, -LAST:].sum()),
        "iterations": float(iterations.mean()),
        "us_per_contact_and_iteration": float(times.sum() / (contacts * np.maximum(iterations, 1.0)).sum()),
        "unconverged": missed,
        "residual": float(left.max()),
        "beyond": float(beyond.mean()),
        "median_beyond": float(np.median(left[beyond])) if beyond.any() else 0.0,
        "last_beyond": float(beyond[:, -LAST:].mean()),
        "depth": float(depth.max()),
        "last_depth": float(depth[:, -LAST:].max()),
        "speed": float(np.sqrt(np.mean(squares))),
    }


def table(result: dict[str, Any]) -> Table:
    """The same for people."""
    out = Table(title=f"time against contacts: exponent {result['plates_exponent']:.2f} under a plate")
    titles = (
        "scene",
        "",
        "contacts",
        "µs a\nstep",
        "µs a\ncontact",
        "growth",
        "Newton\nsteps",
        "missed",
        "above\n1e-8",
        "largest\nresidual",
        "deepest\nµm",
        "m/s at\nthe end",
    )
    for number, name in enumerate(titles):
        out.add_column(name, justify="right" if number > 0 else "left")
    for kind in ("plates", *scenes()):
        name, growth = title(kind), f"{result['growth'][kind]:.2f}"
        for size, row in result[kind].items():
            out.add_row(
                name, size, f"{row['contacts']:.0f}", f"{row['us']:.0f}", f"{row['us_per_contact']:.2f}", growth,
                f"{row['iterations']:.1f}", f"{row['unconverged']:.0f}", f"{row['beyond']:.0%}",
                f"{row['residual']:.0e}", f"{1e6 * row['depth']:.1f}", f"{row['speed']:.0e}",
            )  # fmt: skip
            name = growth = ""
        out.add_section()
    return out
