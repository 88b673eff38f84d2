"""``sesshoku demo``."""

from pathlib import Path

import pytest

import sesshoku as sk

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def out(tmp_path_factory):
    return tmp_path_factory.mktemp("demo") / "new" / "folder"


def test_its_numbers_hold_and_its_files_are_there(answer, out):
    document = answer("demo", "--out", out)
    assert document["steps"] == 1000
    assert document["angular_momentum_drift"] < 1e-5
    assert document["centre_of_mass_error"] < 1e-5
    recording = sk.Recording.load(document["recording"])
    assert recording.time[-1] == pytest.approx(1.0)
    sim = sk.Simulation(sk.load("hoap_class"))
    sim.q = recording.q[-1]
    soles = [sim.pose(f"{side}_sole").position[2] for side in ("left", "right")]
    assert soles == pytest.approx([0.0, 0.0], abs=0.01)  # back on its feet
    picture = Path(document["picture"]).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000


def test_out_that_is_a_file_is_refused(call, tmp_path):
    (tmp_path / "out").write_text("")
    result = call("demo", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr == f"sesshoku: {tmp_path / 'out'}: File exists.\n"
