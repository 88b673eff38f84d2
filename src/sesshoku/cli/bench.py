"""``sesshoku bench``: side by side with the peers that are installed."""

from __future__ import annotations

from importlib import import_module
from typing import Annotated, Any

import typer

from sesshoku.bench import BENCHES
from sesshoku.cli.output import Json, notices, print_json, show
from sesshoku.errors import SesshokuError

__all__ = ["bench"]


def bench(
    name: Annotated[str | None, typer.Argument(help=f"One of {', '.join(BENCHES)}; default: all.")] = None,
    json: Json = False,
) -> None:
    """Measure speed against other simulators, interleaved in one run.

    The JSON is the benchmark's own document; without NAME, an object with one for each benchmark.
    """
    if name is not None and name not in BENCHES:
        raise SesshokuError(f"unknown benchmark '{name}'. Known are {', '.join(BENCHES)}.")
    results: dict[str, Any] = {}
    for each in BENCHES if name is None else (name,):
        module = import_module(f"sesshoku.bench.{each}")  # only now: it imports the peers
        with notices().status(each) as status:
            results[each] = module.measure(status.update)
        if not json:
            show(module.table(results[each]))
    if json:
        print_json(results if name is None else results[name])
