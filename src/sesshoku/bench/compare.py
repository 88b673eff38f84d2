"""The same scene under several contact laws: what each gets right and wrong, and how long it takes."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import isfinite
from typing import Any, Final

import numpy as np
from rich.table import Table

from sesshoku.bench.trial import Trial
from sesshoku.contact import LAWS
from sesshoku.contact.law import Law
from sesshoku.errors import SesshokuError
from sesshoku.model import Scene
from sesshoku.viewer.chart import Panel

__all__ = ["COMPARED", "compare", "panels", "summaries", "table"]

COMPARED: Final = tuple(name for name, law in LAWS.items() if law.kernel is not None)
BLOCK: Final = 50  # steps of one law before it is the next one's turn
ROUNDS: Final = 5  # of each block; the best counts
SAMPLES: Final = 250  # of a curve, at most
LEAST: Final = 1e-12  # is drawn as zero
MEASURES: Final = (  # for people: label, key, format, factor of the unit
    ("creep, m/s", "creep", ".1e", 1.0),
    ("penetration, m", "penetration", ".1e", 1.0),
    ("energy change, J", "energy_change", ".2e", 1.0),
    ("residual, mean", "residual_mean", ".1e", 1.0),
    ("residual, worst", "residual_worst", ".1e", 1.0),
    ("steps", "steps", "d", 1),
    ("unconverged steps", "unconverged", "d", 1),
    ("iterations, mean", "iterations_mean", ".1f", 1.0),
    ("iterations, worst", "iterations_worst", "d", 1),
    ("time per step, µs", "seconds_per_step", ".1f", 1e6),
    ("ratio to exact", "ratio", ".2f", 1.0),
)


def compare(
    scene: Scene,
    laws: Mapping[str, str | Law],
    time: float = 1.0,
    dt: float = 1e-3,
    *,
    posture: str | None = None,
    progress: Callable[[str], None] = lambda _: None,
) -> dict[str, Trial]:
    """Let a scene go under each law for a time [s], in blocks of steps in turn."""
    if not (0.0 < dt <= time < np.inf):
        raise SesshokuError(f"time is {time} and dt is {dt}. Give a duration in seconds, at least one step > 0.")
    if posture is not None and posture not in scene.model.postures:
        raise SesshokuError(f"unknown posture '{posture}'. Known are {', '.join(scene.model.postures) or 'none'}.")
    steps = round(time / dt)
    trials = {}
    for name, law in laws.items():
        progress(f"{scene.name}: {name}")
        trials[name] = Trial(scene, law, dt, posture, steps // 2)
    for begin in range(0, steps, BLOCK):
        progress(f"{scene.name}: {begin * dt:.2f} s")
        count = min(BLOCK, steps - begin)
        for trial in trials.values():
            trial.watch(count)
        for _ in range(ROUNDS):
            for trial in trials.values():
                trial.clock(count)
    return trials


def summaries(trials: Mapping[str, Trial]) -> dict[str, dict[str, Any]]:
    """The runs in numbers, with times as ratio to the exact law; None where there is no number."""
    found = {name: trial.summary() for name, trial in trials.items()}
    exact = found.get("exact", {}).get("seconds_per_step", np.nan)
    for row in found.values():
        row["ratio"] = row["seconds_per_step"] / exact
    return {
        name: {key: None if isinstance(x, float) and not isfinite(x) else x for key, x in row.items()}
        for name, row in found.items()
    }


def table(title: str, rows: Mapping[str, Mapping[str, Any]]) -> Table:
    """The same for people, a column for each law, and below it why laws have failed."""
    failed = [f"{name} failed after {row['steps']} steps: {row['error']}" for name, row in rows.items() if row["error"]]
    out = Table(title=title, caption="\n".join(failed) or None, caption_justify="left")
    out.add_column("")
    for name in rows:
        out.add_column(name, justify="right", no_wrap=True)
    for label, key, form, unit in MEASURES:
        values = [row[key] for row in rows.values()]
        out.add_row(label, *("–" if x is None else format(unit * x, form) for x in values))
    return out


def panels(trials: Mapping[str, Trial], rows: Mapping[str, Mapping[str, Any]]) -> list[Panel]:
    """What to draw: curves over time of each law that took a step, and bars for the time per step.

    Slip, penetration and residual are the largest since the sample before.
    """
    way = Panel("Bodies slide on each other", "way since the start [mm]")
    slip = Panel("Slip of contacts that carry force", "fastest [m/s]", least=LEAST)
    depth = Panel("Penetration", "deepest contact [µm]")
    energy = Panel("Energy", "change since the start [J]")
    residual = Panel("Residual of the exact law", "relative to the free velocity", least=LEAST)
    clock = Panel("Time", "µs per step")
    for name, trial in trials.items():
        if not len(trial):
            continue
        samples = np.unique(np.linspace(0, len(trial), SAMPLES).astype(int))
        time, seen = samples * trial.sim.dt, {key: np.array(values) for key, values in trial.seen.items()}
        way.curves[name] = time, 1e3 * trial.slide(0, samples)
        energy.curves[name] = time[1:], seen["energy"][samples[1:] - 1]
        for panel, key, unit in ((slip, "slip", 1.0), (depth, "penetration", 1e6), (residual, "residual", 1.0)):
            panel.curves[name] = time[1:], unit * np.maximum.reduceat(seen[key], samples[:-1])
        row = rows[name]
        if row["seconds_per_step"] is not None:
            ratio = "" if row["ratio"] is None else f"\n{row['ratio']:.2f} ×"
            us = 1e6 * row["seconds_per_step"]
            clock.bars[name] = us, f"{us:.1f}{ratio}"
    return [way, slip, depth, energy, residual, clock]
