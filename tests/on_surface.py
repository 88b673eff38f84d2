"""A shape on a terrain or a height field at a pose of one's own, and surfaces to put it on."""

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import sesshoku as sk
from sesshoku.geometry.routine import call_routine
from sesshoku.geometry.space import Space, at
from sesshoku.kernel import kernel
from sesshoku.model import Box, Capsule, Cylinder, Ellipsoid, HeightField, Hull, Sphere, Terrain
from two_shapes import reach

DIRECTIONS = np.random.default_rng(3).normal(size=(14, 3))
HULL = Hull(DIRECTIONS / np.linalg.norm(DIRECTIONS, axis=1)[:, None] * [0.1, 0.15, 0.08])  # each point is a corner
SHAPES = [
    Sphere(0.1), Capsule(0.05, 0.3), Ellipsoid((0.1, 0.2, 0.15)), Cylinder(0.1, 0.3), Box((0.2, 0.3, 0.4)), HULL,
]  # fmt: skip
SHAPE_NAMES = [type(shape).__name__ for shape in SHAPES]
shapes = pytest.mark.parametrize("shape", SHAPES, ids=SHAPE_NAMES)


@kernel
def collide(address, margin):
    g = at(address)
    g.count[0] = 0
    call_routine(g.routine[g.kind[1], g.kind[0]], (g, 1, 0, margin))


class Pair:
    """A shape on a surface; contacts are those of the last call."""

    def __init__(self, shape, surface):
        scene = sk.Scene()
        scene.body("ground", shape=surface)
        scene.body("thing", sk.Joint("free", "free"), mass=1.0, shape=shape)
        self.space = Space(scene.model)
        self.place((0, 0, 0))

    def place(self, position, rotation=None):
        self.space.position[0] = position
        self.space.rotation[0] = (np.eye(3) if rotation is None else rotation).ravel()

    def __call__(self, position, rotation=None, margin=2e-3):
        self.space.position[1] = position
        self.space.rotation[1] = (np.eye(3) if rotation is None else rotation).ravel()
        collide(self.space.address, margin)
        n = self.space.count[0]
        self.point, self.normal = self.space.point[:n].copy(), self.space.normal[:n].copy()
        self.gap, self.feature = self.space.gap[:n].copy(), self.space.feature[:n].copy()
        assert len(set(self.feature)) == n
        assert (self.feature >= 0).all()
        assert (self.feature < 2**31).all()
        assert (self.gap < margin).all()
        np.testing.assert_allclose(np.linalg.norm(self.normal, axis=1), 1, atol=1e-12)
        return self

    @property
    def on_shape(self):
        return self.point - self.normal * self.gap[:, None] / 2

    @property
    def on_surface(self):
        return self.point + self.normal * self.gap[:, None] / 2


def grid(heights, size):
    """The triangles of a height field, as the documentation states them."""
    columns, rows = heights.shape
    x, y = np.meshgrid(
        np.linspace(-size[0] / 2, size[0] / 2, columns), np.linspace(-size[1] / 2, size[1] / 2, rows), indexing="ij"
    )
    number = np.arange(columns * rows).reshape(columns, rows)
    a, b, c, d = number[:-1, :-1], number[1:, :-1], number[1:, 1:], number[:-1, 1:]
    triangles = np.stack([np.stack([a, b, c], -1), np.stack([a, c, d], -1)], 2).reshape(-1, 3)
    return Terrain(np.column_stack([x.ravel(), y.ravel(), heights.ravel()]), triangles)


def roof(slope, length=2.0):
    """Two rectangles that meet in the y axis and fall (rise, if negative) from it by this angle, four triangles."""
    x, z = np.cos(slope) * length, -np.sin(slope) * length
    v = [(-x, -length, z), (-x, length, z), (0, -length, 0), (0, length, 0), (x, -length, z), (x, length, z)]
    return Terrain(np.array(v), np.array([(0, 2, 3), (0, 3, 1), (2, 4, 5), (2, 5, 3)]))


def bumpy(rng, n=40, size=2.0, height=0.1):
    return HeightField(rng.uniform(0, height, (n, n)), (size, size))


def turned(rng):
    return Rotation.random(random_state=int(rng.integers(2**31))).as_matrix()


def lowest(shape, rotation):
    """How far the shape reaches below its frame."""
    return reach(shape, -rotation[2])


def corners_of(shape):
    if isinstance(shape, Hull):
        return shape.points
    signs = np.array(np.meshgrid([-1, 1], [-1, 1], [-1, 1])).reshape(3, -1).T
    return signs * np.array(shape.size) / 2


def nearest_points(triangles, x):
    """Nearest points of triangles (m, 3, 3) to a point, written down from the Voronoi regions (m, 3)."""
    a, b, c = triangles.swapaxes(0, 1)
    n = np.cross(b - a, c - a)
    n /= np.linalg.norm(n, axis=1)[:, None]
    candidates = [x - ((x - a) * n).sum(1)[:, None] * n]
    inside = np.ones(len(a), dtype=bool)
    for p, q in ((a, b), (b, c), (c, a)):
        inside &= (np.cross(n, q - p) * (x - p)).sum(1) >= 0
        s = np.clip(((x - p) * (q - p)).sum(1) / ((q - p) ** 2).sum(1), 0, 1)
        candidates.append(p + s[:, None] * (q - p))
    distances = np.array([np.linalg.norm(x - p, axis=1) for p in candidates])
    distances[0][~inside] = np.inf
    return np.take_along_axis(np.array(candidates), distances.argmin(0)[None, :, None], 0)[0], n


FLAT = grid(np.zeros((21, 17)), (4.0, 4.0))
