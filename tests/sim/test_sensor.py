"""Force sensors on bodies and sites."""

import mujoco
import numpy as np
import pytest

import sesshoku as sk

G = 9.81
ARM = """
<mujoco>
  <worldbody>
    <body name="base" pos="0 0 1"><freejoint/><geom size="0.1"/>
      <body name="upper" pos="0.1 0 0" euler="10 20 30"><joint name="a" axis="0 1 0" damping="0.3"/>
        <geom type="capsule" size="0.03" fromto="0 0 0 0.3 0 0"/><site name="shoulder" pos="0.02 0.01 0" euler="5 6 7"/>
        <body name="lower" pos="0.3 0 0"><joint name="b" axis="0 0 1" armature="0.01"/>
          <geom type="capsule" size="0.02" fromto="0 0 0 0.2 0.1 0"/>
          <site name="elbow" pos="0 0.02 0.01" euler="40 0 3"/>
          <body name="fixed" pos="0.2 0 0"><geom size="0.04"/></body></body></body></body>
  </worldbody>
  <sensor><force name="shoulder force" site="shoulder"/><torque name="shoulder torque" site="shoulder"/>
    <force name="elbow force" site="elbow"/><torque name="elbow torque" site="elbow"/></sensor>
</mujoco>"""


def test_sensors_of_a_moving_arm_read_what_mujoco_reads() -> None:
    """In free motion, with forces from outside; the step is so small that its end is its beginning."""
    model = mujoco.MjModel.from_xml_string(ARM)
    data, scene = mujoco.MjData(model), sk.load(ARM)
    assert list(scene.sensors) == ["shoulder force", "shoulder torque", "elbow force", "elbow torque"]
    rng = np.random.default_rng(0)
    for law in ("none", "exact"):
        sim = sk.Simulation(scene, law, 1e-7)
        for _ in range(5):
            data.qpos[:] = rng.normal(size=model.nq)
            mujoco.mj_normalizeQuat(model, data.qpos)
            data.qvel[:] = rng.normal(size=model.nv)
            data.qfrc_applied[6:] = rng.normal(size=2)
            data.xfrc_applied[3] = rng.normal(size=6)
            mujoco.mj_forward(model, data)
            mujoco.mj_rnePostConstraint(model, data)
            sim.reset()
            sim.q, sim.v = data.qpos, data.qvel
            sim.push("lower", data.xfrc_applied[3, :3], data.xfrc_applied[3, 3:], point=data.xipos[3])
            sim.step(data.qfrc_applied)
            for place in ("shoulder", "elbow"):
                theirs = np.concatenate([data.sensor(f"{place} force").data, data.sensor(f"{place} torque").data])
                np.testing.assert_allclose(sim.sensor(f"{place} force"), theirs, atol=2e-5)


@pytest.mark.parametrize("integrator", ["semi_implicit", "rk4"])
def test_what_nothing_holds_reads_nothing_however_fast_it_is(integrator: str) -> None:
    """The root of a falling, tumbling arm; its joints at 40 rad/s."""
    scene = sk.load(ARM)
    scene.sensor("root", "base")
    sim, rng = sk.Simulation(scene, dt=1e-3, integrator=integrator), np.random.default_rng(0)
    for _ in range(10):
        turn, sim.v = rng.normal(size=(2, sim.model.nv)) * [[1.0], [40.0]]
        sim.q = sim.dynamics.integrate(sim.q, turn)
        sim.step()
        assert np.abs(sim.sensor("shoulder force")).max() > 1.0
        np.testing.assert_allclose(sim.sensor("root"), np.zeros(6), atol=1e-8)


