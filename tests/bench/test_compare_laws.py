"""Laws side by side: their known defects show."""

from __future__ import annotations

import pytest

import sesshoku as sk
from sesshoku.bench.compare import COMPARED, compare, panels, summaries
from sesshoku.contact import LAWS, Lcp

pytestmark = pytest.mark.slow


def rows(scene: str, **run: float) -> dict[str, dict[str, float]]:
    """All laws on a bundled scene."""
    return summaries(compare(sk.load(scene), {name: name for name in COMPARED}, **run))


def test_all_laws_with_forces_are_compared() -> None:
    assert set(COMPARED) == set(LAWS) - {"none"}


def test_only_the_penalty_law_creeps_down_a_slope() -> None:
    found = rows("box_on_slope", time=0.3)
    assert found["exact"]["creep"] < 1e-12
    assert found["exact"]["residual_worst"] < 1e-8
    assert found["exact"]["ratio"] == 1.0
    assert found["lcp"]["creep"] < 1e-9
    assert found["penalty"]["creep"] > 0.01
    assert found["penalty"]["penetration"] > 1e-4


def test_four_directions_hold_what_has_too_little_friction() -> None:
    found = rows("box_giving_way", time=0.3)
    assert found["exact"]["creep"] == pytest.approx(0.2209 * 0.225, rel=0.01)  # g (sin 20° − 0.34 cos 20°)
    assert found["lcp"]["creep"] < 1e-4
    assert found["lcp"]["residual_mean"] > 1e-2


def test_laws_with_options_have_names_of_their_own() -> None:
    laws = {"exact": "exact", "lcp with the disc": Lcp(disc=True)}
    exact, disc = summaries(compare(sk.load("box_giving_way"), laws, time=0.3)).values()
    assert disc["creep"] == pytest.approx(exact["creep"], rel=1e-6)


def test_a_tower_uses_up_the_sweeps_and_sinks_into_springs() -> None:
    found = rows("tower", time=0.2)
    assert found["exact"]["unconverged"] == 0
    assert found["lcp"]["iterations_worst"] == 120
    assert found["lcp"]["unconverged"] > 100
    assert found["penalty"]["penetration"] > 5e-3


def test_a_law_that_fails_is_a_row() -> None:
    laws = {"exact": "exact", "sticky": "sticky"}
    trials = compare(sk.load("box_on_slope"), laws, time=0.1)
    found = summaries(trials)
    assert found["exact"]["error"] is None
    assert "unknown law" in found["sticky"]["error"]
    assert found["sticky"]["creep"] is found["sticky"]["ratio"] is None
    *curves, clock = panels(trials, found)
    assert list(clock.bars) == ["exact"]
    assert all("exact" in panel.curves for panel in curves)
