"""Typed errors and warnings: one clear sentence with the file, the element and the remedy."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

__all__ = [
    "DivergedError",
    "FileFormatError",
    "JammingError",
    "MasslessBodyError",
    "ModelError",
    "OffSurfaceError",
    "ProblemError",
    "RankError",
    "SesshokuError",
    "SurfaceError",
    "UnsimulatedWarning",
    "UnstableWarning",
    "UnsupportedError",
    "errors_in",
]


class SesshokuError(Exception):
    """Base of every error this package raises on purpose."""


class ModelError(SesshokuError):
    """A robot or scene that cannot be simulated as it is described.

    Attributes:
        problem: what is wrong, one sentence without its full stop.
        file: the file it was read from, or None for a scene made in Python.
        element: the element concerned, such as ``joint 'knee'``.
        remedy: what the user can do about it.
    """

    def __init__(
        self, problem: str, *, file: str | None = None, element: str | None = None, remedy: str | None = None
    ) -> None:
        self.problem, self.file, self.element, self.remedy = problem, file, element, remedy
        where = ": ".join(part for part in (file, element) if part)
        text = f"{where}: {problem}" if where else problem
        super().__init__(f"{text}. {remedy}." if remedy else f"{text}.")

    def located(self, file: str) -> ModelError:
        """The same error, with the file it comes from filled in."""
        if self.file is not None:
            return self
        return type(self)(self.problem, file=file, element=self.element, remedy=self.remedy)


class FileFormatError(ModelError):
    """A file that is missing, empty, not XML, or not of the kind it claims to be."""


class UnsupportedError(ModelError):
    """A feature without which the result would be wrong, and which is not simulated."""


class MasslessBodyError(ModelError):
    """A joint that moves nothing with inertia: its acceleration has no finite value."""


class ProblemError(ModelError):
    """A bare contact problem that is none: shapes that do not fit, numbers that are not finite."""


class SurfaceError(ModelError):
    """A surface whose functions do not fit each other, or that has no shape."""


class OffSurfaceError(ModelError):
    """A motion on surfaces that would begin off them."""


class RankError(ModelError):
    """No forces on the surfaces keep all points on them: rows of the constraint have lost their rank."""


class JammingError(ModelError):
    """Friction so large that no normal force is consistent with sliding (Painlevé)."""


class DivergedError(SesshokuError):
    """The simulation left the finite numbers; the message names the body, the joint and the time."""


class UnsimulatedWarning(UserWarning):
    """Elements of a file that have no counterpart here, by name."""


class UnstableWarning(UserWarning):
    """Joints too light for the explicit springs and dampers on them, by name."""


@contextmanager
def errors_in(file: str | None) -> Iterator[None]:
    """Errors about a model raised in here come from this file, unless they name another."""
    try:
        yield
    except ModelError as error:
        if file is None or error.file is not None:
            raise
        raise error.located(file) from error.__cause__
