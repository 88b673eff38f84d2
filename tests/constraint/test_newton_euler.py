"""Motion on surfaces at one instant: what INV gives, against Jacobians, Pinocchio and an independent KKT solve."""

import numpy as np
import pinocchio as pin
import pytest

import sesshoku as sk
from sesshoku.constraint import NewtonEuler, Surface, SurfacePoint
from sesshoku.papers.newton_euler.arm import Q0, REST, arm, on_ground
from sesshoku.papers.newton_euler.instant import sliding_chain
from sesshoku.papers.newton_euler.several import EXAMPLES, kkt, stiff_table, tangent_velocity


@pytest.mark.parametrize("seed", range(10))
def test_directions_and_inertia_by_calls(seed):
    """j_c = Jᵀν and j_t = Jᵀt; the paper's j_t = j_c − INV(q, 0, 0, 0, −1, 1); M as composite bodies give it."""
    method, q, v, _ = sliding_chain(seed)
    terms = method.terms(q, v)
    J = method.dynamics.jacobian("tip", q)[:3]
    slip = J @ v  # its normal part is zero
    t = slip / np.linalg.norm(slip)
    nu = terms.places.normal[0]
    np.testing.assert_allclose(terms.J, terms.places.axes[0] @ J, atol=1e-12)
    np.testing.assert_allclose(terms.J[1], J.T @ t, atol=1e-12)
    rest = np.zeros(5)
    by_friction = terms.J[0] - method.inverse(q, rest, [rest], False, [[-(nu - t)]], terms.places.position)[0]
    np.testing.assert_allclose(by_friction, J.T @ t, atol=1e-12)
    np.testing.assert_allclose(terms.M, method.dynamics.inertia_matrix(q), atol=1e-12)
    assert np.linalg.eigvalsh(terms.M).min() > 0


def test_inverse_dynamics_is_pinocchio_with_damping():
    scene = arm()
    model = pin.Model()
    model.gravity.linear = np.array([0, 0, -9.81])
    joint = 0
    for k in range(3):
        place = pin.SE3(np.eye(3), np.array([0, 0, 0.5 if k else 0]))
        joint = model.addJoint(joint, pin.JointModelRX(), place, f"q{k}")
        inertia = pin.Inertia(1.0, np.array([0, 0, 0.25]), np.diag([1 / 48, 1 / 48, 0]))
        model.appendBodyToJoint(joint, inertia, pin.SE3.Identity())
    method = NewtonEuler(scene, [SurfacePoint("tip", Surface.plane())])
    rng = np.random.default_rng(0)
    data = model.createData()
    for _ in range(20):
        q, v, rate = rng.normal(size=(3, 3))
        expected = pin.rnea(model, data, q, v, rate) + 3.0 * v
        found = method.inverse(q, v, [rate], True, np.zeros((1, 1, 3)), np.zeros((1, 3)))[0]
        np.testing.assert_allclose(found, expected, atol=1e-10)
    # the model's gravity is back after calls without it
    method.inverse(q, v, [rate], False, np.zeros((1, 1, 3)), np.zeros((1, 3)))
    np.testing.assert_allclose(method.dynamics.inverse(q, v, rate), expected - 3.0 * v, atol=1e-10)


@pytest.mark.parametrize("seed", range(10))
def test_one_sliding_point_is_the_papers_formula(seed):
    """f_n = (a − dᵀτ)/A with the gradient's norm as printed (corrected), and q̈ keeps the surface and the equation."""
    method, q, v, tau = sliding_chain(seed)
    motion = method.solve(q, v, tau)
    d = method.dynamics
    J, M = d.jacobian("tip", q)[:3], d.inertia_matrix(q)
    b = d.bias_force(q, v) + method.model.damping * v
    surface = method.points[0].surface
    r = d.pose("tip", q).position
    C_r, C_rr = surface.gradient(r), surface.hessian(r)
    size, slip = np.linalg.norm(C_r), J @ v
    nu, t = C_r / size, slip / np.linalg.norm(slip)
    C_q = C_r @ J
    quad = slip @ C_rr @ slip + C_r @ d.drift("tip", q, v)[:3]
    d_t = size * np.linalg.solve(M, C_q)
    m_c = C_q @ np.linalg.solve(M, C_q)
    wanted = d_t @ b - size * quad - d_t @ tau
    pulled = -1 if wanted < 0 else 1  # friction opposes the slip when the force pulls, too
    A = m_c - pulled * 0.3 * d_t @ (J.T @ t)
    f_n = wanted / A
    assert motion.normal_force[0] == pytest.approx(f_n, rel=1e-9)
    np.testing.assert_allclose(motion.friction_force[0], -0.3 * abs(f_n) * t, atol=1e-9)
    assert abs(C_q @ motion.acceleration + quad) < 1e-9
    residual = M @ motion.acceleration + b - tau - J.T @ (nu * f_n + motion.friction_force[0])
    assert np.abs(residual).max() < 1e-9


