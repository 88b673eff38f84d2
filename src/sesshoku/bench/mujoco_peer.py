"""MuJoCo on the scenes of the contact benchmark."""

from __future__ import annotations

import mujoco
import numpy as np

from sesshoku.bench.engine import DT, Array, Case, Engine
from sesshoku.bench.peers import mjcf
from sesshoku.sim import Simulation

__all__ = ["SETTINGS", "MuJoCo"]

SETTINGS = {
    f"{cone}{', no slip' if passes else ''}, {jacobian}": (cone, passes, jacobian)
    for cone in ("pyramidal", "elliptic")
    for passes in (0, 10)
    for jacobian in ("dense", "sparse")
}


class MuJoCo(Engine):
    """With one choice of cone, no-slip passes, Jacobian and solver."""

    def __init__(self, case: Case, cone: str, passes: int, jacobian: str, solver: str = "newton") -> None:
        self.model = mujoco.MjModel.from_xml_string(mjcf(case.scene.model, DT, shapes=True, friction=case.friction))
        self.model.opt.cone = getattr(mujoco.mjtCone, f"mjCONE_{cone.upper()}")
        self.model.opt.jacobian = getattr(mujoco.mjtJacobian, f"mjJAC_{jacobian.upper()}")
        self.model.opt.solver = getattr(mujoco.mjtSolver, f"mjSOL_{solver.upper()}")
        self.model.opt.noslip_iterations = passes
        self.model.opt.impratio = 10.0 if cone == "elliptic" else 1.0  # as MuJoCo recommends
        self.model.opt.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
        self.data = mujoco.MjData(self.model)
        free = Simulation(case.scene, law="none", dt=DT, posture=case.posture)
        self.data.qpos[:], self.data.ctrl[:] = free.q, free.control
        self.still = [self._body(name) for name in case.still]
        self.pushed = 0 if case.pushed is None else self._body(case.pushed)
        self.kind = mujoco.mjtState.mjSTATE_INTEGRATION
        self.start = np.zeros(mujoco.mj_stateSize(self.model, self.kind))

    def _body(self, name: str) -> int:
        return int(mujoco.mj_name2id(self.model, mujoco.mjtObj.mjOBJ_BODY, name))

    def advance(self, pushes: Array) -> None:
        """Take the steps."""
        step, model, data = mujoco.mj_step, self.model, self.data
        if self.pushed == 0:
            for _ in range(len(pushes)):
                step(model, data)
            return
        row = data.xfrc_applied[self.pushed]
        for push in pushes:
            row[:3] = push
            step(model, data)

    def places(self) -> Array:
        """Of the frames of the bodies."""
        return np.array(self.data.xpos[self.still])

    def depth(self) -> float:
        """From the contacts of the last step."""
        return float(max((-self.data.contact.dist).max(initial=0.0), 0.0))

    def save(self) -> None:
        """All that integration depends on."""
        mujoco.mj_getState(self.model, self.data, self.start, self.kind)

    def restore(self) -> None:
        """The same again."""
        mujoco.mj_setState(self.model, self.data, self.start, self.kind)
