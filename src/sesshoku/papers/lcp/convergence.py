"""Sweeps of projected Gauss–Seidel against exact solutions: how many are enough, and what bounds hold on the way."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from sesshoku.papers.experiment import Check, Findings
from sesshoku.papers.lcp.gauss_seidel import projected_gauss_seidel

__all__ = ["convergence_experiment", "errors", "pushed"]

Array = NDArray[np.float64]
Index = NDArray[np.int64]
CASES, PUSHES = 300, 50
SWEEPS: Final = (1, 2, 3, 5, 8, 12, 20, 30, 50, 80, 120, 200, 300, 500, 700, 1000)
PAPER: Final = 120  # sweeps
ENOUGH: Final = 5000  # of pushed blocks, to converge
FRICTION: Final = 0.5


def strike(rng: np.random.Generator) -> tuple[Array, Array, Array]:
    """A body that strikes more contacts than it can tell apart: rows J of normals, M, its velocity [m/s, rad/s]."""
    m = int(rng.integers(6, 25))
    places, normals = rng.uniform(-0.2, 0.2, (m, 3)), rng.normal(size=(m, 3)) * 0.5 + (0.0, 0.0, 1.0)
    normals /= np.linalg.norm(normals, axis=1)[:, None]
    J = np.hstack([normals, np.cross(places, normals)])
    return J, np.diag([*[1.0] * 3, *rng.uniform(0.002, 0.02, 3)]), rng.normal(size=6)


def errors() -> Array:
    """Errors of the wrench after each number of SWEEPS, without friction, over hard cases (sweeps, cases).

    Relative to the wrench by nonnegative least squares, which is unique where single forces are not.
    """
    from scipy.optimize import nnls

    rng = np.random.default_rng(0)
    found: list[list[float]] = []
    for _ in range(CASES):
        J, M, v = strike(rng)
        half = np.sqrt(M)  # diagonal
        x, _ = nnls(np.linalg.solve(half, J.T), -half @ v)
        expected = J.T @ x
        if np.linalg.norm(expected) > 1e-9:
            K, b, n = J @ np.linalg.solve(M, J.T), J @ v, len(J)
            x, taken = np.zeros(n), 0
            found.append([])
            for sweeps in SWEEPS:
                projected_gauss_seidel(K, b, np.full(n, -1), np.zeros(n), sweeps - taken, 0.0, x)
                taken = sweeps
                found[-1].append(float(np.linalg.norm(J.T @ x - expected) / np.linalg.norm(expected)))
    return np.transpose(found)


def pushed() -> Iterator[tuple[Array, Array, Index]]:
    """Blocks on four corners that are pushed at random, with friction in four directions at random: K, b, owners."""
    rng = np.random.default_rng(1)
    corners = [(x, y, -0.05) for x in (-0.05, 0.05) for y in (-0.05, 0.05)]
    owner = np.array([-1] * 4 + [k for k in range(4) for _ in range(4)])
    for _ in range(PUSHES):
        turn = rng.uniform(0.0, 2 * np.pi)
        t, s = np.array([np.cos(turn), np.sin(turn), 0.0]), np.array([-np.sin(turn), np.cos(turn), 0.0])
        rows = [(corner, np.array([0.0, 0.0, 1.0])) for corner in corners]
        rows += [(corner, d) for corner in corners for d in (t, -t, s, -s)]
        J = np.array([[*d, *np.cross(corner, d)] for corner, d in rows])
        K = J @ np.diag([1.0, 1.0, 1.0, 600.0, 600.0, 600.0]) @ J.T
        yield K, J @ np.array([*rng.normal(size=2) * 0.01, -0.01, *rng.normal(size=3) * 0.05]), owner


def excess_and_gap(sweeps: int) -> tuple[float, float]:
    """Largest x − μ x_N of friction [N s], and largest violation of (11)–(14) of the paper, |x − P(x − z)| [N s].

    P projects on the bounds: the second is zero iff each x is within its bounds with z = 0, or at one with z beyond.
    """
    excess, gap = [], []
    for K, b, owner in pushed():
        x = np.zeros(len(b))
        projected_gauss_seidel(K, b, owner, np.full(len(b), FRICTION), sweeps, 1e-12, x)
        high = np.where(owner < 0, np.inf, FRICTION * x[owner])
        excess.append((x - high).max())
        gap.append(np.abs(x - np.clip(x - (K @ x + b), 0.0, high)).max())
    return max(excess), max(gap)


def convergence_experiment(out: Path) -> Findings:
    """U7 and U8 of the notes."""
    found = errors()
    paper, many = found[SWEEPS.index(PAPER)], found[-1]
    always = max(excess_and_gap(sweeps)[0] for sweeps in (1, 2, 5, PAPER))
    checks = [
        Check(name="friction − μ x_N, any sweep [N s]", value=always, high=0.0),
        Check(name="complementarity, converged [N s]", value=excess_and_gap(ENOUGH)[1], high=1e-9),
        Check(name="120 sweeps − NNLS, relative: median", value=np.median(paper), high=1e-8),
        Check(name="120 sweeps − NNLS, relative: 95 %", value=np.quantile(paper, 0.95), high=2e-3),
        Check(name="120 sweeps − NNLS, relative: largest", value=paper.max(), high=5e-2),
        Check(name="1000 sweeps − NNLS, relative: largest", value=many.max(), high=3e-3),
    ]
    return Findings(checks, [draw(out / "convergence.png", found)])


def draw(path: Path, found: Array) -> Path:
    """Errors over sweeps."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.5, 5), dpi=150, layout="constrained")
    axes = figure.subplots()
    for name, values in (
        ("largest", found.max(axis=1)),
        ("95 % of cases", np.quantile(found, 0.95, axis=1)),
        ("median", np.median(found, axis=1)),
    ):
        axes.loglog(SWEEPS, values, "o-", markersize=4, label=name)
    axes.axvline(PAPER, color="0.5", linestyle=":", label="120 sweeps, as in the paper")
    axes.set(
        title=f"Projected Gauss–Seidel against NNLS: {found.shape[1]} frictionless impacts",
        xlabel="sweeps",
        ylabel="error of the wrench, relative",
    )
    axes.legend()
    axes.grid(alpha=0.3)
    figure.savefig(path)
    return path
