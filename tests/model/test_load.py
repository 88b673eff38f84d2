import subprocess
import sys

import mujoco
import pinocchio as pin
import pytest

from sesshoku.errors import FileFormatError, MasslessBodyError, ModelError, UnsimulatedWarning
from sesshoku.model import Scene, load

MJCF = '<mujoco><worldbody><body><freejoint/><geom size="0.1"/></body></worldbody></mujoco>'
INERTIAL = "<inertial><mass value='1'/><inertia ixx='1' iyy='1' izz='1' ixy='0' ixz='0' iyz='0'/></inertial>"
URDF = f"<robot name='r'><link name='root'>{INERTIAL}</link></robot>"
CHAIN = (
    f"<robot name='r'><link name='a'/><link name='b'>{INERTIAL}</link><joint name='j' type='continuous'>"
    "<parent link='a'/><child link='b'/></joint></robot>"
)


def test_texts_and_models():
    assert load(MJCF).model.nv == 6
    assert load(URDF).model.nv == 0
    assert load(URDF, floating=True).model.nv == 6
    assert load(mujoco.MjModel.from_xml_string(MJCF)).model.nv == 6
    assert load(pin.buildModelFromXML(URDF, pin.JointModelFreeFlyer()), armature=0.1).model.nv == 6
    scene = Scene()
    assert load(scene) is scene


@pytest.mark.parametrize("suffix", ["xml", "urdf", "anything"])
def test_files_are_told_apart_by_their_root(tmp_path, suffix):
    path = tmp_path / f"robot.{suffix}"
    path.write_text(MJCF)
    assert load(path).model.nv == 6
    path.write_text(URDF)
    assert load(str(path), floating=True).model.nv == 6


def test_bundled_robots():
    assert load("double_pendulum").model.nv == 2
    with pytest.raises(FileFormatError, match="double_pendulum"):
        load("duble_pendulum")


@pytest.mark.parametrize(
    ("source", "options"),
    [
        (MJCF, {"floating": True}),
        (MJCF, {"armature": 1.0}),
        ("pendulum", {"package_dirs": ["."]}),
        (Scene(), {"srdf": "x.srdf"}),
        (pin.Model(), {"floating": True}),
    ],
)
def test_options_that_make_no_sense_are_refused(source, options):
    with pytest.raises(ModelError, match=next(iter(options))):
        load(source, **options)


def test_other_things_are_refused():
    with pytest.raises(ModelError, match="int"):
        load(3)


def test_unsimulated_elements_are_named_in_one_warning():
    tendon = "<tendon><fixed name='t'><joint joint='j' coef='1'/></fixed></tendon>"
    body = "<body><joint name='j' pos='0 0 1'/><geom size='0.1'/></body>"
    with pytest.warns(UnsimulatedWarning, match=r"tendon 't'") as caught:
        load(f"<mujoco><worldbody>{body}</worldbody>{tendon}</mujoco>")
    assert len(caught) == 1
    assert caught[0].filename == __file__


def test_a_scene_that_cannot_be_simulated_is_refused_with_its_file(tmp_path):
    path = tmp_path / "massless.urdf"
    path.write_text(CHAIN.replace(INERTIAL, ""))
    with pytest.raises(MasslessBodyError, match=r"massless\.urdf: body 'b'"):
        load(path)


def test_import_does_not_load_the_readers():
    code = "import sys, sesshoku.model; assert not {'mujoco', 'pinocchio'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code], check=True)
