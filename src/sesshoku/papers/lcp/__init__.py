"""Paper 1, contact as a linear complementarity problem: in its own form, and its experiments."""

from sesshoku.papers.lcp.contact_space import ContactSpace, contact_space
from sesshoku.papers.lcp.dense import DenseLcp
from sesshoku.papers.lcp.gauss_seidel import projected_gauss_seidel
from sesshoku.papers.lcp.humanoid import humanoid

__all__ = ["ContactSpace", "DenseLcp", "contact_space", "humanoid", "projected_gauss_seidel"]
