"""``sesshoku solve``."""

import json

import numpy as np
import pytest

from recorded import PROBLEMS, needs_problems

KEYS = ["contacts", "law", "residual", "iterations", "seconds", "converged"]
GOOD = {"W": np.diag([1.0, 2.0, 2.0]), "q": [-1.0, 3.0, 0.0], "mu": [0.5]}
WRONG = {
    "shape": ({**GOOD, "q": [1.0, 2.0]}, "q has shape (2,)"),
    "not finite": ({**GOOD, "W": np.full((3, 3), np.nan)}, "W has numbers that are not finite"),
    "negative mu": ({**GOOD, "mu": [-1.0]}, "mu has -1"),
    "missing": ({"W": GOOD["W"], "q": GOOD["q"]}, "no array mu"),
    "objects": ({**GOOD, "mu": np.array([None])}, "not an .npz file of numbers"),
}


@pytest.fixture
def problem(tmp_path):
    """Write a problem; returns its file."""

    def write(**arrays):
        np.savez(tmp_path / "problem.npz", **arrays)
        return tmp_path / "problem.npz"

    return write


def test_json_has_the_keys(answer, problem):
    document = answer("solve", problem(**GOOD))
    assert list(document) == KEYS
    assert (document["contacts"], document["law"], document["converged"]) == (1, "exact", True)
    assert document["residual"] <= 1e-8
    assert 0 < document["seconds"] < 1.0  # without the time to compile


def test_summary(call, problem):
    result = call("solve", problem(**GOOD), "--law", "exact")
    assert result.exit_code == 0
    assert "1 of them with a force" in result.stdout
    assert "residual" in result.stdout


def test_forces_are_written(answer, call, problem, tmp_path):
    """A contact that slips: 1/1 along the normal, half of that against the slip."""
    answer("solve", problem(**GOOD), "--out", tmp_path / "forces.npz")
    with np.load(tmp_path / "forces.npz") as file:
        np.testing.assert_allclose(file["force"], [1.0, -0.5, 0.0], atol=1e-7)
    assert call("solve", problem(**GOOD), "--out", tmp_path / "forces.txt").exit_code == 2


def test_looser_tolerance_takes_fewer_iterations(answer, problem):
    rng = np.random.default_rng(0)
    A = rng.normal(size=(30, 12))
    file = problem(W=A @ A.T, q=A @ rng.normal(size=12), mu=np.full(10, 0.6))
    tight, loose = answer("solve", file), answer("solve", file, "--tol", "0.1")
    assert loose["iterations"] < tight["iterations"]
    assert loose["residual"] <= 0.1


def test_no_solution_ends_with_one(call, problem):
    result = call("solve", problem(W=np.zeros((3, 3)), q=[-1.0, 0.0, 0.0], mu=[0.5]), "--json")
    assert result.exit_code == 1
    document = json.loads(result.stdout)
    assert list(document) == KEYS
    assert not document["converged"]


@pytest.mark.parametrize(("arrays", "sentence"), WRONG.values(), ids=WRONG)
def test_wrong_problem_is_answered_by_one_sentence(call, problem, arrays, sentence):
    file = problem(**arrays)
    result = call("solve", file, "--json")
    assert result.exit_code == 2
    said = json.loads(result.stdout)["error"]
    assert said.startswith(f"{file}: {sentence}")
    assert result.stderr == f"sesshoku: {said}\n"


def test_wrong_files_and_law(call, problem, tmp_path):
    (tmp_path / "text.npz").write_text("W = 1")
    (tmp_path / "broken.npz").write_bytes(problem(**GOOD).read_bytes()[:100])
    np.save(tmp_path / "array.npy", np.eye(3))
    for name in ("text.npz", "broken.npz", "array.npy"):
        result = call("solve", tmp_path / name)
        assert result.exit_code == 2
        assert "not an .npz file of numbers" in result.stderr
    assert "No such file" in call("solve", tmp_path / "none.npz").stderr
    assert "law 'none' solves no bare problems" in call("solve", problem(**GOOD), "--law", "none").stderr


@needs_problems
def test_recorded_problem_in_a_process(process):
    result = process("solve", PROBLEMS[-1], "--json")
    assert result.returncode == 0
    document = json.loads(result.stdout)
    assert document["converged"]
    assert document["residual"] <= 1e-8
