"""What the documentation shows, runs."""

import re
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import sesshoku as sk
from sesshoku.bench import BENCHES
from sesshoku.bench.compare import COMPARED
from sesshoku.cli import app
from sesshoku.model.scenes import SCENES
from sesshoku.papers import EXPERIMENTS

DOCS = Path(__file__).parents[1] / "docs"
MODELS, LAWS, SURFACES, VOLUME, CONTACT = (
    (DOCS / f"{name}.md").read_text() for name in ("models", "laws", "surfaces", "volume", "contact")
)
COMPARISONS = re.findall(r"^sesshoku (compare .*)$", LAWS, flags=re.MULTILINE)


def test_feet_on_rubber():
    (block,) = re.findall(r"^```python\n(.*?)^```", MODELS, flags=re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(block, names)
    load = (names["sim"].model.total_mass / 2 - 0.65) * 9.81
    assert names["sag"] == pytest.approx(load / 5e5, rel=1e-3)


def test_a_load_on_elastic_ground():
    (block,) = re.findall(r"^```python\n(.*?)^```", CONTACT, flags=re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(block, names)
    assert names["forces"] == pytest.approx([4.95, 7.95, 6.95, 9.95], abs=5e-3)


def test_an_arm_on_the_ground():
    (block,) = re.findall(r"^```python\n(.*?)^```", SURFACES, flags=re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(block, names)
    assert names["run"].sticks.all()
    assert abs(names["run"].gap).max() < 1e-12
    assert names["moment"][:, 0] == pytest.approx(np.full(3, -3.0))  # from rest: no damping yet


def test_a_box_by_volume():
    (block,) = re.findall(r"^```python\n(.*?)^```", VOLUME, flags=re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(block, names)
    assert names["force"] == pytest.approx([0.0, 0.0, 9.81], abs=1e-6)
    assert names["moment"] == pytest.approx([0.0, 0.0, 0.0], abs=1e-6)


@pytest.mark.parametrize("command", COMPARISONS)
def test_laws_are_compared(command, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    result = CliRunner().invoke(app, [*command.split(), "--time", "0.02"])
    assert result.exit_code == 0, result.output
    assert len(list(tmp_path.rglob("compare_*.png"))) == 1


def test_what_is_described_is_there():
    assert {command.split()[1] for command in COMPARISONS} == set(SCENES)
    assert {"exact"} < set(re.findall(r"^## (\w+)$", LAWS, flags=re.MULTILINE)) <= set(COMPARED)
    assert set(re.findall(r"`sesshoku bench (\w+)`", LAWS)) <= set(BENCHES)
    assert all((DOCS / picture).exists() for picture in re.findall(r"!\[.*\]\((.*)\)", LAWS + SURFACES + VOLUME))
    assert set(re.findall(r"`sesshoku reproduce ([\w-]+)`", SURFACES + VOLUME)) <= set(EXPERIMENTS)
    assert all(hasattr(sk, error) for error in re.findall(r"^\| `(\w+)` \|", SURFACES, flags=re.MULTILINE))
