"""Two capsules: the shortest way between two segments."""

from __future__ import annotations

from sesshoku.geometry.smooth.patch import touch_pair
from sesshoku.geometry.smooth.support import pair_of, perpendicular
from sesshoku.geometry.space import Handle
from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, add, cross, dot, norm, scale, subtract

__all__ = ["capsule_capsule"]


@kernel
def capsule_capsule(g: Handle, a: int, b: int, margin: float) -> None:
    """One point; also the ends of their common length if they lie side by side."""
    pair = pair_of(g, a, b)
    (_, (radius, half, _), _), (_, (other_radius, other_half, _), _), r, p = pair
    axis, other_axis = (0.0, 0.0, 1.0), (r[2], r[5], r[8])
    s, t = nearest_parameters(p, other_axis[2], axis, other_axis, half, other_half)
    way = subtract(add(p, scale(t, other_axis)), scale(s, axis))
    distance = norm(way)
    if distance - radius - other_radius > margin:
        return
    if distance > 1e-12 * (radius + other_radius):
        n = scale(1.0 / distance, way)
    else:  # their axes cross
        n = cross(axis, other_axis)
        n = scale(1.0 / norm(n), n) if norm(n) > 1e-9 else perpendicular(axis)
        n = scale(-1.0, n) if dot(n, p) < 0.0 else n
    touch_pair(g, a, b, margin, pair, n, distance - radius - other_radius)


@kernel
def nearest_parameters(p: Vec3, c: float, u: Vec3, v: Vec3, half: float, other: float) -> tuple[float, float]:
    """s and t in ±half and ±other that bring s u and p + t v nearest to each other; c = u · v, unit vectors."""
    along, back = dot(u, p), dot(v, p)
    sine2 = 1.0 - c * c
    s = max(-half, min(half, (along - c * back) / sine2)) if sine2 > 1e-14 else max(-half, min(half, along))
    t = max(-other, min(other, c * s - back))
    return max(-half, min(half, along + c * t)), t
