"""Contacts of smooth shapes: where they touch, how deep each point is, how long it keeps its name."""

from __future__ import annotations

from itertools import combinations_with_replacement

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import sesshoku as sk
from two_shapes import Contact, Two, excess, random_poses

pytestmark = pytest.mark.slow

CUBE = np.array([(x, y, z) for x in (-1, 1) for y in (-1, 1) for z in (-1, 1)])
CAPSULE, CYLINDER, ELLIPSOID = sk.Capsule(0.2, 0.7), sk.Cylinder(0.3, 0.8), sk.Ellipsoid((0.2, 0.35, 0.5))
SHAPES = {
    "sphere": sk.Sphere(0.3),
    "capsule": CAPSULE,
    "ellipsoid": ELLIPSOID,
    "cylinder": CYLINDER,
    "box": sk.Box((0.5, 0.7, 0.9)),
    "hull": sk.Hull(np.random.default_rng(3).normal(size=(24, 3)) * (0.3, 0.2, 0.25)),
}
SMOOTH = ("sphere", "capsule", "ellipsoid", "cylinder")
PAIRS = [pair for pair in combinations_with_replacement(SHAPES, 2) if pair[0] in SMOOTH]
# grounds whose top is at z = 0 if they are placed at this height
GROUNDS = {
    "plane": (sk.Plane(), 0.0),
    "box": (sk.Box((4.0, 4.0, 2.0)), -1.0),
    "hull": (sk.Hull(CUBE * (2.0, 2.0, 1.0)), -1.0),
    "cylinder": (sk.Cylinder(2.0, 2.0), -1.0),
}
LYING = Rotation.from_euler("y", 90, degrees=True).as_matrix()  # the axis along x


def turn(x: float = 0, y: float = 0, z: float = 0) -> np.ndarray:
    return Rotation.from_euler("xyz", (x, y, z)).as_matrix()


def on(ground: str, body: object) -> Two:
    """A body B on a ground A."""
    shape, height = GROUNDS[ground]
    two = Two(shape, body)
    two.place(0, (0, 0, height))
    return two


def column(contacts: list[Contact], axis: int) -> list[float]:
    return sorted(contact.point[axis] for contact in contacts)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("end", [0.0, np.pi], ids=["upright", "upside down"])
def test_a_standing_cylinder_touches_with_points_of_its_rim_around_the_centre(ground: str, end: float) -> None:
    two = on(ground, CYLINDER)
    for yaw in np.linspace(0, 7, 60):
        for gap in (-1e-3, 0.0, 1e-3):
            two.place(1, (0.2, 0.1, 0.4 + gap), turn(z=yaw) @ turn(x=end))
            found = two.contacts(0.01)
            arms = np.array([contact.point - (0.2, 0.1, gap / 2) for contact in found])
            assert len(found) == 4
            np.testing.assert_allclose(np.linalg.norm(arms, axis=1), 0.3, atol=1e-9)
            np.testing.assert_allclose(arms.sum(axis=0), 0, atol=1e-9)
            for contact in found:
                assert contact.gap == pytest.approx(gap, abs=1e-12)
                np.testing.assert_allclose(contact.normal, (0, 0, 1), atol=1e-9)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("body", [CAPSULE, CYLINDER], ids=["capsule", "cylinder"])
def test_lying_it_touches_at_both_ends_each_with_its_own_gap(ground: str, body: sk.Capsule | sk.Cylinder) -> None:
    two, half = on(ground, body), body.length / 2
    for slope in (0.0, 1e-6, 4e-3, -4e-3):
        two.place(1, (0, 0, body.radius), turn(z=0.7) @ turn(y=slope) @ LYING)
        found = sorted(two.contacts(0.01), key=lambda contact: contact.gap)
        assert len(found) == 2
        lowest = body.radius * (np.cos(slope) if body is CYLINDER else 1)
        expected = [body.radius - lowest + side * half * np.sin(abs(slope)) for side in (-1, 1)]
        assert [contact.gap for contact in found] == pytest.approx(expected, abs=1e-9)
        assert np.linalg.norm(found[1].point - found[0].point) == pytest.approx(2 * half, abs=3e-3)


