"""``sesshoku bench``: side by side with the peers that are installed."""

from __future__ import annotations

from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer

from sesshoku.bench import BENCHES, RECORDED
from sesshoku.cli.output import Json, notices, print_json, show
from sesshoku.errors import SesshokuError

__all__ = ["bench"]


def bench(
    name: Annotated[
        str | None, typer.Argument(help=f"One of {', '.join((*BENCHES, *RECORDED))}; default: all without data.")
    ] = None,
    data: Annotated[
        Path | None, typer.Option(exists=True, help=f"The recorded data that {' and '.join(RECORDED)} need.")
    ] = None,
    json: Json = False,
) -> None:
    """Measure against other simulators, interleaved in one run.

    The JSON is the benchmark's own document; without NAME, an object with one for each benchmark.
    """
    if name is not None and name not in BENCHES | RECORDED:
        raise SesshokuError(f"unknown benchmark '{name}'. Known are {', '.join((*BENCHES, *RECORDED))}.")
    if (name in RECORDED) != (data is not None):
        raise SesshokuError(f"--data is for the benchmarks {' and '.join(RECORDED)}, which need it.")
    results: dict[str, Any] = {}
    for each in BENCHES if name is None else (name,):
        module = import_module(f"sesshoku.bench.{each}")  # only now: it imports the peers
        with notices().status(each) as status:
            results[each] = module.measure(status.update, *([] if data is None else [data]))
        if not json:
            show(module.table(results[each]))
    if json:
        print_json(results if name is None else results[name])
