"""Checks and experiments."""

from pathlib import Path

import numpy as np
import pytest

from sesshoku.papers import Check, Experiment, Findings


@pytest.mark.parametrize(
    ("low", "high", "bound", "inside", "outside"),
    [
        (-np.inf, 1e-10, "at most 1e-10", (0.0, 1e-10, -np.inf), (2e-10, np.inf, np.nan)),
        (0.5, np.inf, "at least 0.5", (0.5, 3.0), (0.4, -np.inf, np.nan)),
        (3.0, 3.0, "exactly 3", (3.0,), (2.0, 4.0, np.nan)),
        (1.05, 1.27, "1.05 to 1.27", (1.05, 1.1, 1.27), (1.0, 1.3, np.nan)),
    ],
)
def test_bounds(low: float, high: float, bound: str, inside: tuple[float, ...], outside: tuple[float, ...]) -> None:
    checks = [Check(name="x", value=value, low=low, high=high) for value in (*inside, *outside)]
    assert {check.bound for check in checks} == {bound}
    assert [check.passed for check in checks] == [True] * len(inside) + [False] * len(outside)


def test_parts_run_in_order_in_a_folder_of_their_own(tmp_path: Path) -> None:
    def part(name: str):
        return lambda out: Findings([Check(name=name, value=0.0, high=1.0)], [out / f"{name}.png"])

    said: list[str] = []
    experiment = Experiment("fall", "what falls", {"a stone": part("stone"), "a feather": part("feather")})
    found = experiment.run(tmp_path / "deep", said.append)
    assert [check.name for check in found.checks] == ["stone", "feather"]
    assert found.figures == [tmp_path / "deep/fall/stone.png", tmp_path / "deep/fall/feather.png"]
    assert said == ["fall: a stone", "fall: a feather"]
    assert (tmp_path / "deep/fall").is_dir()
