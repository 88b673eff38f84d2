"""Contact patches for tests: sections, wrenches, and linear programs on them as SciPy solves them."""

from __future__ import annotations

from math import pi

import numpy as np
from scipy.optimize import linprog
from scipy.spatial import ConvexHull

from sesshoku.contact.volume.patch import into
from sesshoku.contact.volume.simplex import SHAPE

HALF = 0.05
SQUARE = HALF * np.array([[1.0, 1.0], [-1.0, 1.0], [-1.0, -1.0], [1.0, -1.0]])
KINDS = ["cloud", "regular", "thin", "rectangle", "doubled corners", "triangle", "line", "point"]


def basis() -> np.ndarray:
    return np.zeros(SHAPE)


def section(kind: str, rng: np.random.Generator) -> np.ndarray:
    """A random section: 1 mm to 10 m large, and its middle not at the origin."""
    number = int(rng.integers(3, 20))
    points = rng.normal(size=(number, 2))
    if kind == "regular":
        angle = 2.0 * pi * np.arange(number) / number
        points = np.column_stack([np.cos(angle), np.sin(angle)])
    elif kind == "thin":
        points *= [1.0, 1e-4]
    elif kind == "rectangle":
        points = SQUARE / HALF * rng.uniform(0.1, 1.0, 2)
    elif kind == "doubled corners":  # as near to each other as a section may have them
        points = np.vstack([points, points + 10.0 ** rng.uniform(-8.0, -4.0) * rng.normal(size=points.shape)])
    elif kind == "triangle":
        points = points[:3]
    chosen = {"line": [0, 1], "point": [0]}.get(kind)
    corners = points[chosen if chosen else ConvexHull(points).vertices]  # anticlockwise
    return np.ascontiguousarray(corners) * 10.0 ** rng.uniform(-3.0, 1.0)


def centre_in(corners: np.ndarray, rng: np.random.Generator) -> tuple[float, float]:
    """A centre of pressure: in the middle, anywhere inside, or near an edge or a corner."""
    number = len(corners)
    spread = rng.choice([0.1, 1.0, 10.0])
    loads = np.full(number, 1.0 / number) if rng.random() < 0.3 else rng.dirichlet(np.full(number, spread))
    return into(corners, number, tuple(loads @ corners))


def size_of(corners: np.ndarray) -> float:
    return float(np.hypot(*corners.T).max())


def wrench(normal: float, centre, force, torque: float):
    """(moment, force) of a normal force at a centre of pressure, and friction."""
    moment = (normal * centre[1], -normal * centre[0], float(torque))
    return moment, (float(force[0]), float(force[1]), float(normal))


def columns(corners: np.ndarray, edges: int) -> np.ndarray:
    """(6, corners × edges): fn, f1, f2, tn, t1, t2 of a force with friction 1 along each edge (eqs. 26–31)."""
    angle = 2.0 * pi * np.arange(edges) / edges
    x, y = np.repeat(corners, edges, axis=0).T
    c, s = np.tile(np.cos(angle), len(corners)), np.tile(np.sin(angle), len(corners))
    return np.array([np.ones_like(x), c, s, x * s - y * c, y, -x])


def highs(cost: np.ndarray, a: np.ndarray, b: np.ndarray) -> float:
    """The largest cost·x with A x = b, x >= 0; not a number if HiGHS finds none."""
    options = {"primal_feasibility_tolerance": 1e-10, "dual_feasibility_tolerance": 1e-10}
    found = linprog(-cost, A_eq=a, b_eq=b, method="highs", options=options)
    return -found.fun if found.status == 0 else np.nan


def highs_limit(corners: np.ndarray, loaded, friction: float, edges: int) -> float:
    """By how much the friction of a wrench can be scaled."""
    (t1, t2, tn), (f1, f2, fn) = loaded
    size = size_of(corners)
    a = columns(corners, edges) * np.array([1.0, friction, friction, friction / size, 1.0 / size, 1.0 / size])[:, None]
    ray = np.array([0.0, f1, f2, tn / size, 0.0, 0.0]) / fn
    b = np.array([1.0, 0.0, 0.0, 0.0, t1 / (fn * size), t2 / (fn * size)])
    return highs(np.append(np.zeros(a.shape[1]), 1.0), np.column_stack([a, -ray]), b)
