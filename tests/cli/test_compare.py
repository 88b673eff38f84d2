"""``sesshoku compare``."""

import json

import pytest
from matplotlib.image import imread

from sesshoku.bench.compare import COMPARED

pytestmark = pytest.mark.slow

ROW = [
    *("steps", "creep", "penetration", "energy_change", "residual_mean", "residual_worst", "unconverged"),
    *("iterations_mean", "iterations_worst", "seconds_per_step", "error", "ratio"),
]
WRONG = {
    "law": ["compare", "tower", "--laws", "exact,sticky"],
    "no contact": ["compare", "tower", "--laws", "none"],
    "scene": ["compare", "towr"],
    "no time": ["compare", "tower", "--time", "0"],
    "endless": ["compare", "tower", "--time", "inf"],
    "dt": ["compare", "tower", "--dt", "-0.001"],
    "posture": ["compare", "tower", "--posture", "lying"],
}


def test_json_has_a_row_for_each_law_and_a_figure(answer, tmp_path):
    document = answer("compare", "box_on_slope", "--time", "0.1", "--out", tmp_path / "new")
    assert list(document) == ["scene", "dt", "time", "laws", "figure"]
    assert (document["scene"], document["dt"], document["time"]) == ("box_on_slope", 1e-3, 0.1)
    assert list(document["laws"]) == list(COMPARED)
    for row in document["laws"].values():
        assert list(row) == ROW
        assert (row["steps"], row["error"]) == (100, None)
    assert imread(document["figure"]).std() > 0.1


def test_table_of_chosen_laws(call, tmp_path):
    result = call("compare", "sliding_box", "--laws", "exact,penalty", "--time", "0.05", "--out", tmp_path)
    assert result.exit_code == 0
    assert "penalty" in result.stdout
    assert "lcp" not in result.stdout
    assert "compare_sliding_box.png" in result.stdout.replace("\n", "")


def test_what_touches_nothing(answer, tmp_path):
    document = answer("compare", "pendulum", "--laws", "exact", "--time", "0.01", "--out", tmp_path)
    assert document["laws"]["exact"]["creep"] is None


def test_a_law_that_fails_does_not_end_the_command(call, monkeypatch, tmp_path):
    from sesshoku.bench import trial

    def refuse(scene, law, dt, posture):
        if law == "lcp":
            raise ValueError("this law\nknows no boxes")
        return simulation(scene, law, dt, posture=posture)

    simulation = trial.Simulation
    monkeypatch.setattr(trial, "Simulation", refuse)
    words = ("compare", "box_on_slope", "--laws", "exact,lcp", "--time", "0.02", "--out", tmp_path)
    row = json.loads(call(*words, "--json").stdout)["laws"]["lcp"]
    assert row["error"] == "this law knows no boxes"
    assert row["steps"] == 0
    result = call(*words)
    assert result.exit_code == 0
    assert "lcp failed after 0 steps" in result.stdout


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG)
def test_wrong_input_is_answered_by_one_sentence(call, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = call(*words, "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"]
    assert not list(tmp_path.iterdir())
