"""Least impulses in the coordinates of the bodies, against the pseudo-inverse of the matrix of all contacts."""

from __future__ import annotations

import numpy as np
import pytest

import sesshoku as sk
from sesshoku.constraint.problem import Problem
from sesshoku.contact import Multipoint
from sesshoku.contact.coulomb import SLIP, STICK
from sesshoku.sim import Simulation

DT = 1e-3


def cross_matrix(x: np.ndarray) -> np.ndarray:
    return np.array([[0, -x[2], x[1]], [x[2], 0, -x[0]], [-x[1], x[0], 0]])


def dense(p: Problem) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Jacobian of all points, response of all coordinates, velocities with no impulse."""
    points, coordinates = p.count[3], p.count[6]
    j, response = np.zeros((3 * points, coordinates)), np.zeros((coordinates, coordinates))
    for k in range(points):
        for end, arm, sign in ((p.ends[k, 0], p.arm_a[k], -1.0), (p.ends[k, 1], p.arm_b[k], 1.0)):
            if end >= 0:
                c = p.slot_coordinate[end]
                j[3 * k : 3 * k + 3, c : c + 3] += -sign * cross_matrix(arm)
                j[3 * k : 3 * k + 3, c + 3 : c + 6] += sign * np.eye(3)
    for node in range(p.count[1]):
        first, last = p.coordinate_begin[node], p.coordinate_begin[node + 1]
        at, n = p.response_begin[node], last - first
        response[first:last, first:last] = p.response[at : at + n * n].reshape(n, n)
    free = j @ p.free[:coordinates] + p.bias[:points].ravel()
    return j, response, free


def expected(p: Problem) -> np.ndarray:
    """M⁺ Δa with one unknown for each point that slips; points as the law has left them."""
    j, response, free = dense(p)
    columns, rows, aims = [], [], []
    for k in range(p.count[3]):
        block = j[3 * k : 3 * k + 3]
        n = p.normal[k]
        if p.mode[k] == STICK:
            columns += list(block)
            rows += list(block)
            aims += list(p.target[k] - free[3 * k : 3 * k + 3])
        elif p.mode[k] == SLIP:
            columns.append((n + p.friction[k] * p.direction[k]) @ block)
            rows.append(n @ block)
            aims.append(n @ (p.target[k] - free[3 * k : 3 * k + 3]))
    c, r = np.array(columns), np.array(rows)
    x = np.linalg.pinv(r @ response @ c.T, rcond=1e-9) @ np.array(aims)
    out, at = np.zeros((p.count[3], 3)), 0
    for k in range(p.count[3]):
        if p.mode[k] == STICK:
            out[k] = x[at : at + 3]
            at += 3
        elif p.mode[k] == SLIP:
            out[k] = x[at] * (p.normal[k] + p.friction[k] * p.direction[k])
            at += 1
    return out


def plate(feet: int, law: Multipoint) -> Simulation:
    """A plate on ball feet, not all of one height: some touch, all are near."""
    scene, rng = sk.Scene("plate"), np.random.default_rng(feet)
    scene.ground(static=0.4, kinetic=0.3)
    scene.body("plate", sk.Joint("root", "free"), position=(0, 0, 0.05), mass=2.0, shape=sk.Box((0.4, 0.3, 0.04)))
    for _ in range(feet):
        scene.collider("plate", sk.Sphere(0.02), (*rng.uniform(-0.15, 0.15, 2), -0.03))
    return Simulation(scene, law=law, dt=DT)


@pytest.mark.parametrize("feet", [1, 2, 3, 4, 9])
def test_points_that_stick_share_by_least_norm(feet: int) -> None:
    sim = plate(feet, Multipoint())
    sim.push("plate", (1.0, 0.5, 0.0))
    sim.step()
    p = sim._problem
    assert (p.mode[: p.count[3]] == STICK).any() or feet == 1  # on one foot it falls over, and that slips
    np.testing.assert_allclose(p.impulse[: p.count[3]], expected(p), atol=1e-12)


@pytest.mark.parametrize("feet", [2, 5, 9])
def test_points_that_slip_have_one_unknown(feet: int) -> None:
    sim = plate(feet, Multipoint())
    sim.v = [0.3, -0.2, 0.0, 0.0, 0.0, 1.0]
    sim.step()
    p = sim._problem
    assert (p.mode[: p.count[3]] == SLIP).any()
    np.testing.assert_allclose(p.impulse[: p.count[3]], expected(p), atol=1e-12)


def test_some_stick_and_some_slip() -> None:
    """Turned about a foot: that one may stick, the others move."""
    sim = plate(6, Multipoint())
    p = sim._problem
    sim.v = [0.02, 0.0, 0.0, 0.0, 0.0, 0.1]
    found = set()
    for _ in range(30):
        sim.step()
        found |= set(p.mode[: p.count[3]].tolist())
        np.testing.assert_allclose(p.impulse[: p.count[3]], expected(p), atol=1e-12)
    assert {STICK, SLIP} <= found


def test_bodies_that_touch_each_other() -> None:
    scene = sk.Scene("stack")
    scene.ground(static=0.5)
    for k in range(3):
        box = sk.Box((0.2, 0.15, 0.1))
        scene.body(f"box{k}", sk.Joint(f"root{k}", "free"), position=(0.01 * k, 0, 0.05 + 0.1 * k), mass=1.0, shape=box)
    sim = Simulation(scene, law=Multipoint(), dt=DT)
    sim.step(n=3)
    p = sim._problem
    np.testing.assert_allclose(p.impulse[: p.count[3]], expected(p), atol=1e-12)
    assert sim.wrench("box0")[2] == pytest.approx(9.81, abs=1e-9)


def test_bodies_that_cannot_move_freely() -> None:
    """A door on a level hinge rests on four points: one velocity, twelve impulses."""
    scene = sk.Scene("door")
    scene.ground(static=0.5)
    box = {"shape": sk.Box((0.4, 0.3, 0.02)), "shape_position": (0.3, 0.0, 0.0)}
    scene.body("door", sk.Joint("hinge", "revolute", "y"), position=(0, 0, 0.01), mass=1.0, **box)
    sim = Simulation(scene, law=Multipoint(), dt=DT)
    sim.step()
    p = sim._problem
    np.testing.assert_allclose(p.impulse[: p.count[3]], expected(p), atol=1e-12)
    assert np.abs(sim.v).max() < 1e-12
    arm, force = sim.contacts.point - (0.0, 0.0, 0.01), sim.contacts.force
    assert -np.cross(arm, force).sum(axis=0)[1] == pytest.approx(0.3 * 9.81, rel=1e-9)
