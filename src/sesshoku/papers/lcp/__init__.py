"""Paper 1, contact as a linear complementarity problem, in its own form, and its time against the contacts."""

from sesshoku.papers.lcp.contact_space import ContactSpace, contact_space
from sesshoku.papers.lcp.dense import DenseLcp
from sesshoku.papers.lcp.gauss_seidel import projected_gauss_seidel
from sesshoku.papers.lcp.timing import humanoid, time_against_contacts

__all__ = [
    "ContactSpace",
    "DenseLcp",
    "contact_space",
    "humanoid",
    "projected_gauss_seidel",
    "time_against_contacts",
]
