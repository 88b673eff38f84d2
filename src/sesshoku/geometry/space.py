"""All shapes of a scene, where they are now, and the contacts found between them: one handle for the kernels.

Shapes are numbered as the colliders of the model. World poses are filled by `place_shapes`; contacts are appended by
the narrow phase with `append`, in the order of the pairs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sesshoku.geometry.compass import MIDDLES
from sesshoku.geometry.filter import allowed_pairs, as_bits
from sesshoku.geometry.kind import BOX, CAPSULE, CYLINDER, ELLIPSOID, HULL, PLANE, SPHERE, TERRAIN
from sesshoku.geometry.polyhedron import Polyhedron, box_polyhedron, convex_hull
from sesshoku.geometry.polytope import POINTS, Polytope
from sesshoku.geometry.surface import Surface, height_surface, pack_surfaces, terrain_surface
from sesshoku.handle import Arrays, HandleType, array_type, by_address
from sesshoku.kernel import kernel
from sesshoku.model import Box, Capsule, Cylinder, Ellipsoid, Hull, Model, Plane, Sphere, Terrain
from sesshoku.spatial.row import store3
from sesshoku.spatial.vector import Vec3, scale

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["HANDLE", "Handle", "Space", "append", "at", "polytope_of"]

FIELDS: Final = tuple(
    (name, array_type(integer, dimensions))
    for name, integer, dimensions in (
        # shapes, as given (ns)
        ("kind", True, 1),  # see kind.py
        ("body", True, 1),  # moving body that carries it, -1 for the world
        ("local_position", False, 2),  # (ns, 3) in the kernel frame of the body [m]
        ("local_rotation", False, 2),  # (ns, 9)
        ("size", False, 2),  # (ns, 3) see kind.py [m]
        ("solid", True, 1),  # number of its polyhedron or terrain, -1 if it has none
        ("reach", False, 1),  # radius of a ball about its frame that holds it [m]; infinite for planes
        ("centre", False, 2),  # (ns, 3) middle of its bounding box in its own frame [m]
        ("half", False, 2),  # (ns, 3) half the edges of that box [m]
        ("margin", False, 1),  # a contact of two shapes is reported from the sum of theirs on, fast ones earlier [m]
        ("routine", True, 2),  # (kinds, kinds) address of what finds the contacts of two kinds, see routine.py
        ("allowed", True, 2),  # (ns, words) bit b of row a, 64 to a word: shapes a < b can touch
        # polyhedra: those of polyhedron p are start[p] .. start[p + 1] - 1; numbers in lists count from the start
        ("vertex_start", True, 1),
        ("vertex", False, 2),  # (·, 3) in the frame of the shape [m]
        ("neighbour_start", True, 1),  # for each vertex, and one more
        ("neighbour", True, 1),
        ("spoke", True, 1),  # edge to each neighbour
        ("fan", True, 1),  # faces around each vertex: as many as neighbours
        ("seed", True, 2),  # (np, cells) farthest vertex along the middle of each cell, see compass.py
        ("face_start", True, 1),
        ("face_normal", False, 2),  # (·, 3) outward
        ("face_offset", False, 1),  # normal · x on the face [m]
        ("corner_start", True, 1),  # for each face, and one more
        ("corner", True, 1),  # vertices of the faces, anticlockwise seen from outside
        ("side", True, 1),  # edge from each of them to the next
        ("edge_start", True, 1),
        ("edge", True, 2),  # (·, 2) vertices
        ("edge_face", True, 2),  # (·, 2) faces on both sides
        # terrain and height fields, see surface.py
        ("ground", True, 2),  # (·, 4) first triangle, their number, first box, leaves
        ("ground_vertex", False, 2),  # (·, 3) in the frame of the shape [m]
        ("ground_triangle", True, 2),  # (·, 3) vertices, anticlockwise seen from outside
        ("ground_beyond", True, 2),  # (·, 3) triangles across the edges, -1 for none
        ("ground_sharp", True, 1),  # bits: which edges and corners of a triangle are convex
        ("ground_box", False, 2),  # (·, 6) lowest and highest corner of the nodes of the tree above the triangles [m]
        ("near", True, 1),  # triangles near to the shape that is looked at
        ("nearer", True, 1),  # triangles near to a corner or edge of it
        # where the shapes are now
        ("position", False, 2),  # (ns, 3) in the world [m]
        ("rotation", False, 2),  # (ns, 9)
        ("ahead", False, 1),  # how far around each to look, see ahead.py [m]
        ("lower", False, 2),  # (ns, 3) bounding box in the world, with that around it [m]
        ("upper", False, 2),  # (ns, 3)
        # pairs whose bounding boxes overlap
        ("axis", True, 1),  # along which boxes are sorted
        ("order", True, 1),  # (ns) shapes by the lower end of their boxes along it; planes last
        ("pairs", True, 2),  # (room, 2) as found, then in order of a, b
        ("sorted_pairs", True, 2),  # (room, 2)
        ("bucket", True, 1),  # (ns + 1)
        ("pair_count", True, 1),  # number of pairs
        # memory the narrow phase of smooth shapes works in
        ("work_point", False, 2),  # (·, 3) corners of outlines
        ("work_plane", False, 2),  # (·, 4) gaps at these corners
        ("work_face", True, 2),  # (·, 3) labels of these corners
        # how shapes overlap, see polytope.py
        ("polytope_point", False, 2),  # (·, 3)
        ("polytope_plane", False, 2),  # (·, 4)
        ("polytope_corner", True, 2),  # (·, 3)
        ("polytope_rim", True, 2),  # (·, 2)
        # contacts of a shape with terrain before they are reported, see environment/patch.py
        ("patch", False, 2),  # (·, 9) point, normal, gap, rank within its block of features, mark
        ("patch_feature", True, 1),
        ("patch_count", True, 1),  # how many; of which shape, with which surface
        # memory the narrow phase of polyhedra works in
        ("polygon", False, 2),  # (four polygons, 4), see polyhedral/clip.py
        ("polygon_mark", True, 2),  # (four polygons, 4)
        # contacts
        ("count", True, 1),  # number of contacts; then 1 if the normal of the pair at hand is to be turned
        ("shapes", True, 2),  # (capacity, 2) A and B
        ("point", False, 2),  # (capacity, 3) halfway between the two surfaces, in the world [m]
        ("normal", False, 2),  # (capacity, 3) unit vector from A to B
        ("gap", False, 1),  # distance of the surfaces along the normal; negative is depth [m]
        ("feature", True, 1),  # what touches what, within the pair of shapes: the same number while it stays the same
    )
)


class Handle:
    """How kernels see a `Space`: the same arrays, as attributes."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> NDArray[Any]: ...