@pytest.mark.parametrize("ground", GROUNDS)
def test_a_tilted_cylinder_has_its_lowest_point_and_each_point_its_own_gap(ground: str) -> None:
    two = on(ground, CYLINDER)
    for tilt in (1e-6, 1e-4, 0.01, 0.05, 0.3, 1.0, 1.5, np.pi / 2):
        for spin in np.linspace(0, 6, 13):
            rotation = turn(z=0.3) @ turn(y=tilt) @ turn(z=spin)
            place = np.array([0, 0, 0.3 * np.sin(tilt) + 0.4 * np.cos(tilt) - 2e-3])
            two.place(1, place, rotation)
            found = two.contacts(0.01)
            assert 1 <= len(found) <= 8
            assert min(contact.gap for contact in found) == pytest.approx(-2e-3, abs=6e-7)
            for contact in found:
                assert contact.on_b[2] == pytest.approx(contact.gap, abs=1e-9)
                assert excess(CYLINDER, rotation.T @ (contact.on_b - place)) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize("ground", GROUNDS)
def test_an_ellipsoid_touches_a_face_in_one_point(ground: str) -> None:
    two, radii = on(ground, ELLIPSOID), np.array(ELLIPSOID.radii)
    for rotation in Rotation.random(40, random_state=1).as_matrix():
        down = -rotation[2]
        lowest = radii**2 * down / np.linalg.norm(radii * down)
        for gap in (-1e-3, 1e-3):
            place = np.array([0.1, 0.2, gap - (rotation @ lowest)[2]])
            two.place(1, place, rotation)
            (contact,) = two.contacts(0.01)
            assert contact.gap == pytest.approx(gap, abs=1e-12)
            np.testing.assert_allclose(contact.on_b, place + rotation @ lowest, atol=1e-7)


@pytest.mark.parametrize("ground", ["box", "hull"])
def test_a_cylinder_that_overhangs_an_edge_stands_on_the_part_that_does_not(ground: str) -> None:
    two = on(ground, CYLINDER)
    for yaw in np.linspace(0, 1.6, 15):
        two.place(1, (2.0, 0, 0.399), turn(z=yaw))
        found = two.contacts(0.01)
        points = np.array([contact.point for contact in found])
        assert 3 <= len(found) <= 8
        assert points[:, 0].max() == pytest.approx(2.0, abs=1e-9)  # the edge
        assert np.ptp(points[:, 1]) > 0.58  # the rim, almost from side to side
        assert points[:, 0].min() < 2.0 - 0.3 * np.cos(np.pi / 4) + 1e-9  # there is a point in every quarter of the rim
        np.testing.assert_allclose([contact.gap for contact in found], -1e-3, atol=1e-9)


@pytest.mark.parametrize("ground", ["box", "hull"])
@pytest.mark.parametrize("body", [CAPSULE, CYLINDER], ids=["capsule", "cylinder"])
def test_lying_across_an_edge_it_touches_up_to_the_edge(ground: str, body: sk.Capsule | sk.Cylinder) -> None:
    two = on(ground, body)
    two.place(1, (1.9, 0.3, body.radius - 1e-3), LYING)
    found = two.contacts(0.01)
    assert column(found, 0) == pytest.approx([1.9 - body.length / 2, 2.0], abs=1e-9)
    np.testing.assert_allclose([contact.gap for contact in found], -1e-3, atol=1e-9)


@pytest.mark.parametrize("ground", ["box", "hull"])
@pytest.mark.parametrize("body", [CAPSULE, CYLINDER], ids=["capsule", "cylinder"])
def test_resting_on_an_edge_it_touches_where_they_cross(ground: str, body: sk.Capsule | sk.Cylinder) -> None:
    """The edge is x = 2, z = 0; the axis is 45 degrees steep above it."""
    two = on(ground, body)
    up = np.array([1, 0, 1]) / np.sqrt(2)
    two.place(1, np.array([2, 0.3, 0]) + (body.radius - 1e-3) * up, turn(y=np.pi / 4) @ LYING)
    (contact,) = two.contacts(0.01)
    assert contact.gap == pytest.approx(-1e-3, abs=1e-12)
    np.testing.assert_allclose(contact.normal, up, atol=1e-9)
    np.testing.assert_allclose(contact.on_a, (2, 0.3, 0), atol=1e-9)


