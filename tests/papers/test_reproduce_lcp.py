"""The experiments of paper 1: every check passes, every figure is written."""

from pathlib import Path

import matplotlib.image
import pytest

from sesshoku.papers import EXPERIMENTS
from sesshoku.papers.lcp import timing

FIGURES = ["block.png", "slip.png", "convergence.png", "bush.png", "timing.png"]


@pytest.mark.slow
def test_every_check_passes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(timing, "COUNTS", (64, 128, 256))
    monkeypatch.setattr(timing, "ROUNDS", 2)
    found = EXPERIMENTS["lcp"].run(tmp_path)
    missed = [check for check in found.checks if not (check.passed or check.timed)]
    assert [f"{check.name}: {check.value:g}, {check.bound}" for check in missed] == []
    assert len({check.name for check in found.checks}) == len(found.checks) > 35
    assert found.figures == [tmp_path / "lcp" / name for name in FIGURES]
    for figure in found.figures:
        assert matplotlib.image.imread(figure).std() > 0.05  # something is drawn
    assert len((tmp_path / "lcp/timing.csv").read_text().splitlines()) == 4
