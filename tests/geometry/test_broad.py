"""Broad phase and filters against brute force."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.dynamics.kinematics import kinematics
from sesshoku.dynamics.system import System
from sesshoku.dynamics.system import at as system_at
from sesshoku.geometry.broad import bound_shapes, find_pairs, place_shapes
from sesshoku.geometry.filter import allowed_pairs, as_bits
from sesshoku.geometry.space import Space, at
from sesshoku.kernel import kernel


@kernel
def pairs_of(system: int, space: int) -> None:
    s, g = system_at(system), at(space)
    kinematics(s)
    place_shapes(s, g)
    bound_shapes(g)
    find_pairs(g)


def cloud(count: int, seed: int) -> sk.Scene:
    """Free bodies of all shapes at random places, a plane, a wall."""
    rng = np.random.default_rng(seed)
    scene = sk.Scene("cloud")
    scene.body("floor", shape=sk.Plane(), rpy=(0.1, -0.2, 0.0))
    scene.body("wall", shape=sk.Box((0.2, 3.0, 2.0)), position=(1.0, 0.0, 0.5), rpy=(0.0, 0.3, 0.2))
    shapes = [
        sk.Sphere(0.1),
        sk.Box((0.2, 0.1, 0.3)),
        sk.Capsule(0.05, 0.2),
        sk.Cylinder(0.1, 0.2),
        sk.Ellipsoid((0.1, 0.2, 0.05)),
        sk.Hull(rng.normal(size=(12, 3)) * 0.1 + [0.3, 0, 0]),
    ]
    for k in range(count):
        q = rng.normal(size=4)
        place = rng.uniform(-1, 1, size=3) * [1.5, 1.5, 0.6]
        scene.body(
            f"b{k}", sk.Joint(f"j{k}", "free"), position=place, quaternion=q, mass=1.0, shape=shapes[k % len(shapes)]
        )
    return scene


def brute_force(space: Space) -> set[tuple[int, int]]:
    """Pairs of allowed shapes whose boxes, made from points of the shapes, overlap."""
    allowed = allowed_pairs(space.model)
    found = set()
    for a in range(len(space.kind)):
        for b in range(a + 1, len(space.kind)):
            if not allowed[a, b]:
                continue
            if space.kind[a] == 0 or space.kind[b] == 0:
                plane, other = (a, b) if space.kind[a] == 0 else (b, a)
                normal = space.rotation[plane].reshape(3, 3)[:, 2]
                corners = np.array(np.meshgrid(*zip(space.lower[other], space.upper[other], strict=True))).reshape(
                    3, -1
                )
                if (normal @ (corners - space.position[plane][:, None])).min() <= space.margin[plane]:
                    found.add((a, b))
            elif (space.lower[a] <= space.upper[b]).all() and (space.lower[b] <= space.upper[a]).all():
                found.add((a, b))
    return found


@pytest.mark.parametrize("count", [1, 7, 60, 200])
def test_pairs_are_those_of_brute_force(count: int) -> None:
    scene = cloud(count, count)
    system, space = System(scene.model), Space(scene.model, capacity=20000)
    rng = np.random.default_rng(0)
    for _ in range(5):
        pairs_of(system.address, space.address)
        n = space.pair_count[0]
        listed = [tuple(pair) for pair in space.sorted_pairs[:n].tolist()]
        assert listed == sorted(set(listed))
        assert set(listed) == brute_force(space)
        system.q[:] += rng.normal(size=len(system.q)) * 0.05


def test_result_does_not_depend_on_the_order_of_the_last_step() -> None:
    scene = cloud(60, 1)
    system, space = System(scene.model), Space(scene.model)
    pairs_of(system.address, space.address)
    first = space.sorted_pairs[: space.pair_count[0]].copy()
    moving = space.order[space.kind[space.order] != 0]
    space.order[: len(moving)] = moving[::-1]
    pairs_of(system.address, space.address)
    np.testing.assert_array_equal(space.sorted_pairs[: space.pair_count[0]], first)


def test_boxes_hold_their_shapes() -> None:
    scene = cloud(24, 3)
    system, space = System(scene.model), Space(scene.model)
    pairs_of(system.address, space.address)
    rng = np.random.default_rng(0)
    for k, placed in enumerate(scene.model.colliders):
        if isinstance(placed.shape, sk.Plane):
            continue
        size = space.size[k]
        u = rng.normal(size=(200, 3))
        u /= np.linalg.norm(u, axis=1, keepdims=True)
        points = {
            sk.Sphere: lambda u=u, size=size: size[0] * u,
            sk.Ellipsoid: lambda u=u, size=size: size * u,
            sk.Capsule: lambda u=u, size=size: size[0] * u + np.sign(u[:, 2:]) * [0, 0, size[1]],
            sk.Cylinder: lambda u=u, size=size: np.column_stack(
                [size[0] * u[:, :2] / np.linalg.norm(u[:, :2], axis=1, keepdims=True), size[1] * np.sign(u[:, 2])]
            ),
            sk.Box: lambda u=u, size=size: size * np.sign(u),
            sk.Hull: lambda placed=placed: placed.shape.points,
        }[type(placed.shape)]()
        world = points @ space.rotation[k].reshape(3, 3).T + space.position[k]
        m = space.margin[k]
        assert (world >= space.lower[k] + m - 1e-12).all()
        assert (world <= space.upper[k] - m + 1e-12).all()
        if not isinstance(placed.shape, sk.Hull | sk.Box):  # and tightly, for the smooth ones
            slack = np.abs(space.rotation[k].reshape(3, 3)) @ space.half[k] - (space.upper[k] - space.lower[k]) / 2 + m
            np.testing.assert_allclose(slack, 0.0, atol=1e-12)


def test_filters() -> None:
    scene = sk.Scene("filters")
    ball = sk.Sphere(0.1)
    scene.body("ground", shape=sk.Plane())
    scene.body("table", shape=sk.Box((1, 1, 1)))
    scene.body("base", sk.Joint("root", "free"), mass=1.0, shape=ball)
    scene.body("base_part", parent="base", mass=0.1, shape=ball)  # merged: same body
    scene.body(
        "link", (sk.Joint("a", "revolute", "x"), sk.Joint("b", "revolute", "y")), parent="base", mass=1.0, shape=ball
    )
    scene.body(
        "tip", sk.Joint("c", "revolute"), parent="link", mass=1.0, position=(1, 0, 0), shape=sk.Box((0.1, 0.2, 0.3))
    )
    scene.body("other", sk.Joint("d", "free"), mass=1.0, shape=ball)
    scene.disabled_pairs.add(frozenset(("tip", "other")))
    names = [placed.owner for placed in scene.model.colliders]
    allowed = allowed_pairs(scene.model)
    touching = {frozenset((names[a], names[b])) for a, b in np.argwhere(allowed)}
    assert touching == {
        frozenset(pair)
        for pair in [
            ("ground", "base"), ("ground", "base_part"), ("ground", "link"), ("ground", "tip"), ("ground", "other"),
            ("table", "base"), ("table", "base_part"), ("table", "link"), ("table", "tip"), ("table", "other"),
            ("base", "tip"), ("base_part", "tip"), ("base", "other"), ("base_part", "other"), ("link", "other"),
        ]
    }  # fmt: skip


def test_groups_masks_and_named_pairs() -> None:
    scene = sk.Scene("masks")
    inertia = sk.Inertia.of(1.0, matrix=(1, 1, 1))
    for name, group, mask in (("a", 1, 1), ("b", 2, 1), ("c", 2, 2), ("d", 0, 0)):
        part = sk.Collider(sk.Sphere(0.1), name=name, group=group, mask=mask)
        scene.add(sk.Body(name, None, sk.Pose(), (sk.Joint(name, "free"),), inertia, (part,)))
    scene.touching_pairs.add(frozenset(("a", "d")))
    # a–b: group of a meets mask of b; b–c: group of b meets mask of c; a–c: nothing meets
    assert {tuple(pair) for pair in np.argwhere(allowed_pairs(scene.model)).tolist()} == {(0, 1), (1, 2), (0, 3)}


@pytest.mark.parametrize("n", [1, 63, 64, 65, 130])
def test_bits(n: int) -> None:
    matrix = np.triu(np.random.default_rng(n).random((n, n)) < 0.5, 1)
    bits = as_bits(matrix)
    for a in range(n):
        for b in range(n):
            assert ((int(bits[a, b >> 6]) >> (b & 63)) & 1) == matrix[a, b]
