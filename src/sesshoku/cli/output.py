"""Where a command's words go: the answer to stdout, everything else to stderr."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.table import Table

__all__ = ["Json", "facts", "notices", "print_json", "show"]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else on stdout.")]


def notices() -> Console:
    """Console for progress and notices."""
    return Console(stderr=True)


def print_json(document: Mapping[str, Any]) -> None:
    """Print the answer for a program."""
    typer.echo(json.dumps(document))


def show(answer: RenderableType) -> None:
    """Print the answer for a person."""
    Console(highlight=False).print(answer)


def facts(title: str, rows: Mapping[str, str]) -> Table:
    """A table of names and values."""
    table = Table(title=title, title_justify="left", show_header=False, box=None)
    table.add_column(style="bold")
    table.add_column()
    for name, value in rows.items():
        table.add_row(name, value)
    return table
