"""Mesh files: every format gives the same cube, broken ones a typed error, big ones in time."""

import time

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from sesshoku.errors import FileFormatError, SesshokuError
from sesshoku.model.mesh import convex_part, read_mesh
from sesshoku.model.urdf import load_urdf

CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 2) for z in (0, 3)], dtype=float)
QUADS = np.array([[0, 1, 3, 2], [4, 6, 7, 5], [0, 4, 5, 1], [2, 3, 7, 6], [0, 2, 6, 4], [1, 5, 7, 3]])
TRIANGLES = np.concatenate([QUADS[:, [0, 1, 2]], QUADS[:, [0, 2, 3]]])


def binary_stl(vertices=CORNERS, triangles=TRIANGLES, header=b"solid cube"):
    records = np.zeros(len(triangles), [("normal", "<f4", 3), ("corners", "<f4", (3, 3)), ("attribute", "<u2")])
    records["corners"] = vertices[triangles]
    return header.ljust(80) + np.uint32(len(triangles)).tobytes() + records.tobytes()


def text_stl(vertices=CORNERS, triangles=TRIANGLES):
    facets = "".join(
        "facet normal 0 0 0\n outer loop\n"
        + "".join(f"  vertex {x:e} {y:e} {z:e}\n" for x, y, z in vertices[corners])
        + " endloop\nendfacet\n"
        for corners in triangles
    )
    return f"solid a vertex in a name\n{facets}endsolid\n".encode()


def words(array):
    return " ".join(map(str, np.ravel(array)))


def obj(backwards=False, faces=QUADS):
    lines = [f"v {words(corner)} 0.5 0.5 0.5" for corner in CORNERS]
    numbers = faces - 8 if backwards else faces + 1
    lines += ["f " + " ".join(f"{k}//1" for k in face) for face in numbers]
    return "\n".join(["# cube", "o cube", "vn 0 0 1", *lines]).replace("f ", "f \\\n", 1).encode()


def dae(primitive=None, node="", unit="1"):
    if primitive is None:
        corners = np.stack([QUADS, np.zeros_like(QUADS)], axis=2)  # each with the number of a normal
        primitive = f"""<polylist count="6"><input semantic="VERTEX" source="#v" offset="0"/>
          <input semantic="NORMAL" source="#n" offset="1"/><vcount>{words([4] * 6)}</vcount>
          <p>{words(corners)}</p></polylist>"""
    return f"""<?xml version="1.0"?>
    <COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">
      <asset><unit meter="{unit}"/><up_axis>Y_UP</up_axis></asset>
      <library_geometries><geometry id="g"><mesh>
        <source id="p"><float_array id="a" count="24">{words(CORNERS)}</float_array>
          <technique_common><accessor source="#a" count="8" stride="3"/></technique_common></source>
        <vertices id="v"><input semantic="POSITION" source="#p"/></vertices>{primitive}
      </mesh></geometry></library_geometries>
      <library_visual_scenes><visual_scene id="s">
        <node>{node}<instance_geometry url="#g"/></node></visual_scene></library_visual_scenes>
      <scene><instance_visual_scene url="#s"/></scene>
    </COLLADA>""".encode()


PLY = "\n".join(
    [
        *("ply", "format ascii 1.0", "element vertex 8", "property float x", "property float y", "property float z"),
        *("element face 12", "property list uchar int vertex_indices", "end_header"),
        *(words(corner) for corner in CORNERS),
        *(f"3 {words(corners)}" for corners in TRIANGLES),
        "",
    ]
).encode()

PLAIN = f'<triangles count="12"><input semantic="VERTEX" source="#v" offset="0"/><p>{words(TRIANGLES)}</p></triangles>'
POLYGONS = "".join(f"<p>{words(quad)}</p>" for quad in QUADS)
CUBES = {
    "binary.stl": binary_stl(),
    "nameless.STL": binary_stl(header=b"") + b"trailing",
    "text.stl": text_stl(),
    "cube.obj": obj(),
    "triangles.obj": obj(backwards=True, faces=TRIANGLES),
    "cube.dae": dae(),
    "triangles.dae": dae(PLAIN),
    "polygons.dae": dae(f'<polygons><input semantic="VERTEX" source="#v" offset="0"/>{POLYGONS}</polygons>'),
    "cube.ply": PLY,
}