def test_normal_force_at_rest_is_a_third_of_the_weight():
    """An arch of three rods from the base: by moments about the base with regularised friction, none at rest."""
    for mass in (0.5, 1.0, 2.0):
        motion = on_ground(mass, slip_speed=0.01).solve(Q0, REST, REST)
        assert motion.normal_force[0] == pytest.approx(9.81 * mass, abs=1e-9)
        assert np.isfinite(motion.acceleration).all()


def test_joint_reactions_balance_every_link():
    """Newton and Euler for each link by itself, with the tip's load on the last."""
    method = on_ground(slip_speed=0.01)
    q = Q0
    d = method.dynamics
    j_c = d.jacobian("tip", q)[2]
    v = np.array([0.5, -1.0, 0.8])
    v -= j_c * (j_c @ v) / (j_c @ j_c)
    tau = np.array([1.0, 2.0, -1.0])
    motion = method.solve(q, v, tau)
    force, moment = method.reactions(q, v, motion)
    np.testing.assert_allclose(moment[:, 0], tau - 3.0 * v, atol=1e-10)  # the axes are x; dampers are in the joints
    load = motion.normal_force[0] * np.array([0, 0, 1.0]) + motion.friction_force[0]
    angle, spin, rate = np.cumsum(q), np.cumsum(v), np.cumsum(motion.acceleration)
    rod = 0.5 * np.stack([0 * angle, -np.sin(angle), np.cos(angle)], axis=1)
    turned = np.stack([rod[:, 0], -rod[:, 2], rod[:, 1]], axis=1)  # x × rod
    swing = rate[:, None] * turned - spin[:, None] ** 2 * rod
    joint = np.concatenate([np.zeros((1, 3)), np.cumsum(swing, axis=0)])
    weight = np.array([0, 0, -9.81])
    forces, moments = np.vstack([force, -load]), np.vstack([moment, np.zeros(3)])
    for i in range(3):
        np.testing.assert_allclose(forces[i] - forces[i + 1] + weight, joint[i] + swing[i] / 2, atol=1e-10)
        about_com = moments[i] - moments[i + 1] - np.cross(rod[i] / 2, forces[i]) - np.cross(rod[i] / 2, forces[i + 1])
        np.testing.assert_allclose(about_com, [rate[i] / 48, 0, 0], atol=1e-10)


@pytest.mark.parametrize("example", EXAMPLES)
def test_forces_of_several_points_are_those_of_kkt(example):
    scene, points, q = example()
    method = NewtonEuler(scene, [SurfacePoint(name, surface, 0.0, carrier) for name, surface, carrier in points])
    rng = np.random.default_rng(0)
    for _ in range(3):
        v, tau = tangent_velocity(method, q, rng), rng.normal(size=method.model.nv)
        motion = method.solve(q, v, tau)
        acceleration, force = kkt(method, q, v, tau)
        scale = np.abs(acceleration).max()
        np.testing.assert_allclose(motion.acceleration, acceleration, atol=1e-9 * scale)
        np.testing.assert_allclose(motion.normal_force, force, atol=1e-9 * scale)


def test_a_table_at_rest_shares_its_weight_by_the_least_norm():
    scene, points, q = stiff_table()
    method = NewtonEuler(scene, [SurfacePoint(*point[:2], 0.5) for point in points])
    motion = method.solve(q, np.zeros(6), np.zeros(6))
    np.testing.assert_allclose(motion.normal_force, 5 * 9.81 / 4, rtol=1e-12)
    np.testing.assert_allclose(motion.acceleration, 0, atol=1e-12)