@pytest.mark.parametrize(
    ("first", "second"), [(CAPSULE, CAPSULE), (CAPSULE, CYLINDER), (CYLINDER, CYLINDER)], ids=["cc", "cy", "yy"]
)
def test_side_by_side_they_touch_along_their_common_length_crossed_in_a_point(first: object, second: object) -> None:
    two, distance = Two(first, second), first.radius + second.radius - 0.01
    two.place(1, (distance, 0, 0.3))
    found = two.contacts(0.01)
    assert column(found, 2) == pytest.approx([0.3 - second.length / 2, first.length / 2], abs=1e-9)
    np.testing.assert_allclose([contact.gap for contact in found], -0.01, atol=1e-9)
    for angle in (1e-4, 1e-3, 0.01, 0.03, 0.3, 1.5):
        two.place(1, (distance, 0, 0), turn(x=angle))
        found = two.contacts(0.0)
        assert min(contact.gap for contact in found) == pytest.approx(-0.01, abs=1e-7)
        if angle > 0.2:
            assert len(found) == 1
            np.testing.assert_allclose(found[0].on_a, (first.radius, 0, 0), atol=1e-6)
    # lifted at one end in the plane of both axes: its gap grows, that of the other end shrinks
    two.place(1, (distance, 0, 0), turn(y=2e-3))
    low, high = sorted(contact.gap for contact in two.contacts(0.01))
    half = min(first.length, second.length) / 2
    assert high - low == pytest.approx(2 * half * np.sin(2e-3), rel=1e-2)
    assert low + high == pytest.approx(-0.02, abs=1e-5)


def test_a_capsule_lies_on_the_cap_of_a_cylinder() -> None:
    """On the whole of a large one; on a small one it touches at the ends of the chord."""
    for offset in (0.0, 0.1, 0.25):
        two = Two(CAPSULE, CYLINDER)
        two.place(0, (0, offset, 0.4 + 0.2 - 1e-3), LYING)
        found = two.contacts(0.01)
        chord = min(0.35, np.sqrt(0.3**2 - offset**2))
        assert column(found, 0) == pytest.approx([-chord, chord], abs=1e-9)
        np.testing.assert_allclose([contact.gap for contact in found], -1e-3, atol=1e-9)


def test_stacked_cylinders_share_a_patch() -> None:
    two = Two(CYLINDER, CYLINDER)
    for yaw in np.linspace(0, 3, 17):
        two.place(1, (0, 0, 0.799), turn(z=yaw))
        found = two.contacts(0.01)
        assert len(found) == 4
        np.testing.assert_allclose([contact.gap for contact in found], -1e-3, atol=1e-12)
        two.place(1, (0.25, 0, 0.799), turn(z=yaw))  # half off: the lens both have in common
        found = two.contacts(0.01)
        points = np.array([contact.point for contact in found])
        assert 3 <= len(found) <= 8
        assert np.ptp(points[:, 1]) > 0.45
        assert points[:, 0].min() > -0.051
        assert points[:, 0].max() < 0.301


# resting poses of a body on a ground with its top at z = 0: the height of its frame, and its rotation
RESTING = {
    "standing cylinder": (CYLINDER, 0.4, np.eye(3)),
    "lying cylinder": (CYLINDER, 0.3, LYING),
    "lying capsule": (CAPSULE, 0.2, LYING),
    "ellipsoid": (ELLIPSOID, 0.5, np.eye(3)),
}


def near_rest(two: Two, height: float, rest: np.ndarray, draw: np.random.Generator, tilt: float = 3e-3) -> None:
    """Place B on the ground, anywhere, also over its edge, a little tilted and sunk in."""
    turned = turn(*draw.uniform(-tilt, tilt, 2)) @ turn(z=draw.uniform(0, 6)) @ rest
    two.place(1, (*draw.uniform(-1, 1, 2) * 1.9, height + draw.uniform(-1e-3, 1e-3)), turned)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("body", RESTING)
