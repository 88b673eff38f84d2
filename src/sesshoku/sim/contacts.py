"""The contacts of this instant, as arrays."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import Problem
from sesshoku.contact.coulomb import OPEN, SLIP, STICK
from sesshoku.dynamics.system import System
from sesshoku.geometry.space import Space

__all__ = ["OPEN", "SLIP", "STICK", "Contacts"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Contacts:
    """One row for each contact of a body A with a body B. World axes.

    Attributes:
        bodies: numbers of A and B, -1 for the world, shape (n, 2).
        colliders: numbers of their colliders, shape (n, 2).
        point: halfway between the two surfaces [m], shape (n, 3).
        normal: unit vector from A to B, shape (n, 3).
        depth: overlap along the normal [m]; negative while there is still a gap, shape (n,).
        force: force on B [N], shape (n, 3).
        slip: velocity of B against A at the point, without its normal part and what elastic surfaces yield by [m/s],
            shape (n, 3).
        state: OPEN, STICK or SLIP, shape (n,).
        feature: with ``colliders`` the identity of a contact: the same while the same features touch, shape (n,).
    """

    bodies: Index
    colliders: Index
    point: Array
    normal: Array
    depth: Array
    force: Array
    slip: Array
    state: Index
    feature: Index

    def __len__(self) -> int:
        return len(self.depth)

    def wrench(self, on: NDArray[np.bool_], about: Array) -> Array:
        """Force and moment (6,) about a point of the world on what is true in ``on`` (n, 2), as A or as B."""
        force = (on[:, 1].astype(float) - on[:, 0])[:, None] * self.force
        return np.concatenate((force.sum(axis=0), np.cross(self.point - about, force).sum(axis=0)))

    @staticmethod
    def of(system: System, space: Space, problem: Problem | None) -> Contacts:
        """Copy what detection has left in the space, and the last step in the problem; None: without forces."""
        n = int(space.count[0])
        colliders, point, normal = space.shapes[:n].copy(), space.point[:n].copy(), space.normal[:n].copy()
        bodies = space.body[colliders].reshape(n, 2)
        if problem is not None:
            force, slip, state = problem.force[:n].copy(), problem.slip[:n].copy(), problem.state[:n].copy()
            depth, feature = -space.gap[:n], space.feature[:n].copy()
            return Contacts(bodies, colliders, point, normal, depth, force, slip, state, feature)
        relative = _velocity(system, bodies[:, 1], point) - _velocity(system, bodies[:, 0], point)
        along = np.einsum("ni,ni->n", relative, normal)
        return Contacts(
            bodies,
            colliders,
            point,
            normal,
            -space.gap[:n],
            np.zeros((n, 3)),
            relative - along[:, None] * normal,
            np.full(n, OPEN),
            space.feature[:n].copy(),
        )


def _velocity(system: System, bodies: Index, point: Array) -> Array:
    """Velocity of the points of bodies at world points (n, 3); the world does not move."""
    if not system.model.n:
        return np.zeros_like(point)
    arm = point - system.origin[system.model.root[bodies]]
    motion = system.velocity[bodies]
    return np.where(bodies[:, None] >= 0, motion[:, 3:] + np.cross(motion[:, :3], arm), 0.0)
