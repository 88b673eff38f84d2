"""``sesshoku bench``: the command; what is measured is tested elsewhere."""

import importlib
import json

import numpy as np
import pytest
from rich.table import Table

from sesshoku.bench import BENCHES, RECORDED


@pytest.fixture
def quick(monkeypatch):
    """Benchmarks that take no time."""
    for name in BENCHES | RECORDED:
        module = importlib.import_module(f"sesshoku.bench.{name}")
        monkeypatch.setattr(module, "measure", lambda progress, data=None: progress("measuring") or {"ratio": 2.0})
        monkeypatch.setattr(module, "table", lambda result: Table(title=f"ratio {result['ratio']}"))


@pytest.mark.usefixtures("quick")
def test_one_and_all(answer, call):
    assert answer("bench", "dynamics") == {"ratio": 2.0}
    assert answer("bench") == {name: {"ratio": 2.0} for name in BENCHES}
    assert call("bench").exit_code == 0


def test_unknown_name(call):
    result = call("bench", "luck", "--json")
    assert result.exit_code == 2
    assert "dynamics" in json.loads(result.stdout)["error"]


@pytest.mark.usefixtures("quick")
@pytest.mark.parametrize("name", RECORDED)
def test_what_needs_data_asks_for_it(answer, call, name, tmp_path):
    assert answer("bench", name, "--data", tmp_path) == {"ratio": 2.0}
    for words in (["bench", name], ["bench", "dynamics", "--data", tmp_path], ["bench", name, "--data", "nowhere"]):
        result = call(*words)
        assert result.exit_code == 2
        assert "--data" in result.stderr


def test_data_that_is_none_is_named(call, tmp_path):
    np.savez(tmp_path / "other.npz", x=1)
    assert "no recorded tosses" in call("bench", "tosses", "--data", tmp_path / "other.npz").stderr
    (tmp_path / "empty").mkdir()
    assert "no .npz files" in call("bench", "problems", "--data", tmp_path / "empty").stderr
    np.savez(tmp_path / "other.npz", W=np.eye(3))
    failure = call("bench", "problems", "--data", tmp_path)
    assert failure.exit_code != 0
    assert "other.npz: no array q and no mu. Give an .npz file" in failure.stderr
    np.savez(tmp_path / "other.npz", W=np.eye(3), q=np.zeros(3), mu=np.zeros(2))
    failure = call("bench", "problems", "--data", tmp_path)
    assert failure.exit_code != 0
    assert "other.npz: mu has shape (2,)" in failure.stderr


@pytest.mark.slow
def test_long_runs_are_counted(monkeypatch, answer):
    """G1, Go2 and the hand: of some thousand steps each one converges."""
    runs = importlib.import_module("sesshoku.bench.runs")
    monkeypatch.setattr(runs, "STEPS", 5000)
    rows = answer("bench", "runs")
    assert list(rows) == ["g1", "go2", "hand"]
    for row in rows.values():
        assert row["steps"] == 5000
        assert row["unconverged"] == 0
        assert row["residual"] <= 1e-8
        assert row["longest_us"] >= row["mean_us"] > 0


def test_falls_are_counted(monkeypatch, answer):
    falls = importlib.import_module("sesshoku.bench.falls")
    monkeypatch.setattr(falls, "FALLS", 2)
    monkeypatch.setattr(falls, "STEPS", 400)
    monkeypatch.setattr(falls, "ROBOTS", {"anymal": falls.ROBOTS["anymal"]})
    row = answer("bench", "falls")["anymal"]
    assert (row["falls"], row["steps"], row["unconverged"]) == (2, 800, 0)
    assert row["iterations"] > 0
    assert row["work"] < 1e-9


@pytest.mark.slow
def test_a_problem_is_measured_beside_the_peers(answer, tmp_path):
    np.savez(tmp_path / "block.npz", W=np.diag([1.0, 2.0, 2.0]), q=[-1.0, 3.0, 0.0], mu=[0.5])
    row = answer("bench", "problems", "--data", tmp_path)["block"]
    assert row["contacts"] == 1
    for name in ("ours", "admm", "pgs"):
        assert row[f"{name}_ms"] > 0
        assert row[f"{name}_residual"] <= 1e-8


def test_time_against_contacts(monkeypatch, answer):
    piles = importlib.import_module("sesshoku.bench.piles")
    monkeypatch.setattr(piles, "FEET", (8, 32))
    monkeypatch.setattr(piles, "SPHERES", (30, 40))
    monkeypatch.setattr(piles, "TOGETHER", 80)
    monkeypatch.setattr(piles, "STEPS", 50)
    monkeypatch.setattr(piles, "PILE_STEPS", 300)
    monkeypatch.setattr(piles, "MOUND_STEPS", 250)
    monkeypatch.setattr(piles, "BIN_STEPS", 100)
    monkeypatch.setattr(piles, "BESIDE", 50)
    document = answer("bench", "piles")
    assert document["plates"]["32"]["contacts"] == 32
    kinds = ("plates", *piles.scenes())
    assert [row["unconverged"] for kind in kinds for row in document[kind].values()] == 2 * len(kinds) * [0]
    for kind in kinds:
        heap = 1e-8 if kind.startswith("strict") else 1e-4
        most = 1e-8 if kind == "plates" else heap
        for row in document[kind].values():
            assert row["tolerance"] == 1e-8
            assert row["heap_tolerance"] == heap
            assert row["residual"] <= most
            assert (row["beyond"] > 0.0) == (row["median_beyond"] > 1e-8)
        each = [row["us_per_contact"] for row in document[kind].values()]
        assert document["growth"][kind] == max(each) / min(each)
    assert document["mounds"]["40"]["beyond"] > 0.0
    for row in (row for kind in piles.RIGID for row in document[kind].values()):
        assert row["ratio"] == row["mujoco_us"] / row["beside_us"]
        assert row["mujoco_solver"] in ("newton", "cg")
    names = [list(piles.mound(spheres).bodies) for spheres in (30, 100, 300)]
    assert [sum(name.startswith("sphere") for name in some) for some in names] == [30, 100, 300]
    assert np.isfinite(document["plates_exponent"])
