"""The experiments of paper 3: every check passes, every figure is written."""

from pathlib import Path

import matplotlib.image
import pytest

from sesshoku.contact import Volume
from sesshoku.papers import EXPERIMENTS
from sesshoku.papers.volume import timing
from sesshoku.papers.volume.stick import stays

FIGURES = ["region.png", "stick.png", "spin.png", "box.png", "slide_and_spin.png", "stack.png", "humanoid.png"]


@pytest.mark.slow
def test_every_check_passes(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(timing, "ROUNDS", 20)
    found = EXPERIMENTS["volume"].run(tmp_path)
    missed = [check for check in found.checks if not (check.passed or check.timed)]
    assert [f"{check.name}: {check.value:g}, {check.bound}" for check in missed] == []
    assert len({check.name for check in found.checks}) == len(found.checks) > 60
    assert found.figures == [tmp_path / "volume" / name for name in FIGURES]
    for figure in found.figures:
        assert matplotlib.image.imread(figure).std() > 0.05  # something is drawn


def test_corner_of_the_separate_limits_tells_both_tests_apart() -> None:
    """Check 7, in a simulation: there the exact limit of the torque is a third."""
    assert stays(Volume(separated=True), 0.9, 0.9)[0]
    assert not stays(Volume(), 0.9, 0.9)[0]
    assert not stays(Volume(edges=0), 0.9, 0.9)[0]
