"""What of a MuJoCo model can touch: its geoms as colliders."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from sesshoku.model.collider import Collider
from sesshoku.model.material import Material
from sesshoku.model.mjcf_query import disabled, names
from sesshoku.model.shape import Box, Capsule, Cylinder, Ellipsoid, HeightField, Hull, Plane, Shape, Sphere
from sesshoku.spatial.pose import Pose

if TYPE_CHECKING:
    import mujoco

__all__ = ["can_touch", "colliders", "pair_materials", "touching_pairs"]


def can_touch(model: mujoco.MjModel) -> NDArray[np.bool_]:
    """Which geoms have to do with contact: by their bits, or because a ``<pair>`` names them."""
    touching: NDArray[np.bool_] = (model.geom_contype != 0) | (model.geom_conaffinity != 0)
    touching[model.pair_geom1] = touching[model.pair_geom2] = True
    return touching


def colliders(model: mujoco.MjModel) -> Iterator[tuple[int, Collider]]:
    """The geoms that can touch, by number. If the file switches contact off, they touch nothing.

    The margin of a pair is given to both of its geoms. Here it only says how early a contact is reported; in
    MuJoCo surfaces also rest that far apart.
    """
    on = not disabled(model, "CONTACT")
    touching, margin = can_touch(model), model.geom_margin.copy()
    for geoms in (model.pair_geom1, model.pair_geom2):
        np.maximum.at(margin, geoms, model.pair_margin)
    for g, name in enumerate(names(model, "geom", model.ngeom)):
        shape = _shape(model, g) if touching[g] else None
        if shape is not None:
            pose = Pose.at(model.geom_pos[g], quaternion=model.geom_quat[g])
            group, mask = int(model.geom_contype[g]), int(model.geom_conaffinity[g])
            material = Material(
                _friction(model.geom_friction[g], model.geom_condim[g]), priority=int(model.geom_priority[g])
            )
            yield g, Collider(shape, pose, name, group * on, mask * on, float(margin[g]), material)


def _friction(coefficients: NDArray[np.float64], dimensions: int) -> float:
    """Coefficient of sliding friction; contacts of one dimension have none."""
    return float(coefficients[0]) if dimensions > 1 else 0.0


def pair_materials(model: mujoco.MjModel) -> dict[frozenset[str], Material]:
    """What ``<pair>`` elements say about friction, by the names of the geoms."""
    known = {g: collider.name or "" for g, collider in colliders(model)}
    pairs = zip(model.pair_geom1.tolist(), model.pair_geom2.tolist(), strict=True)
    return {
        frozenset((known[a], known[b])): Material(_friction(model.pair_friction[k], model.pair_dim[k]))
        for k, (a, b) in enumerate(pairs)
        if a in known and b in known
    }


def touching_pairs(model: mujoco.MjModel) -> set[frozenset[str]]:
    """The ``<pair>`` elements, as pairs of geom names."""
    if disabled(model, "CONTACT"):
        return set()
    known = {g: collider.name or "" for g, collider in colliders(model)}
    pairs = zip(model.pair_geom1.tolist(), model.pair_geom2.tolist(), strict=True)
    return {frozenset((known[a], known[b])) for a, b in pairs if a in known and b in known}


def _shape(model: mujoco.MjModel, g: int) -> Shape | None:
    """The shape of a geom; None if it has no counterpart here."""
    import mujoco

    kind = mujoco.mjtGeom(int(model.geom_type[g])).name.removeprefix("mjGEOM_")
    x, y, z = model.geom_size[g].tolist()
    data = int(model.geom_dataid[g])
    if kind == "PLANE":
        return Plane()  # its size is for the eye: contact sees all of it
    if kind == "SPHERE":
        return Sphere(x)
    if kind == "CAPSULE":
        return Capsule(x, 2 * y)
    if kind == "CYLINDER":
        return Cylinder(x, 2 * y)
    if kind == "ELLIPSOID":
        return Ellipsoid((x, y, z))
    if kind == "BOX":
        return Box((2 * x, 2 * y, 2 * z))
    if kind == "MESH":
        return Hull(_hull_points(model, data))
    return _height_field(model, data) if kind == "HFIELD" else None


def _hull_points(model: mujoco.MjModel, mesh: int) -> NDArray[np.float64]:
    """The corners of the convex hull that MuJoCo collides with, or all vertices where it has none."""
    start = model.mesh_vertadr[mesh]
    points: NDArray[np.float64] = model.mesh_vert[start : start + model.mesh_vertnum[mesh]].astype(float)
    address = model.mesh_graphadr[mesh]
    if address < 0:
        return points
    count = model.mesh_graph[address]  # then: number of faces, an address for each corner, the corners
    corners: NDArray[np.int32] = model.mesh_graph[address + 2 + count : address + 2 + 2 * count]
    return points[corners]


def _height_field(model: mujoco.MjModel, field: int) -> HeightField:
    """MuJoCo stores rows along y of heights along x, from 0 to 1, over half the size, and a base underneath."""
    rows, columns = int(model.hfield_nrow[field]), int(model.hfield_ncol[field])
    x, y, top, _ = model.hfield_size[field].tolist()
    start = model.hfield_adr[field]
    heights = model.hfield_data[start : start + rows * columns].reshape(rows, columns).T
    return HeightField(heights.astype(float) * top, (2 * x, 2 * y))
