"""The benchmark of the laws, shortened."""

from __future__ import annotations

import pytest
from rich.console import Console

from sesshoku.bench import engine, laws
from sesshoku.bench.compare import COMPARED
from sesshoku.errors import SesshokuError


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(laws, "ROUNDS", 2)
    monkeypatch.setattr(engine, "SETTLE", 100)
    robots = laws.cases()

    def missing() -> None:
        raise SesshokuError("not installed")

    monkeypatch.setattr(laws, "cases", lambda: {"hrp2_class": robots["hrp2_class"], "g1": missing})


@pytest.mark.usefixtures("quick")
def test_every_law_stands_on_eight_contacts() -> None:
    result = laws.measure(lambda _: None)
    assert list(result) == ["hrp2_class_still", "hrp2_class_pushed"]
    for rows in result.values():
        assert list(rows) == list(COMPARED)
        assert rows["exact"]["ratio"] == 1.0
        assert rows["exact"]["unconverged"] == 0
        for row in rows.values():
            assert row["contacts"] == pytest.approx(8.0, abs=0.1)
            assert row["us"] > 0.0
    assert result["hrp2_class_pushed"]["lcp"]["iterations"] > result["hrp2_class_still"]["lcp"]["iterations"]
    console = Console(width=150, record=True)
    console.print(laws.table(result))
    text = console.export_text()
    assert all(law in text for law in COMPARED)
