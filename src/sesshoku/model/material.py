"""What a surface is like: friction, restitution and stiffness, and how those of two surfaces combine."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf
from typing import Final

from sesshoku.errors import ModelError
from sesshoku.given import number

__all__ = ["PLAIN", "Coefficients", "Material", "combine"]

FRICTION = 1.0  # where neither surface says anything
Coefficients = tuple[float, float, float, float]


@dataclass(frozen=True)
class Material:
    """A surface; what is None is left to the surface it touches.

    Attributes:
        static: coefficient of friction while the contact sticks.
        kinetic: while it slips; None: as ``static``.
        restitution: speed after an impact over speed before, 0 to 1.
        priority: of two surfaces the one with the higher priority decides on friction and restitution.
        stiffness: of each point of contact, along the surface as across it [N/m]; None: rigid.
    """

    static: float | None = None
    kinetic: float | None = None
    restitution: float | None = None
    priority: int = 0
    stiffness: float | None = None

    def __post_init__(self) -> None:
        for name in ("static", "kinetic", "restitution"):
            if getattr(self, name) is not None:
                number(getattr(self, name), f"material: {name}", least=0.0)
        if self.kinetic is not None and (self.static is None or self.kinetic > self.static):
            remedy = "Give a static coefficient that is not below the kinetic one"
            raise ModelError(f"kinetic is {self.kinetic}, static {self.static}", element="material", remedy=remedy)
        if self.restitution is not None and self.restitution > 1:
            raise ModelError(f"restitution is {self.restitution}", element="material", remedy="Give 0 to 1")
        if self.stiffness is not None and self.stiffness != inf:
            number(self.stiffness, "material: stiffness", above=0.0)
            number(self.compliance, f"material: stiffness is {self.stiffness}, its inverse")

    @property
    def compliance(self) -> float:
        """How far a point yields per force [m/N]; 0: rigid."""
        return 1.0 / (inf if self.stiffness is None else self.stiffness)


PLAIN: Final = Material()  # leaves everything to what it touches


def combine(a: Material, b: Material) -> Coefficients:
    """Static and kinetic friction, restitution and compliance [m/N] of two surfaces.

    The surface of higher priority decides. Of equal ones the larger static coefficient counts, with the kinetic one of
    the same surface, and the larger restitution, as in MuJoCo. Friction that neither states
    is 1, restitution 0. Whatever their priority, both yield: their springs are in series.
    """
    if a.priority != b.priority:
        first, second = (a, b) if a.priority > b.priority else (b, a)
        surfaces = [first if first.static is not None else second]
        bouncing = [first if first.restitution is not None else second]
    else:
        surfaces = bouncing = [a, b]
    rubbing = [(s.static, s.static if s.kinetic is None else s.kinetic) for s in surfaces if s.static is not None]
    static, kinetic = max(rubbing, default=(FRICTION, FRICTION))
    restitution = max((s.restitution for s in bouncing if s.restitution is not None), default=0.0)
    return static, kinetic, restitution, a.compliance + b.compliance
