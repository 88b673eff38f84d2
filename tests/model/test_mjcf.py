from pathlib import Path

import gymnasium
import mujoco
import numpy as np
import pytest

from sesshoku.model.mjcf import from_mujoco, load_mjcf

ASSETS = sorted((Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets").glob("*.xml"))

SCENE = """
<mujoco model="scene">
  <option density="2" viscosity="0.1" wind="1 2 3" gravity="0 0 -3"/>
  <worldbody>
    <site name="origin" pos="0 0 1"/>
    <body name="ball" pos="1 0 2" euler="10 20 30"><freejoint/><geom size="0.1"/></body>
    <body name="base" pos="0 1 0">
      <geom size="0.1"/>
      <body name="arm" pos="0 0 1" gravcomp="0.5">
        <joint name="slide" type="slide" axis="0 1 1" ref="0.1" springref="0.2" stiffness="3"/>
        <joint name="hinge" pos="0.1 0.2 0.3" axis="1 0 0" ref="20" range="-30 40" damping="0.4"
               armature="0.05" frictionloss="0.6" actuatorfrcrange="-6 8"/>
        <geom type="box" size="0.1 0.2 0.3" pos="0.3 0.2 0.1" euler="30 0 0"/>
        <site name="arm" pos="0 0 0.5"/>
        <body><joint type="ball" pos="0 0 0.1" damping="0.1"/><geom size="0.1" pos="0.1 0 0"/></body>
      </body>
    </body>
    <body name="joint3"><joint name="joint0"/><geom size="0.1"/></body>
  </worldbody>
  <contact><exclude body1="world" body2="arm"/></contact>
  <actuator>
    <position name="servo" joint="hinge" kp="10" kv="2" gear="-2" ctrlrange="-1 1" forcerange="-5 3"/>
    <motor joint="slide" gear="3"/>
  </actuator>
  <keyframe><key name="up"/><key/></keyframe>
</mujoco>
"""


def assert_same_poses(reference, ours, frame_pose, names):
    data = mujoco.MjData(reference)
    motion = np.random.default_rng(0).uniform(-1, 1, reference.nv)
    mujoco.mj_integratePos(reference, data.qpos, motion, 1.0)
    q = data.qpos.copy()
    mujoco.mj_kinematics(reference, data)
    for b in range(1, reference.nbody):
        pose = frame_pose(ours, q, names[b])
        np.testing.assert_allclose(pose.position, data.xpos[b], atol=1e-12)
        np.testing.assert_allclose(pose.rotation.ravel(), data.xmat[b], atol=1e-12)


@pytest.mark.parametrize("path", ASSETS, ids=lambda path: path.stem)
@pytest.mark.filterwarnings("ignore:.*settotalmass")
def test_every_body_lies_where_mujoco_has_it(path, frame_pose, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)  # MuJoCo logs its warnings where it runs
    ours = load_mjcf(path).model
    reference = mujoco.MjModel.from_xml_path(str(path))
    np.testing.assert_allclose(ours.q0, reference.qpos0)
    np.testing.assert_allclose(ours.total_mass, reference.body_mass[reference.body_weldid > 0].sum())
    names = [reference.body(b).name or f"body{b}" for b in range(reference.nbody)]
    assert_same_poses(reference, ours, frame_pose, names)


def test_every_element_of_a_scene(frame_pose):
    reference = mujoco.MjModel.from_xml_string(SCENE)
    scene = load_mjcf(SCENE)
    ours = scene.model
    assert_same_poses(reference, ours, frame_pose, ["world", "ball", "base", "arm", "body4", "joint3"])
    assert (scene.name, scene.gravity) == ("scene", (0, 0, -3))
    assert (scene.medium.density, scene.medium.viscosity, scene.medium.wind) == (2, 0.1, (1, 2, 3))
    assert [j.name for j in ours.joints] == ["joint0_", "slide", "hinge", "joint3", "joint0"]
    np.testing.assert_allclose(ours.q0, reference.qpos0)
    np.testing.assert_allclose(ours.rest, reference.qpos_spring)
    np.testing.assert_allclose(ours.damping, reference.dof_damping)
    np.testing.assert_allclose(ours.armature, reference.dof_armature)
    np.testing.assert_allclose(ours.friction, reference.dof_frictionloss)
    hinge = scene.joint("hinge").v
    np.testing.assert_allclose([ours.lower[hinge], ours.upper[hinge]], np.deg2rad([-30, 40]))
    assert ours.stiffness[scene.joint("slide").v] == 3
    assert scene.bodies["arm"].gravity_compensation == 0.5
    assert set(scene.postures) == {"up", "key1"}
    assert scene.disabled_pairs == {frozenset(("world", "arm"))}
    np.testing.assert_allclose(frame_pose(ours, ours.q0, "site_arm").position, [0, 1, 1.5])
    np.testing.assert_allclose(frame_pose(ours, ours.q0, "origin").position, [0, 0, 1])
    assert not scene.unsimulated


def test_inertia_matches():
    reference, ours = mujoco.MjModel.from_xml_string(SCENE), load_mjcf(SCENE)
    body = ours.bodies["arm"].inertia
    np.testing.assert_allclose(body.mass, reference.body("arm").mass[0])
    np.testing.assert_allclose(body.com, reference.body("arm").ipos)
    np.testing.assert_allclose(
        np.sort(np.linalg.eigvalsh(body.matrix)), np.sort(reference.body("arm").inertia), rtol=1e-9
    )


@pytest.mark.parametrize("control", [-3.0, 0.2, 3.0])
def test_actuator_force_is_mujocos(control):
    scene, reference = load_mjcf(SCENE), mujoco.MjModel.from_xml_string(SCENE)
    data = mujoco.MjData(reference)
    data.ctrl[0], data.qpos[8], data.qvel[7] = control, 0.3, 0.1
    mujoco.mj_forward(reference, data)
    servo = scene.actuators["servo"]
    force = (
        servo.gain * np.clip(control, servo.lower, servo.upper)
        + servo.offset
        - servo.kp * servo.gear * 0.3
        - servo.kd * servo.gear * 0.1
    )
    force = np.clip(force, servo.force_lower, servo.force_upper) * servo.gear
    np.testing.assert_allclose(force, data.qfrc_actuator[7])
    assert scene.actuators["actuator1"].gear == 3


def test_actuators_add_armature_and_damping_through_their_gear():
    reference = mujoco.MjModel.from_xml_string(SCENE)
    if not hasattr(reference, "actuator_armature"):
        pytest.skip("since MuJoCo 4")
    reference.actuator_armature[0], reference.actuator_damping[0] = 0.1, 0.2
    model = from_mujoco(reference).model
    np.testing.assert_allclose([model.armature[7], model.damping[7]], [0.05 + 0.4, 0.4 + 0.8])


def test_features_the_file_switches_off():
    flags = '<option><flag gravity="disable" limit="disable" damper="disable" spring="disable"'
    text = SCENE.replace("</worldbody>", f'</worldbody>{flags} frictionloss="disable"/></option>')
    scene = load_mjcf(text)
    model = scene.model
    assert scene.gravity == (0, 0, 0)
    assert not np.any([model.damping, model.stiffness, model.friction])
    assert np.isinf(model.upper).all()


def test_unsimulated_elements_are_named():
    scene = load_mjcf("""
    <mujoco>
      <option density="1"/>
      <worldbody>
        <body name="m" mocap="true"/>
        <body name="a"><joint name="j" damping="1 2" stiffness="1 2" actuatorfrcrange="-1 1"/>
          <geom name="g" size="0.1" fluidshape="ellipsoid"/><site name="s"/></body>
        <body name="b"><joint name="k" type="ball" range="0 30"/><geom size="0.1"/></body>
      </worldbody>
      <tendon><fixed name="t"><joint joint="j" coef="1"/></fixed></tendon>
      <equality><tendon name="e" tendon1="t"/><tendon name="off" tendon1="t" active="false"/></equality>
      <actuator>
        <motor name="tendon" tendon="t"/><motor name="site" site="s"/><motor name="ball" joint="k"/>
        <muscle name="muscle" joint="j" lengthrange="0 1"/>
        <intvelocity name="slow" joint="j" actrange="-1 1"/>
        <damper name="damper" joint="j" ctrlrange="0 1"/><motor name="ok" joint="j"/>
      </actuator>
    </mujoco>""")
    assert list(scene.actuators) == ["ok"]
    assert scene.unsimulated == [
        "polynomial stiffness of joint 'j'",
        "polynomial damping of joint 'j'",
        "limit of ball joint 'k'",
        "tendon 't'",
        "equality 'e'",
        "mocap of body 'm'",
        "ellipsoid fluid model of body 'a'",
        "actuator 'tendon' (not on a one-degree joint)",
        "actuator 'site' (not on a one-degree joint)",
        "actuator 'ball' (not on a one-degree joint)",
        "actuator 'muscle' (dynamics)",
        "actuator 'slow' (dynamics)",
        "actuator 'damper' (force not affine)",
        "force range of joint 'j', which several actuators share",
    ]


def test_mujocos_warnings_leave_no_file(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.warns(UserWarning, match="settotalmass"):
        load_mjcf('<mujoco><compiler settotalmass="3"/><worldbody><geom size="1"/></worldbody></mujoco>')
    assert not list(tmp_path.iterdir())