@pytest.mark.parametrize(("damping", "kd"), [(0.0, 0.0), (0.1, 0.0), (10.0, 0.0), (0.0, 100.0)])
def test_along_its_axis_a_joint_bears_what_damper_and_servo_give(damping: float, kd: float) -> None:
    """Three links at 60 rad/s."""
    scene, names = sk.Scene("arm"), ("upper", "lower", "hand")
    for name, parent, height in zip(names, (None, *names), (0.0, 0.5, 0.5), strict=False):
        joint = sk.Joint(f"{name}_joint", "revolute", "y", damping=damping)
        rod = sk.Inertia.rod(1.0, (0, 0, 0.5))
        scene.body(name, joint, parent=parent, position=(0, 0, height), inertia=rod)
        scene.actuator(sk.Actuator.velocity(joint.name, kd=kd))
        scene.sensor(name, name)
    sim, rng = sk.Simulation(scene, "none", 1e-3), np.random.default_rng(0)
    for _ in range(10):
        sim.q, sim.v = rng.normal(size=(2, 3)) * [[1.0], [60.0]]
        sim.control = sim.v.copy()
        sim.step()
        expected = -damping * sim.v + kd * (sim.control - sim.v)
        np.testing.assert_allclose([sim.sensor(name)[4] for name in names], expected, atol=1e-8)


@pytest.mark.parametrize("integrator", ["semi_implicit", "rk4"])
def test_sensor_in_the_ankle_carries_all_but_the_foot(integrator: str) -> None:
    scene = sk.Scene("leg")
    scene.ground(static=0.8)
    scene.body("foot", sk.Joint("root", "free"), position=(0.0, 0.0, 0.02), mass=1.0, shape=sk.Box((0.2, 0.1, 0.04)))
    shin = sk.Joint("ankle", "revolute", axis="y", friction=50.0)
    scene.body("shin", shin, parent="foot", position=(0.02, 0.0, 0.05), mass=3.0, shape=sk.Sphere(0.05),
               shape_position=(0.0, 0.0, 0.3))  # fmt: skip
    scene.site("sole", "foot", (0.0, 0.0, -0.02))
    scene.sensor("ankle", "shin")
    scene.sensor("skin", "sole", "contact")
    sim = sk.Simulation(scene, dt=1e-3, integrator=integrator)
    np.testing.assert_array_equal(sim.sensor("ankle"), np.zeros(6))
    sim.step(n=300)
    np.testing.assert_allclose(sim.sensor("ankle"), [0.0, 0.0, 3.0 * G, 0.0, 0.0, 0.0], atol=1e-5)
    np.testing.assert_allclose(sim.sensor("skin"), [0.0, 0.0, 4.0 * G, 0.0, -0.02 * 3.0 * G, 0.0], atol=1e-5)


def test_loop_shares_the_load_that_a_sensor_reads() -> None:
    """A beam on two posts, one by its joint, one by a loop: each carries half."""
    scene = sk.Scene("bridge")
    beam = sk.Box((1.0, 0.05, 0.05))
    scene.body("beam", sk.Joint("pin", "revolute", axis="y"), mass=2.0, shape=beam, shape_position=(0.5, 0.0, 0.0))
    scene.close("post", None, "beam", position=(1.0, 0.0, 0.0))
    scene.sensor("pin", "beam")
    sim = sk.Simulation(scene, dt=1e-3)
    sim.step(n=200)
    assert sim.sensor("pin")[2] == pytest.approx(G, abs=1e-6)
    assert sim.loop_wrench("post")[2] == pytest.approx(G, abs=1e-6)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.sensor("x", "ghost"), "its body or site 'ghost' is not there"),
        (lambda s: s.sensor("x", "ground"), "'ground' is fixed to the world"),
        (lambda s: s.sensor("x", "ball", "light"), "its kind is 'light'"),
        (lambda s: [s.sensor("x", "ball"), s.sensor("x", "ball")], "its name is taken"),
    ],
)
def test_wrong_sensors_are_refused(change, message: str) -> None:
    scene = sk.Scene("ball")
    scene.ground()
    scene.body("ball", sk.Joint("ball", "free"), mass=1.0, shape=sk.Sphere(0.1))
    with pytest.raises(sk.ModelError, match=message):
        _ = (change(scene), scene.model)


def test_unknown_sensor_names_the_known() -> None:
    scene = sk.Scene("ball")
    scene.body("ball", sk.Joint("ball", "free"), mass=1.0, shape=sk.Sphere(0.1))
    scene.sensor("x", "ball")
    with pytest.raises(sk.SesshokuError, match=r"unknown sensor 'y'. Known are x"):
        sk.Simulation(scene).sensor("y")
