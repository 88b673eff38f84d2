"""``sesshoku reproduce``: the experiments of the papers."""

from __future__ import annotations

from math import isfinite
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.markup import escape
from rich.table import Table

from sesshoku.cli.output import Json, notices, print_json, show
from sesshoku.errors import SesshokuError
from sesshoku.papers import EXPERIMENTS, Check, Experiment

__all__ = ["reproduce"]

ALL = "all"


def reproduce(
    name: Annotated[str, typer.Argument(help=f"One of {', '.join((*EXPERIMENTS, ALL))}.")],
    out: Annotated[Path, typer.Option(help="Folder for the figures; each experiment has its own in it.")] = Path("out"),
    json: Json = False,
) -> None:
    """Run the experiments of a paper: write figures, print a table of checks. Exit code 1 if one fails."""
    if name != ALL and name not in EXPERIMENTS:
        raise SesshokuError(f"unknown experiment '{name}'. Known are {', '.join((*EXPERIMENTS, ALL))}.")
    checks: list[dict[str, Any]] = []
    figures: list[Path] = []
    for experiment in EXPERIMENTS.values() if name == ALL else (EXPERIMENTS[name],):
        with notices().status(experiment.name) as status:
            found = experiment.run(out, status.update)
        checks += [_entry(check, f"{experiment.name}: " if name == ALL else "") for check in found.checks]
        figures += found.figures
        if not json:
            show(_table(experiment, found.checks))
    if json:
        print_json({"experiment": name, "checks": checks, "figures": [str(figure) for figure in figures]})
    else:
        show(escape("figures: " + ", ".join(map(str, figures))))
    if not all(check["pass"] for check in checks):
        raise typer.Exit(1)


def _entry(check: Check, prefix: str) -> dict[str, Any]:
    value = float(check.value) if isfinite(check.value) else None  # JSON has no other numbers
    return {"name": prefix + check.name, "value": value, "bound": check.bound, "pass": bool(check.passed)}


def _table(experiment: Experiment, checks: list[Check]) -> Table:
    table = Table(title=experiment.title, title_justify="left", title_style="bold", box=None)
    for heading in ("check", "value", "bound", "pass"):
        table.add_column(heading, header_style="dim", justify="right" if heading == "value" else "left")
    for check in checks:
        passed = "yes" if check.passed else "[bold red]no[/]"
        table.add_row(escape(check.name), f"{check.value:.5g}", check.bound, passed)
    return table
