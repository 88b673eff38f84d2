"""Robots and things that come with the package: made with the builder, primitive shapes only."""

from __future__ import annotations

from collections.abc import Callable

from sesshoku.model.robots.hoap_class import hoap_class
from sesshoku.model.robots.hrp2_class import hrp2_class
from sesshoku.model.robots.pendulums import cart, double_pendulum, pendulum, three_link
from sesshoku.model.robots.things import box, sphere
from sesshoku.model.scene import Scene

__all__ = ["ROBOTS", "describe", "hoap_class", "hrp2_class"]

ROBOTS: dict[str, Callable[[], Scene]] = {
    make.__name__: make for make in (pendulum, double_pendulum, three_link, cart, box, sphere, hoap_class, hrp2_class)
}


def describe(make: Callable[[], Scene]) -> str:
    """Say in one line what a bundled robot or scene is."""
    return (make.__doc__ or "").partition("\n")[0]
