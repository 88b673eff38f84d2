"""``sesshoku reproduce``: the command; the experiments are tested elsewhere."""

import json
from pathlib import Path

import pytest

from sesshoku.papers import EXPERIMENTS, Check, Experiment, Findings


def fake(name: str, value: float) -> Experiment:
    """An experiment with one check, at most 1, and one figure."""

    def part(out: Path) -> Findings:
        figure = out / "figure.png"
        figure.write_bytes(b"")
        return Findings([Check(name="length [m]", value=value, high=1.0)], [figure])

    return Experiment(name, f"title of {name}", {"a part": part})


@pytest.fixture
def experiments(monkeypatch):
    """Two that pass and one that fails, in the place of all others."""
    for name in list(EXPERIMENTS):
        monkeypatch.delitem(EXPERIMENTS, name)
    for name, value in (("good", 0.5), ("exact", 1.0), ("bad", 2.0)):
        monkeypatch.setitem(EXPERIMENTS, name, fake(name, value))


@pytest.mark.usefixtures("experiments")
def test_json_has_the_keys(answer, tmp_path):
    figure = tmp_path / "good" / "figure.png"
    assert answer("reproduce", "good", "--out", tmp_path) == {
        "experiment": "good",
        "checks": [{"name": "length [m]", "value": 0.5, "bound": "at most 1", "pass": True}],
        "figures": [str(figure)],
    }
    assert figure.exists()


@pytest.mark.usefixtures("experiments")
def test_table_shows_name_value_bound_and_pass(call, tmp_path):
    result = call("reproduce", "good", "--out", tmp_path)
    assert result.exit_code == 0
    assert "title of good" in result.stdout
    row = next(line for line in result.stdout.splitlines() if "length" in line)
    assert row.split() == ["length", "[m]", "0.5", "at", "most", "1", "yes"]


@pytest.mark.usefixtures("experiments")
def test_one_that_fails_ends_with_one(call, tmp_path):
    result = call("reproduce", "bad", "--out", tmp_path, "--json")
    assert result.exit_code == 1
    assert not json.loads(result.stdout)["checks"][0]["pass"]
    assert call("reproduce", "bad", "--out", tmp_path).exit_code == 1


@pytest.mark.usefixtures("experiments")
def test_all(call, tmp_path):
    result = call("reproduce", "all", "--out", tmp_path, "--json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert document["experiment"] == "all"
    assert [check["name"].partition(":")[0] for check in document["checks"]] == ["good", "exact", "bad"]
    assert [check["pass"] for check in document["checks"]] == [True, True, False]
    assert len(set(document["figures"])) == 3


def test_unknown_name(call):
    result = call("reproduce", "luck", "--json")
    assert result.exit_code == 2
    assert json.loads(result.stdout)["error"] == f"unknown experiment 'luck'. Known are {', '.join(EXPERIMENTS)}, all."
    assert len(result.stderr.splitlines()) == 1


def test_folder_that_cannot_be_is_named_before_anything_runs(call, tmp_path):
    (tmp_path / "file").write_text("")
    result = call("reproduce", "lcp", "--out", tmp_path / "file")
    assert result.exit_code == 2
    assert str(tmp_path / "file") in result.stderr
