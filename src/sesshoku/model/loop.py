"""What closes loops in a mechanism: places of two bodies that stay together, joints that follow each other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sesshoku.errors import ModelError
from sesshoku.spatial.pose import rotation_to_z

if TYPE_CHECKING:
    from sesshoku.model.model import Frame, JointIndex

__all__ = ["Coupling", "Loop", "LoopArrays", "LoopKind", "loop_arrays", "places"]

Array = NDArray[np.float64]
LoopKind = Literal["ball", "hinge", "weld"]
DEGREE: Final = 4  # of the polynomial of a coupling


@dataclass(frozen=True, eq=False)
class Loop:
    """Places of body A that stay together with places of body B: one is a ball joint, two a hinge, three a weld.

    Attributes:
        name: unique among loops and couplings.
        a, b: names of the bodies, None for the world.
        places_a: in the frame of A [m], shape (k, 3).
        places_b: in the frame of B [m], shape (k, 3).
    """

    name: str
    a: str | None
    b: str | None
    places_a: Array
    places_b: Array


@dataclass(frozen=True)
class Coupling:
    """A joint that follows another: its coordinate is a polynomial of the leader's (None: a constant).

    Attributes:
        name: unique among loops and couplings.
        joint: of one degree.
        leader: of one degree, or None.
        polynomial: c₀, c₁, …, at most c₄.
    """

    name: str
    joint: str
    leader: str | None
    polynomial: tuple[float, ...]


def places(kind: LoopKind, position: ArrayLike, axis: ArrayLike, size: float) -> Array:
    """The places (k, 3) that make a joint of a kind at a position, ``size`` apart; a hinge turns about the axis."""
    turn = rotation_to_z(np.asarray(axis, dtype=float)).T if kind == "hinge" else np.eye(3)
    corners = {
        "ball": [(0.0, 0.0, 0.0)],
        "hinge": [(0.0, 0.0, -0.5), (0.0, 0.0, 0.5)],
        "weld": [(0.0, 0.0, 0.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0)],
    }
    if kind not in corners:
        raise ModelError(f"its kind is '{kind}'", remedy=f"Known are {', '.join(corners)}")
    found: Array = np.asarray(position, dtype=float) + size * np.array(corners[kind]) @ turn
    return found


@dataclass(frozen=True)
class LoopArrays:
    """The loops of a model: one row for each pair of places, numbers for each velocity.

    Attributes:
        names: of the loops.
        begin: where the places of each loop begin, and their end, shape (nl + 1,).
        body: numbers of A and B, -1 for the world, shape (np, 2).
        place: in the kernel frames of A and B, shape (np, 6).
        leader: velocity of the leader of each one, itself where it follows a constant, -1 where nothing, shape (nv,).
        polynomial: of the leader's coordinate, shape (nv, 5).
    """

    names: tuple[str, ...]
    begin: NDArray[np.int64]
    body: NDArray[np.int64]
    place: Array
    leader: NDArray[np.int64]
    polynomial: Array

    def __post_init__(self) -> None:
        for array in (self.begin, self.body, self.place, self.leader, self.polynomial):
            array.setflags(write=False)


def loop_arrays(
    loops: Sequence[Loop],
    couplings: Sequence[Coupling],
    frames: dict[str, Frame],
    joints: Sequence[JointIndex],
    nv: int,
    file: str | None,
) -> LoopArrays:
    """Check loops and couplings, and put them into arrays."""
    begin, bodies, rows = [0], list[tuple[int, int]](), list[Array]()
    for loop in loops:
        element = f"loop '{loop.name}'"
        a, b = (_frame(frames, name, element, file) for name in (loop.a, loop.b))
        if a.body == b.body:
            raise ModelError("its two bodies are one", file=file, element=element, remedy="Join bodies that can move")
        if loop.places_a.shape != loop.places_b.shape or loop.places_a.shape[1:] != (3,):
            raise ModelError("its places differ in number", file=file, element=element, remedy="Give (k, 3) for both")
        if not (np.isfinite(loop.places_a).all() and np.isfinite(loop.places_b).all()):
            raise ModelError("its places are not finite", file=file, element=element, remedy="Correct them")
        for here, there in zip(loop.places_a, loop.places_b, strict=True):
            bodies.append((a.body, b.body))
            rows.append(np.concatenate((a.pose.apply(here), b.pose.apply(there))))
        begin.append(len(rows))
    leader, polynomial = np.full(nv, -1), np.zeros((nv, DEGREE + 1))
    one_degree = {joint.name: joint.v for joint in joints if isinstance(joint.v, int)}
    for coupling in couplings:
        element = f"coupling '{coupling.name}'"
        for name in (coupling.joint, coupling.leader):
            if name is not None and name not in one_degree:
                raise ModelError(
                    f"its joint '{name}' is not there or has more than one degree of freedom",
                    file=file,
                    element=element,
                    remedy="Couple one-degree joints",
                )
        d = one_degree[coupling.joint]
        if leader[d] >= 0 or coupling.leader == coupling.joint:
            problem = f"its joint '{coupling.joint}' follows {'another one, too' if leader[d] >= 0 else 'itself'}"
            raise ModelError(problem, file=file, element=element, remedy="Let each joint follow one other")
        if not 0 < len(coupling.polynomial) <= DEGREE + 1 or not np.isfinite(coupling.polynomial).all():
            raise ModelError(
                f"its polynomial is {coupling.polynomial}", file=file, element=element, remedy="Give 1 to 5 numbers"
            )
        leader[d] = d if coupling.leader is None else one_degree[coupling.leader]
        polynomial[d, : len(coupling.polynomial)] = coupling.polynomial
        if coupling.leader is None:
            polynomial[d, 1:] = 0.0
    return LoopArrays(
        tuple(loop.name for loop in loops),
        np.array(begin),
        np.array(bodies, dtype=np.int64).reshape(-1, 2),
        np.array(rows, dtype=float).reshape(-1, 6),
        leader,
        polynomial,
    )


def _frame(frames: dict[str, Frame], name: str | None, element: str, file: str | None) -> Frame:
    try:
        return frames[name or "world"]
    except KeyError:
        raise ModelError(
            f"its body '{name}' is not there", file=file, element=element, remedy="Name a body of the scene"
        ) from None
