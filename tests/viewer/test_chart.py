"""Charts show every curve and bar in its colour."""

import numpy as np
import pytest
from matplotlib.colors import to_rgb
from matplotlib.image import imread

from sesshoku.viewer.chart import COLOURS, Panel, chart


def count(path, colour):
    """Pixels of a colour."""
    return int((np.abs(imread(path)[..., :3] - to_rgb(colour)).max(axis=2) < 0.02).sum())


@pytest.mark.parametrize("least", [None, 1e-6])
def test_curves_and_bars(tmp_path, least):
    time = np.linspace(0, 1, 20)
    curves = {"one": (time, time), "two": (time, np.zeros(20)), "three": (time, np.full(20, np.nan))}
    panels = [Panel("curves", "m", least, curves), Panel("bars", "s", bars={"one": (2.0, "twice"), "two": (1.0, "1")})]
    names = ("one", "two", "three", "four")
    chart("title", panels, names, tmp_path / "all.png")
    chart("title", panels[:1], names, tmp_path / "curves.png")
    chart("title", [Panel("none", "m", least)], names, tmp_path / "legend.png")
    one, two = COLOURS[:2]
    for colour in (one, two):
        legend, with_curves, with_bars = (
            count(tmp_path / f"{name}.png", colour) for name in ("legend", "curves", "all")
        )
        assert 0 < legend < with_curves < with_bars
    assert count(tmp_path / "all.png", COLOURS[2]) == count(tmp_path / "legend.png", COLOURS[2])
