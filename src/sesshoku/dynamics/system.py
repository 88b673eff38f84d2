"""Model and workspace of one scene behind one address, so that a call from Python passes one number.

The arrays belong to `System`, a Python object whose attributes are ordinary numpy arrays; kernels that Python calls
take its `address` and get the handle, with the same arrays as attributes, by ``s = at(address)``.

Spatial quantities of a tree are in world axes about the *origin* of the tree: the place of its first body, taken as
fixed in the world at this instant. Angular parts come first.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sesshoku.handle import Arrays, HandleType, array_type, by_address
from sesshoku.model.joint import NV

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sesshoku.model import Model

__all__ = ["ENDING", "EXTERNAL", "HANDLE", "LEAF", "SPRINGS", "Handle", "System", "at"]

EXTERNAL, SPRINGS, ENDING = 0, 1, 2  # flags: a body bears an external wrench, a joint has a spring, why steps ended
LEAF: Final = -1  # `offspring` of a body without children
INTEGERS: Final = {
    "parent", "kind", "root", "q_start", "v_start", "v_end", "order", "offspring", "lift_body", "fluid_body",
    "dof_body", "dof_parent", "dof_depth", "dof_q", "row", "explicit", "actuator_dof", "actuator_q", "saturated",
    "flags", "contact", "tied",
}  # fmt: skip

# Taken from the model as they are, with the number of their dimensions.
MODEL_FIELDS: Final = {
    "gravity": 1, "medium": 1, "parent": 1, "kind": 1, "root": 1, "q_start": 1, "v_start": 1,
    "placement_position": 2, "placement_rotation": 2, "mass": 1, "com": 2, "inertia": 2,
    "lift_body": 1, "lift_position": 2, "lift_mass": 1,
    "fluid_body": 1, "fluid_position": 2, "fluid_rotation": 2, "fluid_size": 2,
    "dof_body": 1, "dof_parent": 1, "dof_depth": 1, "armature": 1, "damping": 1, "stiffness": 1, "explicit": 1,
    "rest": 1, "friction": 1, "lower": 1, "upper": 1,
    "actuator_dof": 1, "actuator_q": 1, "actuator_gear": 1, "actuator_gain": 2, "actuator_range": 2,
}  # fmt: skip

# Workspace: shape by the counts of the model, and what it is.
WORK_FIELDS: Final[dict[str, tuple[int | str, ...]]] = {
    # the state and what acts on it
    "clock": (2,),  # time and step [s]
    "flags": (3,),  # EXTERNAL, SPRINGS, ENDING
    "contact": (2,),  # addresses of the space and the problem of its contacts; 0: it has none
    "q": ("nq",),  # coordinates
    "v": ("nv",),  # velocities
    "tau": ("nv",),  # generalised forces given by the user [N m, N]
    "control": ("nu",),  # actuator controls
    "external": ("n", 6),  # force and moment on each body about its centre of mass, world axes
    # kinematics
    "sine": ("nq",),  # of each coordinate that is an angle; of the others without meaning
    "cosine": ("nq",),
    "origin": ("n", 3),  # of the first body of each tree: where it is in the world [m]; of the others unused
    "rotation": ("n", 9),  # kernel frame in the world, row by row
    "position": ("n", 3),  # origin of the kernel frame from the tree's origin [m]
    "freedom": ("nv", 6),  # S: motion of the body per unit of each velocity
    "velocity": ("n", 6),  # motion of each body
    "bias_acceleration": ("n", 6),  # spatial acceleration at zero v̇, base accelerated against gravity
    # inertia in world axes about the tree's origin
    "first_moment": ("n", 3),  # mass times centre of mass [kg m]
    "moments": ("n", 6),  # rotational inertia: xx yy zz xy xz yz [kg m²]
    "wrench": ("n", 6),  # bias wrench of each body, less what acts on it from outside
    # generalised forces and accelerations
    "passive": ("nv",),  # of springs and dampers
    "applied": ("nv",),  # all generalised forces but the bias
    "diagonal": ("nv",),  # added to the inertia matrix: armature, implicit springs, dampers and servos
    "saturated": ("nu",),  # -1, 1: the drive is at its lower, upper force limit; 2: it is held
    "acceleration": ("nv",),
    "lead": ("nv",),  # generalised force that brings the acceleration of half a step ahead; mostly zero
    "turn": ("n", 3),  # of a tree, by its first body: the most a joint turns in a step and the most that changes [rad],
    # and the largest force of contact or limits, of whatever unit
    "shift": ("nv",),  # velocity that moves coordinates only: of a mean velocity, and to take depth back
    "trial": ("nv",),  # acceleration tried while the marks of saturated drives are being found
    "forces": ("nu",),  # forces of the drives that the trial was solved for
    # the tree
    "order": ("n",),  # bodies by depth: neighbours in it are on different limbs, so the processor works on several
    "tied": ("n",),  # 1: a tree, by its first body, that loops hold
    "dof_q": ("nv",),  # coordinate of each velocity of a one-degree joint; of the others without meaning
    "v_end": ("n",),  # one past the last velocity of each body
    "offspring": ("n",),  # the child of each body that is last in that order, or LEAF
    # articulated-body factor
    "articulated": ("n", 21),  # articulated inertia of the children: angular 6, coupling 9, linear 6
    "response": ("nv", 6),  # U/D, with U = IA S
    "compliance": ("nv",),  # 1/D, with D = Sᵀ IA S + diagonal
    "reduced": ("nv",),  # u/D
    "carried": ("n", 6),  # wrench summed over the children, then acceleration
    # inertia matrix along the ancestors: row d has the entries with its ancestors, root first, itself last
    "composite": ("n", 10),  # mass, first moment, moments of the subtree
    "row": ("nv",),  # where the row of each velocity begins
    "matrix": ("entries",),
    "factor": ("entries",),
    # contact forces that are held over a step: where it looks ahead, and over the stages of Runge and Kutta
    "held_wrench": ("n", 6),  # on the first body of each tree, about the origin of its kernel frame, angular part first
    "held_force": ("nv",),
    # Runge–Kutta stages
    "start_q": ("nq",),
    "start_v": ("nv",),
    "slope_q": (4, "nq"),
    "slope_v": (4, "nv"),
}


class Handle:
    """How kernels see a `System`: the same arrays, as attributes."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> NDArray[Any]: ...


