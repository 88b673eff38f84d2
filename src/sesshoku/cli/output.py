"""Where a command's words go: the answer to stdout, everything else to stderr."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console, RenderableType
from rich.table import Table

__all__ = ["Json", "facts", "notices", "print_json", "show", "writable"]

Json = Annotated[bool, typer.Option("--json", help="Print one JSON document and nothing else on stdout.")]


def writable(path: Path | None) -> Path | None:
    """Refuse before any work what could not be written afterwards."""
    if path is not None and (path.suffix != ".npz" or not path.parent.is_dir()):
        raise typer.BadParameter(f"'{path}' is not an .npz file in an existing folder.")
    return path


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
