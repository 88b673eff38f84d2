"""Points along their own axes, against the response of their bodies in plain numpy."""

from __future__ import annotations

import numpy as np

import sesshoku as sk
from sesshoku.constraint.problem import COORDINATES, NODES, POINTS
from sesshoku.contact import Lcp


def tangle() -> sk.Simulation:
    """A humanoid whose hands touch its trunk, on a box on the ground, with a box that is tied to it by a loop."""
    scene = sk.load("hoap_class")
    scene.ground(static=0.8)
    place = sk.Box((0.3, 0.3, 0.02))
    scene.body("board", sk.Joint("board", "free"), position=(0.0, 0.0, -0.011), mass=2.0, shape=place)
    scene.close("tie", "left_forearm", "board", "ball", (0.0, 0.3, 0.0))
    sim = sk.Simulation(scene, law=Lcp(warm=True), posture="crouch")
    sim.v[:] = np.random.default_rng(0).normal(size=sim.model.nv)
    sim.step(n=200)
    return sim


def test_rows_columns_and_responses() -> None:
    sim = tangle()
    p = sim._problem
    assert p is not None
    n, points = int(p.count[COORDINATES]), int(p.count[POINTS])
    response = np.zeros((n, n))
    for t in range(int(p.count[NODES])):
        a, b, begin = int(p.coordinate_begin[t]), int(p.coordinate_begin[t + 1]), int(p.response_begin[t])
        response[a:b, a:b] = p.response[begin : begin + (b - a) ** 2].reshape(b - a, b - a)
    both = 0
    for k in range(points):
        J, axes = np.zeros((3, n)), p.axes[k].reshape(3, 3)
        found = np.zeros((n, 3))
        for end, (arm, sign) in enumerate(((p.arm_a[k], -1.0), (p.arm_b[k], 1.0))):
            slot = int(p.ends[k, end])
            if slot < 0:
                continue
            c, node = int(p.slot_coordinate[slot]), int(p.slot_node[slot])
            J[:, c : c + 6] += sign * np.hstack([np.cross(arm, axes), axes])
            np.testing.assert_allclose(p.jacobian[k, 3 * end : 3 * end + 3], J[:, c : c + 6], atol=1e-12)
            begin, after = int(p.coordinate_begin[node]), int(p.coordinate_begin[node + 1])
            found[begin:after] += p.column[k, 3 * end : 3 * end + 3, : after - begin].T
        both += (p.ends[k] >= 0).all()
        np.testing.assert_allclose(found, response @ J.T, atol=1e-10 * np.abs(response).max())
        own = J @ response @ J.T
        expected = [1 / own[0, 0], 1 / own[1, 1], 1 / own[2, 2], own[0, 1], own[0, 2], own[1, 2]]
        np.testing.assert_allclose(p.delassus[k], expected, rtol=1e-6, atol=1e-8 * np.abs(own).max())
        if p.friction[k] >= 0.0:  # loops are solved once more after the sweeps
            np.testing.assert_allclose(p.axial_impulse[k] @ axes, p.impulse[k], atol=1e-15)
    assert both
    assert points > 4