_DIMENSIONS: Final = {**MODEL_FIELDS, **{name: len(shape) for name, shape in WORK_FIELDS.items()}}
FIELDS: Final = tuple((name, array_type(name in INTEGERS, dimensions)) for name, dimensions in _DIMENSIONS.items())
HANDLE: Final = HandleType("System", FIELDS)
at = by_address(HANDLE)


def body_depth(model: Model) -> NDArray[np.int64]:
    """Number of bodies between each body and the world."""
    depth = np.zeros(model.n, dtype=np.int64)
    for i, p in enumerate(model.parent):
        depth[i] = 0 if p < 0 else depth[p] + 1
    return depth


class System(Arrays):
    """A model with the memory its kernels work in.

    Attributes are numpy arrays named as in the tables above; writing ``system.q[:] = ...`` is seen by the kernels.
    """

    def __init__(self, model: Model) -> None:
        self.model = model
        depth = model.dof_depth
        counts = {"n": model.n, "nq": model.nq, "nv": model.nv, "nu": model.nu, "entries": int((depth + 1).sum())}
        arrays: dict[str, NDArray[Any]] = {name: np.array(getattr(model, name)) for name in MODEL_FIELDS}
        for name, shape in WORK_FIELDS.items():
            sizes = tuple(size if isinstance(size, int) else counts[size] for size in shape)
            arrays[name] = np.zeros(sizes, dtype=np.int64 if name in INTEGERS else np.float64)
        arrays["row"][:] = np.cumsum(depth + 1) - (depth + 1)
        arrays["v_end"][:] = model.v_start + np.array(NV)[model.kind]
        arrays["dof_q"][:] = model.q_start[model.dof_body]
        arrays["order"][:] = np.argsort(body_depth(model), kind="stable")
        arrays["offspring"][:] = LEAF
        for i in arrays["order"]:
            if model.parent[i] >= 0:
                arrays["offspring"][model.parent[i]] = i
        arrays["tied"][model.root[model.loops.body[model.loops.body >= 0]]] = 1
        arrays["flags"][SPRINGS] = int(model.stiffness.any())
        arrays["diagonal"][:] = model.armature
        arrays["q"][:] = model.q0
        super().__init__(FIELDS, arrays)

    def __reduce__(self) -> tuple[Any, ...]:
        return System, (self.model,)  # a copy has memory of its own
