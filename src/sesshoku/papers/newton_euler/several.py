"""Several points, which the paper leaves to future work: every constraint, and forces against an independent solve.

And the arm of the paper once more as a closed loop of the general simulator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint import NewtonEuler, Surface, SurfaceIntegrator, SurfacePoint
from sesshoku.dynamics import Dynamics
from sesshoku.model import Box, Inertia, Joint, Loop, Scene, Site
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.newton_euler.arm import LENGTH, Q0, REST, arm, none, on_ground
from sesshoku.sim import Simulation
from sesshoku.spatial.pose import Pose

__all__ = ["EXAMPLES", "Example", "kkt", "several_experiment", "slider", "tangent_velocity"]

Array = NDArray[np.float64]
# a scene, its points (frame, surface, carrier), and a configuration in which they are on their surfaces
Example = tuple[Scene, Sequence[tuple[str, Surface, str | None]], Array]
FEET: Final = ((0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2))
SHOWN, FINE = 0.3, 5e-3  # time and step [s]
LOOP_STEP: Final = 2e-3  # [s]


def two_points() -> Example:
    """Five links: the third one's end on a cylinder, the fifth one's on a plane."""
    scene = arm(links=5)
    scene.site("middle", "link3", (0, 0, LENGTH))
    q = np.array([-0.4, -0.5, -0.3, -0.9, -0.5])
    d = Dynamics(scene)
    pipe = Surface.cylinder(d.pose("middle", q).position - 0.3 * np.array([0, 0.6, 0.8]), (1, 0, 0), 0.3)
    ground = Surface.plane(d.pose("tip", q).position, (0, -0.2, 1))
    return scene, [("middle", pipe, None), ("tip", ground, None)], q


def four_legs() -> Example:
    """A floating table with four legs, each of one joint, on level ground."""
    scene = Scene("table")
    scene.body("top", Joint("base", "free"), position=(0, 0, 0.4), mass=5.0, shape=Box((0.6, 0.4, 0.05)))
    for k, (x, y) in enumerate(FEET):
        joint = Joint(f"leg{k}", "revolute", "y", damping=0.5)
        scene.body(f"leg{k}", joint, parent="top", position=(x, y, 0), inertia=Inertia.rod(1.0, (0, 0, -0.4)))
        scene.site(f"foot{k}", f"leg{k}", (0, 0, -0.4))
    q = np.array([0, 0, 0.4 * np.cos(0.3), 1, 0, 0, 0, 0.3, 0.3, -0.3, -0.3])
    return scene, [(f"foot{k}", Surface.plane(), None) for k in range(4)], q


def stiff_table() -> Example:
    """The same table with feet that do not move: three normal forces would do."""
    scene = Scene("table")
    scene.body("top", Joint("base", "free"), position=(0, 0, 0.4), mass=5.0, shape=Box((0.6, 0.4, 0.05)))
    for k, (x, y) in enumerate(FEET):
        scene.site(f"foot{k}", "top", (x, y, -0.4))
    return scene, [(f"foot{k}", Surface.plane(), None) for k in range(4)], np.array([0, 0, 0.4, 1, 0, 0, 0])


def two_arms_on_a_bar() -> Example:
    """Two arms; a floating bar whose ends each lie in two planes that move with the tip of an arm, across y and z."""
    scene = arm(prefix="a_")
    arm(scene=scene, prefix="b_", position=(0, 2.0, 0))
    scene.body("bar", Joint("bar", "free"), mass=2.0, shape=Box((0.05, 1.0, 0.05)))
    q = np.array([-0.5, -0.4, 1.0, 0.5, 0.4, -1.0, 0, 1, 0, 1, 0, 0, 0])
    d = Dynamics(scene)
    left, right = (d.pose(tip, q).position for tip in ("a_tip", "b_tip"))
    q[8] = left[2]
    half = abs(right[1] - left[1]) / 2
    for end, side in (("left", -half), ("right", half)):
        scene.sites[end] = Site(end, "bar", Pose.at((0, side, 0)))
    planes = [Surface.plane(normal=n) for n in ((0, 1, 0), (0, 0, 1))]
    return scene, [(end, plane, tip) for end, tip in (("left", "a_tip"), ("right", "b_tip")) for plane in planes], q


EXAMPLES: Final[tuple[Callable[[], Example], ...]] = (two_points, four_legs, stiff_table, two_arms_on_a_bar)


def tangent_velocity(method: NewtonEuler, q: Array, rng: np.random.Generator) -> Array:
    """Random velocities in all surfaces."""
    v = 0.3 * rng.normal(size=method.model.nv)
    places = method.places(q, v)
    j_c = method.directions(q, places, places.axes[:, :1])
    tangent: Array = v - np.linalg.pinv(j_c, rcond=1e-10) @ (j_c @ v)
    return tangent


def kkt(method: NewtonEuler, q: Array, v: Array, tau: Array) -> tuple[Array, Array]:
    """Accelerations and least-norm normal forces of frictionless points by one least-squares solve of the KKT system.

    Rows by finite differences of the functions of the surfaces along the motion, no call of the method.
    """
    d, nv = method.dynamics, method.model.nv

    def value(q: Array) -> Array:
        found = []
        for point in method.points:
            carrier = d.pose(point.carrier or "world", q)
            local = carrier.inverse().apply(d.pose(point.frame, q).position)
            found.append(point.surface.value(local) / np.linalg.norm(point.surface.gradient(local)))
        return np.array(found)

    def along(speed: Array, h: float) -> tuple[Array, Array]:
        """First and second derivative along a constant velocity, by differences of fourth order."""
        f = [value(d.integrate(q, speed, n * h)) for n in (-2, -1, 0, 1, 2)]
        first = (f[0] - 8 * f[1] + 8 * f[3] - f[4]) / (12 * h)
        return first, (-f[0] + 16 * f[1] - 30 * f[2] + 16 * f[3] - f[4]) / (12 * h**2)

    J = np.stack([along(e, 3e-4)[0] for e in np.eye(nv)], axis=1)
    quad = along(v, 2e-3)[1]
    M = d.inertia_matrix(q)
    b = d.bias_force(q, v) + method.model.damping * v
    k = len(quad)
    system = np.block([[M, -J.T], [J, np.zeros((k, k))]])
    found = np.linalg.lstsq(system, np.concatenate([tau - b, -quad]), rcond=1e-8)[0]
    return found[:nv], found[nv:]


def slider(links: int = 3, mass: float = 1.0, length: float = LENGTH) -> Scene:
    """The arm with its tip pinned to a slider on the ground, nearly without mass: a closed loop."""
    scene = arm(mass, links=links, length=length)
    scene.body("slider", Joint("y", "prismatic", "y"), inertia=Inertia.of(1e-6, matrix=(1e-9, 1e-9, 1e-9)))
    scene.tie(Loop("pin", f"link{links}", "slider", np.array([[0, 0, length]]), np.zeros((1, 3))))
    return scene


def loop_difference(duration: float = 1.0) -> float:
    """How far apart the arm on a smooth plane and the closed loop come [rad], both in steps of 2 ms."""
    sim = Simulation(slider(), dt=LOOP_STEP)
    sim.q[:], sim.v[:] = [*Q0, 1.0], 0.0
    stepper = SurfaceIntegrator(on_ground(friction=0.0), LOOP_STEP, projection=False)
    found = stepper.run(Q0, REST, none, duration)
    worst = 0.0
    for q in found.q[1:]:
        sim.step()
        worst = max(worst, np.abs(sim.q[:3] - q).max())
    return worst


def several_experiment(out: Path) -> Findings:
    """Examples of two to four points with friction, forces without; and the closed loop."""
    checks, rng = [], np.random.default_rng(0)
    for example in EXAMPLES:
        scene, points, q = example()
        name = example.__name__.replace("_", " ")
        smooth, rough = (NewtonEuler(scene, [SurfacePoint(f, s, K, c) for f, s, c in points]) for K in (0.0, 0.1))
        stepper = SurfaceIntegrator(rough, FINE)
        v = tangent_velocity(smooth, q, rng)
        found = stepper.run(*stepper.project(q, v), none, SHOWN)
        tau = rng.normal(size=smooth.model.nv)
        motion, (acceleration, force) = smooth.solve(q, v, tau), kkt(smooth, q, v, tau)
        size = np.abs(acceleration).max()
        off, pushed = np.abs(motion.acceleration - acceleration).max(), np.abs(motion.normal_force - force).max()
        checks += [
            Check(name=f"{name}: distance from the surfaces [m]", value=np.abs(found.gap).max(), high=1e-9),
            Check(name=f"{name}: accelerations less those of KKT, relative", value=off / size, high=1e-9),
            Check(name=f"{name}: normal forces less those of KKT, relative", value=pushed / size, high=1e-9),
        ]
    checks.append(Check(name="arm less closed loop of the simulator, 1 s [rad]", value=loop_difference(), high=1e-6))
    return Findings(checks, [])
