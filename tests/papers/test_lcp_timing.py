"""Time against contacts: the form of the paper grows with their square, ours with their number."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.papers.lcp import humanoid, time_against_contacts


@pytest.mark.parametrize("contacts", [4, 8, 20, 64])
def test_humanoid_stands_on_so_many_points(contacts: int) -> None:
    sim = sk.Simulation(humanoid(contacts), law=sk.contact.Lcp(), posture="crouch")
    sim.step(n=200)
    assert len(sim.contacts) == contacts
    assert np.abs(sim.v).max() < 0.02
    places = sim.contacts.point[:, :2]
    assert len(np.unique(places.round(6), axis=0)) == contacts


@pytest.mark.slow
def test_exponents() -> None:
    found = time_against_contacts((64, 128, 256))
    exponents = found["exponents"]
    assert [row["contacts"] for row in found["rows"]] == [64, 128, 256]
    assert exponents["paper_assembly"] > 1.6
    assert exponents["paper_sweep"] > 1.6
    assert exponents["our_assembly"] < 1.3
    assert exponents["our_sweep"] < 1.3
    assert exponents["our_step"] < 1.5
