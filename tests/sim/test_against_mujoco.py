"""Accelerations with actuators, springs, dampers and the medium against MuJoCo, contacts off."""

from __future__ import annotations

import warnings
from pathlib import Path

import mujoco
import numpy as np
import pytest

import sesshoku as sk
from peers import mjcf_files, relative

BOUND = 1e-8


def random_state(model: mujoco.MjModel, data: mujoco.MjData, rng: np.random.Generator) -> None:
    """Draw a state inside the joint limits, and controls."""
    mujoco.mj_resetData(model, data)
    mujoco.mj_integratePos(model, data.qpos, rng.normal(size=model.nv), 0.7)
    for j in np.flatnonzero(model.jnt_limited):
        low, high = model.jnt_range[j]
        address = model.jnt_qposadr[j]
        if int(model.jnt_type[j]) in (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)):
            gap = max(0.02 * (high - low), 1.1 * model.jnt_margin[j])
            data.qpos[address] = rng.uniform(low + gap, high - gap)
    data.qvel[:] = rng.normal(size=model.nv)
    data.ctrl[:] = rng.uniform(-1.5, 1.5, size=model.nu)


@pytest.mark.parametrize("path", mjcf_files(), ids=lambda path: path.stem)
def test_acceleration_agrees(path: Path) -> None:
    model = mujoco.MjModel.from_xml_path(str(path))
    model.opt.disableflags |= mujoco.mjtDisableBit.mjDSBL_CONTACT
    data = mujoco.MjData(model)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", sk.UnsimulatedWarning)
        sim = sk.Simulation(sk.load(path))
    assert (sim.model.nq, sim.model.nv, sim.model.nu) == (model.nq, model.nv, model.nu)
    rng = np.random.default_rng(0)
    for _ in range(5):
        random_state(model, data, rng)
        data.xfrc_applied[1:] = 0.0
        mujoco.mj_forward(model, data)
        assert data.nefc == 0, "a constraint is active: the accelerations are not those of free motion"
        sim.q, sim.v, sim.control = data.qpos, data.qvel, data.ctrl
        assert relative(sim.acceleration(), data.qacc) < BOUND
        for body in range(1, model.nbody):
            name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, body)
            if name:
                np.testing.assert_allclose(sim.pose(name).position, data.xpos[body], atol=1e-9)


ZOO = """<mujoco>
  <option density="1.2" viscosity="0.02" wind="1 -2 0.5"/>
  <worldbody>
    <body name="drone" pos="0 0 2"><freejoint name="root"/>
      <geom type="box" size=".3 .2 .05" mass="2"/>
      <body name="pod" pos="0 0 -.1"><joint name="swivel" type="ball" pos="0 .02 .1" stiffness="3" damping=".2"/>
        <geom type="ellipsoid" size=".05 .1 .08" mass=".4" pos=".02 0 -.05"/>
        <body name="fin" pos=".1 0 0" euler="20 30 0"><geom type="capsule" size=".02 .1" mass=".1"/></body>
      </body>
    </body>
    <body name="gantry" pos="1 0 1" euler="10 20 30" gravcomp="0.4">
      <joint name="gx" type="slide" axis="1 0 0" damping="2" ref=".3"/>
      <joint name="gy" type="slide" axis="0 1 1" stiffness="40" springref=".2"/>
      <joint name="gt" type="hinge" axis="1 1 0" pos=".1 .2 0" armature=".3" ref=".5"/>
      <geom type="cylinder" size=".1 .2" mass="3"/>
      <body name="hook" pos="0 0 -.4" gravcomp="1"><joint name="hk" type="hinge" axis="0 1 0"/>
        <geom type="sphere" size=".08" mass=".7" pos="0 0 -.2"/>
      </body>
      <body name="weld" pos=".3 0 0" gravcomp="0.9"><geom type="sphere" size=".05" mass=".5"/></body>
    </body>
    <body name="post" pos="3 0 0"><joint name="pole" type="ball"/>
      <geom type="box" size=".1 .2 .3" mass="5" pos="0 0 .4"/>
    </body>
  </worldbody>
  <actuator>
    <motor joint="gx" gear="3" ctrlrange="-.5 .5"/>
    <position joint="gy" kp="50" kv="4" forcerange="-8 8"/>
    <velocity joint="gt" kv="2.5" gear="1.7"/>
    <general joint="hk" gainprm="2" biastype="affine" biasprm=".3 -1 -.2" gear="-.8"/>
  </actuator>
</mujoco>"""


def test_every_feature_in_one_scene() -> None:
    """Several roots, several joints per body, ball and free joints, springs, gears, gravity compensation, wind."""
    model = mujoco.MjModel.from_xml_string(ZOO)
    data, sim = mujoco.MjData(model), sk.Simulation(sk.load(ZOO))
    rng = np.random.default_rng(0)
    saturated = False
    for _ in range(20):
        random_state(model, data, rng)
        data.xfrc_applied[1:] = rng.normal(size=(model.nbody - 1, 6))
        mujoco.mj_forward(model, data)
        sim.q, sim.v, sim.control = data.qpos, data.qvel, data.ctrl
        sim.external[:] = 0.0
        for body in range(1, model.nbody):
            name = mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, body)
            force, moment, point = data.xfrc_applied[body, :3], data.xfrc_applied[body, 3:], data.xipos[body]
            before = sim.external[sim.model.body(name)].copy()
            sim.push(name, force, moment, point=point)
            sim.external[sim.model.body(name)] += before  # merged bodies share one row
        saturated |= bool((np.abs(data.actuator_force[1]) >= 8.0).any())
        assert relative(sim.acceleration(), data.qacc) < BOUND
    assert saturated


def test_potential_and_kinetic_energy_agree() -> None:
    text = ZOO.replace("<option ", '<option><flag energy="enable"/></option><option ')
    model = mujoco.MjModel.from_xml_string(text)
    data, sim = mujoco.MjData(model), sk.Simulation(sk.load(text))
    rng = np.random.default_rng(0)
    for _ in range(5):
        random_state(model, data, rng)
        mujoco.mj_forward(model, data)
        sim.q, sim.v = data.qpos, data.qvel
        lifts = 9.81 * sum(
            model.body_gravcomp[b] * model.body_mass[b] * data.xipos[b, 2] for b in range(1, model.nbody)
        )  # MuJoCo counts carried weights as forces, not as potential energy
        assert sim.energy.kinetic == pytest.approx(data.energy[1], rel=1e-10)
        assert sim.energy.potential == pytest.approx(data.energy[0] - lifts, rel=1e-10)
