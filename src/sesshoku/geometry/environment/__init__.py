"""Terrain and height fields: what stands, rolls and slides on a surface of triangles."""

from sesshoku.geometry.environment.collide import collide_capsule, collide_cylinder, collide_round, collide_solid

__all__ = ["collide_capsule", "collide_cylinder", "collide_round", "collide_solid"]
