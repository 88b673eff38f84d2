"""The humanoid of paper 1 on as many points as wanted."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.papers.lcp import humanoid


@pytest.mark.parametrize("contacts", [4, 8, 20, 64])
def test_humanoid_stands_on_so_many_points(contacts: int) -> None:
    sim = sk.Simulation(humanoid(contacts), law=sk.contact.Lcp(), posture="crouch")
    sim.step(n=200)
    assert len(sim.contacts) == contacts
    assert np.abs(sim.v).max() < 0.02
    places = sim.contacts.point[:, :2]
    assert len(np.unique(places.round(6), axis=0)) == contacts
