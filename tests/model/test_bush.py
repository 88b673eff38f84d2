"""Bushes in the builder: stiffness of their units, where their joints go, what they refuse."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.model.robots import hrp2_class

BUSH = ["left_foot_bush_z", "left_foot_bush_roll", "left_foot_bush_pitch"]
LEG = """
<robot name="leg">
  <link name="shank"><inertial><mass value="3"/>
    <inertia ixx="0.02" iyy="0.02" izz="0.005" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="l_foot"><inertial><mass value="1"/>
    <inertia ixx="0.002" iyy="0.003" izz="0.004" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <link name="l_sole"/>
  <joint name="ankle" type="revolute"><origin xyz="0 0 -0.3"/><axis xyz="0 1 0"/>
    <limit lower="-1" upper="1" effort="50" velocity="5"/><parent link="shank"/><child link="l_foot"/></joint>
  <joint name="sole" type="fixed"><origin xyz="0 0 -0.1"/><parent link="l_foot"/><child link="l_sole"/></joint>
</robot>
"""


def test_units_add_up_to_what_three_springs_do() -> None:
    places = np.array([[0.08, 0.0, -0.01], [-0.05, 0.05, -0.01], [-0.05, -0.05, -0.01]])
    bush = sk.Bush.of_units(places, 1.7e5, 300.0)
    centre = np.array(bush.position)
    # energy of the three springs under a small slide, roll and pitch about the centre is ½ k q² of the bush
    for k, motion in enumerate([(1e-4, 0.0, 0.0), (0.0, 1e-3, 0.0), (0.0, 0.0, 1e-3)]):
        slide, roll, pitch = motion
        arms = places - centre
        shortening = slide + roll * arms[:, 1] - pitch * arms[:, 0]
        energy = 0.5 * 1.7e5 * (shortening**2).sum()
        assert 0.5 * bush.stiffness[k] * max(motion) ** 2 == pytest.approx(energy, rel=1e-12)
        assert abs(shortening.sum()) < 1e-18 or k == 0, "tilting must not pull"
    np.testing.assert_allclose(np.array(bush.damping) / bush.stiffness, 300.0 / 1.7e5, rtol=1e-15)


@pytest.mark.parametrize(
    ("places", "problem"),
    [([[0.1, 0.1, 0.0], [-0.1, -0.1, 0.0]], "couple roll and pitch"), ([[np.nan, 0, 0]], "finite"), ([], "finite")],
)
def test_units_that_make_no_bush(places: list[list[float]], problem: str) -> None:
    with pytest.raises(sk.ModelError, match=problem):
        sk.Bush.of_units(places, 1e5, 100.0)


def test_joints_stand_between_the_foot_and_its_own_joint() -> None:
    scene = sk.load(LEG)
    scene.bush("l_foot", sk.Bush(position=(0.0, 0.0, -0.08)))
    model = scene.model
    assert [joint.name for joint in model.joints] == [
        "ankle",
        *(f"l_foot_bush_{motion}" for motion in ("z", "roll", "pitch")),
    ]
    assert [joint.kind for joint in model.joints] == ["revolute", "prismatic", "revolute", "revolute"]
    assert model.body("l_sole") == model.body("l_foot") == model.joint("l_foot_bush_pitch").body
    dofs = [joint.v for joint in model.joints[1:]]
    np.testing.assert_array_equal(model.stiffness[dofs], sk.Bush().stiffness)
    np.testing.assert_array_equal(model.damping[dofs], sk.Bush().damping)
    np.testing.assert_array_equal(model.armature[dofs], sk.Bush().rotor)


def test_foot_moves_as_the_coordinates_say() -> None:
    scene = sk.load(LEG)
    scene.bush("l_foot", sk.Bush(position=(0.0, 0.0, -0.08)))
    dynamics = sk.Dynamics(scene)
    slide, roll, pitch = 0.01, 0.2, -0.3
    pose = dynamics.pose("l_sole", [0.0, slide, roll, pitch])
    about_x, about_y = sk.Pose.at(rpy=(roll, 0, 0)).rotation, sk.Pose.at(rpy=(0, pitch, 0)).rotation
    np.testing.assert_allclose(pose.rotation, about_x @ about_y, atol=1e-15)
    expected = np.array([0, 0, -0.3 - 0.08 + slide]) + about_x @ about_y @ [0, 0, -0.02]
    np.testing.assert_allclose(pose.position, expected, atol=1e-15)


def test_fixed_foot_gets_its_first_joints() -> None:
    scene = hrp2_class()
    before = scene.model
    scene.bush("left_foot")
    model = scene.model
    assert (model.nq, model.nv, model.nu) == (before.nq + 3, before.nv + 3, before.nu)
    assert set(BUSH) <= {joint.name for joint in model.joints}
    assert model.total_mass == pytest.approx(before.total_mass, rel=1e-15)
    assert not model.explicit.any()


def test_postures_keep_what_they_meant() -> None:
    scene = hrp2_class()
    crouch, places = scene.model.postures["crouch"], {j.name: j.q for j in scene.model.joints}
    scene.bush("right_foot", sk.Bush())
    scene.bush("left_foot", sk.Bush())  # in front of the other: both shift what comes after
    for joint in scene.model.joints:
        here = scene.model.postures["crouch"][joint.q]
        np.testing.assert_array_equal(here, crouch[places[joint.name]] if joint.name in places else 0.0)


def test_servos_leave_bushes_alone() -> None:
    scene = sk.load(LEG)
    scene.bush("l_foot")
    scene.servo(100.0, 1.0)
    assert scene.model.actuator_names == ("ankle",)


def test_bush_comes_along_with_an_included_scene() -> None:
    leg = sk.load(LEG)
    leg.bush("l_foot", sk.Bush(explicit=True))
    whole = sk.Scene("whole")
    whole.include(leg, prefix="a_")
    assert whole.model.joint("a_l_foot_bush_roll").kind == "revolute"
    np.testing.assert_array_equal(whole.model.explicit, [0, 1, 1, 1])


def test_bushes_that_cannot_be() -> None:
    scene = sk.load(LEG, floating=True)
    with pytest.raises(sk.ModelError, match=r"bush of 'l_fot': there is no such body. Known are l_foot"):
        scene.bush("l_fot")
    with pytest.raises(sk.ModelError, match=r"bush of 'shank': it moves freely"):
        scene.bush("shank")
    with pytest.raises(sk.ModelError, match=r"'l_foot_bush_roll': stiffness is -1"):
        scene.bush("l_foot", sk.Bush(stiffness=(1.0, -1.0, 1.0)))
    assert scene.bodies["l_foot"].bush is None, "nothing is left of a bush that was refused"
    scene.bush("l_foot")
    with pytest.raises(sk.ModelError, match=r"it has a bush already"):
        scene.bush("l_foot")
    other = sk.load(LEG)
    other.body("probe", sk.Joint("l_foot_bush_z", "revolute"), inertia=sk.Inertia.of(1.0, matrix=(1, 1, 1)))
    with pytest.raises(sk.ModelError, match=r"'l_foot_bush_z': its name is taken"):
        other.bush("l_foot")
