"""How the time of a step grows with the number of contacts: feet under one plate, piles, mounds and bins of spheres."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.table import Table

from sesshoku.contact.exact import Exact
from sesshoku.model import Box, Joint, Material, Scene, Sphere
from sesshoku.sim import Simulation

__all__ = ["full_bin", "measure", "mound", "pile", "plate", "table"]

Array = NDArray[np.float64]
FEET = (8, 32, 128, 512)
SPHERES = (30, 100, 300)
DT = 1e-3
SETTLE = 200  # steps of plates before what is measured
STEPS = 400
PILE_STEPS = 8000  # of piles, from the start on: the spheres fall, roll apart and slowly come to rest
MOUND_STEPS = 2500  # of mounds: they fall by millimetres and come to rest
BIN_STEPS = 1500  # of bins: they fall, lie on each other and jam
LAST = 500  # of all these, the last ones: mounds are at rest then
LAYERS = 4  # of a mound
LOOSE = 1e-4  # a tolerance of velocities: of what gravity gives in a step, so 1 µm/s


def plate(feet: int) -> Scene:
    """A plate of 10 kg on so many feet, in rows of four."""
    scene = Scene(f"plate on {feet} feet")
    scene.ground(static=0.8)
    scene.body("plate", Joint("root", "free"), position=(0.0, 0.0, 0.05), mass=10.0, shape=Box((2.0, 0.5, 0.04)))
    for x in np.linspace(-0.95, 0.95, feet // 4):
        for y in (-0.2, -0.07, 0.07, 0.2):
            scene.collider("plate", Sphere(0.02), (x, y, -0.03))
    return scene


def pile(spheres: int, stiffness: float | None = None) -> Scene:
    """Three layers of spheres that fall apart in a tray, and roll ever more slowly, nearly all side by side."""
    return heap(f"pile of {spheres}", spheres, room=1.75, height=0.2, disorder=0.01, stiffness=stiffness)


def mound(spheres: int, stiffness: float | None = None) -> Scene:
    """Four layers of spheres of 0.1 m, each in the hollows of the one below, as cannonballs lie, after a fall of 2 cm.

    A rim holds the lowest, which is four spheres wide: 30 are a pyramid, 10 more make it one sphere longer.
    """
    scene, rng, rough = Scene(f"mound of {spheres}"), np.random.default_rng(0), Material(0.5, stiffness=stiffness)
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


def full_bin(spheres: int, stiffness: float | None = None) -> Scene:
    """The same between walls that leave no room to fall apart: they jam."""
    return heap(f"bin of {spheres}", spheres, room=1.0, height=1.0, disorder=0.004, stiffness=stiffness)


def heap(name: str, spheres: int, *, room: float, height: float, disorder: float, stiffness: float | None) -> Scene:
    """Spheres of 0.1 m, slightly out of order, friction 0.5, between four walls ``room`` times as wide as they are."""
    scene, rng, rough = Scene(name), np.random.default_rng(0), Material(0.5, stiffness=stiffness)
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


def measure(progress: Callable[[str], None]) -> dict[str, Any]:
    """For each scene contacts, time per step and contact, Newton steps, unconverged steps; how the time grows."""
    result: dict[str, Any] = {"plates": {}, "piles": {}, "mounds": {}, "loose_mounds": {}, "bins": {}}
    for feet in FEET:
        progress(f"plate on {feet} feet")
        result["plates"][str(feet)] = run(plate(feet), Exact(), "plate", SETTLE, STEPS)
    for kind, build, law, steps in (
        ("piles", pile, Exact(), PILE_STEPS),
        ("mounds", mound, Exact(), MOUND_STEPS),
        ("loose_mounds", mound, Exact(tolerance=LOOSE), MOUND_STEPS),
        ("bins", full_bin, Exact(), BIN_STEPS),
    ):
        for spheres in SPHERES:
            progress(f"{kind[:-1]} of {spheres}, tolerance {law.tolerance:g}")
            result[kind][str(spheres)] = run(build(spheres), law, None, 0, steps)
    for kind in ("plates", "piles"):
        rows = list(result[kind].values())
        contacts, times = (np.log([row[key] for row in rows]) for key in ("contacts", "us"))
        result[f"{kind}_exponent"] = float(np.polyfit(contacts, times, 1)[0])
    rest = [row["last_us_per_contact"] for row in result["mounds"].values()]
    whole = [row["us_per_contact"] for row in result["loose_mounds"].values()]
    result["mounds_at_rest_growth"] = max(rest) / min(rest)
    result["loose_mounds_growth"] = max(whole) / min(whole)
    return result


def run(scene: Scene, law: Exact, pushed: str | None, settle: int, steps: int) -> dict[str, float]:
    """The mean over ``steps`` after ``settle``; times are those of the processor, whatever else the machine does."""
    sim, rng = Simulation(scene, law=law, dt=DT), np.random.default_rng(0)
    sim.step(n=settle)
    times, contacts, iterations, missed = np.zeros(steps), np.zeros(steps), np.zeros(steps), 0
    worst = 0.0
    for k in range(steps):
        if pushed is not None:
            sim.push(pushed, rng.normal(size=3) * 20.0)
        begin = thread_time()
        sim.step()
        times[k] = 1e6 * (thread_time() - begin)
        contacts[k], iterations[k] = len(sim.contacts), sim.iterations
        missed += not sim.residual.converged
        worst = max(worst, sim.residual.total)
    return {
        "contacts": float(contacts.mean()),
        "us": float(times.mean()),
        "us_per_contact": float(times.sum() / contacts.sum()),
        "median_us_per_contact": float(np.median(times / np.maximum(contacts, 1.0))),
        "last_us_per_contact": float(times[-LAST:].sum() / contacts[-LAST:].sum()),
        "iterations": float(iterations.mean()),
        "us_per_contact_and_iteration": float(times.sum() / (contacts * np.maximum(iterations, 1.0)).sum()),
        "unconverged": missed,
        "residual": worst,
        "speed": float(np.sqrt(np.mean([np.sum(sim.velocity(name)[:3] ** 2) for name in scene.bodies]))),
    }


def table(result: dict[str, Any]) -> Table:
    """The same for people."""
    plates, piles = result["plates_exponent"], result["piles_exponent"]
    rest, loose = result["mounds_at_rest_growth"], result["loose_mounds_growth"]
    title = f"time against contacts: exponent {plates:.2f} under a plate, {piles:.2f} in a pile"
    mounds = f"mounds differ by a factor of {rest:.2f} at rest, of {loose:.2f} throughout with a tolerance of {LOOSE:g}"
    out = Table(title=f"{title}; {mounds}")
    titles = (
        "scene",
        "contacts",
        "µs a step",
        "µs a contact",
        "median",
        f"last {LAST}\nsteps",
        "Newton steps",
        "µs a contact\nand Newton step",
    )
    for title in (*titles, "unconverged", "residual", "m/s at\nthe end"):
        out.add_column(title, justify="left" if title == "scene" else "right")
    for kind, name in (
        ("plates", "plate, feet:"),
        ("piles", "pile, spheres:"),
        ("mounds", "mound, spheres:"),
        ("loose_mounds", f"mound at {LOOSE:g}:"),
        ("bins", "bin, spheres:"),
    ):
        for size, row in result[kind].items():
            out.add_row(
                f"{name} {size}", f"{row['contacts']:.0f}", f"{row['us']:.1f}", f"{row['us_per_contact']:.2f}",
                f"{row['median_us_per_contact']:.2f}", f"{row['last_us_per_contact']:.2f}",
                f"{row['iterations']:.1f}", f"{row['us_per_contact_and_iteration']:.2f}", str(row["unconverged"]),
                f"{row['residual']:.0e}", f"{row['speed']:.1e}",
            )  # fmt: skip
    return out
