"""Polyhedra that stand for smooth shapes: how far they are off, by support functions, distances and volumes."""

from __future__ import annotations

from dataclasses import fields
from itertools import product
from math import pi

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from sesshoku.contact import Volume
from sesshoku.contact.volume.polyhedra import polyhedral
from sesshoku.errors import ModelError, UnsupportedError
from sesshoku.geometry.polyhedron import FLAT, Polyhedron, convex_hull
from sesshoku.geometry.space import Space
from sesshoku.model import (
    Box,
    Capsule,
    Collider,
    Cylinder,
    Ellipsoid,
    HeightField,
    Hull,
    Joint,
    Plane,
    Scene,
    Sphere,
    Terrain,
    load,
)
from sesshoku.sim import Simulation
from sesshoku.spatial.pose import Pose

pytestmark = pytest.mark.slow

sizes = st.floats(0.01, 10.0)
aspects = st.floats(0.05, 1.0)
deviations = st.sampled_from([0.005, 0.01, 0.03, 0.1])
shapes = st.one_of(
    sizes.map(Sphere),
    st.tuples(sizes, sizes).map(lambda s: Capsule(*s)),
    st.tuples(sizes, sizes).map(lambda s: Cylinder(*s)),
    st.tuples(sizes, aspects, aspects, st.permutations(range(3))).map(
        lambda s: Ellipsoid(tuple(float(s[0] * (1.0, s[1], s[2])[k]) for k in s[3]))
    ),
)


def model_of(*colliders: Collider):
    scene = Scene("thing")
    scene.body("thing", Joint("root", "free"), mass=1.0, shape=Box((1.0, 1.0, 1.0)))
    scene.environment += colliders
    return scene.model


def points_of(shape, deviation: float) -> np.ndarray:
    placed = polyhedral(model_of(Collider(shape)), deviation).colliders[0]
    assert isinstance(placed.shape, Hull)
    return placed.shape.points


def hull_of(shape, deviation: float = 0.01) -> Polyhedron:
    """The polyhedron that detection gets: with faces that are flat but for 1e-6 of its extent made one."""
    return convex_hull(points_of(shape, deviation))


def smallest(shape) -> float:
    return min(shape.radii) if isinstance(shape, Ellipsoid) else shape.radius


def support(shape, u: np.ndarray) -> np.ndarray:
    """How far a shape reaches along unit vectors."""
    if isinstance(shape, Sphere):
        return np.full(len(u), shape.radius)
    if isinstance(shape, Ellipsoid):
        return np.linalg.norm(np.array(shape.radii) * u, axis=1)
    along = shape.length / 2 * np.abs(u[:, 2])
    return along + shape.radius * (1.0 if isinstance(shape, Capsule) else np.hypot(u[:, 0], u[:, 1]))


def directions(hull: Polyhedron, number: int = 2000) -> np.ndarray:
    """At random, along the axes, and of the faces: there a hull is too small most."""
    u = np.random.default_rng(0).normal(size=(number, 3))
    u = np.concatenate([u, np.eye(3), -np.eye(3), hull.vertices, hull.normals])
    return u / np.linalg.norm(u, axis=1, keepdims=True)


def volume(hull: Polyhedron) -> float:
    middle = hull.vertices.mean(axis=0)
    total = 0.0
    for face, normal in zip(hull.faces, hull.normals, strict=True):
        corners = hull.vertices[face]
        area = np.cross(corners[1:-1] - corners[0], corners[2:] - corners[0]).sum(axis=0) @ normal / 2
        total += area * ((corners[0] - middle) @ normal) / 3
    return total


def true_volume(shape) -> float:
    if isinstance(shape, Ellipsoid):
        return 4 / 3 * pi * float(np.prod(shape.radii))
    caps = 0.0 if isinstance(shape, Cylinder) else 4 / 3 * pi * shape.radius**3
    return caps + (0.0 if isinstance(shape, Sphere) else pi * shape.radius**2 * shape.length)


@pytest.mark.slow
@settings(max_examples=60)
@given(shapes, deviations)
def test_support_is_within_the_deviation(shape, deviation: float) -> None:
    """In every direction: that is the distance of the two surfaces; to both sides, and not by much less."""
    hull, allowed = hull_of(shape, deviation), deviation * smallest(shape)
    u = directions(hull)
    off = ((u @ hull.vertices.T).max(axis=1) - support(shape, u)) / allowed
    assert np.abs(off).max() <= 1.0 + 1e-6
    assert off.max() > 0.5
    assert off.min() < -0.3


@pytest.mark.slow
@settings(max_examples=60)
@given(shapes, deviations)
def test_images_in_the_mirrors_are_the_same(shape, deviation: float) -> None:
    points = points_of(shape, deviation)
    expected = points[np.lexsort(points.round(9).T)]
    for signs in product((1.0, -1.0), repeat=3):
        image = points * signs
        assert image[np.lexsort(image.round(9).T)] == pytest.approx(expected, abs=1e-12 * np.abs(points).max())