def test_all_points_of_a_patch_lie_on_both_surfaces_within_the_depth(ground: str, body: str) -> None:
    shape, height, rest = RESTING[body]
    two, draw, seen = on(ground, shape), np.random.default_rng(0), 0
    for _ in range(300):
        near_rest(two, height, rest, draw)
        for contact in two.contacts(5e-3):
            seen += 1
            for k in (0, 1):
                p, r = two.space.position[k], two.space.rotation[k].reshape(3, 3)
                off = excess(two.shapes[k], (contact.point - p) @ r)
                # an end of a capsule is a ball: its lowest point is inside by the radius times half the squared tilt
                assert abs(off) <= abs(contact.gap) / 2 + (2e-6 if shape is CAPSULE else 1e-9)
    assert seen > 200


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("body", RESTING)
def test_one_rigid_motion_of_both_moves_the_patch_along(ground: str, body: str) -> None:
    shape, height, rest = RESTING[body]
    two, draw = on(ground, shape), np.random.default_rng(1)
    for _ in range(100):
        two.place(0, (0, 0, GROUNDS[ground][1]))
        near_rest(two, height, rest, draw)
        before = two.contacts(5e-3)
        shift, turned = draw.normal(size=3), Rotation.random(random_state=int(draw.integers(1000))).as_matrix()
        for k in (0, 1):
            two.place(k, turned @ two.space.position[k] + shift, turned @ two.space.rotation[k].reshape(3, 3))
        after = two.contacts(5e-3)
        assert [contact.feature for contact in after] == [contact.feature for contact in before]
        for one, other in zip(before, after, strict=True):
            assert other.gap == pytest.approx(one.gap, abs=1e-9)
            np.testing.assert_allclose(other.normal, turned @ one.normal, atol=1e-7)
            np.testing.assert_allclose(other.point, turned @ one.point + shift, atol=1e-7)


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_swapping_the_shapes_flips_the_normal(pair: tuple[str, str]) -> None:
    two = Two(*(SHAPES[name] for name in pair))
    for poses in [*random_poses(100, 0.2, 4), *random_poses(100, 0.8, 4)]:
        for k in (0, 1):
            two.place(k, *poses[k])
        one = two.contacts()
        other = two.contacts(swapped=True)
        assert sorted(c.gap for c in other) == pytest.approx(sorted(c.gap for c in one), abs=1e-9)
        for contact in one:
            apart = [np.linalg.norm(c.point - contact.point) + np.linalg.norm(c.normal + contact.normal) for c in other]
            assert min(apart) < 1e-6


@pytest.mark.parametrize("radii", [(0.2, 0.35, 0.5), (0.01, 0.4, 0.4), (0.3, 0.3, 0.3), (0.5, 0.1, 0.100001)])
def test_a_sphere_in_and_on_an_ellipsoid_also_on_its_planes_of_symmetry(radii: tuple[float, float, float]) -> None:
    """Against the nearest of many points of the surface."""
    two, e = Two(sk.Sphere(0.05), sk.Ellipsoid(radii)), np.array(radii)
    angle, polar = np.meshgrid(np.linspace(0, 2 * np.pi, 400), np.linspace(0, np.pi, 400))
    surface = np.stack([np.sin(polar) * np.cos(angle), np.sin(polar) * np.sin(angle), np.cos(polar)], axis=-1) * e
    centres = [
        (0, 0, 0), (0, 0.01, 0), (0, 0, 0.05), (1e-13, 0.02, 0.01), (1e-6, 0, 0.03), (0.004, 0.1, 0), (1, 0, 0),
        (0, 2, 1), (0.3, 0.2, 0.1), (0, 0, radii[2]),
    ]  # fmt: skip
    for centre in centres:
        two.place(0, centre)
        contact = two.deepest()
        assert np.linalg.norm(contact.on_b / e) == pytest.approx(1, abs=1e-9)
        sampled = np.linalg.norm(surface - centre, axis=-1).min()
        inside = np.linalg.norm(np.array(centre) / e) < 1
        distance = -(contact.gap + 0.05) if inside else contact.gap + 0.05
        assert sampled - 0.01 <= distance <= sampled + 1e-9


@pytest.mark.parametrize("pair", [pair for pair in PAIRS if pair[1] != "hull"], ids="-".join)
def test_from_one_place_they_come_apart_along_the_shortest_way(pair: tuple[str, str]) -> None:
    """All axes are those of the frame, where the least overlap is that of the thinnest."""
    two = Two(*(SHAPES[name] for name in pair))
    found = two.contacts()
    assert min(contact.gap for contact in found) == pytest.approx(two.apart(np.eye(3)).max(), abs=1e-9)
    assert len(found) <= 8


@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_the_gap_is_continuous_through_touching(pair: tuple[str, str]) -> None:
    """Moved along the normal it changes by as much; of sharp edges that overlap, another way out may be shorter."""
    two, seen = Two(*(SHAPES[name] for name in pair)), 0
    for poses in random_poses(40, 0.6, 6):
        for k in (0, 1):
            two.place(k, *poses[k])
        gap, n, *_ = two.deepest()
        if gap < 0:
            continue
        seen += 1
        for wanted in (1e-3, 1e-6, 1e-9, 0.0, -1e-9, -1e-6, -1e-4):
            two.place(1, poses[1][0] + n * (wanted - gap), poses[1][1])
            found = two.deepest().gap
            assert found > wanted - 1e-7
            assert found < wanted + 1e-7 or (found < 1e-7 and wanted < 0 and pair[0] == "cylinder")
    assert seen > 10


