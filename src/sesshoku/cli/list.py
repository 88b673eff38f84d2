"""``sesshoku list``: what there is to simulate, and how."""

from __future__ import annotations

from typing import Any

from rich.table import Table

from sesshoku.cli.output import Json, print_json, show
from sesshoku.contact import LAWS
from sesshoku.model.robots import ROBOTS, describe
from sesshoku.model.scenes import SCENES
from sesshoku.papers import EXPERIMENTS

__all__ = ["list_"]


def list_(json: Json = False) -> None:
    """List scenes, robots, laws and experiments."""
    document = {
        "scenes": [{"name": name, "description": describe(make)} for name, make in SCENES.items()],
        "robots": _robots(),
        "laws": [{"name": name, "description": law.summary} for name, law in LAWS.items()],
        "experiments": [{"name": each.name, "description": each.title} for each in EXPERIMENTS.values()],
    }
    if json:
        print_json(document)
        return
    for kind, entries in document.items():
        if entries:
            show(_table(kind, entries))


def _robots() -> list[dict[str, Any]]:
    models = {name: make().model for name, make in ROBOTS.items()}
    return [
        {"name": name, "description": describe(ROBOTS[name]), "velocities": model.nv, "mass": model.total_mass}
        for name, model in models.items()
    ]


def _table(kind: str, entries: list[dict[str, Any]]) -> Table:
    table = Table(title=kind, title_justify="left", title_style="bold", box=None)
    for key in entries[0]:
        table.add_column("mass [kg]" if key == "mass" else key, header_style="dim")
    for entry in entries:
        table.add_row(*(f"{value:g}" if isinstance(value, float) else str(value) for value in entry.values()))
    return table
