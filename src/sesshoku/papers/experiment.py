"""What an experiment is: parts that run, write figures, and give checks, which are numbers with bounds."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from math import inf
from pathlib import Path
from typing import NamedTuple

__all__ = ["Check", "Experiment", "Findings", "Part"]


@dataclass(frozen=True, kw_only=True)
class Check:
    """A number that was measured, and where it must lie.

    Attributes:
        name: what is measured, with its unit.
        value: what came out.
        low, high: the bounds, both included.
        timed: whether it depends on what else the machine does; tests do not judge it.
    """

    name: str
    value: float
    low: float = -inf
    high: float = inf
    timed: bool = False

    @property
    def passed(self) -> bool:
        """Whether the number lies where it must; one that is not a number does not."""
        return self.low <= self.value <= self.high

    @property
    def bound(self) -> str:
        """The bounds in words."""
        if self.low == self.high:
            return f"exactly {self.low:g}"
        if self.low == -inf:
            return f"at most {self.high:g}"
        return f"at least {self.low:g}" if self.high == inf else f"{self.low:g} to {self.high:g}"


class Findings(NamedTuple):
    """What an experiment, or a part of it, gives: its checks, and the figures (PNG, GIF if they move) it wrote."""

    checks: list[Check]
    figures: list[Path]


Part = Callable[[Path], Findings]  # of the folder for its figures


@dataclass(frozen=True)
class Experiment:
    """The experiments of a paper, under one name.

    Attributes:
        name: what the command line knows it by.
        title: what it is, in one line.
        parts: by what each is about.
    """

    name: str
    title: str
    parts: Mapping[str, Part]

    def run(self, out: Path, progress: Callable[[str], None] = lambda _: None) -> Findings:
        """Run all parts; figures go to a folder in ``out`` that has the name of the experiment."""
        folder = out / self.name
        folder.mkdir(parents=True, exist_ok=True)
        found = Findings([], [])
        for subject, part in self.parts.items():
            progress(f"{self.name}: {subject}")
            checks, figures = part(folder)
            found.checks.extend(checks)
            found.figures.extend(figures)
        return found
