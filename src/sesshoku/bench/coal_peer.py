"""Coal on the same shapes at the same poses."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sesshoku.geometry.space import Space
from sesshoku.model import Box, Capsule, Cylinder, Ellipsoid, Hull, Plane, Sphere

__all__ = ["coal_detection", "coal_shape"]

FEW = 50  # shapes up to which all allowed pairs are given to Coal, above which its own broad phase finds them
MOST_CONTACTS = 8  # to a pair


def coal_shape(shape: Any) -> Any:
    """A shape as Coal knows it."""
    import coal

    if isinstance(shape, Plane):
        return coal.Halfspace(np.array([0.0, 0.0, 1.0]), 0.0)
    if isinstance(shape, Sphere):
        return coal.Sphere(shape.radius)
    if isinstance(shape, Capsule):
        return coal.Capsule(shape.radius, shape.length)
    if isinstance(shape, Cylinder):
        return coal.Cylinder(shape.radius, shape.length)
    if isinstance(shape, Ellipsoid):
        return coal.Ellipsoid(*shape.radii)
    if isinstance(shape, Box):
        return coal.Box(*shape.size)
    if isinstance(shape, Hull):
        points = coal.StdVec_Vec3s()
        for point in shape.points:
            points.append(point)
        return coal.Convex.convexHull(points, False, "")
    raise TypeError(f"Coal has no {type(shape).__name__}")


def coal_detection(space: Space, allowed: NDArray[np.bool_]) -> tuple[Callable[[], Any], Callable[[], int]]:
    """A function that detects once, and one that tells how many contacts it found last."""
    import pinocchio

    shapes = [coal_shape(placed.shape) for placed in space.model.colliders]
    if len(shapes) > FEW:
        return _with_broad_phase(space, shapes)
    geometry = pinocchio.GeometryModel()
    for k, shape in enumerate(shapes):
        geometry.addGeometryObject(pinocchio.GeometryObject(f"shape{k}", 0, pinocchio.SE3.Identity(), shape))
    for a, b in np.argwhere(allowed).tolist():
        geometry.addCollisionPair(pinocchio.CollisionPair(a, b))
    data = geometry.createData()
    for request in data.collisionRequests:
        request.num_max_contacts = MOST_CONTACTS
        request.security_margin = space.model.margin
    for k in range(len(shapes)):
        data.oMg[k] = pinocchio.SE3(space.rotation[k].reshape(3, 3), space.position[k].copy())

    def count() -> int:
        return sum(result.numContacts() for result in data.collisionResults)

    return lambda: pinocchio.computeCollisions(geometry, data, False), count


def _with_broad_phase(space: Space, shapes: list[Any]) -> tuple[Callable[[], Any], Callable[[], int]]:
    import coal

    manager, callback = coal.DynamicAABBTreeCollisionManager(), coal.CollisionCallBackDefault()
    objects = []
    for k, shape in enumerate(shapes):
        body = coal.CollisionObject(shape, coal.Transform3s(space.rotation[k].reshape(3, 3), space.position[k].copy()))
        body.computeAABB()
        objects.append(body)
        manager.registerObject(body)
    manager.setup()

    def run() -> None:
        callback.init()
        callback.data.request.num_max_contacts = MOST_CONTACTS * len(objects)
        callback.data.request.security_margin = space.model.margin
        manager.update()
        manager.collide(callback)

    return run, lambda: int(callback.data.result.numContacts())