def test_feet_of_a_table_share_friction_up_to_all_of_it():
    """Pushed at its top: the feet in front carry more, and must hold more, than friction of least norm would be."""
    scene, points, q = stiff_table()
    method = NewtonEuler(scene, [SurfacePoint(*point[:2], 0.3) for point in points])
    most = 0.3 * 5 * 9.81
    held = method.solve(q, np.zeros(6), [0.9 * most, 0, 0, 0, 0, 0])
    assert held.sticks.all()
    np.testing.assert_allclose(held.acceleration, 0, atol=1e-11)
    friction = np.linalg.norm(held.friction_force, axis=1)
    assert (friction <= 0.3 * held.normal_force).all()
    assert friction.max() > 1.2 * friction.min()
    slides = method.solve(q, np.zeros(6), [1.1 * most, 0, 0, 0, 0, 0])
    np.testing.assert_allclose(slides.acceleration, [0.1 * most / 5, 0, 0, 0, 0, 0], atol=1e-9)


def test_start_with_large_friction_jams():
    """Painlevé: a tip dragged ahead of a leaning arm has no consistent force when K is large."""
    q, method = Q0, on_ground(friction=0.0)
    j_c = method.dynamics.jacobian("tip", q)[2]
    jammed = 0
    for k in np.eye(3):
        v = k - j_c * (j_c @ k) / (j_c @ j_c)
        for along in (v, -v):
            terms = method.terms(q, along)
            m_c, coupling = terms.d[0] @ terms.J[0], terms.d[0] @ terms.J[1]
            if coupling <= 0:
                continue
            limit = m_c / coupling
            on_ground(friction=0.99 * limit).solve(q, along, REST)
            with pytest.raises(sk.JammingError, match="Lower the friction"):
                on_ground(friction=1.01 * limit).solve(q, along, REST)
            jammed += 1
    assert jammed >= 3


def test_an_arm_stretched_along_the_normal_has_lost_its_rank():
    method = NewtonEuler(arm(), [SurfacePoint("tip", Surface.plane((0, 0, 1.5)))])
    with pytest.raises(sk.RankError, match="cannot move along its normal"):
        method.solve(np.zeros(3), REST, REST)


def test_contradicting_surfaces_have_lost_their_rank():
    """The tip of a plane arm between two planes and a sphere: three rows, two directions, and no common motion."""
    scene = arm()
    tip = sk.Dynamics(scene).pose("tip", Q0).position
    surfaces = [Surface.plane(), Surface.plane(tip, (0, 1, 0)), Surface.sphere(tip - [0, 0.3, 0.4], 0.5)]
    method = NewtonEuler(scene, [SurfacePoint("tip", surface) for surface in surfaces])
    v = np.array([1.0, 2.0, -1.0])
    with pytest.raises(sk.RankError, match="remove a constraint"):
        method.solve(Q0, v, REST)


def test_what_it_does_not_simulate_is_refused():
    plane = Surface.plane()
    with pytest.raises(sk.ModelError, match="at least one"):
        NewtonEuler(arm(), [])
    with pytest.raises(sk.ModelError, match="cannot move on its surface"):
        NewtonEuler(arm(), [SurfacePoint("tip", plane, carrier="link3")])
    with pytest.raises(sk.ModelError, match="no body or site 'nose'"):
        NewtonEuler(arm(), [SurfacePoint("nose", plane)])
    with pytest.raises(sk.SurfaceError, match="friction is -1"):
        SurfacePoint("tip", plane, -1.0)
    scene = sk.Scene()
    scene.body("a", sk.Joint("a", "revolute", stiffness=1.0), inertia=sk.Inertia.rod(1.0, (1, 0, 0)))
    with pytest.raises(sk.UnsupportedError, match="joint springs"):
        NewtonEuler(scene, [SurfacePoint("a", plane)])
    with pytest.raises(sk.SesshokuError, match="has shape"):
        on_ground().solve(Q0[:2], REST, REST)
