"""What a surface is like: friction and restitution, and how those of two surfaces combine."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import Final

from sesshoku.errors import ModelError

__all__ = ["PLAIN", "Coefficients", "Material", "combine"]

FRICTION = 1.0  # where neither surface says anything
Coefficients = tuple[float, float, float]


@dataclass(frozen=True)
class Material:
    """A surface; what is None is left to the surface it touches.

    Attributes:
        static: coefficient of friction while the contact sticks.
        kinetic: while it slips; None: as ``static``.
        restitution: speed after an impact over speed before, 0 to 1.
        priority: of two surfaces the one with the higher priority decides.
    """

    static: float | None = None
    kinetic: float | None = None
    restitution: float | None = None
    priority: int = 0

    def __post_init__(self) -> None:
        for name in ("static", "kinetic", "restitution"):
            value = getattr(self, name)
            if value is not None and not (isfinite(value) and value >= 0):
                raise ModelError(f"{name} is {value}", element="material", remedy="Give a number >= 0")
        if self.kinetic is not None and (self.static is None or self.kinetic > self.static):
            remedy = "Give a static coefficient that is not below the kinetic one"
            raise ModelError(f"kinetic is {self.kinetic}, static {self.static}", element="material", remedy=remedy)
        if self.restitution is not None and self.restitution > 1:
            raise ModelError(f"restitution is {self.restitution}", element="material", remedy="Give 0 to 1")


PLAIN: Final = Material()  # leaves everything to what it touches


def combine(a: Material, b: Material) -> Coefficients:
    """Static and kinetic friction and restitution of two surfaces.

    The surface of higher priority decides. Of equal ones the larger static coefficient counts, with the kinetic one of
    the same surface, and the larger restitution, as in MuJoCo. Friction that neither states
    is 1, restitution 0.
    """
    if a.priority != b.priority:
        first, second = (a, b) if a.priority > b.priority else (b, a)
        surfaces = [first if first.static is not None else second]
        bouncing = [first if first.restitution is not None else second]
    else:
        surfaces = bouncing = [a, b]
    rubbing = [(s.static, s.static if s.kinetic is None else s.kinetic) for s in surfaces if s.static is not None]
    static, kinetic = max(rubbing, default=(FRICTION, FRICTION))
    return static, kinetic, max((s.restitution for s in bouncing if s.restitution is not None), default=0.0)