HANDLE: Final = HandleType("Space", FIELDS)
at = by_address(HANDLE)


@kernel
def append(g: Handle, a: int, b: int, point: Vec3, normal: Vec3, gap: float, feature: int) -> None:
    """Report a contact of shapes a and b, ``normal`` from a to b; beyond the capacity it is only counted."""
    k = g.count[0]
    g.count[0] = k + 1
    if k >= len(g.gap):
        return
    if g.count[1] != 0:
        a, b, normal = b, a, scale(-1.0, normal)
    g.shapes[k, 0], g.shapes[k, 1] = a, b
    store3(g.point, k, point)
    store3(g.normal, k, normal)
    g.gap[k], g.feature[k] = gap, feature


@kernel
def polytope_of(g: Handle) -> Polytope:
    """The memory for a growing polytope."""
    return g.polytope_point, g.polytope_plane, g.polytope_corner, g.polytope_rim


class Space(Arrays):
    """The shapes of a model with the memory their kernels work in; attributes are numpy arrays as in the table."""

    def __init__(self, model: Model, capacity: int | None = None, apart: NDArray[np.int64] | None = None) -> None:
        from sesshoku.geometry.routine import routines  # they need the handle

        self.model = model
        shapes = [_describe(placed, model.name) for placed in model.colliders]
        n = len(shapes)
        arrays: dict[str, NDArray[Any]] = {
            "kind": np.array([s["kind"] for s in shapes], dtype=np.int64),
            "body": np.array([placed.body for placed in model.colliders], dtype=np.int64),
            "local_position": np.array([p.pose.position for p in model.colliders]).reshape(n, 3),
            "local_rotation": np.array([p.pose.rotation.ravel() for p in model.colliders]).reshape(n, 9),
            "size": np.array([s["size"] for s in shapes], dtype=float).reshape(n, 3),
            "margin": np.array([max(p.collider.margin, model.margin / 2) for p in model.colliders], dtype=float),
            "routine": routines(s["kind"] for s in shapes),
            "allowed": as_bits(allowed_pairs(model, apart)),
            "lower": np.full((n, 3), -np.inf),
            "upper": np.full((n, 3), np.inf),
            "axis": np.zeros(1, dtype=np.int64),
            "bucket": np.zeros(n + 1, dtype=np.int64),
            "pair_count": np.zeros(1, dtype=np.int64),
        }
        arrays["ahead"] = arrays["margin"].copy()
        arrays["order"] = np.argsort(arrays["kind"] == PLANE, kind="stable")
        arrays["position"], arrays["rotation"] = arrays["local_position"].copy(), arrays["local_rotation"].copy()
        polyhedra: list[Polyhedron] = [s["solid"] for s in shapes if isinstance(s["solid"], Polyhedron)]
        surfaces: list[Surface] = [s["solid"] for s in shapes if s["kind"] == TERRAIN]
        arrays["solid"] = np.array([_number(s["solid"], polyhedra, surfaces) for s in shapes], dtype=np.int64)
        boxes = np.array([_bounds(s) for s in shapes], dtype=float).reshape(n, 2, 3)
        reaches = np.array([_reach(s) for s in shapes], dtype=float)
        grounds = arrays["kind"] == TERRAIN
        # what has sunk below a surface must still be paired with it
        boxes[grounds] += np.array([[-1.0], [1.0]]) * reaches[~grounds & np.isfinite(reaches)].max(initial=0.0)
        arrays["centre"], arrays["half"] = boxes.mean(axis=1), (boxes[:, 1] - boxes[:, 0]) / 2
        arrays["reach"] = reaches
        arrays |= _pack(polyhedra) | pack_surfaces(surfaces)
        polygon_room = 2 * max((len(face) for p in polyhedra for face in p.faces), default=0) + 8
        room = max(64, 16 * n) if capacity is None else capacity
        arrays |= {
            "pairs": np.zeros((room, 2), dtype=np.int64),
            "sorted_pairs": np.zeros((room, 2), dtype=np.int64),
            "work_point": np.zeros((400, 3)),
            "work_plane": np.zeros((160, 4)),
            "work_face": np.zeros((400, 3), dtype=np.int64),
            "polytope_point": np.zeros((POINTS, 3)),
            "polytope_plane": np.zeros((2 * POINTS, 4)),
            "polytope_corner": np.zeros((2 * POINTS, 3), dtype=np.int64),
            "polytope_rim": np.zeros((2 * POINTS, 2), dtype=np.int64),
            "patch": np.zeros((64, 9)),
            "patch_feature": np.zeros(64, dtype=np.int64),
            "patch_count": np.zeros(3, dtype=np.int64),
            "polygon": np.zeros((4 * polygon_room, 4)),
            "polygon_mark": np.zeros((4 * polygon_room, 4), dtype=np.int64),
            "count": np.zeros(2, dtype=np.int64),
            "shapes": np.zeros((room, 2), dtype=np.int64),
            "point": np.zeros((room, 3)),
            "normal": np.zeros((room, 3)),
            "gap": np.zeros(room),
            "feature": np.zeros(room, dtype=np.int64),
        }
        super().__init__(FIELDS, {name: np.ascontiguousarray(arrays[name]) for name, _ in FIELDS})

    @property
    def crowded(self) -> bool:
        """Whether the last detection found more pairs than there is room for."""
        return bool(self.pair_count[0] > len(self.pairs))


