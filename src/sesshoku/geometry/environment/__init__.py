"""Terrain and height fields: what stands, rolls and slides on a surface of triangles."""

from sesshoku.geometry.environment.collide import collide_environment

__all__ = ["collide_environment"]
