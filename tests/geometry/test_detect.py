"""Every pair of shapes, through the door users take, against Coal: distance, normal, witness points."""

from __future__ import annotations

import coal
import numpy as np
import pytest

import sesshoku as sk
from sesshoku.bench.coal_peer import coal_shape
from sesshoku.dynamics import entry
from sesshoku.dynamics.system import System
from sesshoku.geometry.detect import collide_pair
from sesshoku.geometry.space import Space
from sesshoku.model.compile import quaternion as of_matrix
from two_shapes import PAIRS, SHAPES, reach

POSES = 60


class Two:
    """Two shapes at poses of one's own."""

    def __init__(self, first: str, second: str) -> None:
        scene = sk.Scene("two")
        for name, shape in (("a", SHAPES[first]), ("b", SHAPES[second])):
            joint = () if isinstance(shape, sk.Plane) else sk.Joint(name, "free")
            scene.body(name, joint, inertia=sk.Inertia.of(1.0, matrix=(1, 1, 1)), shape=shape)
        self.fixed = first == "plane"
        self.system, self.space = System(scene.model), Space(scene.model)
        self.coal = [coal_shape(SHAPES[first]), coal_shape(SHAPES[second])]

    def place(self, poses: list[tuple[np.ndarray, np.ndarray]]) -> None:
        free = poses[1:] if self.fixed else poses
        self.system.q[:] = np.concatenate([np.concatenate(pose) for pose in free])
        entry.run_kinematics(self.system.address)

    def contacts(self) -> list[tuple[float, np.ndarray, np.ndarray, int]]:
        count = collide_pair(self.system.address, self.space.address, 0, 1)
        s = self.space
        return [(float(s.gap[k]), s.normal[k].copy(), s.point[k].copy(), int(s.feature[k])) for k in range(count)]

    def of_coal(self) -> tuple[float, np.ndarray]:
        s, result = self.space, coal.DistanceResult()
        places = [coal.Transform3s(s.rotation[k].reshape(3, 3), s.position[k].copy()) for k in (0, 1)]
        request = coal.DistanceRequest(True, True)
        request.gjk_tolerance = request.epa_tolerance = 1e-9
        gap = coal.distance(self.coal[0], places[0], self.coal[1], places[1], request, result)
        return float(gap), np.array(result.normal)


def random_poses(draw: np.random.Generator, spread: float) -> list[tuple[np.ndarray, np.ndarray]]:
    quaternions = draw.normal(size=(2, 4))
    quaternions /= np.linalg.norm(quaternions, axis=1, keepdims=True)
    return [(draw.normal(size=3) * spread, quaternion) for quaternion in quaternions]


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_apart_distance_and_normal_agree_with_coal(pair: tuple[str, str]) -> None:
    two, draw, apart = Two(*pair), np.random.default_rng(1), 0
    for _ in range(POSES):
        two.place(random_poses(draw, 0.8))
        found, (gap, normal) = two.contacts(), two.of_coal()
        assert found, "a distance always exists"
        nearest = min(found, key=lambda contact: contact[0])
        assert (nearest[0] > 0) == (gap > 0) or abs(gap) < 1e-6
        if gap > 1e-3:
            apart += 1
            assert nearest[0] == pytest.approx(gap, abs=1e-6)
            np.testing.assert_allclose(nearest[1], normal, atol=1e-4)  # the normal of Coal is good to about this
    assert apart > 5 or pair[0] == "plane"


def overlap(two: Two, shapes: tuple[object, object], n: np.ndarray) -> np.ndarray:
    """How far two shapes overlap along unit directions (k, 3) of the world."""
    (ra, rb), (pa, pb) = two.space.rotation.reshape(2, 3, 3), two.space.position
    return reach(shapes[0], n @ ra) + reach(shapes[1], -n @ rb) - n @ (pb - pa)


def searched_depth(two: Two, shapes: tuple[object, object], draw: np.random.Generator) -> float:
    """An upper bound of the least overlap: a sample of the sphere, then a random search that closes in."""
    n = draw.normal(size=(4000, 3))
    n /= np.linalg.norm(n, axis=1, keepdims=True)
    best = np.inf
    for start in n[np.argsort(overlap(two, shapes, n))[:12]]:
        here, radius = start, 0.1
        while radius > 1e-8:
            near = here + radius * draw.normal(size=(40, 3))
            near = np.vstack([here, near / np.linalg.norm(near, axis=1, keepdims=True)])
            values = overlap(two, shapes, near)
            k = int(np.argmin(values))
            here, radius = near[k], radius * (0.5 if k == 0 else 0.9)
        best = min(best, float(values.min()))
    return best


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair[0] != "plane"], ids="-".join)
def test_overlapping_depth_is_the_least(pair: tuple[str, str]) -> None:
    """It is the overlap along its own normal, and no search finds less (Coal's depth is at times three times that)."""
    two, draw, deep, shapes = Two(*pair), np.random.default_rng(2), 0, (SHAPES[pair[0]], SHAPES[pair[1]])
    for _ in range(15):
        two.place(random_poses(draw, 0.15))
        gap, normal, *_ = min(two.contacts(), key=lambda contact: contact[0])
        if gap < -1e-3:
            deep += 1
            along = normal / np.linalg.norm(normal)
            assert -gap == pytest.approx(float(overlap(two, shapes, along[None])[0]), abs=1e-6)
            assert -gap < searched_depth(two, shapes, draw) + 1e-7
    assert deep > 5


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair[0] != "plane"], ids="-".join)
def test_rigid_motion_of_both_moves_the_contacts_along(pair: tuple[str, str]) -> None:
    two, draw = Two(*pair), np.random.default_rng(3)
    turn, shift = sk.Pose.at(rpy=draw.normal(size=3)), draw.normal(size=3)
    for spread in (0.15, 0.8):
        for _ in range(10):
            poses = random_poses(draw, spread)
            two.place(poses)
            first = two.contacts()
            moved = []
            for position, quaternion in poses:
                pose = sk.Pose(shift, turn.rotation) @ sk.Pose.at(position, quaternion=quaternion)
                moved.append((pose.position, of_matrix(pose.rotation)))
            two.place(moved)
            second = two.contacts()
            deepest, deepest_moved = (min(c[0] for c in contacts) for contacts in (first, second))
            assert deepest_moved == pytest.approx(deepest, abs=1e-7)
            if len(first) == len(second) == 1:
                np.testing.assert_allclose(second[0][1], turn.rotation @ first[0][1], atol=1e-4)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_features_are_unique_and_numbers_are_finite(pair: tuple[str, str]) -> None:
    two, draw = Two(*pair), np.random.default_rng(4)
    for spread in (0.0, 0.1, 0.5):
        for _ in range(10):
            two.place(random_poses(draw, spread))
            found = two.contacts()
            features = [contact[3] for contact in found]
            assert len(set(features)) == len(features)
            assert all(0 <= feature < 2**31 for feature in features)
            for gap, normal, point, _ in found:
                assert np.isfinite([gap, *normal, *point]).all()
                assert np.linalg.norm(normal) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_broken_poses_neither_hang_nor_crash(pair: tuple[str, str]) -> None:
    two = Two(*pair)
    two.place(random_poses(np.random.default_rng(5), 0.3))
    for value in (np.nan, np.inf):
        two.system.q[:3] = value
        entry.run_kinematics(two.system.address)
        assert collide_pair(two.system.address, two.space.address, 0, 1) >= 0
