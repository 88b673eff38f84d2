"""Q and c of eq. 9, from the closed forms of an overlap, against numerical integrals (check 1)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.contact.volume.patches import target
from sesshoku.geometry.overlap.depth import Moments
from sesshoku.geometry.overlap.find import ContactVolume
from sesshoku.geometry.overlap.overlap import overlap_here
from sesshoku.geometry.overlap.workspace import Workspace
from sesshoku.geometry.space import Space
from sesshoku.model import Collider, Plane, Scene
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.volume.box import CUBE, HALF
from sesshoku.spatial.pose import Pose

__all__ = ["contact_volume", "depth_row", "matrix", "moments_experiment"]

Array = NDArray[np.float64]
CASES: Final = 20
FLAT: Final = 1e-9  # a triangle so near to the contact plane lies in it [m]
GROUND: Final = Collider(Plane())


def contact_volume(a: Collider, b: Collider) -> ContactVolume:
    """The overlap of two colliders, with its integrals."""
    scene = Scene("pair")
    scene.environment += [a, b]
    space = Space(scene.model)
    work = Workspace(space)
    return overlap_here(space.address, work.address, 0, 1)


def matrix(m: Moments) -> Array:
    """Q, for (v1, v2, vn, w1, w2, wn)."""
    return np.array(
        [
            [m.area, 0.0, 0.0, 0.0, 0.0, -m.y],
            [0.0, m.area, 0.0, 0.0, 0.0, m.x],
            [0.0, 0.0, m.area, m.y, -m.x, 0.0],
            [0.0, 0.0, m.y, m.yy, -m.xy, 0.0],
            [0.0, 0.0, -m.x, -m.xy, m.xx, 0.0],
            [-m.y, m.x, 0.0, 0.0, 0.0, m.xx + m.yy],
        ]
    )


def depth_row(m: Moments) -> Array:
    """nᵀ c, for (v1, v2, vn, w1, w2, wn)."""
    return np.array([0.0, 0.0, m.h, m.hy, -m.hx, 0.0])


def halfspaces(pose: Pose) -> Array:
    """(n, d) of n · x <= d for the faces of a cube and for the ground (7, 4)."""
    normals = np.concatenate([pose.rotation.T, -pose.rotation.T])
    return np.vstack([np.column_stack([normals, HALF + normals @ pose.position]), [0.0, 0.0, 1.0, 0.0]])


def by_quadrature(pose: Pose, found: ContactVolume) -> tuple[Array, Array]:
    """Q and nᵀ c from J(r) at the middles of the edges of triangles, which is exact up to squares.

    The triangles are those of the two halves of the overlap, by Qhull, but those on the contact plane between them.
    """
    from scipy.spatial import ConvexHull, HalfspaceIntersection

    axes, Q, c = np.array([found.e1, found.e2, found.normal]), np.zeros((6, 6)), np.zeros(6)
    planes = halfspaces(pose)
    planes = np.column_stack([planes[:, :3] @ axes.T, planes[:, :3] @ found.centroid - planes[:, 3]])
    corners = HalfspaceIntersection(planes, np.zeros(3)).intersections
    for side in (-1.0, 1.0):
        inside = corners[side * corners[:, 2] > 0.0].mean(axis=0) / 2
        half = HalfspaceIntersection(np.vstack([planes, [0.0, 0.0, -side, 0.0]]), inside).intersections
        triangles = half[ConvexHull(half).simplices]
        triangles = triangles[np.abs(triangles[:, :, 2]).max(axis=1) > FLAT]
        u, v = triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]
        weight = np.repeat(np.abs(u[:, 0] * v[:, 1] - u[:, 1] * v[:, 0]) / 6, 3)
        x, y, z = ((triangles + np.roll(triangles, 1, axis=1)) / 2).reshape(-1, 3).T
        i, o = np.ones_like(x), np.zeros_like(x)
        J = np.array([[i, o, o, o, o, -y], [o, i, o, o, o, x], [o, o, i, y, -x, o]])  # v + w × r, r = (x, y, 0)
        Q, c = Q + np.einsum("t,kit,kjt->ij", weight, J, J), c + J[2] @ (weight * np.abs(z))
    return Q, c


def scaled(Q: Array, length: float) -> Array:
    """Q with turns in units of a velocity at this distance: so its entries are alike."""
    units = np.array([1.0, 1.0, 1.0, length, length, length])
    return Q / np.outer(units, units)


def off(found: ArrayLike, expected: ArrayLike) -> float:
    """Largest difference over the largest entry."""
    return float(np.abs(np.asarray(found) - expected).max() / np.abs(expected).max())


def moments_experiment(out: Path) -> Findings:
    """Check 1 of the notes; no figure. Cubes in the ground at any pose, then a slab."""
    del out
    rng, worst, skew, least = np.random.default_rng(0), [], [], []
    for _ in range(CASES):
        pose = Pose.at((0.0, 0.0, rng.uniform(0.0, HALF)), rpy=rng.uniform(-1.0, 1.0, 3))
        found = contact_volume(GROUND, Collider(CUBE, pose))
        length = np.sqrt(found.moments.area)
        Q, c = by_quadrature(pose, found)
        ours, units = scaled(matrix(found.moments), length), np.array([1.0, 1.0, 1.0, length, length, length])
        worst.append(max(off(ours, scaled(Q, length)), off(depth_row(found.moments) / units, c / units)))
        skew.append(np.abs(ours - ours.T).max())
        least.append(np.linalg.eigvalsh(ours).min() / np.abs(ours).max())
    d, S = 1e-4, 4 * HALF**2
    slab = contact_volume(GROUND, Collider(CUBE, Pose.at((0.0, 0.0, HALF - d)))).moments
    return Findings(
        [
            Check(name="Q, c − quadrature, relative", value=max(worst), high=1e-9),
            Check(name="Q − Qᵀ", value=max(skew), low=0.0, high=0.0),
            Check(name="least eigenvalue of Q, relative", value=min(least), low=0.0),
            Check(name="slab: Q_nn/(2 S) − 1", value=abs(matrix(slab)[2, 2] / (2 * S) - 1), high=1e-9),
            Check(name="slab: nᵀ c/(S d) − 1", value=abs(depth_row(slab)[2] / (S * d) - 1), high=1e-9),
            Check(name="slab: target over k d/2, − 1", value=abs(target(slab)[2] / (d / 2) - 1), high=1e-9),
        ],
        [],
    )
