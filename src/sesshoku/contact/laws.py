"""The contact laws by name."""

from __future__ import annotations

from typing import Final

from sesshoku.contact.exact import Exact
from sesshoku.contact.law import Law, NoContact
from sesshoku.contact.lcp import Lcp
from sesshoku.contact.multipoint import Multipoint
from sesshoku.contact.penalty import Penalty
from sesshoku.contact.volume.volume import Volume
from sesshoku.errors import SesshokuError

__all__ = ["LAWS", "law_of"]

LAWS: Final[dict[str, type[Law]]] = {law.name: law for law in (Exact, Multipoint, Lcp, Volume, Penalty, NoContact)}


def law_of(given: str | Law) -> Law:
    """A law as it is, or by its name with its default options."""
    if isinstance(given, Law):
        return given
    if given not in LAWS:
        raise SesshokuError(f"unknown law '{given}'. Known are {', '.join(LAWS)}.")
    return LAWS[given]()
