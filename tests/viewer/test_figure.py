"""Pictures: closed surfaces, and files that show something."""

import numpy as np
import pytest
from matplotlib.image import imread

import sesshoku as sk
from sesshoku.errors import ModelError
from sesshoku.model import Box, Capsule, Cylinder, Inertia, Joint, Scene, Sphere
from sesshoku.model.robots import ROBOTS
from sesshoku.viewer.figure import contacts, draw, strobe
from sesshoku.viewer.polygon import quadrilaterals

pytestmark = pytest.mark.slow

VOLUMES = [
    (Box((0.1, 0.2, 0.3)), 0.006),
    (Sphere(0.1), 4 / 3 * np.pi * 1e-3),
    (Cylinder(0.1, 0.5), np.pi * 5e-3),
    (Capsule(0.1, 0.5), np.pi * (5e-3 + 4 / 3 * 1e-3)),
]


@pytest.fixture
def standing(kinematics):
    model = ROBOTS["hoap_class"]().model
    poses = kinematics(model, model.postures["crouch"])
    return model, (np.array([p.position for p in poses]), np.array([p.rotation for p in poses]))


@pytest.mark.parametrize(("shape", "volume"), VOLUMES)
def test_surface_encloses_the_volume_and_faces_outwards(shape, volume):
    a, b, c, d = quadrilaterals(shape).swapaxes(0, 1)
    triangles = [(a, b, c), (a, c, d)]
    enclosed = sum(np.einsum("ij,ij->", p, np.cross(q, r)) / 6 for p, q, r in triangles)
    assert enclosed == pytest.approx(volume, rel=0.01)


def test_strobe_writes_a_picture(standing, tmp_path):
    from matplotlib.image import imread

    model, poses = standing
    path = tmp_path / "picture.png"
    strobe(model, [poses, poses], path, spacing=0.3)
    assert path.read_bytes().startswith(b"\x89PNG")
    picture = imread(path)
    assert min(picture.shape[:2]) > 300
    assert 0.1 < (picture[..., :3] < 0.99).any(axis=2).mean() < 0.9


def test_overlaid_moments_fade_into_the_past(standing, tmp_path):
    from matplotlib.image import imread

    model, (positions, rotations) = standing
    apart = positions + np.array([1.0, 0.0, 0.0])
    strobe(model, [(positions, rotations), (apart, rotations)], tmp_path / "fade.png")
    left, right = np.array_split(imread(tmp_path / "fade.png")[..., :3], 2, axis=1)
    assert left.min() > right.min()


def test_draw_in_an_axis_of_the_user(standing):
    from matplotlib.figure import Figure

    model, poses = standing
    ax = Figure().add_subplot(projection="3d")
    draw(model, poses, ax)
    low, high = ax.get_zlim()
    assert low == pytest.approx(0.0, abs=1e-3)
    assert high == pytest.approx(0.484, abs=1e-2)


def test_nothing_to_draw(tmp_path):
    scene = Scene("bare")
    scene.body("point", Joint("slide", "prismatic"), inertia=Inertia.of(1.0))
    model = scene.model
    with pytest.raises(ModelError, match="nothing to draw"):
        strobe(model, [(np.zeros((1, 3)), np.eye(3)[None])], tmp_path / "none.png")


def test_picture_of_contacts(tmp_path):
    scene = sk.load("hoap_class")
    scene.ground()
    sim = sk.Simulation(scene, posture="crouch")
    sim.q[2] -= 1e-4
    path = tmp_path / "contacts.png"
    contacts(sim, path)
    image = imread(path)[..., :3]
    red = (image[..., 0] > 0.7) & (image[..., 1] < 0.4) & (image[..., 2] < 0.4)
    assert red.sum() > 200, "eight contacts under the soles"
