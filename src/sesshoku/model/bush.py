"""Rubber bushes between an ankle and its foot, as virtual joints (paper 1, section 5)."""

from __future__ import annotations

from dataclasses import dataclass, replace
from difflib import get_close_matches
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from sesshoku.errors import ModelError
from sesshoku.model.joint import NQ, Joint, JointKind

if TYPE_CHECKING:
    from sesshoku.model.scene import Scene

__all__ = ["Bush", "fasten"]

Triple = tuple[float, float, float]
COUPLING = 1e-9  # of roll and pitch, relative to their stiffness: below it they count as independent


@dataclass(frozen=True)
class Bush:
    """A foot on rubber: it slides along z, rolls about x and pitches about y of its body frame, in this order.

    Each triple is of these three motions. The values are those of a public sample robot of OpenHRP, in place of the
    HRP-2 specification, which the paper does not print.

    Attributes:
        stiffness: [N/m, N m/rad, N m/rad].
        damping: [N s/m, N m s/rad, N m s/rad].
        rotor: inertia of the virtual rotors, on the diagonal of the inertia matrix [kg, kg m², kg m²].
        position: where the axes of roll and pitch meet, in the body frame [m].
        explicit: hold the force of the start of a step over the step, as in the paper; see `Joint`.
    """

    stiffness: Triple = (5e5, 1e3, 1e3)
    damping: Triple = (1e3, 25.0, 25.0)
    rotor: Triple = (0.1, 0.014, 0.014)
    position: Triple = (0.0, 0.0, 0.0)
    explicit: bool = False

    @staticmethod
    def of_units(
        places: ArrayLike, stiffness: float, damping: float, *, rotor: Triple = rotor, explicit: bool = False
    ) -> Bush:
        """The bush that equal units make, each with a vertical spring [N/m] and damper [N s/m] (paper 1, fig. 3).

        About the mean of their ``places`` (n, 3), in the body frame [m], k_z = n k, k_roll = k Σy², k_pitch = k Σx²,
        and the damping likewise. They must not couple roll and pitch: Σxy = 0.
        """
        units = np.array(places, dtype=float).reshape(-1, 3)
        if len(units) == 0 or not np.isfinite(units).all():
            raise ModelError("its units have no finite places", element="bush", remedy="Give three numbers for each")
        centre = units.mean(axis=0)
        x, y, _ = (units - centre).T
        shares = np.array([len(units), y @ y, x @ x])
        if abs(x @ y) > COUPLING * max(x @ x, y @ y):
            raise ModelError(
                "its units couple roll and pitch", element="bush", remedy="Place them symmetrically about x or y"
            )
        return Bush(_triple(stiffness * shares), _triple(damping * shares), rotor, _triple(centre), explicit)

    def joints(self, body: str) -> tuple[Joint, Joint, Joint]:
        """The virtual joints in front of a body, outermost last: slide, roll, pitch."""

        def joint(k: int, motion: str, kind: JointKind, axis: str) -> Joint:
            return Joint(
                f"{body}_bush_{motion}",
                kind,
                axis,
                self.position,
                stiffness=self.stiffness[k],
                damping=self.damping[k],
                armature=self.rotor[k],
                explicit=self.explicit,
            )

        return joint(0, "z", "prismatic", "z"), joint(1, "roll", "revolute", "x"), joint(2, "pitch", "revolute", "y")


def fasten(scene: Scene, name: str, bush: Bush) -> None:
    """Put a bush between a body and what carries it; postures get the zeros of its coordinates."""

    def error(problem: str, remedy: str) -> ModelError:
        return ModelError(problem, file=scene.file, element=f"bush of '{name}'", remedy=remedy)

    if name not in scene.bodies:
        near = ", ".join(get_close_matches(name, scene.bodies) or list(scene.bodies)[:6])
        raise error("there is no such body", f"Known are {near}")
    body = scene.bodies[name]
    if body.bush is not None:
        raise error("it has a bush already", "Put each foot on one bush")
    if any(joint.kind == "free" for joint in body.joints):
        raise error("it moves freely: nothing carries it", "Name a foot, or another body that a joint holds")
    scene.check_new_joints(bush.joints(name))
    scene.bodies[name] = replace(body, bush=bush)
    place = 0  # the coordinate after the last one of the body's own joints
    for other in scene.bodies.values():
        place += sum(NQ[single.code] for joint in other.joints for single in joint.chain())
        if other.name == name:
            break
        place += 0 if other.bush is None else 3
    for posture, q in scene.postures.items():
        if len(q) >= place:
            scene.postures[posture] = np.insert(q, place, np.zeros(3))


def _triple(values: np.ndarray[tuple[int], np.dtype[np.float64]]) -> Triple:
    x, y, z = values.tolist()
    return x, y, z
