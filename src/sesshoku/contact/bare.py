"""Bare frictional contact problems: a Delassus matrix, a free velocity and coefficients of friction, nothing else.

The method is that of the exact law, see `exact`, with each contact as a body of its own: Newton's matrix is 1 + W H,
where H has one 3 by 3 block to a contact. Contacts that are open at a step drop out of its linear system.
"""

from __future__ import annotations

from dataclasses import dataclass
from time import perf_counter
from typing import Final

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.contact.cones import assemble, linearise_all, misfit, project_all, sweep
from sesshoku.errors import ProblemError
from sesshoku.given import number

__all__ = ["Solution", "checked", "residual", "solve"]

Array = NDArray[np.float64]
LARGE: Final = 100  # contacts from which Newton's method is not begun from nothing
ROUNDS: Final = 4  # tries, each from where sweeps lead from the last
SWEEPS: Final = 200  # before a try
FULL_STEPS: Final = 12  # of phase A
BUDGET: Final = 300  # Newton steps of phase B
INNER: Final = 8  # Newton steps on one inner problem


@dataclass(frozen=True)
class Solution:
    """What `solve` found.

    Attributes:
        force: impulses (3n,), or forces if q is an acceleration; normal first.
        residual: |r − P_K(r − s)| / |q| with s = (u_N + mu |u_T|, u_T) and u = W r + q; P_K projects on the cones.
        iterations: Newton steps taken, over all tries; sweeps do not count.
        converged: whether the residual is within the tolerance, also with impulses counted as the velocities they
            cause, so that the answer does not depend on the unit of mass.
        seconds: how long it took.
    """

    force: Array
    residual: float
    iterations: int
    converged: bool
    seconds: float


def solve(W: ArrayLike, q: ArrayLike, mu: ArrayLike, tol: float = 1e-8) -> Solution:
    """Find r in the friction cones such that u = W r + q obeys Signorini's and Coulomb's law.

    Of bodies that touch there is a solution if some motion parts all contacts steeply, u_N > mu |u_T| (Acary, Cadoux,
    Lemaréchal, Malick 2011). Where they are wedged in there may be none, or none that is found: see
    `Solution.converged`.

    Args:
        W: Delassus matrix (3n, 3n), from impulses to velocities; may be singular, need not be quite symmetric.
        q: velocity with no contact forces (3n,): normal first, then two tangents, for each contact.
        mu: coefficient of friction of each contact (n,), or one for all.
        tol: residual to stop at.
    """
    begin = perf_counter()
    search = _Search(*checked(W, q, mu, tol))
    with np.errstate(over="ignore", invalid="ignore"):  # a step that leaves the finite numbers is taken back
        search.run()
    off, reached = residual(search.W, search.q, search.mu, search.best), search.least <= tol
    return Solution(search.best, off, search.steps, reached, perf_counter() - begin)


def residual(W: Array, q: Array, mu: Array, force: Array) -> float:
    """How far forces (3n,) are from obeying the law, as `Solution` defines it."""
    velocity = W @ force + q
    return misfit(mu, force.reshape(-1, 3), velocity.reshape(-1, 3), 1.0) / max(float(np.linalg.norm(q)), 1e-30)


