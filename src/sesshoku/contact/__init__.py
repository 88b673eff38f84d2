"""Contact laws: what acts where bodies touch."""

from sesshoku.contact.bare import Solution, solve
from sesshoku.contact.law import LAWS, call_law, enact

__all__ = ["LAWS", "Solution", "call_law", "enact", "solve"]