@settings(max_examples=30)
@given(sizes, sizes, deviations, st.integers(0, 2**32 - 1))
def test_rays_are_within_the_deviation(radius: float, length: float, deviation: float, seed: int) -> None:
    """Where rays leave a sphere from its middle, capsules and cylinders from their axis, square to it."""
    rng = np.random.default_rng(seed)
    u = rng.normal(size=(500, 3))
    for shape in (Sphere(radius), Capsule(radius, length), Cylinder(radius, length)):
        hull = hull_of(shape, deviation)
        begin = np.zeros_like(u)
        if not isinstance(shape, Sphere):
            u[:, 2], begin[:, 2] = 0.0, length * rng.uniform(-0.5, 0.5, size=len(u))
        ray = u / np.linalg.norm(u, axis=1, keepdims=True)
        speed = ray @ hull.normals.T
        far = (hull.offsets - begin @ hull.normals.T) / np.where(speed > 0.0, speed, np.nan)
        off = np.nanmin(far, axis=1) / radius - 1.0
        flat = FLAT * np.abs(hull.vertices).max() / radius  # what faces that were made one may be off by
        assert np.abs(off).max() <= deviation * (1.0 + 1e-6) + 2.0 * flat


@pytest.mark.parametrize(
    "shape",
    [Sphere(0.1), Capsule(0.1, 0.4), Cylinder(0.1, 0.4), Ellipsoid((0.1, 0.2, 0.3)), Ellipsoid((0.1, 0.5, 0.5))],
)
@pytest.mark.parametrize("deviation", [0.01, 0.05])
def test_volume_is_about_right(shape, deviation: float) -> None:
    """An error of the radius by the whole deviation would be two to three times as much."""
    assert volume(hull_of(shape, deviation)) == pytest.approx(true_volume(shape), rel=deviation)


def test_ends_of_cylinders_are_flat_and_where_they_were() -> None:
    hull = hull_of(Cylinder(0.1, 0.4))
    assert sorted({*hull.vertices[:, 2]}) == [-0.2, 0.2]
    ends = [np.abs(normal[2]) == 1.0 and len(face) == 16 for face, normal in zip(hull.faces, hull.normals, strict=True)]
    assert sum(ends) == 2
    assert len(hull.faces) == 18


def test_numbers_of_vertices() -> None:
    """As the docstring says them; a capsule has the equator of a sphere twice."""
    assert len(hull_of(Sphere(0.3)).vertices) == 190
    assert len(hull_of(Capsule(0.3, 1.0)).vertices) == 190 + 20
    assert len(hull_of(Cylinder(0.3, 1.0)).vertices) == 2 * 16
    assert len(hull_of(Sphere(1.0), 0.1).vertices) == 26


def test_only_smooth_shapes_change() -> None:
    """Poses, names, materials and inertia stay; so do boxes, hulls and planes themselves."""
    pose = Pose.at((1.0, 2.0, 3.0), rpy=(0.1, 0.2, 0.3))
    corners = Hull(np.eye(4)[:, :3])
    before = model_of(
        Collider(Plane()), Collider(corners, pose), Collider(Sphere(0.1), pose, name="ball", group=2, margin=0.01)
    )
    after = polyhedral(before)
    assert [type(placed.shape) for placed in after.colliders] == [
        Hull if isinstance(placed.shape, Sphere) else type(placed.shape) for placed in before.colliders
    ]
    for old, new in zip(before.colliders, after.colliders, strict=True):
        if isinstance(old.shape, Sphere):
            assert (new.body, new.owner, new.pose) == (old.body, old.owner, old.pose)
            for entry in fields(Collider):
                if entry.name != "shape":
                    assert getattr(new.collider, entry.name) == getattr(old.collider, entry.name)
        else:
            assert new is old
    for entry in fields(before):
        if entry.name != "colliders":
            assert getattr(after, entry.name) is getattr(before, entry.name)
    assert len(Space(after).vertex) == 8 + 4 + 190


@pytest.mark.parametrize(
    "shape", [Terrain(np.eye(3), np.array([[0, 1, 2]])), HeightField(np.zeros((2, 2)), (1.0, 1.0))]
)
def test_what_is_not_convex_is_refused(shape) -> None:
    with pytest.raises(UnsupportedError, match=r"thing: body 'world': its \w+ 'hill' is not convex.*Split it"):
        polyhedral(model_of(Collider(shape, name="hill")))


def test_meshes_with_hollows_are_refused() -> None:
    """Their hulls are simulated only if they are wanted."""
    with pytest.raises(UnsupportedError, match=r"thing: body 'world': its mesh 'cup' is not convex.*hulls=True"):
        polyhedral(model_of(Collider(Hull(np.eye(4, 3), filled=True), name="cup")))
    polyhedral(model_of(Collider(Hull(np.eye(4, 3)), name="cup")))


@pytest.mark.parametrize("deviation", [0.0, -0.01, 0.5, np.nan])
def test_deviations_that_make_no_sense_are_refused(deviation: float) -> None:
    with pytest.raises(ModelError, match="Give one from"):
        polyhedral(model_of(), deviation)


@pytest.mark.parametrize(("deviation", "low", "high"), [(0.01, 0.5, 0.65), (0.001, 0.8, 0.95)])
def test_ball_rolls_on_facets(deviation: float, low: float, high: float) -> None:
    """A defect of polyhedra: of 1 m/s this is left after half a metre, the less the coarser they are."""
    scene = load("sphere")
    scene.ground(static=0.5)
    sim = Simulation(scene, law=Volume(deviation=deviation))
    sim.v[0], sim.v[4] = 1.0, 10.0
    while sim.q[0] < 0.5:
        sim.step()
    assert low < sim.v[0] < high
