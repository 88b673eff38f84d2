"""``sesshoku solve``: a bare contact problem from a file."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import numpy as np
import typer

from sesshoku.cli.output import Json, facts, notices, print_json, show, writable
from sesshoku.contact import solve as solve_problem
from sesshoku.contact.problem_file import read_problem
from sesshoku.errors import SesshokuError, errors_in

__all__ = ["solve"]

LAWS = ("exact",)  # those that bare problems can be solved by


def solve(
    file: Annotated[Path, typer.Argument(help="An .npz file with W (3n, 3n), q (3n,) and mu (n,), normal first.")],
    law: Annotated[str, typer.Option(help=f"Contact law: {', '.join(LAWS)}.")] = "exact",
    tol: Annotated[float, typer.Option(help="Residual to stop at.")] = 1e-8,
    out: Annotated[
        Path | None, typer.Option(help="Write the forces to this .npz file: force (3n,).", callback=writable)
    ] = None,
    json: Json = False,
) -> None:
    """Solve a frictional contact problem: find forces in the cones that obey the law.

    Exit code 1 says that the residual was not reached.
    """
    if law not in LAWS:
        raise SesshokuError(f"law '{law}' solves no bare problems. Known are {', '.join(LAWS)}.")
    with errors_in(str(file)), notices().status(file.name):
        W, q, mu = read_problem(file)
        # A problem without solution goes through all phases: it compiles or loads the kernels, which is not timed.
        solve_problem(np.zeros((3, 3)), (-1.0, 0.0, 0.0), 1.0)
        solution = solve_problem(W, q, mu, tol)
    if out is not None:
        np.savez(out, force=solution.force)
    document = {
        "contacts": len(solution.force) // 3,
        "law": law,
        "residual": solution.residual,
        "iterations": solution.iterations,
        "seconds": solution.seconds,
        "converged": solution.converged,
    }
    if json:
        print_json(document)
    else:
        pressing = solution.force[::3] > 0
        rows = {
            "contacts": f"{document['contacts']}, {int(pressing.sum())} of them with a force",
            "largest normal force": f"{max(solution.force[::3], default=0.0):.6g}",
            "residual": f"{solution.residual:.1e}{'' if solution.converged else ': not converged'}",
            "iterations": str(solution.iterations),
            "time": f"{1e3 * solution.seconds:.3g} ms",
        }
        show(facts(f"{file.name}, law {law}", rows))
    if not solution.converged:
        raise typer.Exit(1)
