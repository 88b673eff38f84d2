"""How commands end when their input is wrong, and how they warn."""

from __future__ import annotations

import json
import warnings
from typing import Any

import typer
from typer.core import TyperGroup

from sesshoku.errors import SesshokuError, UnsimulatedWarning

__all__ = ["Commands"]

WRONG_INPUT = 2  # exit code; 1 is left to commands whose checks fail


class Commands(TyperGroup):
    """A group of commands that answer wrong input with one sentence on stderr, never with a traceback.

    With --json, stdout then holds ``{"error": SENTENCE}``.
    """

    def invoke(self, ctx: Any) -> Any:
        """Run the command that was asked for."""
        as_json = "--json" in ctx.args  # not yet parsed: parsing may be what fails
        with warnings.catch_warnings():
            warnings.simplefilter("always", UnsimulatedWarning)
            warnings.showwarning = _show_warning
            try:
                return super().invoke(ctx)
            except BrokenPipeError:
                raise  # typer ends quietly when nobody reads on
            except (SesshokuError, typer.TyperException, OSError) as error:
                sentence = _sentence(error)
                typer.echo(f"sesshoku: {sentence}", err=True)
                if as_json:
                    typer.echo(json.dumps({"error": sentence}))
                raise typer.Exit(WRONG_INPUT) from error


def _sentence(error: Exception) -> str:
    """What is wrong, on one line."""
    if isinstance(error, OSError) and error.filename is not None:
        return f"{error.filename}: {error.strerror}."
    text = error.format_message() if isinstance(error, typer.TyperException) else str(error)
    return " ".join(text.split())


def _show_warning(message: Warning | str, *_: Any, **__: Any) -> None:
    """One line on stderr instead of file, line number and source."""
    typer.echo(f"sesshoku: {message}", err=True)
