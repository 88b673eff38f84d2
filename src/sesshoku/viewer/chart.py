"""Charts: panels of curves over time, and bars, one colour for each name throughout."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

__all__ = ["Panel", "chart"]

Array = NDArray[np.float64]
# Told apart also by those who do not see red or green; dashes, so that curves on each other are all seen.
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000")
DASHES = ((0, ()), (0, (5, 3)), (0, (1, 1.5)), (0, (7, 2, 1, 2)), (4, (4, 4)))
COLUMNS = 3


@dataclass
class Panel:
    """One picture of a chart.

    Attributes:
        title: what is shown.
        label: of the vertical axis, with its unit.
        least: what is drawn as zero on a logarithmic axis; None: the axis is linear.
        curves: times [s] and values (k,) by name.
        bars: a value, and what is written above it, by name.
    """

    title: str
    label: str
    least: float | None = None
    curves: dict[str, tuple[Array, Array]] = field(default_factory=dict)
    bars: dict[str, tuple[float, str]] = field(default_factory=dict)


def chart(title: str, panels: Sequence[Panel], names: Sequence[str], path: str | Path) -> None:
    """Save panels side by side as a picture (PNG); names have their colours in this order."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

    rows = -(-len(panels) // COLUMNS)
    figure = Figure(figsize=(4.6 * COLUMNS, 3.4 * rows + 0.8), layout="constrained")
    style: dict[str, dict[str, Any]] = {
        name: {"color": COLOURS[k % len(COLOURS)], "linestyle": DASHES[k % len(DASHES)]} for k, name in enumerate(names)
    }
    figure.suptitle(title, fontsize=14, fontweight="bold")
    for ax, panel in zip(figure.subplots(rows, COLUMNS, squeeze=False).flat, panels, strict=False):
        _fill(ax, panel, style)
    lines = [Line2D([], [], linewidth=2.5, **style[name]) for name in names]
    figure.legend(lines, names, loc="outside lower center", ncols=len(names), frameon=False, fontsize=12)
    FigureCanvasAgg(figure).print_png(str(path))


def _fill(ax: Any, panel: Panel, style: dict[str, dict[str, Any]]) -> None:
    """Draw one panel."""
    ax.set_title(panel.title, fontsize=11)
    ax.set_ylabel(panel.label)
    ax.grid(alpha=0.3)
    ax.set_axisbelow(True)
    if panel.bars:
        heights, texts = zip(*panel.bars.values(), strict=True)
        drawn = ax.bar(list(panel.bars), heights, color=[style[name]["color"] for name in panel.bars])
        ax.bar_label(drawn, texts, padding=2)
        ax.margins(y=0.2)
        return
    for name, (time, values) in panel.curves.items():
        ax.plot(time, values if panel.least is None else np.maximum(values, panel.least), linewidth=1.8, **style[name])
    ax.set_xlabel("time [s]")
    if panel.least is not None:
        ax.set_yscale("log")