def _describe(placed: Any, file: str) -> dict[str, Any]:
    """Kind, size and polyhedron of a shape."""
    shape, nothing, element = placed.shape, (0.0, 0.0, 0.0), f"shape of body '{placed.owner}'"
    if isinstance(shape, Plane):
        return {"kind": PLANE, "size": nothing, "solid": None}
    if isinstance(shape, Sphere):
        return {"kind": SPHERE, "size": (shape.radius, 0.0, 0.0), "solid": None}
    if isinstance(shape, Capsule):
        return {"kind": CAPSULE, "size": (shape.radius, shape.length / 2, 0.0), "solid": None}
    if isinstance(shape, Ellipsoid):
        return {"kind": ELLIPSOID, "size": shape.radii, "solid": None}
    if isinstance(shape, Cylinder):
        return {"kind": CYLINDER, "size": (shape.radius, shape.length / 2, 0.0), "solid": None}
    if isinstance(shape, Box):
        half = np.array(shape.size) / 2
        return {"kind": BOX, "size": half, "solid": box_polyhedron(half)}
    if isinstance(shape, Hull):
        return {"kind": HULL, "size": nothing, "solid": convex_hull(shape.points, element=element, file=file)}
    if isinstance(shape, Terrain):
        return {"kind": TERRAIN, "size": nothing, "solid": terrain_surface(shape, element=element, file=file)}
    return {"kind": TERRAIN, "size": nothing, "solid": height_surface(shape, element=element, file=file)}