class _Search:
    """The way to a solution: where it is, and the best point it has seen."""

    def __init__(self, W: Array, q: Array, mu: Array, tol: float) -> None:
        self.W, self.q, self.mu, self.tol = W, q, mu, tol
        self.reference = max(float(np.linalg.norm(q)), 1e-30)
        n = len(mu)
        trace = np.diag(W).reshape(n, 3).sum(axis=1)
        usual = float(np.median(trace[trace > 0])) if (trace > 0).any() else 3.0
        self.scale = 3.0 / np.where(trace > 0, trace, usual)  # decides between open, stick and slip
        self.unit = 3.0 / usual  # impulse that counts as one velocity
        self.push, self.slope = np.empty((n, 3)), np.empty((n, 3, 3))
        self.steps, self.least = 0, np.inf
        self.visit(np.zeros(3 * n))

    def run(self) -> None:
        """Sweep where there are many contacts or a try has failed, then try phase A, then B."""
        columns = np.ascontiguousarray(self.W.T)
        for attempt in range(ROUNDS):
            if self.least <= self.tol:
                return
            if attempt > 0 or len(self.mu) > LARGE:
                sweep(columns, self.mu, self.r, self.u, SWEEPS)
                self.visit(self.r)
            self.full_steps()
            self.proximal()

    def visit(self, r: Array) -> None:
        """Go to these impulses; keep them if they are the best so far."""
        self.r, self.u = r, self.W @ r + self.q
        cones = self.mu, r.reshape(-1, 3), self.u.reshape(-1, 3)
        self.now = max(misfit(*cones, 1.0), misfit(*cones, self.unit)) / self.reference
        if self.now < self.least or not np.isfinite(self.least):
            self.best, self.least = r.copy(), self.now

    def direction(self, g: Array) -> Array:
        """Newton's step of the impulses from their imbalance: df = g − H W df, by (1 + W H) dV = W g."""
        self.steps += 1
        active = np.flatnonzero(self.slope[:, 0, 0])
        M = np.empty((3 * len(active), 3 * len(active)))
        assemble(self.W, self.slope, active, M)
        try:
            dV = np.linalg.solve(M, (self.W @ g).reshape(-1, 3)[active].ravel())
        except np.linalg.LinAlgError:
            dV = np.full(len(M), np.nan)  # no step: the caller goes on with another matrix
        df = g.reshape(-1, 3).copy()
        df[active] -= np.matmul(self.slope[active], dV.reshape(-1, 3, 1))[..., 0]
        return df.ravel()

    def full_steps(self) -> None:
        """Phase A: ends at its best point."""
        best, least = self.r, self.now
        for _ in range(FULL_STEPS):
            if self.now <= self.tol:
                return
            eps = min(max(0.1 * self.now, 1e-8), 0.1)
            r, u = self.r.reshape(-1, 3), self.u.reshape(-1, 3)
            linearise_all(self.mu, r, u, self.scale, eps, self.push, self.slope)
            self.visit(self.r + self.direction(self.push.ravel()))
            if self.now < least:
                best, least = self.r, self.now
            if not self.now < 1e30:
                break
        self.visit(best)

    def proximal(self) -> None:
        """Phase B: renews the impulses when the inner problem is solved, else lowers its stiffness."""
        end, c = self.steps + BUDGET, 30.0
        while self.now > self.tol and self.steps < end:
            steps = self.inner_problem(c, 0.1 * max(self.tol, 0.1 * self.now) * self.reference)
            if steps > 0:
                self.visit(self.push.flatten())
                c = min(5.0 * c, 1e6) if steps <= 4 else c
            elif c == 0.1:
                return
            else:
                c = max(0.1 * c, 0.1)

    def inner_problem(self, c: float, target: float) -> int:
        """Fill push with impulses f = P(r − c h (W f + q)), r held fixed: steps taken, 0 if it was not solved."""
        f, u = self.r, self.u
        gap, before = self.imbalance(c, f, u)
        for step in range(INNER):
            df = self.direction(gap)
            du = self.W @ df
            least = np.inf
            for share in (1.0, 0.5, 0.25, 0.125, 0.0625):
                _, after = self.imbalance(c, f + share * df, u + share * du)
                if after < least:
                    best, least = share, after
                if after**2 <= (1.0 - 0.1 * share) * before**2:
                    break
            if not least < np.inf:
                return 0
            f, u = f + best * df, u + best * du
            gap, before = self.imbalance(c, f, u)
            if before <= target:
                return step + 1
        return 0

    def imbalance(self, c: float, f: Array, u: Array) -> tuple[Array, float]:
        """P(r − c h u) − f, and the norm of the velocity it causes."""
        r = self.r.reshape(-1, 3)
        project_all(self.mu, r, u.reshape(-1, 3), self.scale, c, self.push, self.slope)
        gap = self.push.ravel() - f
        return gap, float(np.linalg.norm(self.W @ gap))


def checked(W: ArrayLike, q: ArrayLike, mu: ArrayLike, tol: float) -> tuple[Array, Array, Array, float]:
    """The problem as arrays that fit together."""
    W, q, mu = _numbers(W, "W"), _numbers(q, "q"), _numbers(mu, "mu")
    if q.ndim != 1 or len(q) % 3:
        raise ProblemError(f"q has shape {q.shape}", remedy="Give three numbers for each contact, normal first")
    n = len(q) // 3
    if W.shape != (3 * n, 3 * n):
        raise ProblemError(f"W has shape {W.shape}", remedy=f"For the {n} contacts of q give {(3 * n, 3 * n)}")
    if mu.shape not in ((), (n,)):
        raise ProblemError(f"mu has shape {mu.shape}", remedy=f"For the {n} contacts of q give ({n},)")
    if (mu < 0).any():
        raise ProblemError(f"mu has {mu.min():g}", remedy="Give coefficients of friction >= 0")
    if (np.diag(W) < 0).any():
        where = int(np.argmin(np.diag(W)))
        remedy = "A body gives way to a push: give a diagonal >= 0"
        raise ProblemError(f"W[{where}, {where}] is {W[where, where]:g}", remedy=remedy)
    return W, q, np.array(np.broadcast_to(mu, (n,))), number(tol, "tol", above=0.0, error=ProblemError)


def _numbers(values: ArrayLike, name: str) -> Array:
    try:
        array = np.ascontiguousarray(values, dtype=np.float64).reshape(np.shape(values))
    except (TypeError, ValueError) as error:
        raise ProblemError(f"{name} is not an array of numbers", remedy="Give real numbers") from error
    if not np.isfinite(array).all():
        raise ProblemError(f"{name} has numbers that are not finite", remedy="Look where they come from")
    return array
