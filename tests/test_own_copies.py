"""Compiled code keeps to its own copies of what it calls."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

FALL = """
import numpy as np, sesshoku as sk
scene = sk.load("standing_hrp2")
scene.actuators.clear()
sim = sk.Simulation(scene, law="volume")
sim.v[:] = 0.01 * np.random.default_rng(0).normal(size=sim.model.nv)
sim.step(n=720)
print(sim.q.tobytes().hex())
"""


@pytest.mark.slow
def test_the_process_that_compiles_gives_the_same_bits_as_those_after_it(tmp_path: Path) -> None:
    """Here velocities used to differ after 500 steps."""
    env = {**os.environ, "SESSHOKU_CACHE": str(tmp_path)}
    runs = [
        subprocess.run([sys.executable, "-c", FALL], env=env, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert "compiling kernels" in runs[0].stderr
    assert "compiling kernels" not in runs[1].stderr
    assert runs[0].stdout == runs[1].stdout
