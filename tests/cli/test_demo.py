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
    assert document["steps"] == 3200
    assert document["creep"] < 1e-7  # pushed by a tenth of its weight, at random
    assert document["unconverged"] == 0
    assert document["residual"] <= 1e-8
    assert document["max_penetration"] < 1e-3
    recording = sk.Recording.load(document["recording"])
    assert recording.time[-1] == pytest.approx(3.2)
    sim = sk.Simulation(sk.load("hrp2_class"))
    heights = []
    for k in (0, 1200, 3200):
        sim.q = recording.q[k]
        heights.append(sim.pose("chest").position[2])
    assert heights[1] == pytest.approx(heights[0], abs=0.01)  # it stands,
    assert heights[2] < 0.5 * heights[0]  # and lies
    picture = Path(document["picture"]).read_bytes()
    assert picture.startswith(b"\x89PNG")
    assert len(picture) > 20_000


def test_out_that_is_a_file_is_refused(call, tmp_path):
    (tmp_path / "out").write_text("")
    result = call("demo", "--out", tmp_path / "out")
    assert result.exit_code == 2
    assert result.stderr == f"sesshoku: {tmp_path / 'out'}: File exists.\n"
