"""Recording: samples by name, on disk and back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import sesshoku as sk


@pytest.fixture
def recording() -> sk.Recording:
    sim = sk.Simulation(sk.load("hoap_class"))
    return sim.run(0.03, lambda sim: np.full(20, 0.1))


def test_read_back_with_names(recording: sk.Recording, tmp_path: Path) -> None:
    path = recording.save(tmp_path / "run.npz")
    again = sk.Recording.load(path)
    for name in ("time", "q", "v", "tau", "control"):
        np.testing.assert_array_equal(getattr(again, name), getattr(recording, name))
    assert (again.scene, again.dt, again.integrator) == ("hoap_class", 1e-3, "semi_implicit")
    assert again.actuators == recording.actuators
    assert list(again.joints) == list(recording.joints)
    assert again.joint_q("left_knee").shape == (31,)
    assert again.joint_q("root").shape == (31, 7)
    assert again.joint_v("root").shape == (31, 6)
    assert list(tmp_path.iterdir()) == [path]


def test_plain_numpy_reads_it(recording: sk.Recording, tmp_path: Path) -> None:
    with np.load(recording.save(tmp_path / "run.npz"), allow_pickle=False) as file:
        assert file["q"].shape == (31, 27)


def test_long_runs_grow(recording: sk.Recording) -> None:
    sim = sk.Simulation(sk.load("pendulum"))
    sim.run(3.0)
    assert len(sim.recording) == 3001
    np.testing.assert_allclose(np.diff(sim.recording.time), 1e-3, rtol=1e-9)


@pytest.mark.parametrize("content", [b"", b"not a zip", b"PK\x03\x04 broken"])
def test_wrong_files_are_refused(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "wrong.npz"
    path.write_bytes(content)
    with pytest.raises(sk.FileFormatError, match=r"wrong\.npz: is not a recording"):
        sk.Recording.load(path)


def test_another_npz_is_refused(tmp_path: Path) -> None:
    np.savez(tmp_path / "other.npz", a=np.zeros(3))
    with pytest.raises(sk.FileFormatError):
        sk.Recording.load(tmp_path / "other.npz")


def test_unknown_joint_is_named(recording: sk.Recording) -> None:
    with pytest.raises(sk.SesshokuError, match="no joint 'tail'"):
        recording.joint_q("tail")
