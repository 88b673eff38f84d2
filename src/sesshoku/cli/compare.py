"""``sesshoku compare``: one scene under each contact law."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from sesshoku.cli.output import Json, notices, print_json, show
from sesshoku.errors import SesshokuError
from sesshoku.model import load

__all__ = ["compare"]


def compare(
    scene: Annotated[str, typer.Argument(help="A URDF or MJCF file, or a bundled name: see sesshoku list.")],
    laws: Annotated[str, typer.Option(help="all, or laws with commas between them: exact,lcp.")] = "all",
    time: Annotated[float, typer.Option(help="Duration in seconds.")] = 1.0,
    dt: Annotated[float, typer.Option(help="Step in seconds.")] = 1e-3,
    floating: Annotated[bool, typer.Option("--floating", help="The root of a URDF moves freely.")] = False,
    hulls: Annotated[bool, typer.Option("--hulls", help="Meshes of a URDF are meant to be convex hulls.")] = False,
    posture: Annotated[str | None, typer.Option(help="Start in this posture of the file.")] = None,
    out: Annotated[Path, typer.Option(help="Folder for the figure.")] = Path("out"),
    json: Json = False,
) -> None:
    """Simulate a scene under each contact law: a table, and a figure of what matters over time.

    Creep is how fast bodies slide on each other in the second half of the run: the largest way across the normal by
    which two points that press on each other in its middle part until its end. Residuals are those of the exact law.
    """
    from sesshoku.bench import compare as bench
    from sesshoku.viewer.chart import chart

    chosen = bench.COMPARED if laws == "all" else tuple(dict.fromkeys(laws.split(",")))
    if unknown := [name for name in chosen if name not in bench.COMPARED]:
        raise SesshokuError(f"unknown law '{unknown[0]}'. Known are all, {', '.join(bench.COMPARED)}.")
    loaded = load(scene, floating=floating, hulls=hulls)
    with notices().status(loaded.name) as status:
        trials = bench.compare(
            loaded, {name: name for name in chosen}, time, dt, posture=posture, progress=status.update
        )
        rows = bench.summaries(trials)
        status.update("drawing it")
        out.mkdir(parents=True, exist_ok=True)
        figure = out / f"compare_{re.sub(r'[^A-Za-z0-9_-]+', '_', loaded.name)}.png"
        chart(f"{loaded.name} under each contact law", bench.panels(trials, rows), chosen, figure)
    if json:
        print_json({"scene": loaded.name, "dt": dt, "time": time, "laws": rows, "figure": str(figure)})
    else:
        show(bench.table(f"{loaded.name}, {time:g} s in steps of {dt:g} s", rows))
        show(f"figure: {figure}")
