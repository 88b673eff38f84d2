"""Force sensors: what they are built into."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from sesshoku.errors import ModelError

if TYPE_CHECKING:
    from sesshoku.model.model import Frame

__all__ = ["Sensor", "SensorKind", "check_sensors"]

SensorKind = Literal["joint", "contact"]


@dataclass(frozen=True)
class Sensor:
    """A six-axis force sensor at a body or site, in its axes.

    Attributes:
        name: unique among sensors.
        frame: name of the body or site.
        kind: ``joint`` measures what the body gets from its parent through its joint, as a sensor in the ankle does;
            ``contact`` what it gets from all that touches it, as a skin does.
    """

    name: str
    frame: str
    kind: SensorKind = "joint"


def check_sensors(sensors: Mapping[str, Sensor], frames: Mapping[str, Frame], file: str | None) -> None:
    """Sensors are on frames that are there, those of joints on bodies that move."""
    for sensor in sensors.values():
        element = f"sensor '{sensor.name}'"
        if sensor.frame not in frames:
            raise ModelError(
                f"its body or site '{sensor.frame}' is not there", file=file, element=element, remedy="Name one"
            )
        if sensor.kind not in ("joint", "contact"):
            raise ModelError(f"its kind is '{sensor.kind}'", file=file, element=element, remedy="Give joint or contact")
        if sensor.kind == "joint" and frames[sensor.frame].body < 0:
            raise ModelError(
                f"'{sensor.frame}' is fixed to the world", file=file, element=element, remedy="Name a body that moves"
            )
