"""``sesshoku bench``: the command; what is measured is tested elsewhere."""

import importlib
import json

import pytest
from rich.table import Table

from sesshoku.bench import BENCHES


@pytest.fixture
def quick(monkeypatch):
    """Benchmarks that take no time."""
    for name in BENCHES:
        module = importlib.import_module(f"sesshoku.bench.{name}")
        monkeypatch.setattr(module, "measure", lambda progress: progress("measuring") or {"ratio": 2.0})
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
