"""The contact benchmark: the same scene in every engine that is installed, and the URDF that some of them read."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.bench import contact
from sesshoku.bench.contact_scenes import cases
from sesshoku.bench.peer_urdf import apart, trees, write_urdf
from sesshoku.geometry.space import Space

INSTALLED = {name for name, (package, _) in contact.OTHERS.items() if find_spec(package)}


def test_urdf_has_the_same_inertia_and_shapes(tmp_path: Path) -> None:
    model = cases()["go2"]().scene.model
    (root,) = trees(model)
    again = sk.load(write_urdf(model, root, tmp_path, capsules=True), floating=True).model
    assert again.body_names == model.body_names
    rng = np.random.default_rng(0)
    q = model.q0.copy()
    q[7:] = rng.uniform(-1, 1, model.nq - 7)
    np.testing.assert_allclose(
        sk.Dynamics(again).inertia_matrix(q), sk.Dynamics(model).inertia_matrix(q), rtol=0, atol=1e-12
    )
    moving = [placed for placed in model.colliders if placed.body >= 0]
    assert [placed.body for placed in again.colliders] == sorted(placed.body for placed in moving)
    reach, before = Space(again).reach, Space(model).reach
    assert sorted(reach) == pytest.approx(sorted(before[[placed.body >= 0 for placed in model.colliders]]))


def test_a_tree_that_is_not_free_hangs_from_the_world(tmp_path: Path) -> None:
    model = cases()["grasp"]().scene.model
    files = [write_urdf(model, root, tmp_path, capsules=False) for root in trees(model)]
    assert len(files) == 3
    assert "capsule" not in files[0].read_text()
    pad = sk.load(files[1], floating=False).model
    assert pad.nv == 1
    assert pad.lower[0] < -100
    assert 'link name="world"' in files[1].read_text()


def test_bodies_that_never_touch_are_named() -> None:
    model = cases()["go2"]().scene.model
    names = {(model.body_names[a], model.body_names[b]) for a, b in apart(model)}
    assert ("FL_thigh", "FL_calf") in names
    assert ("FL_calf", "FR_calf") not in names


@pytest.mark.slow
@pytest.mark.parametrize("name", ["box_on_slope", "grasp"])
def test_every_engine_stands_and_is_timed(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(contact, "ROUNDS", 1)
    row = contact.measure_case(cases()[name]())
    assert row["contacts"] == 4
    assert row["residual"] < 1e-8
    assert row["creep"] < 1e-12
    assert set(contact.OTHERS) & set(row) == INSTALLED
    for peer in (*row["mujoco"].values(), *(row[peer] for peer in INSTALLED)):
        assert peer["us"] > 0.0
        assert 0.0 <= peer["creep"] < 5e-3
        assert 0.0 <= peer["penetration"] < 5e-3
    assert row["ratio"] == row["mujoco_us"] / row["ours_us"]
    assert contact.table({name: row}).row_count == 1
