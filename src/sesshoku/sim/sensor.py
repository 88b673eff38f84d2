"""What six-axis force sensors read: the wrench through a joint in the last step."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sesshoku.constraint.problem import SLOTS, Problem
from sesshoku.dynamics.fast import acceleration_of_start
from sesshoku.dynamics.system import System

__all__ = ["joint_wrench"]

Array = NDArray[np.float64]


def joint_wrench(system: System, problem: Problem | None, body: int, about: Array) -> Array:
    """Force and moment (6,) that a body gets from its parent, about a point from its tree's origin, world axes.

    All that the body and what it carries need for their acceleration, less what they get from elsewhere. ``problem``
    has the impulses of contact; None: they are among the loads already.
    """
    s, model, acceleration = system, system.model, acceleration_of_start(system.address)
    rate = np.zeros((model.n, 6))  # what joints add to the bias acceleration: angular, linear
    for i in range(model.n):
        own = slice(model.v_start[i], s.v_end[i])
        rate[i] = acceleration[own] @ s.freedom[own]
        if model.parent[i] >= 0:
            rate[i] += rate[model.parent[i]]
    angular, linear = rate[:, :3], rate[:, 3:]
    xx, yy, zz, xy, xz, yz = s.moments.T
    moments = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]]).transpose(2, 0, 1)
    needed = s.wrench.copy()  # for the bias acceleration, less the loads
    needed[:, :3] += np.einsum("nij,nj->ni", moments, angular) + np.cross(s.first_moment, linear)
    needed[:, 3:] += model.mass[:, None] * linear - np.cross(s.first_moment, angular)
    if problem is not None:
        for k in range(problem.count[SLOTS]):
            c, width, i = problem.slot_coordinate[k], problem.slot_width[k], model.dof_body[problem.slot_dof[k]]
            if width == 6:
                needed[i] -= problem.wrench[c : c + 6] / s.clock[1]
            elif width == 3:
                force = problem.wrench[c : c + 3] / s.clock[1]
                needed[i] -= np.concatenate((np.cross(problem.slot_place[k], force), force))
    carried = np.zeros(model.n, dtype=bool)
    carried[body] = True
    for i in range(body + 1, model.n):
        carried[i] = model.parent[i] >= 0 and carried[model.parent[i]]
    moment, force = needed[carried].sum(axis=0).reshape(2, 3)
    return np.concatenate((force, moment - np.cross(about, force)))
