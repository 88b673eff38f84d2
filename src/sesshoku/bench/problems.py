"""Recorded frictional contact problems, cold: our solver beside Pinocchio's ADMM and PGS on the same file.

All on one thread, which Pinocchio uses anyway: in a process of its own, as the number of threads of LAPACK is settled
when it is loaded.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from collections.abc import Callable
from os import environ
from pathlib import Path
from time import perf_counter
from typing import Any

import numpy as np
from numpy.typing import NDArray
from rich.box import SIMPLE_HEAD
from rich.table import Table

from sesshoku.bench.pinocchio_peer import SOLVERS, pinocchio_solver
from sesshoku.contact.bare import checked, residual, solve
from sesshoku.contact.problem_file import read_problem
from sesshoku.errors import SesshokuError, errors_in

__all__ = ["measure", "table"]

Array = NDArray[np.float64]
TOLERANCE = 1e-8
PEER_TOLERANCES = (1e-8, 1e-10, 1e-12)  # of its own measures: the first that leads to our tolerance
ONE_THREAD = {"OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}
STACK = 1 << 29  # bytes: Pinocchio's PGS keeps a copy of W on the stack
SECONDS, MOST_ROUNDS = 1.0, 200  # how long and how often a problem is solved again


def measure(progress: Callable[[str], None], data: Path) -> dict[str, Any]:
    """For each file of a folder: contacts, and of each solver time [ms] and residual."""
    files = sorted(data.glob("*.npz"))
    if not files:
        raise SesshokuError(f"{data}: no .npz files. Give --data a folder of contact problems.")
    for file in files:
        with errors_in(str(file)):
            W, q, mu = read_problem(file)
            checked(W, q, mu, TOLERANCE)
    count = len(files)
    result: dict[str, Any] = {}
    command = [sys.executable, "-m", "sesshoku.bench.problems", str(data)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env={**environ, **ONE_THREAD}) as child:
        assert child.stdout is not None
        for line in child.stdout:
            row = json.loads(line)
            result[row.pop("problem")] = row
            progress(f"problems: {len(result)} of {count} done")
    if len(result) < count:
        raise SesshokuError(f"{data}: {count - len(result)} of {count} problems could not be measured, see above.")
    return result


def measure_problem(file: Path) -> dict[str, Any]:
    """One problem: ours and the peers in turn, the best time of each."""
    W, q, mu = (np.ascontiguousarray(array, dtype=float) for array in read_problem(file))
    solution = solve(W, q, mu, TOLERANCE)
    candidates: dict[str, Callable[[], object]] = {"ours": lambda: solve(W, q, mu, TOLERANCE)}
    row = {"problem": file.stem, "contacts": len(mu), "iterations": solution.iterations}
    row |= {"ours_ms": 0.0, "ours_residual": solution.residual}
    for name in SOLVERS:
        run, off = _tuned(name, W, q, mu)
        candidates[name.lower()] = run
        row |= {f"{name.lower()}_ms": 0.0, f"{name.lower()}_residual": off}
    return row | {f"{name}_ms": 1e3 * seconds for name, seconds in _best(candidates).items()}


def _tuned(name: str, W: Array, q: Array, mu: Array) -> tuple[Callable[[], object], float]:
    """The peer at its loosest tolerance that reaches ours, else at the one that comes nearest; and its residual."""
    tried = []
    for tol in PEER_TOLERANCES:
        run = pinocchio_solver(name, W, q, mu, tol)
        tried.append((run, residual(W, q, mu, run())))
        if tried[-1][1] <= TOLERANCE:
            return tried[-1]
    return min(tried, key=lambda each: each[1])


def _best(candidates: dict[str, Callable[[], object]]) -> dict[str, float]:
    """Time of each [s], called in turn: the best call."""
    best = dict.fromkeys(candidates, float("inf"))
    end, rounds = perf_counter() + SECONDS, 0
    while rounds == 0 or (perf_counter() < end and rounds < MOST_ROUNDS):
        for name, call in candidates.items():
            begin = perf_counter()
            call()
            best[name] = min(best[name], perf_counter() - begin)
        rounds += 1
    return best


def table(result: dict[str, Any]) -> Table:
    """The same for people."""
    title = f"recorded contact problems, cold, tolerance {TOLERANCE:g}, one thread: ms and residual of each solver"
    out = Table(title=title, box=SIMPLE_HEAD, padding=(0, 1, 0, 0))
    out.add_column("problem", overflow="fold")  # the only one that wraps where the terminal is narrow
    for title in ("points", "steps", "ours", "", *(title for name in SOLVERS for title in (name, ""))):
        out.add_column(title, justify="right", no_wrap=True)
    for name, row in result.items():
        cells = [name, str(row["contacts"]), str(row["iterations"])]
        for each in ("ours", "admm", "pgs"):
            cells += [f"{row[f'{each}_ms']:.2f}", f"{row[f'{each}_residual']:.0e}"]
        out.add_row(*cells)
    return out


def _print_all(folder: str) -> None:
    """One line of JSON for each file, as they are done."""
    for file in sorted(Path(folder).glob("*.npz")):
        print(json.dumps(measure_problem(file)), flush=True)


if __name__ == "__main__":
    threading.stack_size(STACK)
    worker = threading.Thread(target=_print_all, args=sys.argv[1:])
    worker.start()
    worker.join()
