"""The experiments of paper 2: every check passes, every figure is written."""

from pathlib import Path

import matplotlib.image
import pytest

from sesshoku.papers import EXPERIMENTS
from sesshoku.papers.newton_euler import animation, drift, instant, timing

FIGURES = [
    *(f"case_{case}.png" for case in ("i", "ii", "iii", "iv", "v", "vi", "vii")),
    *("normal_force.png", "reactions.png", "arm.gif", "leaving.png", "drift.png", "timing.png"),
]


@pytest.mark.slow
def test_every_check_passes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(animation, "SHOWN", 0.3)
    monkeypatch.setattr(drift, "NOTES", {})  # half a minute each
    monkeypatch.setattr(drift, "SHOWN", 1.0)
    monkeypatch.setattr(instant, "CHAINS", 5)
    monkeypatch.setattr(timing, "ROUNDS", 2)
    found = EXPERIMENTS["newton-euler"].run(tmp_path)
    missed = [check for check in found.checks if not (check.passed or check.timed)]
    assert [f"{check.name}: {check.value:g}, {check.bound}" for check in missed] == []
    assert len({check.name for check in found.checks}) == len(found.checks) > 75
    assert found.figures == [tmp_path / "newton-euler" / name for name in FIGURES]
    for figure in found.figures:
        assert matplotlib.image.imread(figure).std() > 0.05  # something is drawn
    assert len((tmp_path / "newton-euler/timing.csv").read_text().splitlines()) == 5
