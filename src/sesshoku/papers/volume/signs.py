"""Signs of eqs. 16 and 32, as printed and as corrected: a box at rest, and friction of random slips (checks 8, 9)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact.volume.kinetic import kinetic
from sesshoku.contact.volume.simplex import SHAPE
from sesshoku.model import Collider
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.volume.box import CUBE, DT, FORCE, HALF, KINETIC, MASS, TORQUE, WEIGHT, G
from sesshoku.papers.volume.moments import GROUND, contact_volume, depth_row, matrix
from sesshoku.papers.volume.region import SQUARE
from sesshoku.spatial.motion import Motion, Wrench, power
from sesshoku.spatial.pose import Pose

__all__ = ["friction_power", "lift", "rest", "signs_experiment"]

Array = NDArray[np.float64]
SLIPS: Final = 2000
K, LAMBDA = 1000.0, 1e-3  # of the paper
NOISE: Final = 1e-9  # of the largest friction


def lift(depth: float, velocity: float, sign: float) -> float:
    """Normal force [N] on the cube at this depth by eq. 16, with bᵀ Q + sign k nᵀ c; below nought it pulls."""
    moments = contact_volume(GROUND, Collider(CUBE, Pose.at((0.0, 0.0, HALF - depth)))).moments
    Q, c = matrix(moments), depth_row(moments)
    turn = float(CUBE.inertia(MASS).matrix[0, 0])
    turned = np.array([[0.0, -HALF, 0.0], [HALF, 0.0, 0.0], [0.0, 0.0, 0.0]])  # w × r of the bottom
    J = np.block([[np.eye(3), turned], [np.zeros((3, 3)), np.eye(3)]])
    A = J @ np.diag([1.0 / MASS] * 3 + [1.0 / turn] * 3) @ J.T
    b = J @ np.array([0.0, 0.0, velocity - G * DT, 0.0, 0.0, 0.0])
    impulse = np.linalg.solve(A @ Q @ A + LAMBDA * np.eye(6), -A @ (Q @ b + sign * K * c))
    return float(impulse[2] / DT)


def rest(sign: float, steps: int = 100) -> tuple[float, float]:
    """Force [N] and depth [m] of the cube after so many steps, with force that cannot pull."""
    depth, velocity, force = 1e-7, 0.0, 0.0
    for _ in range(steps):
        force = max(0.0, lift(depth, velocity, sign))
        velocity += DT * (force / MASS - G)
        depth -= DT * velocity
    return force, depth


def random_slip(rng: np.random.Generator) -> tuple[Wrench, Motion]:
    """A wrench that would have made the box stick, its centre of pressure anywhere inside, and a slip."""
    x, y = HALF * rng.uniform(-0.9, 0.9, 2)
    f1, f2, tn = rng.normal(size=3) * (FORCE, FORCE, TORQUE)
    v1, v2, w = rng.normal(size=3) * (1.0, 1.0, 1.0 / HALF)
    return ((WEIGHT * y, -WEIGHT * x, tn), (f1, f2, WEIGHT)), ((0.0, 0.0, w), (v1, v2, 0.0))


def friction_power(wrench: Wrench, slip: Motion, sign: float) -> float:
    """Power [W] of friction along −sign times the slip of each corner (eq. 32 has the other sign)."""
    (w1, w2, w3), (v1, v2, v3) = slip
    taken = (sign * w1, sign * w2, sign * w3), (sign * v1, sign * v2, sign * v3)
    found = kinetic(SQUARE, len(SQUARE), np.zeros(SHAPE), wrench, taken, KINETIC)
    return float(power(slip, found))


def noisy_friction(noise: float) -> Array:
    """(f1, f2, tn) of a box that slides along e1, with noise in what the other two would have been."""
    wrench = (0.0, 0.0, noise * TORQUE), (-FORCE, noise * FORCE, WEIGHT)
    moment, force = kinetic(SQUARE, 4, np.zeros(SHAPE), wrench, ((0.0, 0.0, 2.0), (0.5, 0.0, 0.0)), KINETIC)
    return np.array([force[0] / FORCE, force[1] / FORCE, moment[2] / TORQUE])


def signs_experiment(out: Path) -> Findings:
    """Checks 8 and 9 of the notes; no figure."""
    del out
    rng = np.random.default_rng(0)
    slips = [random_slip(rng) for _ in range(SLIPS)]
    right, printed = (np.array([friction_power(*slip, sign) for slip in slips]) for sign in (1.0, -1.0))
    noise = np.abs(noisy_friction(NOISE) - noisy_friction(-NOISE)).max()
    (force, depth), (_, sunk) = rest(-1.0), rest(1.0)
    return Findings(
        [
            Check(name="random slips: most power of friction [W]", value=right.max(), high=0.0),
            Check(name="eq. 32 as printed: least power of friction [W]", value=printed.min(), low=0.0),
            Check(name="noise of ±1e-9 changes friction by, over μ W", value=noise, high=1e-6),
            Check(name="eq. 16 with −: force at 0.1 mm [N]", value=lift(1e-4, 0.0, -1.0), low=29.4, high=29.6),
            Check(name="eq. 16 as printed: force at 0.1 mm [N]", value=lift(1e-4, 0.0, 1.0), low=-19.9, high=-19.7),
            Check(name="eq. 16 with −: rests, force over weight", value=force / WEIGHT, low=0.99, high=1.01),
            Check(name="eq. 16 with −: rests at a depth of [m]", value=depth, low=2.4e-7, high=2.6e-7),
            Check(name="eq. 16 as printed: falls in within 0.1 s by [m]", value=sunk, low=0.03),
        ],
        [],
    )
