"""The command line, one file per command."""

from sesshoku.cli.app import app, main

__all__ = ["app", "main"]
