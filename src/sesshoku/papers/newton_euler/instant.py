"""One instant: what calls of INV give against Jacobians, Pinocchio and differences, and what is refused (1 to 3, 9)."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint import NewtonEuler, Surface, SurfaceIntegrator, SurfacePoint
from sesshoku.dynamics import Dynamics
from sesshoku.errors import JammingError, ModelError, OffSurfaceError, RankError
from sesshoku.model import Inertia, Joint, Scene
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.newton_euler.arm import LENGTH, Q0, REST, STEP, arm, none, on_ground

__all__ = ["chain", "instant_experiment", "sliding_chain"]

Array = NDArray[np.float64]
CHAINS: Final = 50
LINKS: Final = 5


def chain(seed: int) -> Scene:
    """Random links on joints in all directions, with a site ``tip``."""
    rng = np.random.default_rng(seed)
    scene, parent = Scene("chain"), None
    for k in range(LINKS):
        size, moments = rng.uniform(0.1, 0.3, 3), rng.uniform(0.02, 0.025, 3)
        joint = Joint(f"q{k}", "revolute", rng.normal(size=3), damping=rng.uniform(0.1, 1), armature=0.01)
        inertia = Inertia.of(rng.uniform(0.5, 2), rng.uniform(-0.1, 0.1, 3), np.diag(moments))
        scene.body(f"link{k}", joint, parent=parent, position=size, inertia=inertia)
        parent = f"link{k}"
    assert parent is not None
    scene.site("tip", parent, rng.uniform(0.1, 0.3, 3))
    return scene


def sliding_chain(seed: int, friction: float = 0.3) -> tuple[NewtonEuler, Array, Array, Array]:
    """A chain whose tip slides on a sphere, given by a function whose gradient has no unit length; q, v and τ."""
    rng = np.random.default_rng(seed)
    scene = chain(seed)
    dynamics = Dynamics(scene)
    q, v, out, tau = rng.uniform(-1, 1, LINKS), rng.normal(size=LINKS), rng.normal(size=3), rng.normal(size=LINKS)
    out /= np.linalg.norm(out)
    centre = dynamics.pose("tip", q).position - 0.7 * out
    j_c = out @ dynamics.jacobian("tip", q)[:3]
    v -= j_c * (j_c @ v) / (j_c @ j_c)
    ball = Surface(
        lambda r: 3.0 * float((r - centre) @ (r - centre)) - 3.0 * 0.7**2,
        lambda r: 6.0 * (r - centre),
        lambda r: 6.0 * np.eye(3),
    )
    return NewtonEuler(scene, [SurfacePoint("tip", ball, friction)]), q, v, tau


def residuals(seed: int) -> dict[str, float]:
    """Of one random chain: the largest of each."""
    method, q, v, tau = sliding_chain(seed)
    d, terms, motion = method.dynamics, method.terms(q, v), method.solve(q, v, tau)
    places, J, M = terms.places, d.jacobian("tip", q)[:3], d.inertia_matrix(q)
    t = J @ v / np.linalg.norm(J @ v)
    rest, position = np.zeros(LINKS), places.position
    # the paper's j_t = j_c − INV(q, 0, 0, 0, −1, 1)
    by_calls = terms.J[0] - method.inverse(q, rest, [rest], False, [[t - places.normal[0]]], position)[0]
    step = 1e-5
    ahead, behind = (d.jacobian("tip", d.integrate(q, v, s * step))[:3] for s in (1, -1))
    force = motion.normal_force[0] * places.normal[0] + motion.friction_force[0]
    b = d.bias_force(q, v) + method.model.damping * v
    surface, r = method.points[0].surface, d.pose("tip", q).position
    C_r, speed = surface.gradient(r), J @ v
    quad = speed @ surface.hessian(r) @ speed + C_r @ d.drift("tip", q, v)[:3]
    return {
        "|j_c − Jᵀν|": np.abs(terms.J[0] - J.T @ places.normal[0]).max(),
        "|j_t − Jᵀt|": np.abs(by_calls - J.T @ t).max(),
        "|M − Mᵀ|": np.abs(terms.M - terms.M.T).max(),
        "|M by calls − M|": np.abs(terms.M - M).max(),
        "|J̇ q̇ − difference|": np.abs(d.drift("tip", q, v)[:3] - (ahead - behind) @ v / (2 * step)).max(),
        "|d²C/dt²|": abs(C_r @ J @ motion.acceleration + quad),
        "equation of motion": np.abs(M @ motion.acceleration + b - tau - J.T @ force).max(),
        "|INV − Pinocchio|": pinocchio_difference(seed),
    }


BOUNDS: Final = {"|J̇ q̇ − difference|": 1e-7, "|d²C/dt²|": 1e-9, "equation of motion": 1e-9, "|INV − Pinocchio|": 1e-10}


def pinocchio_difference(seed: int) -> float:
    """INV of the arm in a random state, less `pin.rnea` and damping [N m]."""
    import pinocchio as pin

    model, joint = pin.Model(), 0
    model.gravity.linear = np.array([0.0, 0.0, -9.81])
    for k in range(3):
        place = pin.SE3(np.eye(3), np.array([0.0, 0.0, LENGTH if k else 0.0]))
        joint = model.addJoint(joint, pin.JointModelRX(), place, f"q{k}")
        moment = LENGTH**2 / 12
        rod = pin.Inertia(1.0, np.array([0.0, 0.0, LENGTH / 2]), np.diag([moment, moment, 0.0]))
        model.appendBodyToJoint(joint, rod, pin.SE3.Identity())
    q, v, rate = np.random.default_rng(seed).normal(size=(3, 3))
    found = on_ground().inverse(q, v, [rate], True, np.zeros((1, 1, 3)), np.zeros((1, 3)))[0]
    return float(np.abs(found - pin.rnea(model, model.createData(), q, v, rate) - 3.0 * v).max())


def raised(call: Callable[[], object], kind: type[ModelError]) -> float:
    """1 if a call is refused by an error of this kind, else 0."""
    try:
        call()
    except kind:
        return 1.0
    return 0.0


def refusals() -> list[Check]:
    """What must be refused, and what must not."""
    slope = on_ground().dynamics.jacobian("tip", Q0)[2]
    sliding = np.eye(3)[2] - slope * slope[2] / (slope @ slope)
    terms = on_ground().terms(Q0, sliding)
    sliding *= np.sign(terms.d[0] @ terms.J[1])  # the way in which friction can jam
    jams = abs((terms.d[0] @ terms.J[0]) / (terms.d[0] @ terms.J[1]))
    stretched = NewtonEuler(arm(), [SurfacePoint("tip", Surface.plane((0.0, 0.0, 3 * LENGTH)))])
    stepper = SurfaceIntegrator(on_ground(), STEP)
    refused = {
        "K 1 % above m_c/(dᵀ j_t) jams": raised(
            lambda: on_ground(friction=1.01 * jams).solve(Q0, sliding, REST), JammingError
        ),
        "a stretched arm has lost its rank": raised(lambda: stretched.solve(REST, REST, REST), RankError),
        "a start off the ground": raised(lambda: stepper.run(Q0 + 0.01, REST, none, STEP), OffSurfaceError),
    }
    checks = [Check(name=f"refused: {name}", value=value, low=1, high=1) for name, value in refused.items()]
    below = on_ground(friction=0.99 * jams).solve(Q0, sliding, REST).acceleration
    start = on_ground().solve(Q0, REST, REST).acceleration
    checks.append(Check(name="K 1 % below it: acceleration [rad/s²]", value=np.abs(below).max(), high=1e6))
    checks.append(Check(name="start from rest: acceleration [rad/s²]", value=np.abs(start).max(), high=1e3))
    return checks


def instant_experiment(out: Path) -> Findings:
    """Checks 1 to 3 and 9 of the notes."""
    found = [residuals(seed) for seed in range(CHAINS)]
    checks = [
        Check(name=f"{CHAINS} chains: {name}", value=max(each[name] for each in found), high=BOUNDS.get(name, 1e-12))
        for name in found[0]
    ]
    least = min(
        float(np.linalg.eigvalsh(sliding_chain(seed)[0].inertia(np.zeros(LINKS))).min()) for seed in range(CHAINS)
    )
    checks.append(Check(name=f"{CHAINS} chains: least eigenvalue of M", value=least, low=1e-6))
    return Findings(checks + refusals(), [])