@pytest.mark.parametrize("name", CUBES)
def test_every_format_gives_the_same_cube(name, tmp_path):
    (tmp_path / name).write_bytes(CUBES[name])
    mesh = read_mesh(tmp_path / name)
    assert (len(mesh.vertices), len(mesh.triangles)) == (8, 12)
    np.testing.assert_array_equal(mesh.vertices[np.lexsort(mesh.vertices.T[::-1])], CORNERS)
    corners = mesh.vertices[mesh.triangles]
    volumes = np.einsum("tx,tx->t", corners[:, 0], np.cross(corners[:, 1], corners[:, 2])) / 6
    np.testing.assert_allclose(volumes.sum(), 6)  # positive: seen from outside anticlockwise
    assert not convex_part(tmp_path / name).hollow


def test_transforms_and_unit_of_a_dae(tmp_path):
    steps = "<translate>1 2 3</translate><rotate>0 0 2 90</rotate><scale>1 1 2</scale>"
    path = tmp_path / "a.dae"
    path.write_bytes(dae(node=f"{steps}<node><matrix>1 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1</matrix></node>", unit="0.01"))
    expected = np.stack([1 - CORNERS[:, 1], 2 + CORNERS[:, 0], 3 + 2 * CORNERS[:, 2]], axis=1) / 100
    np.testing.assert_allclose(read_mesh(path).vertices, expected, atol=1e-15)
    inner = '<node><matrix>1 0 0 1 0 1 0 0 0 0 1 0 0 0 0 1</matrix><instance_geometry url="#g"/></node>'
    path.write_bytes(dae(node=steps + inner))
    np.testing.assert_allclose(read_mesh(path).vertices[:8], expected * 100 + [0, 1, 0], atol=1e-12)


def test_vertices_without_a_face_do_not_count(tmp_path):
    (tmp_path / "b.obj").write_bytes(b"v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2\n")
    with pytest.raises(FileFormatError, match="has no triangles"):
        read_mesh(tmp_path / "b.obj")
    (tmp_path / "c.obj").write_bytes(obj() + b"\nv 9 9 9")
    assert convex_part(tmp_path / "c.obj").points.max() == 3


def test_hollow_meshes_are_named(tmp_path):
    """A cube with a dent is taken as its hull, and that is said; the same cube without it is not mentioned."""
    robot = "<robot name='r'><link name='a'>{}</link></robot>"
    element = "<collision><geometry><mesh filename='{}' scale='1 -2 1'/></geometry></collision>"
    dented = np.concatenate([CORNERS, [[0.5, 1, 1.5]]])
    top = [[1, 5, 8], [5, 7, 8], [7, 3, 8], [3, 1, 8]]
    others = np.concatenate([QUADS[:5, [0, 1, 2]], QUADS[:5, [0, 2, 3]], top])
    (tmp_path / "cube.stl").write_bytes(binary_stl())
    for name in ("dent.stl", "dent2.stl"):
        (tmp_path / name).write_bytes(binary_stl(dented, others))
    elements = "".join(element.format(name) for name in ("cube.stl", "dent.stl", "dent.stl", "dent2.stl"))
    (tmp_path / "r.urdf").write_text(robot.format(elements))
    scene = load_urdf(tmp_path / "r.urdf")
    assert scene.unsimulated == ["hollows of the collision mesh 'dent.stl' and 1 more (the convex hull is taken)"]
    for collider in scene.bodies["a"].colliders:
        np.testing.assert_allclose(sorted(map(tuple, collider.shape.points)), sorted(map(tuple, CORNERS * [1, -2, 1])))
    assert [collider.shape.filled for collider in scene.bodies["a"].colliders] == [False, True, True, True]
    wanted = load_urdf(tmp_path / "r.urdf", hulls=True)
    assert not wanted.unsimulated
    assert not any(collider.shape.filled for collider in wanted.bodies["a"].colliders)


