"""What the README shows, runs."""

import re
from pathlib import Path

import pytest

import sesshoku as sk

README = (Path(__file__).parents[1] / "README.md").read_text()
BLOCKS = re.findall(r"^```python\n(.*?)^```", README, flags=re.DOTALL | re.MULTILINE)

ROBOT = """
<robot name="arm">
  <link name="base"/>
  <link name="upper">
    <inertial><origin xyz="0 0 0.2"/><mass value="1"/>
      <inertia ixx="0.01" iyy="0.01" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <link name="lower">
    <inertial><origin xyz="0 0 0.2"/><mass value="0.5"/>
      <inertia ixx="0.005" iyy="0.005" izz="0.001" ixy="0" ixz="0" iyz="0"/></inertial>
  </link>
  <joint name="shoulder" type="continuous">
    <parent link="base"/><child link="upper"/><axis xyz="0 1 0"/></joint>
  <joint name="elbow" type="continuous"><origin xyz="0 0 0.4"/>
    <parent link="upper"/><child link="lower"/><axis xyz="0 1 0"/></joint>
</robot>
"""


def test_there_is_python_in_it():
    assert BLOCKS


@pytest.mark.parametrize("block", BLOCKS)
def test_python_runs(block, tmp_path, monkeypatch):
    (tmp_path / "robot.urdf").write_text(ROBOT)
    monkeypatch.chdir(tmp_path)
    names: dict[str, object] = {}
    exec(block, names)
    assert names["sim"].time == pytest.approx(2.0)
    recording = sk.Recording.load("replay.npz")
    assert recording.joint_q("shoulder")[-1] == pytest.approx(0.3, abs=0.05)  # sags by its weight
