"""Which friction a square patch bears: the figure of the paper (checks 3 to 5 and 7).

Force along an edge of the box, over μ W, and torque about the vertical, over the most that free pressure bears.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from math import cos, hypot, pi, sin
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact.volume.rectangle import free_pressure_limit, uniform_pressure_torque
from sesshoku.contact.volume.simplex import SHAPE
from sesshoku.contact.volume.static import limit, separate_limit
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.volume.box import FORCE, HALF, STATIC, TORQUE, WEIGHT
from sesshoku.spatial.motion import Wrench

__all__ = ["SQUARE", "exact_torque", "load", "region_experiment"]

Array = NDArray[np.float64]
SQUARE: Final = HALF * np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
ANGLES: Final = np.linspace(0.0, pi / 2, 401)  # of rays in the plane of force and torque
EDGES: Final = 8
APOTHEM: Final = cos(pi / EDGES)


def load(force: float, torque: float, heading: float = 0.0) -> Wrench:
    """The wrench of the ground on the box, for shares of the largest force and torque, against these."""
    f = FORCE * force
    return (0.0, 0.0, TORQUE * torque), (f * cos(heading), f * sin(heading), WEIGHT)


def reach(edges: int, angle: float, friction: float = STATIC, heading: float = 0.0) -> float:
    """How far cones of so many edges reach along a ray."""
    wrench = load(cos(angle), sin(angle), heading)
    return float(limit(SQUARE, len(SQUARE), np.zeros(SHAPE), wrench, friction, edges))


def separate_reach(angle: float) -> float:
    """How far separate limits of force and torque reach along a ray."""
    return float(separate_limit(SQUARE, len(SQUARE), load(cos(angle), sin(angle)), STATIC))


def exact_point(y: float) -> tuple[float, float]:
    """The force and torque at the boundary for a slip around (0, y), as shares."""
    force, torque = free_pressure_limit(HALF, HALF, y)
    return force, torque / hypot(HALF, HALF)


def exact_torque(force: float) -> float:
    """The largest torque beside a force below the largest, as shares."""
    from scipy.optimize import brentq

    return exact_point(brentq(lambda y: exact_point(y)[0] - force, 0.0, 1e6, xtol=1e-15))[1] if force > 0.0 else 1.0


def exact_reach(angle: float) -> float:
    """How far the closed form reaches along a ray."""
    from scipy.optimize import brentq

    def beside(y: float) -> float:
        force, torque = exact_point(y)
        return force * sin(angle) - torque * cos(angle)

    inside = 0.0 < angle < pi / 2
    return hypot(*exact_point(brentq(beside, 0.0, 1e6, xtol=1e-16))) if inside else 1.0


REGIONS: Final[dict[str, Callable[[float], float]]] = {
    "exact": exact_reach,
    "P = 8": partial(reach, EDGES),
    "P = 256": partial(reach, 256),
    "true cone": partial(reach, 0),
    "circumscribed": partial(reach, EDGES, friction=STATIC / APOTHEM),
    "separated": separate_reach,
}


def area(reaches: Array) -> float:
    """Of a region, a quarter of it."""
    return float(np.trapezoid(0.5 * reaches**2, ANGLES))


def region_experiment(out: Path) -> Findings:
    """Checks 3, 4, 5 and 7 of the notes."""
    found = {name: np.array([reach(angle) for angle in ANGLES]) for name, reach in REGIONS.items()}
    exact, eight, around = found["exact"], found["P = 8"], found["circumscribed"]
    fine = [(r * cos(angle), r * sin(angle)) for r, angle in zip(found["P = 256"], ANGLES, strict=True)]
    off = max(abs(torque - exact_torque(force)) for force, torque in fine if force < 0.99)
    between = reach(EDGES, 0.0, heading=pi / EDGES)
    corner = pi / 4  # of the separate limits: there the largest force and the largest torque
    checks = [
        Check(name="P = 8 over exact, most", value=(eight / exact).max(), high=1.0 + 1e-9),
        Check(name="P = 8 over exact, least", value=(eight / exact).min(), low=APOTHEM - 1e-9),
        Check(name="P = 8, force alone", value=eight[0], low=1.0 - 1e-9, high=1.0 + 1e-9),
        Check(name="P = 8, torque alone", value=eight[-1], low=1.0 - 1e-9, high=1.0 + 1e-9),
        Check(name="P = 8, force at 22.5°", value=between, low=0.9238, high=0.9240),
        Check(name="P = 8, area over exact", value=area(eight) / area(exact), low=0.908, high=0.909),
        Check(name="separated, area over exact", value=area(found["separated"]) / area(exact), low=1.386, high=1.387),
        Check(name="P = 256, |T − exact| below 0.99 μ W", value=off, high=0.005),
        Check(name="true cone over exact − 1", value=np.abs(found["true cone"] / exact - 1.0).max(), high=1e-9),
        Check(name="circumscribed, force alone", value=around[0], low=1.0823, high=1.0825),
        Check(name="circumscribed, torque alone", value=around[-1], low=1.0823, high=1.0825),
        Check(name="circumscribed over exact, least", value=(around / exact).min(), low=1.0),
        Check(name="separated at F = T: bears this share of both", value=separate_reach(corner) * cos(corner), low=0.9),
        Check(name="exact torque beside 0.9 μ W", value=exact_torque(0.9), low=0.332, high=0.334),
    ]
    return Findings(checks, [draw(out / "region.png", found)])


def draw(path: Path, found: dict[str, Array]) -> Path:
    """All regions, and the torque that uniform pressure bears."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 7), dpi=150, layout="constrained")
    axes = figure.subplots()
    styles = {
        "exact": ("k-", 3.0, "exact, closed form"),
        "P = 8": ("C3-", 1.5, "proposed, P = 8 inscribed"),
        "P = 256": ("C1--", 1.2, "proposed, P = 256"),
        "true cone": ("C9:", 2.0, "true cone"),
        "circumscribed": ("C0-.", 1.2, "P = 8 circumscribed"),
        "separated": ("C2-", 1.5, "separated limits"),
    }
    for name, (style, width, label) in styles.items():
        ratio = area(found[name]) / area(found["exact"])
        x, y = found[name] * np.cos(ANGLES), found[name] * np.sin(ANGLES)
        axes.plot(x, y, style, linewidth=width, label=f"{label}: area {ratio:.3f}")
    uniform = uniform_pressure_torque(HALF, HALF) / hypot(HALF, HALF)
    axes.plot(0.0, uniform, "kx", clip_on=False, label=f"torque of uniform pressure: {uniform:.3f}")
    axes.set(title="Static friction of a square box, μ = 0.5", xlim=(0, 1.15), ylim=(0, 1.15), aspect="equal")
    axes.set(xlabel="force along an edge, F/(μ W)", ylabel="torque about the vertical, T/(μ W R)")
    axes.legend(loc="lower left")
    axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