def test_changed_file_is_read_again(tmp_path):
    path = tmp_path / "a.stl"
    path.write_bytes(binary_stl())
    assert convex_part(path).points.max() == 3
    path.write_bytes(binary_stl(2 * CORNERS) + b" ")
    assert convex_part(path).points.max() == 6


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.stl", b"", "ends after 0 triangles"),
        ("a.stl", b"solid", "ends after 0 triangles"),
        ("a.stl", binary_stl()[:-1], "ends after 11 triangles of 12"),
        ("a.stl", binary_stl(np.full((8, 3), np.nan)), "vertices that are not finite"),
        ("a.stl", text_stl().replace(b"vertex", b"vortex", 1).replace(b"vertex", b"corner", 1), "is incomplete"),
        ("a.stl", text_stl().replace(b"vertex 0.0", b"vertex x", 1), "could not convert"),
        ("a.obj", b"", "has no triangles"),
        ("a.obj", b"v 1 2\n", "line 1: a vertex needs three numbers"),
        ("a.obj", b"v 1 2 x\nf 1 1 1", "could not convert"),
        ("a.obj", b"v 1 2 3\nf 1 2 3", "names vertices that are not among its 1"),
        ("a.obj", b"v 1 2 3\nf 1 -2 0", "line 2: there is no vertex -2"),
        ("a.obj", b"v 1 2 3\nf 1 a 3", "line 2: 'a' is not a corner"),
        ("a.obj", b"v 1 2 3\nf 1 1 99999999999999999999", "is not a mesh"),
        ("a.dae", b"<COLLADA", "not XML"),
        ("a.dae", b"<COLLADA/>", "has no scene"),
        ("a.dae", dae("<triangles><p>0 1 99</p></triangles>"), "not among its 8"),
        ("a.dae", dae("<polylist><vcount>4294967295</vcount><p>0 1 2</p></polylist>"), "incomplete"),
        ("a.dae", dae("<tristrips/>"), "<tristrips> is not supported"),
        ("a.dae", dae(node="<scale>1 nan 1</scale>"), "<scale> is not finite"),
        ("a.dae", dae(node='<instance_node url="#s"/>'), "contain themselves"),
        ("a.dae", dae().replace(b'url="#g"', b'url="#x"'), "'#x' is not there"),
        ("a.ply", b"ply", "Export the mesh again"),
        ("a.xyz", b"0 0 0", "No suitable reader"),
    ],
)
def test_broken_meshes(name, content, message, tmp_path):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(FileFormatError, match=message) as caught:
        read_mesh(path)
    assert (caught.value.file, caught.value.remedy) == (str(path), "Export the mesh again")


@pytest.mark.parametrize("name", ["a.stl", "a.obj", "a.dae"])
def test_missing_mesh(name, tmp_path):
    with pytest.raises(FileFormatError, match="No such file"):
        read_mesh(tmp_path / name)


@pytest.mark.parametrize("name", ["binary.stl", "nameless.STL", "text.stl", "triangles.obj", "cube.dae"])
@given(data=st.data())
def test_any_bytes_give_a_mesh_or_a_typed_error(name, data, tmp_path_factory):
    start = data.draw(st.sampled_from([b"", CUBES[name]]))
    at = data.draw(st.integers(0, len(start)))
    content = start[:at] + data.draw(st.binary(max_size=100)) + start[at + data.draw(st.integers(0, 100)) :]
    path = tmp_path_factory.getbasetemp() / name
    path.write_bytes(content)
    try:
        mesh = read_mesh(path)
    except SesshokuError:
        return
    assert np.isfinite(mesh.vertices[mesh.triangles]).all()
    convex_part(path)


@pytest.mark.slow
def test_a_million_triangles_load_in_time(tmp_path):
    """A round body with bumps; it takes 2.5 s."""
    theta, phi = np.meshgrid(np.linspace(0, np.pi, 708), np.linspace(0, 2 * np.pi, 709), indexing="ij")
    radius = 1 + 0.1 * np.sin(9 * theta) * np.sin(7 * phi)
    axes = (np.sin(theta) * np.cos(phi), np.sin(theta) * np.sin(phi), np.cos(theta))
    vertices = np.stack([radius * axis for axis in axes], axis=2).reshape(-1, 3)
    a = (np.arange(707)[:, None] * 709 + np.arange(708)).ravel()
    triangles = np.concatenate([np.stack([a, a + 709, a + 1], 1), np.stack([a + 1, a + 709, a + 710], 1)])
    assert len(triangles) > 1_000_000
    path = tmp_path / "big.stl"
    path.write_bytes(binary_stl(vertices, triangles))
    begin = time.perf_counter()
    part = convex_part(path)
    assert time.perf_counter() - begin < 20
    assert part.hollow
    assert len(part.points) < 10_000
