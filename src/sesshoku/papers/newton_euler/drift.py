"""Runge–Kutta without stabilisation: drift at 1 ms, its order, the motions of the notes, and energy (4, 5, 7, 8)."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint import SurfaceIntegrator
from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.newton_euler.arm import DURATION, LENGTH, Q0, REST, STEP, none, on_ground, run

__all__ = ["drift_experiment"]

Array = NDArray[np.float64]
FINE, FINE_SLIP = 1e-3, 0.01  # step [s], and slip at which friction is regularised [m/s]
# angles at the end [rad], and the range of the normal force [N], by another program
NOTES: Final = {
    "i": ((-3.011, 2.028, -0.135), (13.7, 20.2)),
    "ii": ((-3.168, 1.638, 1.244), (9.8, 17.3)),
    "iii": ((-3.137, 1.569, 1.489), (5.5, 22.4)),
    "iv": ((-2.940, 1.369, 1.373), (19.6, 32.4)),
    "v": ((-2.734, 1.113, 1.369), (4.9, 7.7)),
    "vi": ((-2.734, 1.113, 1.369), (9.8, 15.5)),
    "vii": ((-2.940, 1.369, 1.373), (9.8, 16.2)),
}
STEPS, SLIP_SPEED, SHOWN = (5e-3, 2.5e-3, 1.25e-3), 0.05, 2.0  # of the drift that falls
HALVED: Final = (14.0, 30.0)  # how much it falls with half the step: 16 or more, as long as friction is stiff


def drift_experiment(out: Path) -> Findings:
    """Checks 4, 5, 7 and 8 of the notes; friction is regularised."""
    checks = []
    for case, (end, (low, high)) in NOTES.items():
        found = run(case, FINE, DURATION, FINE_SLIP, "rk4", False)
        force = found.normal_force
        checks += [
            Check(name=f"{case}: RK4 1 ms, height of the tip [m]", value=np.abs(found.gap).max(), high=1e-6),
            Check(
                name=f"{case}: RK4 1 ms, angles at the end less notes [rad]",
                value=np.abs(found.q[-1] - end).max(),
                high=6e-4,
            ),
            Check(name=f"{case}: RK4 1 ms, least normal force less notes [N]", value=abs(force.min() - low), high=0.06),
            Check(
                name=f"{case}: RK4 1 ms, largest normal force less notes [N]", value=abs(force.max() - high), high=0.06
            ),
        ]
    drifts = {case: [drift(case, dt) for dt in STEPS] for case in ("i", "iii")}
    for case, values in drifts.items():
        for coarse, fine, dt in zip(values, values[1:], STEPS, strict=False):
            name = f"{case}: drift at {1e3 * dt:g} ms over that at half the step"
            checks.append(Check(name=name, value=coarse / fine, low=HALVED[0], high=HALVED[1]))
    checks.append(Check(name="no friction, no damping, 3 s: change of energy/(m g l)", value=energy(), high=1e-6))
    return Findings(checks, [draw(out / "drift.png", drifts)])


def drift(case: str, dt: float) -> float:
    """The largest height of the tip [m]."""
    return float(np.abs(run(case, dt, SHOWN, SLIP_SPEED, "rk4", False).gap).max())


def energy() -> float:
    """How much the energy of the arm left to itself changes in 3 s, by m g l of a link."""
    method = on_ground(damping=0.0, friction=0.0)
    found = SurfaceIntegrator(method, FINE, integrator="rk4", projection=False).run(Q0, REST, none, 3.0)
    totals = [method.dynamics.energy(q, v).total for q, v in zip(found.q, found.v, strict=True)]
    return float(np.ptp(totals)) / (9.81 * LENGTH)


def draw(path: Path, drifts: dict[str, list[float]]) -> Path:
    """Drift over the step, and over time with each kind of stabilisation."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(11, 4.5), dpi=150, layout="constrained")
    order, time = figure.subplots(1, 2)
    steps = 1e3 * np.array(STEPS)
    for case, values in drifts.items():
        order.loglog(steps, values, "o-", label=f"case ({case})")
    order.loglog(steps, drifts["i"][0] * (steps / steps[0]) ** 4, "k:", label="fourth power")
    order.set(title=f"RK4, {SHOWN:g} s, not stabilised", xlabel="step [ms]", ylabel="height of the tip [m]")
    kinds = {
        "RK4 5 ms": run("iii", STEPS[0], SHOWN, SLIP_SPEED, "rk4", False),
        "RK4 5 ms, Baumgarte 10, 10": run("iii", STEPS[0], SHOWN, SLIP_SPEED, "rk4", False, (10.0, 10.0)),
        "semi-implicit 10 ms": run("iii", STEP, SHOWN, 0.0, "semi_implicit", False),
        "semi-implicit 10 ms, projection": run("iii", STEP, SHOWN),
    }
    for name, found in kinds.items():
        time.semilogy(found.time, np.maximum(np.abs(found.gap[:, 0]), 1e-18), label=name)
    time.set(title="Case (iii)", xlabel="time [s]", ylabel="height of the tip [m]", ylim=(1e-18, 1.0))
    for axes in (order, time):
        axes.legend()
        axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
