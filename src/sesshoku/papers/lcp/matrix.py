"""Contact space by test forces against J M⁻¹ Jᵀ by the whole inertia matrix."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Lcp
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.lcp.contact_space import ContactSpace, contact_space
from sesshoku.papers.lcp.humanoid import FEET, humanoid
from sesshoku.sim import Simulation

__all__ = ["matrix_experiment"]

Array = NDArray[np.float64]
CASES: Final = 20
CONTACTS: Final = 20  # of the soles; of each foot some touch
BEND: Final = 0.2  # of joints, at random [rad]


def sunk(seed: int) -> Simulation:
    """A humanoid in a random posture, turned about, moving at random, so low that half of its soles' points touch."""
    sim, rng = Simulation(humanoid(CONTACTS), law=Lcp(), posture="crouch"), np.random.default_rng(seed)
    sim.q[7:] += BEND * rng.normal(size=len(sim.q) - 7)
    quaternion = np.array([1.0, 0.0, 0.0, 0.0]) + BEND * rng.normal(size=4)
    sim.q[3:7] = quaternion / np.linalg.norm(quaternion)
    heights = [
        sim.pose(foot).apply(ball.pose.position)[2] for foot in FEET for ball in sim.scene.bodies[foot].colliders
    ]
    sim.q[2] -= np.median(heights)
    sim.v[:] = rng.normal(size=len(sim.v))
    return sim


def by_inertia_matrix(sim: Simulation, q: Array, space: ContactSpace) -> Array:
    """J M⁻¹ Jᵀ at the coordinates that the last step began with; M with rotors, and springs and dampers as implicit."""
    contacts, problem, dynamics = sim.contacts, sim._problem, sim.dynamics
    assert problem is not None
    J = np.zeros((len(space.velocity), len(sim.v)))
    for row, point, direction in zip(J, space.point, space.direction, strict=True):
        k = int(problem.source[point])
        for body, sign in zip(contacts.bodies[k], (-1.0, 1.0), strict=True):
            if body >= 0:
                name = sim.model.body_names[body]
                frame, arm = dynamics.jacobian(name, q), contacts.point[k] - dynamics.pose(name, q).position
                row += sign * (direction @ frame[:3] + np.cross(arm, direction) @ frame[3:])
    M = dynamics.inertia_matrix(q) - np.diag(sim.model.armature) + np.diag(sim._system.diagonal)
    product: Array = J @ np.linalg.solve(M, J.T)
    return product


def matrix_experiment(out: Path) -> Findings:
    """U6 of the notes; no figure. K is singular, not definite as the paper says."""
    off, skew, least = [], [], []
    for seed in range(CASES):
        sim = sunk(seed)
        q = sim.q.copy()
        sim.step()
        space = contact_space(sim)
        K, expected = space.matrix, by_inertia_matrix(sim, q, space)
        size = np.abs(expected).max()
        off.append(np.abs(K - expected).max() / size)
        skew.append(np.abs(K - K.T).max() / size)
        least.append(np.linalg.eigvalsh(K).min() / size)
    checks = [
        Check(name="K − J M⁻¹ Jᵀ, relative", value=max(off), high=1e-10),
        Check(name="K − Kᵀ, relative", value=max(skew), high=1e-13),
        Check(name="least eigenvalue of K, relative", value=min(least), low=-1e-12, high=1e-12),
    ]
    return Findings(checks, [])
