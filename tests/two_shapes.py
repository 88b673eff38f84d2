"""Two convex shapes at poses of one's own: their contacts, and the closed forms that decide whether these are right.

Along a unit direction n, from A to B, two convex shapes are apart by

    s(n) = n · (b − a) − reach of A along n − reach of B along −n,

and their signed distance is the greatest s(n) of all n. So every direction that somebody names is a lower bound of the
distance, an upper one of the depth: where two answers differ, the one whose own direction gives less is wrong.
"""

from __future__ import annotations

from functools import cache
from itertools import combinations_with_replacement
from typing import NamedTuple

import numpy as np
from scipy.optimize import minimize
from scipy.spatial import ConvexHull
from scipy.spatial.transform import Rotation

import sesshoku as sk
from sesshoku.geometry.detect import collide
from sesshoku.geometry.space import Space, at
from sesshoku.kernel import kernel

Array = np.ndarray
FAR = 100.0
SHAPES = {
    "plane": sk.Plane(),
    "sphere": sk.Sphere(0.3),
    "capsule": sk.Capsule(0.2, 0.7),
    "ellipsoid": sk.Ellipsoid((0.2, 0.35, 0.5)),
    "cylinder": sk.Cylinder(0.3, 0.8),
    "box": sk.Box((0.5, 0.7, 0.9)),
    "hull": sk.Hull(np.random.default_rng(3).normal(size=(24, 3)) * (0.3, 0.2, 0.25)),
}
PAIRS = [pair for pair in combinations_with_replacement(SHAPES, 2) if pair != ("plane", "plane")]


class Contact(NamedTuple):
    """Signed distance along the unit normal from A to B, and the points of both surfaces."""

    gap: float
    normal: Array
    on_a: Array
    on_b: Array
    feature: int = 0

    @property
    def point(self) -> Array:
        return (self.on_a + self.on_b) / 2


@kernel
def contacts_of(address: int, a: int, b: int, margin: float) -> int:
    g = at(address)
    g.count[0] = 0
    collide(g, a, b, margin)
    return int(g.count[0])


class Two:
    """Shapes A and B."""

    def __init__(self, first: object, second: object) -> None:
        self.shapes = (first, second)
        scene = sk.Scene("two")
        for name, shape in zip("ab", self.shapes, strict=True):
            scene.body(name, shape=shape)
        self.space = Space(scene.model)
        self.place(0)
        self.place(1)

    def place(self, k: int, position: object = (0, 0, 0), rotation: object = None) -> None:
        self.space.position[k] = position
        self.space.rotation[k] = np.eye(3).ravel() if rotation is None else np.ravel(rotation)

    def contacts(self, margin: float = FAR, *, swapped: bool = False) -> list[Contact]:
        """All contacts; swapped, as if B came first."""
        count, s = contacts_of(self.space.address, *((1, 0) if swapped else (0, 1)), margin), self.space
        halves = s.gap[:count, None] / 2 * s.normal[:count]
        ends = zip(s.point[:count] - halves, s.point[:count] + halves, strict=True)
        return [Contact(float(s.gap[k]), s.normal[k].copy(), *end, int(s.feature[k])) for k, end in enumerate(ends)]

    def deepest(self) -> Contact:
        return min(self.contacts(), key=lambda contact: contact.gap)

    def apart(self, n: Array) -> Array:
        """s(n) for unit directions (..., 3) of the world."""
        (ra, rb), (a, b) = self.space.rotation.reshape(2, 3, 3), self.space.position
        return n @ (b - a) - reach(self.shapes[0], n @ ra) - reach(self.shapes[1], -n @ rb)

    def off_surface(self, contact: Contact) -> float:
        """How far the points of a contact are from the surfaces they should lie on, at most."""
        ends = zip(self.shapes, self.space.rotation.reshape(2, 3, 3), self.space.position, contact[2:4], strict=True)
        return max(abs(excess(shape, (x - p) @ r)) for shape, r, p, x in ends)

    def searched(self, draw: np.random.Generator, *, start: Array) -> float:
        """The greatest s(n) that SciPy finds, from a given direction and from the best of a sample of the sphere."""
        n = draw.normal(size=(3000, 3))
        n /= np.linalg.norm(n, axis=1, keepdims=True)
        starts = [start, *n[np.argsort(-self.apart(n))[:4]]]
        options = {"xatol": 1e-10, "fatol": 1e-14, "maxiter": 2000}
        return max(
            -minimize(lambda n: -self.apart(n / np.linalg.norm(n)), s, method="Nelder-Mead", options=options).fun
            for s in starts
        )


def reach(shape: object, n: Array) -> Array:
    """How far a shape reaches from its frame in unit directions (..., 3) of its own axes."""
    across, along = np.hypot(n[..., 0], n[..., 1]), np.abs(n[..., 2])
    if isinstance(shape, sk.Plane):
        return np.where(n[..., 2] > 1 - 1e-12, 0.0, np.inf)
    if isinstance(shape, sk.Sphere):
        return np.full(n.shape[:-1], shape.radius)
    if isinstance(shape, sk.Capsule):
        return shape.radius + along * shape.length / 2
    if isinstance(shape, sk.Cylinder):
        return shape.radius * across + along * shape.length / 2
    if isinstance(shape, sk.Ellipsoid):
        return np.linalg.norm(n * shape.radii, axis=-1)
    if isinstance(shape, sk.Box):
        return np.abs(n) @ np.array(shape.size) / 2
    return (n @ shape.points.T).max(axis=-1)


def excess(shape: object, x: Array) -> float:
    """Nought on the surface of a shape, positive outside."""
    if isinstance(shape, sk.Plane):
        return float(x[2])
    if isinstance(shape, sk.Sphere):
        return float(np.linalg.norm(x)) - shape.radius
    if isinstance(shape, sk.Capsule):
        z = np.clip(x[2], -shape.length / 2, shape.length / 2)
        return float(np.linalg.norm(x - (0, 0, z))) - shape.radius
    if isinstance(shape, sk.Cylinder):
        return max(float(np.hypot(x[0], x[1])) - shape.radius, abs(float(x[2])) - shape.length / 2)
    if isinstance(shape, sk.Ellipsoid):
        return (float(np.linalg.norm(x / shape.radii)) - 1) * min(shape.radii)
    if isinstance(shape, sk.Box):
        return float((np.abs(x) - np.array(shape.size) / 2).max())
    faces = faces_of(shape)
    return float((faces[:, :3] @ x + faces[:, 3]).max())


@cache
def faces_of(hull: sk.Hull) -> Array:
    return ConvexHull(hull.points).equations


def random_poses(count: int, spread: float, seed: int) -> list[tuple[tuple[Array, Array], tuple[Array, Array]]]:
    """Pairs of poses, each a position and a rotation."""
    places = spread * np.random.default_rng(seed).normal(size=(count, 2, 3))
    turns = Rotation.random(2 * count, random_state=seed).as_matrix()
    return [((places[k, 0], turns[2 * k]), (places[k, 1], turns[2 * k + 1])) for k in range(count)]
