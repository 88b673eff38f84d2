"""What the documentation shows, runs."""

import re
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sesshoku.bench import BENCHES
from sesshoku.bench.compare import COMPARED
from sesshoku.cli import app
from sesshoku.model.scenes import SCENES

DOCS = Path(__file__).parents[1] / "docs"
MODELS, LAWS = (DOCS / "models.md").read_text(), (DOCS / "laws.md").read_text()
COMPARISONS = re.findall(r"^sesshoku (compare .*)$", LAWS, flags=re.MULTILINE)


def test_feet_on_rubber():
    (block,) = re.findall(r"^```python\n(.*?)^```", MODELS, flags=re.DOTALL | re.MULTILINE)
    names: dict[str, object] = {}
    exec(block, names)
    load = (names["sim"].model.total_mass / 2 - 0.65) * 9.81
    assert names["sag"] == pytest.approx(load / 5e5, rel=1e-3)


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
    assert all((DOCS / picture).exists() for picture in re.findall(r"!\[.*\]\((.*)\)", LAWS))
