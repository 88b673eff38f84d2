"""All commands together."""

from __future__ import annotations

from typing import Annotated

import typer

from sesshoku.cli.bench import bench
from sesshoku.cli.commands import Commands
from sesshoku.cli.compare import compare
from sesshoku.cli.demo import demo
from sesshoku.cli.list import list_
from sesshoku.cli.reproduce import reproduce
from sesshoku.cli.run import run
from sesshoku.cli.solve import solve
from sesshoku.version import __version__

__all__ = ["app", "main"]

app = typer.Typer(cls=Commands, add_completion=False, no_args_is_help=True, pretty_exceptions_enable=False)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(__version__)
        raise typer.Exit


Version = Annotated[
    bool,
    typer.Option("--version", help="Print the version and stop.", callback=_print_version, is_eager=True),
]


@app.callback()
def root(version: Version = False) -> None:
    """Sesshoku: robots in, motion out.

    Answers go to stdout, with --json as one JSON document; progress and notices go to stderr.
    Wrong input ends a command with exit code 2 and one sentence.
    """


app.command()(demo)
app.command()(run)
app.command()(compare)
app.command("list")(list_)
app.command()(reproduce)
app.command()(solve)
app.command()(bench)


def main() -> None:
    """Run the command line on the arguments of this process."""
    app(prog_name="sesshoku")
