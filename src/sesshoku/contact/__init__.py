"""Contact laws: what acts where bodies touch."""

from sesshoku.contact.bare import Solution, solve
from sesshoku.contact.exact import Exact
from sesshoku.contact.law import Law, NoContact
from sesshoku.contact.laws import LAWS
from sesshoku.contact.lcp import Lcp
from sesshoku.contact.multipoint import Multipoint
from sesshoku.contact.penalty import Penalty
from sesshoku.contact.volume.volume import Volume

__all__ = ["LAWS", "Exact", "Law", "Lcp", "Multipoint", "NoContact", "Penalty", "Solution", "Volume", "solve"]
