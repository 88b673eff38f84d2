"""Boxes, hulls and planes at poses of one's own, with their contacts."""

from typing import NamedTuple

import numpy as np
from scipy.spatial.transform import Rotation

from sesshoku.geometry.space import Space
from sesshoku.model import Box, Hull, Plane, Scene
from two_shapes import contacts_of

CORNERS = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)]) / 2.0


class Contacts(NamedTuple):
    point: np.ndarray
    normal: np.ndarray
    gap: np.ndarray
    feature: np.ndarray


def space_of(*shapes):
    scene = Scene()
    for number, shape in enumerate(shapes):
        scene.body(f"body {number}", shape=shape)
    space = Space(scene.model)
    for number in range(len(shapes)):
        place(space, number)
    return space


def place(space, shape, position=(0.0, 0.0, 0.0), rotation=None):
    space.position[shape] = position
    space.rotation[shape] = np.eye(3).ravel() if rotation is None else np.ravel(rotation)


def contacts(space, a, b, margin=2e-3):
    n = contacts_of(space.address, a, b, margin)
    assert n <= 8
    assert (space.shapes[:n] == (a, b)).all()
    found = Contacts(*(x[:n].copy() for x in (space.point, space.normal, space.gap, space.feature)))
    assert len(set(found.feature)) == n, "features are unique within the pair"
    assert ((found.feature >= 0) & (found.feature < 2**31)).all()
    assert np.allclose(np.linalg.norm(found.normal, axis=1), 1.0, rtol=0, atol=1e-12)
    assert (found.gap < margin).all()
    return found


def solid(space, shape):
    """Vertices, outward normals, plane offsets and edge vectors in the world."""
    p, rotation, position = space.solid[shape], space.rotation[shape].reshape(3, 3), space.position[shape]
    vertices = space.vertex[space.vertex_start[p] : space.vertex_start[p + 1]] @ rotation.T + position
    faces = slice(space.face_start[p], space.face_start[p + 1])
    normals = space.face_normal[faces] @ rotation.T
    ends = space.edge[space.edge_start[p] : space.edge_start[p + 1]]
    return vertices, normals, space.face_offset[faces] + normals @ position, vertices[ends[:, 1]] - vertices[ends[:, 0]]


def best_axis(space, a, b):
    """Largest distance over all face normals and cross products of edges, by brute force."""
    vertices_a, normals_a, _, edges_a = solid(space, a)
    vertices_b, normals_b, _, edges_b = solid(space, b)
    across = np.cross(edges_a[:, None], edges_b[None]).reshape(-1, 3)
    length = np.linalg.norm(across, axis=1)
    across = across[length > 1e-9 * length.max()] / length[length > 1e-9 * length.max(), None]
    axes = np.concatenate([normals_a, -normals_b, across, -across])
    distances = (vertices_b @ axes.T).min(axis=0) - (vertices_a @ axes.T).max(axis=0)
    order = np.argsort(-distances)
    return distances[order[0]], axes[order[0]], distances[order[0]] - distances[order[1]]


def round_hull(number, size=0.1, seed=0):
    rng = np.random.default_rng(seed)
    points = rng.normal(size=(number, 3))
    return Hull(size * points / np.linalg.norm(points, axis=1, keepdims=True) * rng.uniform(0.8, 1.0, (number, 1)))


def prism(corners, radius=0.1, height=0.1):
    angles = np.arange(corners) * 2 * np.pi / corners
    return Hull(np.array([(radius * np.cos(a), radius * np.sin(a), z * height / 2) for a in angles for z in (-1, 1)]))


def random_pose(rng, spread=0.1):
    return spread * rng.normal(size=3), Rotation.random(random_state=rng).as_matrix()


def ground_of(name):
    """A ground whose top is at z = 0, and where its frame lies."""
    return {
        "plane": (Plane(), 0.0),
        "box": (Box((4.0, 4.0, 0.4)), -0.2),
        "hull": (Hull(CORNERS * (4.0, 4.0, 0.4)), -0.2),
    }[name]


def resting(ground, body):
    shape, height = ground_of(ground)
    space = space_of(shape, body)
    place(space, 0, (0.0, 0.0, height))
    return space


PAIRS = {
    "box-box": (Box((0.2, 0.3, 0.1)), Box((0.1, 0.1, 0.3))),
    "box-hull": (Box((0.2, 0.3, 0.1)), round_hull(30)),
    "hull-hull 8": (round_hull(8), round_hull(8, seed=1)),
    "hull-hull 20-60": (round_hull(20), round_hull(60, seed=1)),
    "hull-hull 100": (round_hull(100), round_hull(100, seed=1)),
    "box-prism": (Box((0.2, 0.3, 0.1)), prism(12)),
    "hull-hull of boxes": (Hull(CORNERS * (0.2, 0.3, 0.1)), Hull(CORNERS * (0.1, 0.1, 0.3))),
}
BODIES = {"box": Box((0.2, 0.3, 0.1)), "plate": Box((0.2, 0.3, 1e-3)), "hull": Hull(CORNERS * (0.2, 0.3, 0.1))}
GROUNDS = [("plane", "box"), ("plane", "hull"), ("box", "box"), ("box", "hull"), ("hull", "hull")]
