"""The spatial inertia of a rigid body as mass, first moment and six moments about one point O.

Symmetric 3x3 matrices are six floats: xx yy zz xy xz yz.
"""

from __future__ import annotations

from typing import TypeAlias

from sesshoku.kernel import kernel
from sesshoku.spatial.motion import Motion, Wrench
from sesshoku.spatial.rotation import Mat3
from sesshoku.spatial.vector import Vec3, add, cross, scale, subtract

__all__ = ["Sym3", "about_origin", "apply_inertia", "apply_symmetric", "rotate_symmetric"]

Sym3: TypeAlias = tuple[float, float, float, float, float, float]


@kernel
def apply_symmetric(m: Sym3, a: Vec3) -> Vec3:
    """M a, for a symmetric M."""
    return (
        m[0] * a[0] + m[3] * a[1] + m[4] * a[2],
        m[3] * a[0] + m[1] * a[1] + m[5] * a[2],
        m[4] * a[0] + m[5] * a[1] + m[2] * a[2],
    )


@kernel
def rotate_symmetric(r: Mat3, m: Sym3) -> Sym3:
    """R M Rᵀ: a symmetric matrix in inner axes, in outer axes."""
    x = apply_symmetric(m, (r[0], r[1], r[2]))
    y = apply_symmetric(m, (r[3], r[4], r[5]))
    z = apply_symmetric(m, (r[6], r[7], r[8]))
    return (
        r[0] * x[0] + r[1] * x[1] + r[2] * x[2],
        r[3] * y[0] + r[4] * y[1] + r[5] * y[2],
        r[6] * z[0] + r[7] * z[1] + r[8] * z[2],
        r[0] * y[0] + r[1] * y[1] + r[2] * y[2],
        r[0] * z[0] + r[1] * z[1] + r[2] * z[2],
        r[3] * z[0] + r[4] * z[1] + r[5] * z[2],
    )


@kernel
def about_origin(mass: float, com: Vec3, central: Sym3) -> Sym3:
    """Rotational inertia about O of a body with its centre of mass ``com`` from O (parallel-axis theorem)."""
    x, y, z = com
    mx, my, mz = mass * x, mass * y, mass * z
    return (
        central[0] + my * y + mz * z,
        central[1] + mx * x + mz * z,
        central[2] + mx * x + my * y,
        central[3] - mx * y,
        central[4] - mx * z,
        central[5] - my * z,
    )


@kernel
def apply_inertia(mass: float, first: Vec3, about: Sym3, v: Motion) -> Wrench:
    """I v: momentum of a body moving with v; ``first`` is mass times com, ``about`` its inertia about O."""
    return (
        add(apply_symmetric(about, v[0]), cross(first, v[1])),
        subtract(scale(mass, v[1]), cross(first, v[0])),
    )