def test_thin_shapes() -> None:
    needle, coin, flake = sk.Capsule(0.001, 2.0), sk.Cylinder(0.5, 0.002), sk.Ellipsoid((0.001, 0.5, 0.5))
    for shapes in ((needle, coin), (needle, flake), (flake, coin), (flake, flake), (coin, sk.Box((9, 9, 0.01)))):
        two = Two(*shapes)
        for poses in random_poses(200, 0.3, 5):
            for k in (0, 1):
                two.place(k, *poses[k])
            contact = two.deepest()
            assert contact.gap == pytest.approx(float(two.apart(contact.normal)), abs=1e-8)


def motion(name: str, steps: int = 4000) -> list[tuple[np.ndarray, np.ndarray]]:
    """Shift and turn of a body in five seconds; but for rocking with a tremor of a micrometre and a microradian."""
    tremor = 1e-6 * np.random.default_rng(0).normal(size=(steps, 6))
    poses = []
    for t, e in zip(np.linspace(0, 5, steps), tremor, strict=True):
        if name == "rest":
            poses.append((e[:3], turn(*e[3:])))
        elif name == "slide":
            poses.append((e[:3] + np.array([np.sin(t), 0.5 * np.cos(t), 0]), turn(*e[3:]) @ turn(z=0.1)))
        elif name == "spin":
            poses.append((e[:3], turn(*e[3:]) @ turn(z=3 * t)))
        else:
            poses.append((np.zeros(3), turn(3e-3 * np.sin(7 * t), 4e-3 * np.cos(9 * t), 0.3)))
    return poses


def lost_without_cause(two: Two, poses: list[tuple[object, np.ndarray]], margin: float) -> list[int]:
    """Features that vanish from one pose to the next, but for points of a rim its lowest point has come near to."""
    before, lost = {}, []
    for position, rotation in poses:
        two.place(1, position, rotation)
        now = {contact.feature: contact for contact in two.contacts(margin)}
        deepest = min(now.values(), key=lambda contact: contact.gap)
        for feature in before.keys() - now.keys():
            merged = deepest.feature in before and np.linalg.norm(before[feature].point - deepest.point) < 0.31 * 0.3
            lost += [] if merged else [feature]
        before = now
    return lost


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("body", RESTING)
@pytest.mark.parametrize("name", ["slide", "spin", "rock"])
def test_no_identity_is_lost_without_cause(ground: str, body: str, name: str) -> None:
    """All points stay above the ground and within the margin throughout."""
    shape, height, rest = RESTING[body]
    place = np.array([0, 0, height - 1e-5])
    poses = [(shift + place, turned @ rest) for shift, turned in motion(name)]
    assert lost_without_cause(on(ground, shape), poses, 5e-3) == []


@pytest.mark.parametrize("ground", ["box", "hull", "cylinder"])
@pytest.mark.parametrize("body", RESTING)
@pytest.mark.parametrize("overhang", [0.0, 0.02, 0.05, 0.1, 0.25])
def test_no_identity_is_lost_at_rest_over_an_edge(ground: str, body: str, overhang: float) -> None:
    """At x = 2; nought: the rim of the cylinder is flush with it."""
    shape, height, rest = RESTING[body]
    place = np.array([1.7 + overhang, 0.0, height - 1e-5])
    poses = [(place + shift, turned @ turn(z=0.2) @ rest) for shift, turned in motion("rest", 1000)]
    assert lost_without_cause(on(ground, shape), poses, 5e-3) == []


@pytest.mark.parametrize("ground", ["box", "hull", "cylinder"])
def test_where_a_spinning_rim_crosses_an_edge_keeps_its_name(ground: str) -> None:
    """The other points are fixed on the rim, and pass over the edge."""
    two, names, place = on(ground, CYLINDER), set(), np.array([1.9, 0, 0.4 - 1e-5])
    for shift, turned in motion("spin", 1000):
        two.place(1, shift + place, turned)
        found = two.contacts(5e-3)
        far = [np.hypot(*c.point[:2]) if ground == "cylinder" else c.point[0] for c in found]
        names.add(tuple(sorted(c.feature for c, x in zip(found, far, strict=True) if x > 2 - 1e-6)))
    assert len(names) == 1
    assert len(names.pop()) >= 2
