"""Every pair of shapes against MuJoCo and Coal on thousands of poses: distance, depth, normal, witness points.

Sizes are about a metre. Where engines differ, the closed form s(n) of `two_shapes` decides, and SciPy looks for more.
"""

from __future__ import annotations

from functools import cache

import coal
import mujoco
import numpy as np
import pytest

import sesshoku as sk
from sesshoku.bench.coal_peer import coal_shape
from two_shapes import FAR, PAIRS, Contact, Two, random_poses
from two_shapes import SHAPES as SIZED

CLOUD = " ".join(map(str, SIZED["hull"].points.ravel()))
GEOMS = {
    "plane": 'type="plane" size="1 1 1"',
    "sphere": 'type="sphere" size="0.3"',
    "capsule": 'type="capsule" size="0.2 0.35"',
    "ellipsoid": 'type="ellipsoid" size="0.2 0.35 0.5"',
    "cylinder": 'type="cylinder" size="0.3 0.4"',
    "box": 'type="box" size="0.25 0.35 0.45"',
    "hull": 'type="mesh" mesh="hull"',
}
MODEL = mujoco.MjModel.from_xml_string(
    f'<mujoco><option ccd_tolerance="1e-14" ccd_iterations="500"/><asset><mesh name="hull" vertex="{CLOUD}"/></asset>'
    f"<worldbody>{''.join(2 * f'<geom {geom}/>' for geom in GEOMS.values())}</worldbody></mujoco>"
)
DATA = mujoco.MjData(MODEL)
SHAPES = SIZED | {"hull": sk.Hull(MODEL.mesh_vert.astype(float))}  # MuJoCo moves vertices, and rounds them to single
POSES = [*random_poses(100, 0.8, 1), *random_poses(60, 0.25, 2)]
AGREE = 1e-6
# pairs whose depth the engine gets wrong where they overlap
WRONG = {
    "mujoco": {"capsule-box"},
    "coal": {
        "sphere-ellipsoid", "sphere-cylinder", "capsule-ellipsoid", "capsule-cylinder", "ellipsoid-ellipsoid",
        "ellipsoid-cylinder", "ellipsoid-box", "ellipsoid-hull", "cylinder-cylinder", "cylinder-box", "cylinder-hull",
    },
}  # fmt: skip


def of_mujoco(two: Two, pair: tuple[str, str]) -> Contact:
    geoms, ends = [2 * list(SHAPES).index(name) + k for k, name in enumerate(pair)], np.zeros(6)
    DATA.geom_xpos[geoms], DATA.geom_xmat[geoms] = two.space.position, two.space.rotation
    gap = mujoco.mj_geomDistance(MODEL, DATA, *geoms, FAR, ends)
    return Contact(gap, (ends[3:] - ends[:3]) / gap, ends[:3], ends[3:])


@cache
def coal_geometry(name: str) -> coal.CollisionGeometry:
    return coal_shape(SHAPES[name])


def of_coal(two: Two, pair: tuple[str, str]) -> Contact:
    result, request = coal.DistanceResult(), coal.DistanceRequest(True, True)
    request.gjk_tolerance = request.epa_tolerance = 1e-12
    request.gjk_max_iterations = request.epa_max_iterations = 500
    placed = []
    for name, rotation, position in zip(pair, two.space.rotation, two.space.position, strict=True):
        placed += [coal_geometry(name), coal.Transform3s(rotation.reshape(3, 3), position.copy())]
    gap = coal.distance(*placed, request, result)
    return Contact(gap, np.array(result.normal), result.getNearestPoint1(), result.getNearestPoint2())


@pytest.mark.parametrize("peer", [of_mujoco, of_coal])
@pytest.mark.parametrize("pair", PAIRS, ids="-".join)
def test_distance_normal_and_witness_points(pair: tuple[str, str], peer: object) -> None:
    two, draw, wrong, close, apart = Two(*(SHAPES[name] for name in pair)), np.random.default_rng(0), [], [], 0
    for poses in POSES:
        for k in (0, 1):
            two.place(k, *poses[k])
        ours, theirs = two.deepest(), peer(two, pair)
        # their points on both surfaces are an upper bound of the distance, the plane across a lower one
        assert two.off_surface(ours) < 1e-9
        assert two.apart(ours.normal) == pytest.approx(ours.gap, abs=1e-11)
        apart += ours.gap > 0
        n = theirs.normal / np.linalg.norm(theirs.normal)
        less = ours.gap - two.apart(n)
        assert less > -1e-11, "the peer knows a better direction"
        if abs(theirs.gap - ours.gap) > AGREE:
            wrong.append(poses)
            assert ours.gap < 0, "all agree on distances"
            if len(wrong) < 3:
                assert two.searched(draw, start=ours.normal) < ours.gap + 1e-9
            continue
        off = max(float(np.abs(x - y).max()) for x, y in zip(ours[2:4], theirs[2:4], strict=True))
        off_normal = float(np.linalg.norm(n - ours.normal))
        close.append(off < AGREE and off_normal < AGREE)
        # s is flat where it is greatest: a gap that is right to ε leaves the direction open by √ε. It is theirs that is
        assert close[-1] or less > 0
        assert off < 1e-5
        assert off_normal < 1e-4
        if ours.gap > 0:  # s(n) is at most the distance times the cosine of the angle between n and the right direction
            assert off_normal**2 <= 2 * max(less, 0.0) / ours.gap + AGREE**2
    assert 10 < apart < len(POSES) - 10
    assert not wrong or "-".join(pair) in WRONG[peer.__name__[3:]]
    assert all(close) or (np.mean(close) > 0.7 and not {"ellipsoid", "cylinder"}.isdisjoint(pair))
