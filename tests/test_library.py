"""Parts become part of kernels and of nothing else; kernels keep to their own copies of them."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
from copy import deepcopy
from pathlib import Path

import pytest
from numba import float64

from sesshoku.kernel import kernel
from sesshoku.spatial.vector import cross

FALL = """
import numpy as np, sesshoku as sk
scene = sk.load("standing_hrp2")
scene.actuators.clear()
sim = sk.Simulation(scene, law="volume")
sim.v[:] = 0.01 * np.random.default_rng(0).normal(size=sim.model.nv)
sim.step(n=720)
print(sim.q.tobytes().hex())
"""


@kernel
def twice(x):
    return 2.0 * x


@kernel
def four_times(x):
    if x < 0.0:
        raise ValueError("negative", x)
    return twice(twice(x))


@kernel
def eight_times(x):
    return twice(four_times(x))


def test_a_part_has_no_machine_code_and_may_still_be_called_by_python():
    assert eight_times(1.5) == 12.0
    twice._part.compile((float64,))  # what calls it may have come from the cache, as a whole
    part = next(iter(twice._part.overloads.values())).library
    assert part.part
    assert part.get_pointer_to_function(next(part.get_defined_functions()).name) == 0
    assert twice(1.5) == 3.0
    assert not next(iter(twice.whole.overloads.values())).library.part


def test_what_a_part_raises_reaches_python():
    with pytest.raises(ValueError, match="negative") as caught:
        eight_times(-1.0)
    assert caught.value.args == ("negative", -1.0)


def test_a_kernel_is_pickled_by_name_and_takes_names():
    assert pickle.loads(pickle.dumps(cross)) is deepcopy(cross) is cross
    assert twice(x=1.5) == 3.0


def test_parts_are_read_from_the_cache(tmp_path: Path) -> None:
    """A second process, which compiles something else, takes the same parts."""
    code = """
from numba.core import event
from sesshoku.spatial.{module} import {name}
with event.install_recorder("numba:compile") as seen:
    {name}({arguments})
print(*sorted({{e.data["dispatcher"].py_func.__name__ for _, e in seen.buffer}}))
"""
    spin = "((0., 0., 1.), (0., 0., 0.))"

    def compiled(module: str, name: str, arguments: str) -> list[str]:
        run = [sys.executable, "-c", code.format(module=module, name=name, arguments=arguments)]
        env = {**os.environ, "SESSHOKU_CACHE": str(tmp_path)}
        return subprocess.run(run, env=env, capture_output=True, text=True, check=True).stdout.split()

    assert compiled("motion", "velocity_at", f"{spin}, (1., 0., 0.)") == ["add", "cross", "velocity_at"]
    assert compiled("motion", "cross_motion", f"{spin}, {spin}") == ["cross_motion"]
    assert compiled("motion", "cross_motion", f"{spin}, {spin}") == []


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
