"""Explicit springs and dampers: the limits of notes U9, by the eigenvalues of steps that the simulator takes."""

from __future__ import annotations

import warnings
from math import inf

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.model.joint import JointKind
from sesshoku.papers.lcp.bush import Spring, joint_scene, spectral_radius

DT = 1e-3
VERTICAL, TILT = (5e5, 1e3), (1e3, 25.0)  # stiffness and damping of the bush
SCHEMES = [("semi_implicit", True), ("rk4", True), ("rkg", True), ("rk4", False), ("rkg", False)]


def joint_sim(kind: JointKind, inertia: float, k: float, d: float, integrator: str, explicit: bool) -> sk.Simulation:
    """One body on one joint, see `joint_scene`."""
    return sk.Simulation(joint_scene(Spring(kind, k, d), inertia, explicit), "none", DT, integrator=integrator)


@pytest.mark.filterwarnings("ignore::sesshoku.UnstableWarning")
@pytest.mark.parametrize(("integrator", "explicit"), SCHEMES)
@pytest.mark.parametrize(
    ("kind", "k", "d"),
    [("prismatic", *VERTICAL), ("revolute", *TILT), ("revolute", 1e3, 2.5), ("prismatic", 1.1e6, 1.1e3)],
)
def test_simulator_is_stable_just_above_the_least_inertia(
    kind: str, k: float, d: float, integrator: str, explicit: bool
) -> None:
    least = sk.least_inertia(k, d, DT, integrator, explicit=explicit)
    assert spectral_radius(joint_sim(kind, 1.001 * least, k, d, integrator, explicit)) < 1
    assert spectral_radius(joint_sim(kind, 0.999 * least, k, d, integrator, explicit)) > 1


@pytest.mark.parametrize(
    ("integrator", "explicit", "vertical", "tilt"),
    [
        ("rk4", False, 0.295, 0.0089),
        ("rk4", True, 0.500, 0.0125),
        ("semi_implicit", True, 0.625, 0.01275),
        ("semi_implicit", False, 0.0, 0.0),
    ],
)
def test_table_of_the_bush(integrator: str, explicit: bool, vertical: float, tilt: float) -> None:
    assert sk.least_inertia(*VERTICAL, DT, integrator, explicit=explicit) == pytest.approx(vertical, rel=5e-3)
    assert sk.least_inertia(*TILT, DT, integrator, explicit=explicit) == pytest.approx(tilt, rel=6e-3)


@pytest.mark.parametrize("kind", ["prismatic", "revolute"])
@pytest.mark.parametrize("inertia", [1e-9, 1e-6, 1e-3, 1.0, 1e3])
def test_implicit_bears_every_inertia(kind: str, inertia: float) -> None:
    for k, d in (VERTICAL, TILT, (1e3, 40.0)):
        assert spectral_radius(joint_sim(kind, inertia, k, d, "semi_implicit", False)) < 1


@pytest.mark.filterwarnings("ignore::sesshoku.UnstableWarning")
def test_held_over_stages_needs_damping_whatever_the_inertia() -> None:
    k = 1e3
    assert sk.least_inertia(k, 0.49 * k * DT, DT, "rk4", explicit=True) == inf
    assert sk.least_inertia(k, 0.51 * k * DT, DT, "rk4", explicit=True) < inf
    for inertia in (0.1, 10.0):
        assert spectral_radius(joint_sim("revolute", inertia, k, 0.49 * k * DT, "rk4", True)) > 1
        assert spectral_radius(joint_sim("revolute", inertia, k, 0.51 * k * DT, "rk4", True)) < 1


def test_rk4_has_one_limit_for_every_damping_ratio() -> None:
    """Stable above and unstable below, all the way, from undamped (k dt²/8) to no spring (d dt/2.785)."""
    assert sk.least_inertia(8.0, 0.0, 1.0, "rk4", explicit=False) == pytest.approx(1.0, rel=1e-9)
    assert sk.least_inertia(0.0, 2.785293563, 1.0, "rk4", explicit=False) == pytest.approx(1.0, rel=1e-9)
    for d in np.geomspace(1e-3, 1e3, 40):
        least = sk.least_inertia(1.0, d, 1.0, "rk4", explicit=False)
        for ratio in np.geomspace(1e-2, 1e2, 101):
            if ratio != 1.0:
                z = np.roots([ratio * least, d, 1.0])
                grown = abs(1 + z + z**2 / 2 + z**3 / 6 + z**4 / 24).max() > 1
                assert grown == (ratio < 1.0)


def test_explicit_force_is_that_of_the_start() -> None:
    k, d, inertia, q, v = 300.0, 2.0, 0.5, 0.1, -3.0
    force = -k * q - d * v
    for integrator, shift in (("semi_implicit", 1.0), ("rk4", 0.5), ("rkg", 0.5)):
        sim = joint_sim("revolute", inertia, k, d, integrator, True)
        sim.q[0], sim.v[0] = q, v
        sim.step()
        assert sim.v[0] == pytest.approx(v + DT * force / inertia, rel=1e-14)
        assert sim.q[0] == pytest.approx(q + DT * v + shift * DT**2 * force / inertia, rel=1e-14)


def test_implicit_joints_beside_an_explicit_one_stay_implicit() -> None:
    scene = sk.Scene("two", gravity=(0.0, 0.0, 0.0))
    for name, explicit in (("a", True), ("b", False)):
        joint = sk.Joint(name, "revolute", "x", stiffness=50.0, damping=2.0, explicit=explicit)
        scene.body(f"body_{name}", joint, inertia=sk.Inertia.of(1.0, matrix=(0.2, 0.2, 0.2)))
    sim = sk.Simulation(scene, law="none", dt=DT)
    sim.q[:] = 0.3
    sim.step()
    assert sim.v[0] == pytest.approx(-DT * 15.0 / 0.2, rel=1e-14)
    assert sim.v[1] == pytest.approx(-DT * 15.0 / (0.2 + DT * (2.0 + DT * 50.0)), rel=1e-14)


def test_warning_names_joint_inertia_limit_and_remedy() -> None:
    with pytest.warns(sk.UnstableWarning) as caught:
        joint_sim("revolute", 0.0151, 1e3, 40.0, "semi_implicit", True)
    text = str(caught[0].message)
    assert "joint 'bush' moves an inertia of 0.0151 and needs 0.0203" in text
    assert all(word in text for word in ("implicit", "rotor inertia", "smaller dt"))
    assert caught[0].filename == __file__
    with pytest.warns(sk.UnstableWarning, match="is damped too little for any"):
        joint_sim("revolute", 1.0, 1e3, 0.1, "rk4", True)


def is_warned_of(inertia: float, integrator: str, explicit: bool) -> bool:
    """Whether a simulation of one joint with the tilt of a bush says that it is unstable."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", sk.UnstableWarning)
        joint_sim("revolute", inertia, *TILT, integrator, explicit)
    return any(issubclass(warning.category, sk.UnstableWarning) for warning in caught)


@pytest.mark.parametrize(("integrator", "explicit"), SCHEMES)
def test_warning_comes_exactly_where_steps_grow(integrator: str, explicit: bool) -> None:
    least = sk.least_inertia(*TILT, DT, integrator, explicit=explicit)
    assert is_warned_of(0.999 * least, integrator, explicit)
    assert not is_warned_of(1.001 * least, integrator, explicit)
    assert not is_warned_of(0.01 * least, "semi_implicit", False)
