"""Each wrong file gets one sentence with the file, the element and the remedy."""

import pytest

from sesshoku.errors import FileFormatError, ModelError
from sesshoku.model import load

INERTIAL = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
URDF = f"""
<robot name="r">
  <link name="a"/>
  <link name="b">{INERTIAL}</link>
  <link name="c">{INERTIAL}</link>
  <joint name="j" type="revolute">
    <parent link="a"/><child link="b"/><origin xyz="0 0 1" rpy="0 0 0"/><axis xyz="0 0 1"/>
    <limit lower="-1" upper="1" effort="1" velocity="1"/><dynamics damping="0.1"/>
  </joint>
  <joint name="k" type="fixed"><parent link="b"/><child link="c"/></joint>
</robot>
"""
LOOP = '<joint name="l" type="fixed"><parent link="c"/><child link="b"/></joint></robot>'
APART = (
    '<link name="d"/><link name="e"/><joint name="l" type="fixed"><parent link="d"/><child link="e"/></joint>'
    '<joint name="m" type="fixed"><parent link="e"/><child link="d"/></joint></robot>'
)
MESH = '<link name="a"><collision><geometry><mesh filename="package://p/a.stl"/></geometry></collision></link>'

WRONG_URDF = {
    "type": ('type="revolute"', 'type="rotary"', "joint 'j': its type is 'rotary'"),
    "parent": ('<parent link="a"/>', '<parent link="z"/>', "joint 'j': its parent link 'z' is not there"),
    "child": ('<child link="c"/>', '<child link="z"/>', "joint 'k': its child link 'z' is not there"),
    "no parent": ('<parent link="a"/>', "", "joint 'j': <joint> has no <parent>"),
    "loop": ("</robot>", LOOP, "joint 'l': its child link 'b' already hangs on joint 'j'"),
    "separate loop": ("</robot>", APART, "link 'd': is part of a loop"),
    "two roots": ("</robot>", '<link name="d"/></robot>', "has 2 root links, such as 'a' and 'd'"),
    "no name": ('<link name="a"/>', "<link/>", "link number 0 has no name"),
    "same link": ('<link name="a"/>', '<link name="a"/><link name="a"/>', "link 'a': its name is taken"),
    "same joint": ('name="k"', 'name="j"', "joint 'j': its name is taken"),
    "nan mass": ("mass value='1'", "mass value='nan'", "link 'b': <mass value='nan'> is not a finite number"),
    "negative mass": ("mass value='1'", "mass value='-1'", "link 'b': its mass is -1"),
    "no mass": ("<mass value='1'/>", "", "link 'b': <inertial> has no <mass>"),
    "nan inertia": ("ixx='1'", "ixx='nan'", "link 'b': <inertia ixx='nan'> is not a finite number"),
    "negative inertia": ("iyy='1'", "iyy='-1'", "link 'b': its inertia has iyy=-1"),
    "no izz": ("izz='1'", "", "link 'b': <inertia> has no izz"),
    "axis": ('axis xyz="0 0 1"', 'axis xyz="0 0 0"', "joint 'j': its axis is zero"),
    "origin": (
        'origin xyz="0 0 1"',
        'origin xyz="0 0"',
        "joint 'j': <origin xyz='0 0'> is not 3 finite numbers",
    ),
    "limits": ('lower="-1"', 'lower="3"', "joint 'j': lower limit 3.0 exceeds upper limit 1.0"),
    "no limit": (
        '<limit lower="-1" upper="1" effort="1" velocity="1"/>',
        "",
        "joint 'j': <joint> has no <limit>",
    ),
    "damping": ('damping="0.1"', 'damping="-0.1"', "joint 'j': damping is -0.1"),
    "mesh": ('<link name="a"/>', MESH, "link 'a': its collision mesh 'package://p/a.stl' is not there"),
    "root": ("robot", "machine", "its root element is <machine>"),
    "not xml": ("</robot>", "", "is not XML"),
}


@pytest.mark.parametrize("case", WRONG_URDF)
def test_wrong_urdf(case, tmp_path):
    old, new, message = WRONG_URDF[case]
    assert old in URDF
    path = tmp_path / "robot.urdf"
    path.write_text(URDF.replace(old, new))
    with pytest.raises(ModelError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert caught.value.remedy


def test_the_right_one_loads():
    assert load(URDF).model.nv == 1


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"hello", "is not XML"),
        (b"\x00\xff\xfe", "is not XML"),
        (b'<?xml version="1.0" encoding="no-such"?><robot/>', "is not XML"),
        (b"<robot/>", "has no links"),
        (b"<mujocoinclude/>", "its root element is <mujocoinclude>"),
        (b"<mujoco><worldbody><bodi/></worldbody></mujoco>", "element 'bodi', line 1: MuJoCo cannot read it"),
        (b'<mujoco><worldbody><body pos="a"/></worldbody></mujoco>', "element 'body', line 1: MuJoCo cannot read it"),
        (
            b'<mujoco><worldbody><body name="b"><joint/></body></worldbody></mujoco>',
            "element 'b', line 1: it moves but has no mass or inertia",
        ),
        (
            b'<mujoco><worldbody><body name="b"><joint/><inertial pos="0 0 0" mass="nan" diaginertia="1 1 1"/></body>'
            b"</worldbody></mujoco>",
            "<inertial> of body 'b': its mass has the number nan",
        ),
        (
            b'<mujoco><worldbody><body><joint name="j" type="screw"/><geom size="1"/></body></worldbody></mujoco>',
            "element 'joint', line 1: MuJoCo cannot read it (invalid keyword: 'screw')",
        ),
        (
            b'<mujoco><asset><mesh name="m" file="no.stl"/></asset></mujoco>',
            "mesh 'm': its file 'no.stl' cannot be opened",
        ),
        (b"<robot xmlns:xacro='http://www.ros.org/wiki/xacro'><xacro:arm/></robot>", "is a xacro macro"),
    ],
)
def test_wrong_contents(content, message, tmp_path):
    path = tmp_path / "robot"
    path.write_bytes(content)
    with pytest.raises(ModelError) as caught:
        load(path)
    assert str(caught.value).startswith(f"{path}: {message}")
    assert caught.value.remedy


@pytest.mark.parametrize("name", ["missing.urdf", "", "a\0b", "x" * 5000])
def test_missing_files(name):
    with pytest.raises(FileFormatError):
        load(name)


def test_folder(tmp_path):
    with pytest.raises(FileFormatError, match="is a directory"):
        load(tmp_path)
