"""``sesshoku run``."""

import json

import numpy as np
import pytest

import sesshoku as sk
from peers import robot

KEYS = [
    *("scene", "law", "dt", "time", "steps", "seconds_per_step"),
    *("contacts", "max_penetration", "residual", "energy", "state"),
]
WRONG = {
    "missing file": ["run", "nowhere.urdf"],
    "law": ["run", "pendulum", "--law", "sticky"],
    "integrator": ["run", "pendulum", "--integrator", "euler"],
    "posture": ["run", "pendulum", "--posture", "lying"],
    "no number": ["run", "pendulum", "--dt", "short"],
    "negative dt": ["run", "pendulum", "--dt", "-1"],
    "no time": ["run", "pendulum", "--time", "0"],
    "endless": ["run", "pendulum", "--time", "inf"],
    "record suffix": ["run", "pendulum", "--record", "replay.txt"],
    "record folder": ["run", "pendulum", "--record", "nowhere/replay.npz"],
    "floating bundled": ["run", "pendulum", "--floating"],
    "no scene": ["run"],
}


def test_json_has_the_keys_and_the_motion(answer):
    document = answer("run", "double_pendulum", "--time", "0.5", "--dt", "0.002", "--integrator", "rk4")
    assert list(document) == KEYS
    assert (document["scene"], document["law"], document["steps"]) == ("double_pendulum", "exact", 250)
    assert 0 < document["seconds_per_step"] < 1e-3
    sim = sk.Simulation(sk.load("double_pendulum"), dt=0.002, integrator="rk4")
    sim.step(n=250)
    assert document["time"] == sim.time
    assert document["state"] == {"q": sim.q.tolist(), "v": sim.v.tolist()}
    assert document["energy"] == sim.energy.total


def test_recording_can_be_read_again(answer, tmp_path):
    file = tmp_path / "replay.npz"
    document = answer("run", "pendulum", "--record", file)
    recording = sk.Recording.load(file)
    assert len(recording) == document["steps"] + 1
    assert recording.q[-1].tolist() == document["state"]["q"]


def test_recording_of_what_diverges_is_kept(call, tmp_path):
    file = tmp_path / "replay.npz"
    stiff = ("--integrator", "rk4", "--dt", "0.05", "--time", "20")  # explicit, and beyond its damping
    result = call("run", "three_link", *stiff, "--record", file)
    assert result.exit_code == 2
    assert "diverged at" in result.stderr
    assert len(sk.Recording.load(file)) > 1


def test_posture_and_summary(call):
    result = call("run", "hoap_class", "--posture", "crouch", "--time", "0.01")
    assert result.exit_code == 0
    assert "hoap_class" in result.stdout
    assert "left_knee" in result.stdout
    assert "0.8000 rad" in result.stdout
    assert "9 more joints" in result.stdout


def test_floating_urdf_falls_freely(answer):
    document = answer("run", robot("panda.urdf"), "--floating", "--integrator", "rk4", "--time", "0.2", "--law", "none")
    assert document["state"]["v"][2] == pytest.approx(-9.81 * 0.2)
    assert np.abs(document["state"]["v"][6:]).max() < 1e-9


@pytest.mark.slow
@pytest.mark.parametrize("name", ["panda.urdf", "talos_full_v2.urdf"])
def test_stdout_of_a_process_is_one_document(process, name):
    result = process("run", robot(name), "--time", "0.01", "--json")
    assert result.returncode == 0
    assert list(json.loads(result.stdout)) == KEYS


def test_what_is_not_simulated_is_said_on_one_line(process):
    result = process("run", robot("talos_full_v2.urdf"), "--time", "0.01", "--json")
    of_file, of_overlaps = [line for line in result.stderr.splitlines() if "not simulated" in line]
    assert of_file.startswith("sesshoku: ")
    assert "which overlap as the file has them" in of_overlaps
    assert "Warning" not in result.stderr


@pytest.mark.parametrize("words", WRONG.values(), ids=WRONG)
def test_wrong_input_is_answered_by_one_sentence(call, words, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    plain, machine = call(*words), call(*words, "--json")
    assert plain.exit_code == machine.exit_code == 2
    assert plain.stdout == ""
    sentence = json.loads(machine.stdout)["error"]
    assert plain.stderr == machine.stderr == f"sesshoku: {sentence}\n"
    assert not list(tmp_path.iterdir())


def test_wrong_file_in_a_process(process, tmp_path):
    file = tmp_path / "broken.urdf"
    file.write_text("<robot name='r'><link name='a'></robot>")
    result = process("run", file, "--json")
    assert result.returncode == 2
    assert "broken.urdf" in json.loads(result.stdout)["error"]
    assert "Traceback" not in result.stderr
