"""The experiments of paper 0: every check passes, every figure is written."""

from pathlib import Path

import matplotlib.image

from sesshoku.papers import EXPERIMENTS


def test_every_check_passes(tmp_path: Path) -> None:
    found = EXPERIMENTS["multipoint"].run(tmp_path)
    missed = [check for check in found.checks if not (check.passed or check.timed)]
    assert [f"{check.name}: {check.value:g}, {check.bound}" for check in missed] == []
    assert len({check.name for check in found.checks}) == len(found.checks)
    assert len(found.figures) == 3
    for figure in found.figures:
        assert matplotlib.image.imread(figure).std() > 0.05  # something is drawn
