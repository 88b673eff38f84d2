"""Which inertia a foot on a bush needs, under each way to take its spring and damper, and what happens with less."""

from __future__ import annotations

import warnings
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sesshoku.contact import Lcp
from sesshoku.errors import DivergedError, UnstableWarning
from sesshoku.model import Bush, Inertia, Joint, Scene
from sesshoku.model.joint import JointKind
from sesshoku.model.robots import hrp2_class
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.lcp.humanoid import FEET
from sesshoku.sim import Simulation

__all__ = ["Spring", "bush_experiment", "joint_scene", "spectral_radius"]

Array = NDArray[np.float64]
DT: Final = 1e-3
HALVINGS: Final = 30


class Spring(NamedTuple):
    """A joint of the bush."""

    kind: JointKind
    stiffness: float
    damping: float


class Scheme(NamedTuple):
    """A way to take its force."""

    integrator: str
    explicit: bool


SPRINGS: Final = {
    "vertical": Spring("prismatic", 5e5, 1e3),
    "tilt": Spring("revolute", 1e3, 25.0),
}
UNITS: Final = {"vertical": ("kg", "N/m", "N s/m"), "tilt": ("kg m²", "N m/rad", "N m s/rad")}  # I, k, d
SCHEMES: Final = {
    "stages of RK4": Scheme("rk4", explicit=False),
    "held over RK4": Scheme("rk4", explicit=True),
    "semi-implicit": Scheme("semi_implicit", explicit=True),
    "implicit": Scheme("semi_implicit", explicit=False),
}
LEAST: Final = {  # inertia of the notes, of each of SPRINGS; the implicit one needs none
    "stages of RK4": (0.295, 0.0089),
    "held over RK4": (0.500, 0.0125),
    "semi-implicit": (0.626, 0.0128),
}
INERTIAS: Final = np.geomspace(1e-9, 1e3, 25)


def joint_scene(spring: Spring, inertia: float, explicit: bool) -> Scene:
    """One body on one joint in weightlessness, its inertia half its own and half its rotor's."""
    kind, k, d = spring
    scene = Scene("joint", gravity=(0.0, 0.0, 0.0))
    joint = Joint("bush", kind, stiffness=k, damping=d, armature=inertia / 2, explicit=explicit)
    scene.body("sole", joint, inertia=Inertia.of(inertia / 2, matrix=(inertia / 2,) * 3))
    return scene


def spectral_radius(sim: Simulation) -> float:
    """Largest eigenvalue, in size, of the linear map of (q, dt v) that one step is."""
    columns = []
    for q, v in ((1.0, 0.0), (0.0, 1.0 / DT)):
        sim.q[0], sim.v[0] = q, v
        sim.step()
        columns.append((sim.q[0], DT * sim.v[0]))
    return float(abs(np.linalg.eigvals(np.transpose(columns))).max())


def radius(spring: Spring, inertia: float, scheme: Scheme) -> float:
    """Spectral radius of a step of 1 ms of a foot in the air."""
    scene = joint_scene(spring, inertia, scheme.explicit)
    return spectral_radius(Simulation(scene, law="none", dt=DT, integrator=scheme.integrator))


def least_stable(spring: Spring, scheme: Scheme, near: float) -> float:
    """Inertia at which steps begin to grow, by halving, within a factor of 2 of one."""
    low, high = near / 2, 2 * near
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        low, high = (low, middle) if radius(spring, middle, scheme) < 1.0 else (middle, high)
    return high


def swing(explicit: bool) -> float:
    """How fast the feet of a humanoid turn on their bushes within 0.5 s after it is lifted off the ground [rad/s].

    With 40 N m s/rad on a foot that moves 0.015 kg m²: d dt/I is 2.6, and must be below 2 if it is explicit.
    """
    scene = hrp2_class()
    for foot in FEET:
        scene.bush(foot, Bush(damping=(1e3, 40.0, 40.0), explicit=explicit))
    scene.ground(static=0.6)
    sim = Simulation(scene, law=Lcp())
    sim.step(n=500)
    sim.push("pelvis", (0.0, 0.0, 1.2 * sim.model.total_mass * 9.81))
    rolls, fastest = [scene.joint(f"{foot}_bush_roll").v for foot in FEET], 0.0
    for _ in range(500):
        try:
            sim.step()
        except DivergedError:
            break
        fastest = max(fastest, *(float(abs(sim.v[roll])) for roll in rolls))
    return fastest


def bush_experiment(out: Path) -> Findings:
    """U9 of the notes."""
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always", UnstableWarning)
        blown = swing(explicit=True)
        warned = sum(issubclass(each.category, UnstableWarning) for each in said)
        held = swing(explicit=False)
    checks = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", UnstableWarning)
        for scheme, expected in LEAST.items():
            for (name, spring), near in zip(SPRINGS.items(), expected, strict=True):
                value = least_stable(spring, SCHEMES[scheme], near)
                name = f"{scheme}: least {name} [{UNITS[name][0]}]"
                checks.append(Check(name=name, value=value, low=0.99 * near, high=1.01 * near))
        implicit = max(
            radius(spring, inertia, SCHEMES["implicit"]) for spring in SPRINGS.values() for inertia in INERTIAS
        )
        figure = draw(out / "bush.png")
    checks += [
        Check(name="implicit: spectral radius", value=implicit, high=1.0),
        Check(name="foot in the air, explicit [rad/s]", value=blown, low=1e3),
        Check(name="foot in the air, explicit: warnings", value=warned, low=1),
        Check(name="foot in the air, implicit [rad/s]", value=held, high=0.1),
    ]
    return Findings(checks, [figure])


def draw(path: Path) -> Path:
    """Spectral radius of a step over the inertia, under each scheme."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(12, 5.5), dpi=150, layout="constrained")
    for axes, (name, spring), rotor in zip(figure.subplots(1, 2), SPRINGS.items(), (0.1, 0.014), strict=True):
        of_inertia, of_k, of_d = UNITS[name]
        inertias = np.geomspace(rotor / 10, rotor * 100, 120)
        for label, scheme in SCHEMES.items():
            axes.semilogx(inertias, [radius(spring, inertia, scheme) for inertia in inertias], label=label)
        axes.axhline(1.0, color="k", linewidth=0.8)
        axes.axvline(rotor, color="0.5", linestyle=":", label="rotor of the bush alone")
        axes.set(
            title=f"{name}: k = {spring.stiffness:g} {of_k}, d = {spring.damping:g} {of_d}",
            xlabel=f"inertia of foot and rotor [{of_inertia}]",
            ylabel="spectral radius of a step of 1 ms",
            ylim=(0.0, 2.0),
        )
        axes.grid(alpha=0.3)
    figure.legend(*axes.get_legend_handles_labels(), loc="outside lower center", ncols=5)
    figure.suptitle("A foot in the air on its bush: stable below 1")
    figure.savefig(path)
    return path
