"""Distance, depth and normal of boxes, hulls and planes, against Coal, MuJoCo and plain numpy."""

import coal
import mujoco
import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from polyhedra import PAIRS, best_axis, contacts, place, prism, random_pose, round_hull, space_of
from sesshoku.bench.coal_peer import coal_shape
from sesshoku.model import Box, Hull, Plane

pytestmark = pytest.mark.slow


def coal_distance(space, a, b, geometry_a, geometry_b):
    """Signed distance and normal."""
    request, result = coal.DistanceRequest(), coal.DistanceResult()
    request.gjk_tolerance = request.epa_tolerance = 1e-10
    request.gjk_max_iterations = request.epa_max_iterations = 1000
    poses = [coal.Transform3s(space.rotation[i].reshape(3, 3), space.position[i]) for i in (a, b)]
    distance = coal.distance(geometry_a, poses[0], geometry_b, poses[1], request, result)
    return distance, result.normal


@pytest.mark.parametrize("name", PAIRS)
def test_distance_depth_and_normal(name):
    """Apart: Coal; overlapping: the best of all axes, and Coal."""
    space, rng = space_of(*PAIRS[name]), np.random.default_rng(0)
    geometries = [coal_shape(shape) for shape in PAIRS[name]]
    apart = overlapping = 0
    for _ in range(300):
        place(space, 0, *random_pose(rng))
        place(space, 1, *random_pose(rng))
        found = contacts(space, 0, 1, 10.0)
        deepest = found.gap.argmin()
        distance, normal = coal_distance(space, 0, 1, *geometries)
        along, axis, lead = best_axis(space, 0, 1)
        assert abs(found.gap[deepest] - distance) < 1e-7
        if distance > 0.0:
            apart += 1
            assert np.abs(found.normal[deepest] - normal).max() < 1e-6
        else:
            overlapping += 1
            assert abs(found.gap[deepest] - along) < 1e-9
            if lead > 1e-6:
                assert np.abs(found.normal[deepest] - axis).max() < 1e-6
    assert apart > 50
    assert overlapping > 50


@pytest.mark.parametrize("shape", [Box((0.2, 0.3, 0.1)), round_hull(20), round_hull(300), prism(64)])
def test_distance_to_a_plane(shape):
    space, rng = space_of(Plane(), shape), np.random.default_rng(0)
    geometries = [coal_shape(Plane()), coal_shape(shape)]
    for _ in range(300):
        place(space, 0, *random_pose(rng))
        place(space, 1, *random_pose(rng))
        found = contacts(space, 0, 1, 10.0)
        distance, normal = coal_distance(space, 0, 1, *geometries)
        assert abs(found.gap.min() - distance) < 1e-6 * space.reach[1] + 1e-12
        assert np.abs(found.normal - normal).max() < 1e-9


@pytest.mark.parametrize(
    ("first", "second"), [("plane", "box"), ("plane", "mesh"), ("box", "box"), ("box", "mesh"), ("mesh", "mesh")]
)
def test_mujoco_agrees(first, second):
    """Its distance of two geoms, which its contacts do not always have: they may prefer a face that is deeper."""
    hull = round_hull(20).points
    kinds = {
        "plane": 'type="plane" size="1 1 1"',
        "box": 'type="box" size="0.1 0.15 0.05"',
        "mesh": 'type="mesh" mesh="hull"',
    }
    model = mujoco.MjModel.from_xml_string(f"""
        <mujoco>
          <option ccd_tolerance="1e-10" ccd_iterations="200"/>
          <asset><mesh name="hull" inertia="convex" vertex="{" ".join(f"{x:.17g}" for x in hull.ravel())}"/></asset>
          <worldbody>
            <geom {kinds[first]}/>
            <body><freejoint/><geom {kinds[second]}/></body>
          </worldbody>
        </mujoco>""")
    data, witness = mujoco.MjData(model), np.zeros(6)
    shapes = {"plane": Plane(), "box": Box((0.2, 0.3, 0.1)), "mesh": Hull(hull)}
    space, rng = space_of(shapes[first], shapes[second]), np.random.default_rng(0)
    for _ in range(300):
        data.qpos[:3], rotation = random_pose(rng)
        data.qpos[3:] = np.roll(Rotation.from_matrix(rotation).as_quat(), 1)
        mujoco.mj_kinematics(model, data)
        for shape in (0, 1):
            position, turned = data.geom_xpos[shape], data.geom_xmat[shape].reshape(3, 3)
            mesh = model.geom_dataid[shape]
            if mesh >= 0:  # its frame is moved to its principal axes
                turned = turned @ Rotation.from_quat(np.roll(model.mesh_quat[mesh], -1)).as_matrix().T
                position = position - turned @ model.mesh_pos[mesh]
            place(space, shape, position, turned)
        found = contacts(space, 0, 1, 10.0)
        distance = mujoco.mj_geomDistance(model, data, 0, 1, 10.0, witness)
        assert abs(found.gap.min() - distance) < 1e-7  # meshes are in single precision
        if abs(distance) > 1e-3:
            normal = (witness[3:] - witness[:3]) / distance
            assert np.abs(found.normal[0] - normal).max() < 1e-4
