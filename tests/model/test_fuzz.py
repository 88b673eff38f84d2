"""Mutated files either load or raise a typed error; the interpreter survives all of them."""

import os
import random
import re
import subprocess
import sys
import warnings
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow

COUNT = 500
WORDS = ["", "nan", "inf", "-1", "0", "1e400", "1e-300", "x", "1 2", "-1e9", "\x01", "é", "fixed", "floating"]
URDF = """<?xml version="1.0"?>
<robot name="r">
  <link name="base"><inertial><origin xyz="0 0 0.1" rpy="0 0 0"/><mass value="2"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <link name="arm"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0.1" ixz="0" iyy="1" iyz="0" izz="1"/></inertial>
    <collision><origin xyz="0 0 1"/><geometry><box size="1 1 1"/></geometry></collision></link>
  <link name="tip"><inertial><mass value="1"/>
    <inertia ixx="1" ixy="0" ixz="0" iyy="1" iyz="0" izz="1"/></inertial></link>
  <joint name="elbow" type="revolute"><parent link="base"/><child link="arm"/>
    <origin xyz="0 0 1" rpy="0 1 0"/><axis xyz="0 1 0"/><limit lower="-1" upper="1" effort="10" velocity="5"/>
    <dynamics damping="0.1" friction="0.2"/></joint>
  <joint name="wrist" type="planar"><parent link="arm"/><child link="tip"/><axis xyz="0 0 1"/></joint>
</robot>
"""
MJCF = """<mujoco model="m">
  <option gravity="0 0 -9.81" density="1.2"/>
  <default><joint damping="0.1"/></default>
  <worldbody>
    <geom name="floor" type="plane" size="1 1 1"/>
    <body name="base" pos="0 0 1"><freejoint name="root"/><geom type="box" size="0.1 0.2 0.3" mass="1"/>
      <body name="arm" pos="0 0 0.3" quat="1 0 0 0.1">
        <joint name="hinge" type="hinge" axis="0 1 0" range="-30 60" ref="10" armature="0.01"/>
        <joint name="slide" type="slide" axis="1 0 0" stiffness="3"/>
        <inertial pos="0 0 0.1" mass="1" diaginertia="0.1 0.1 0.1"/><site name="hand" pos="0 0 0.2"/>
        <body name="tip"><joint name="ball" type="ball"/><geom type="capsule" size="0.05 0.1"/></body>
      </body></body>
  </worldbody>
  <contact><exclude body1="base" body2="tip"/></contact>
  <actuator><motor name="motor" joint="slide" gear="2"/>
    <position name="servo" joint="hinge" kp="10" ctrlrange="-1 1" ctrllimited="true"/></actuator>
  <keyframe><key name="home" qpos="0 0 1 1 0 0 0 0 0 1 0 0 0"/></keyframe>
</mujoco>
"""


def mutate(text: str, rng: random.Random) -> str:
    """One or two edits: of a value, of a tag, of an element, of a byte, of the length."""
    for _ in range(rng.randint(1, 2)):
        tags = list(re.finditer(r"</?(\w+)", text)) or [re.match("", text)]
        values = list(re.finditer(r'"([^"]*)"', text)) or tags
        elements = list(re.finditer(r"<\w+[^<>]*/>", text)) or tags
        tag, value, element = rng.choice(tags), rng.choice(values), rng.choice(elements)
        position = rng.randrange(len(text) + 1)
        edits = [
            (value.span(), f'"{rng.choice(WORDS)}"'),
            (value.span(), rng.choice(values)[0]),
            (tag.span(), "<" + rng.choice(["link", "body", "joint", "x"])),
            (element.span(), ""),
            ((element.end(), element.end()), element[0]),
            ((position, position + 1), chr(rng.randrange(1, 256))),
            ((position, len(text)), ""),
        ]
        (start, end), new = rng.choice(edits)
        text = text[:start] + new + text[end:]
    return text


def load_all(kind: str, folder: str) -> None:
    """Load each mutation, noting its number first, so that a crash leaves the culprit's number behind."""
    from sesshoku.errors import SesshokuError
    from sesshoku.model import load

    warnings.simplefilter("ignore")
    os.chdir(folder)
    loaded = 0
    for seed in range(COUNT):
        print(seed, flush=True)
        path = Path(f"{seed}.xml")
        path.write_text(mutate(URDF if kind == "urdf" else MJCF, random.Random(seed)), encoding="utf-8")
        try:
            load(path, floating=kind == "urdf" and seed % 2 == 0)
            loaded += 1
        except SesshokuError as error:
            if str(path) not in str(error):
                raise
    print("loaded", loaded)


@pytest.mark.parametrize("kind", ["urdf", "mjcf"])
def test_mutated_files(kind, tmp_path):
    run = subprocess.run(
        [sys.executable, __file__, kind, str(tmp_path)],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    last = run.stdout.split("\n")[-2:]
    assert run.returncode == 0, f"{last}: {run.stderr[-2000:]}"
    assert int(run.stdout.split()[-1]) > COUNT // 20  # the mutations are not all absurd


if __name__ == "__main__":
    load_all(*sys.argv[1:])