def _number(solid: Any, *lists: list[Any]) -> int:
    """Where a solid stands in the list that has it, -1 if none has."""
    return next((k for ones in lists for k, one in enumerate(ones) if one is solid), -1)


def _bounds(s: dict[str, Any]) -> NDArray[np.float64]:
    """Lowest and highest corner of a shape in its own frame, (2, 3)."""
    x, y, z = s["size"]
    if s["kind"] in (BOX, HULL, TERRAIN):
        corners = s["solid"].vertices
        return np.array([corners.min(axis=0), corners.max(axis=0)])
    half = {
        PLANE: (np.inf, np.inf, np.inf),
        SPHERE: (x, x, x),
        CAPSULE: (x, x, x + y),
        ELLIPSOID: (x, y, z),
        CYLINDER: (x, x, y),
    }[s["kind"]]
    return np.array([[-h for h in half], half]) if s["kind"] != PLANE else np.zeros((2, 3))


def _reach(s: dict[str, Any]) -> float:
    """Radius of the ball about the frame that holds the shape."""
    if s["kind"] == PLANE:
        return float("inf")
    if s["kind"] in (BOX, HULL):
        return float(np.linalg.norm(s["solid"].vertices, axis=1).max())
    if s["kind"] in (SPHERE, ELLIPSOID):
        return float(max(s["size"]))
    if s["kind"] == CAPSULE:
        return float(s["size"][0] + s["size"][1])
    return float(np.linalg.norm(np.abs(_bounds(s)).max(axis=0)))


def _pack(polyhedra: list[Polyhedron]) -> dict[str, NDArray[Any]]:
    """Polyhedra side by side in flat arrays."""

    def starts(counts: list[int]) -> NDArray[np.int64]:
        return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)

    def joined(parts: list[Any], width: int, kind: Any) -> NDArray[Any]:
        flat = np.concatenate(
            [np.asarray(part, dtype=kind).reshape(-1, width) for part in parts] or [np.zeros((0, width), kind)]
        )
        return flat if width > 1 else flat[:, 0]

    rings = [face for p in polyhedra for face in p.faces]
    near = [ring for p in polyhedra for ring in p.neighbours]
    return {
        "vertex_start": starts([len(p.vertices) for p in polyhedra]),
        "vertex": joined([p.vertices for p in polyhedra], 3, float),
        "neighbour_start": starts([len(ring) for ring in near]),
        "neighbour": joined(near, 1, np.int64),
        "spoke": joined([spokes for p in polyhedra for spokes in p.spokes], 1, np.int64),
        "fan": joined([fan for p in polyhedra for fan in p.fans], 1, np.int64),
        "seed": joined([np.argmax(MIDDLES @ p.vertices.T, axis=1) for p in polyhedra], len(MIDDLES), np.int64),
        "face_start": starts([len(p.faces) for p in polyhedra]),
        "face_normal": joined([p.normals for p in polyhedra], 3, float),
        "face_offset": joined([p.offsets for p in polyhedra], 1, float),
        "corner_start": starts([len(ring) for ring in rings]),
        "corner": joined(rings, 1, np.int64),
        "side": joined([side for p in polyhedra for side in p.sides], 1, np.int64),
        "edge_start": starts([len(p.edges) for p in polyhedra]),
        "edge": joined([p.edges for p in polyhedra], 2, np.int64),
        "edge_face": joined([p.edge_faces for p in polyhedra], 2, np.int64),
    }
