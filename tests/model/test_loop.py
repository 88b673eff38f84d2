"""Loops and couplings: from the builder, from MJCF, from URDF."""

import warnings

import mujoco
import numpy as np
import pytest

import sesshoku as sk

EQUALITIES = """
<mujoco>
  <worldbody>
    <body name="a" pos="0.1 0 1" euler="10 20 30"><freejoint/><geom size="0.1"/><site name="sa" pos="0.1 0.2 0"/>
      <body name="c" pos="0.2 0 0"><joint name="slide" type="slide" ref="0.1"/><geom size="0.05"/></body></body>
    <body name="b" pos="1 0.5 1" euler="-20 5 60"><freejoint/><geom size="0.1"/>
      <site name="sb" pos="0 0.1 0.3" euler="30 0 10"/>
      <body name="d" pos="0 0.2 0"><joint name="turn" ref="20"/><geom size="0.05"/></body></body>
  </worldbody>
  <equality>
    <connect name="ball" body1="a" body2="b" anchor="0.1 0.2 0.3"/>
    <connect name="world" body1="c" anchor="0.1 0 0"/>
    <connect name="between sites" site1="sa" site2="sb"/>
    <weld name="weld" body1="a" body2="d" anchor="0.05 0.1 0" relpose="0.2 0.1 0 0.9 0.1 0.2 0.3"/>
    <weld name="welded sites" site1="sb" site2="sa"/>
    <joint name="gear" joint1="slide" joint2="turn" polycoef="0.1 0.5 -0.2 0.3 0.05"/>
    <connect name="off" body1="a" body2="d" anchor="0 0 0" active="false"/>
  </equality>
</mujoco>"""


def gaps(sim: sk.Simulation, name: str) -> np.ndarray:
    """Places of A less those of B, in the world."""
    loop = sim.scene.loops[name]
    a, b = sim.pose(loop.a or "world"), sim.pose(loop.b or "world")
    return np.array([a.apply(x) - b.apply(y) for x, y in zip(loop.places_a, loop.places_b, strict=True)])


def test_equalities_are_violated_as_in_mujoco() -> None:
    """In random configurations the gaps are MuJoCo's."""
    model = mujoco.MjModel.from_xml_string(EQUALITIES)
    scene = sk.load(EQUALITIES)
    assert list(scene.loops) == ["ball", "world", "between sites", "weld", "welded sites"]
    assert list(scene.couplings) == ["gear"]
    data, sim = mujoco.MjData(model), sk.Simulation(scene, law="none")
    rng = np.random.default_rng(1)
    ids = {model.equality(e).name: e for e in range(model.neq)}
    for _ in range(10):
        data.qpos[:] = rng.normal(size=model.nq)
        mujoco.mj_normalizeQuat(model, data.qpos)
        mujoco.mj_forward(model, data)
        sim.q = data.qpos
        rows = {name: data.efc_pos[data.efc_id == e] for name, e in ids.items()}
        for name in ("ball", "world", "between sites", "weld", "welded sites"):
            np.testing.assert_allclose(gaps(sim, name)[0], rows[name][:3], atol=1e-12)
        coupling = scene.couplings["gear"]
        x, q = sim.q[scene.joint("turn").q], sim.q[scene.joint("slide").q]
        off = q - sum(c * x**k for k, c in enumerate(coupling.polynomial))
        assert off == pytest.approx(rows["gear"][0], abs=1e-12)


def test_weld_holds_the_pose_that_mujoco_holds() -> None:
    weld = '<weld body1="a" body2="b" anchor="0.05 0.1 0" relpose="0.2 0.1 0 0.9 0.1 0.2 0.3"/>'
    text = EQUALITIES.split("<equality>")[0] + f"<equality>{weld}</equality></mujoco>"
    sim = sk.Simulation(sk.load(text), dt=1e-3)
    sim.step(n=3000)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    data.qpos[:] = sim.q
    mujoco.mj_forward(model, data)
    np.testing.assert_allclose(data.efc_pos[:6], 0.0, atol=1e-6)


INERTIAL = '<mass value="0.1"/><inertia ixx="1e-4" iyy="1e-4" izz="1e-4" ixy="0" ixz="0" iyz="0"/>'
MIMIC = f"""
<robot name="gripper">
  <link name="palm"/>
  <link name="left"><inertial>{INERTIAL}</inertial></link>
  <link name="right"><inertial>{INERTIAL}</inertial></link>
  <joint name="left" type="prismatic"><parent link="palm"/><child link="left"/><axis xyz="1 0 0"/>
    <limit lower="0" upper="0.05" effort="10" velocity="1"/></joint>
  <joint name="right" type="prismatic"><parent link="palm"/><child link="right"/><axis xyz="-1 0 0"/>
    <limit lower="0" upper="0.05" effort="10" velocity="1"/>
    <mimic joint="left" multiplier="0.5" offset="0.01"/></joint>
</robot>"""


def test_mimic_joint_follows() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scene = sk.load(MIMIC)
    sim = sk.Simulation(scene, dt=1e-3)
    sim.step([0.02, 0.0], n=400)
    left, right = (sim.q[scene.joint(name).q] for name in ("left", "right"))
    assert left > 0.005
    assert right == pytest.approx(0.01 + 0.5 * left, abs=1e-8)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda s: s.close("l", "a", "ghost"), "body 'ghost' is not there"),
        (lambda s: s.close("l", "a", "a"), "its two bodies are one"),
        (lambda s: s.close("l", "a", "b", "glue"), "its kind is 'glue'"),
        (lambda s: [s.close("l", "a", "b"), s.close("l", "a", None)], "its name is taken"),
        (lambda s: s.close("l", "a", "b", position=(np.nan, 0, 0)), "not finite"),
        (lambda s: s.couple("a", "ghost", 0.0, 1.0), "its joint 'ghost' is not there"),
        (lambda s: s.couple("a", "a", 0.0, 1.0), "follows itself"),
        (lambda s: s.couple("a", "b"), "polynomial"),
        (lambda s: [s.couple("a", "b", 0, 1), s.couple("a", "b", 0, 1, name="n")], "follows another one"),
        (lambda s: s.tie(sk.Loop("l", "a", "b", np.zeros((1, 3)), np.zeros((2, 3)))), "differ in number"),
    ],
)
def test_wrong_loops_are_refused(change, message: str) -> None:
    scene = sk.Scene("pair")
    for name in ("a", "b"):
        scene.body(name, sk.Joint(name, "revolute"), mass=1.0, shape=sk.Sphere(0.1))
    with pytest.raises(sk.ModelError, match=message):
        _ = (change(scene), scene.model)


def test_included_loops_move_with_their_scene() -> None:
    inner = sk.Scene("inner")
    inner.body("ball", sk.Joint("ball", "free"), position=(0.2, 0.0, 0.0), mass=1.0, shape=sk.Sphere(0.1))
    inner.close("tie", None, "ball")
    outer = sk.Scene("outer")
    outer.include(inner, prefix="left_", position=(0.0, 1.0, 2.0))
    sim = sk.Simulation(outer, dt=1e-3)
    sim.step(n=200)
    np.testing.assert_allclose(gaps(sim, "left_tie"), 0.0, atol=1e-6)
