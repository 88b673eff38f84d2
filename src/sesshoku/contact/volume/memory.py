"""The memory of the contact-by-volume law: patches, the variables of an island, and its quadratic program."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from sesshoku.contact.volume.simplex import SHAPE
from sesshoku.handle import Arrays, HandleType, by_address, fields_of, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["BOUNDS", "BY_CORNERS", "HANDLE", "MOST", "PATCHES", "VARIABLES", "Handle", "Memory", "at"]

PATCHES, VARIABLES, BOUNDS, BY_CORNERS = 0, 1, 2, 3  # of `count`; the last: islands of the step solved that way
MOST: Final = 240  # variables that one quadratic program has; as printed larger islands are solved part by part

# Shape by the counts below, and what it is; those of integers are marked by a star.
FIELDS_BY_NAME: Final[dict[str, tuple[int | str, ...]]] = {
    "count*": (4,),
    # patches: one for each overlap
    "first*": ("patches",),  # its first point in the problem
    "last*": ("patches",),  # one past its last
    "number*": ("patches",),  # corners of its section
    "section": ("patches", "corners", 2),  # along e1, e2 from the centroid [m]
    "centroid": ("patches", 3),  # in the world [m]
    "axes": ("patches", 9),  # e1, e2, n
    "target": ("patches", 3),  # what the turn about e1 and e2 [rad/s] and the normal velocity [m/s] are to be
    "weight": ("patches", 6),  # integrals 1, x, y, xx, xy, yy over the contact plane, of Q
    "slip": ("patches", 6),  # velocity of B against A that kinetic friction acts against, in its axes
    "wish": ("patches", 3),  # (f1, f2, tn) that would have made it stick: what kinetic friction is to be like
    "static": ("patches",),  # coefficients
    "kinetic": ("patches",),
    "state*": ("patches",),  # OPEN, STICK, SLIP of contact/coulomb.py
    "began*": ("patches",),  # the same, at the start of the step
    "caught*": ("patches",),  # how often it has been stopped, torn off or turned in this step
    "linear": SHAPE,  # basis of the linear programs
    # variables: six of each patch (moment, force), three of each point of a loop, one of each row
    "slots*": ("variables", 2),  # whose motion they see, -1: none
    "jacobian": ("variables", 12),  # velocity per coordinate of both
    "offset": ("variables",),  # added to the velocity: the sum is to be nought
    "typical": ("variables",),  # what its response is like [1/kg, 1/(kg m²)]
    "impulse": ("variables",),
    "fixed*": ("variables",),  # 1: the impulse is given
    # friction of patches that slip, three numbers each: see slip.py
    "gap": ("slips",),  # by which it differs from what is due [N s], torques over the lever
    "gap_before": ("slips",),
    "move": ("slips",),  # its last change
    "lack": ("slips",),  # of the change that the guess would have given
    "pull": ("slips",),  # of the guess, by the change
    "guess": ("most", "most"),  # of the inverse of how the gap follows from it
    # the quadratic program of a group of variables
    "chosen*": ("most",),  # its variables
    "response": ("most", "most"),  # A
    "hessian": ("most", "most"),
    "basis": ("most", "most"),
    "triangle": ("most", "most"),
    "gradient": ("most",),
    "x": ("most",),
    "step": ("most",),
    "turned": ("most",),
    "decline": ("most",),
    "multiplier": ("most",),
    "active*": ("most",),
    "bound_variable*": ("bounds", 3),
    "bound_factor": ("bounds", 3),
    "bound_least": ("bounds",),
    "bound_rounding": ("bounds",),
}
FIELDS: Final = fields_of(FIELDS_BY_NAME)


class Handle:
    """How kernels see a `Memory`: the same arrays, as attributes."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> NDArray[Any]: ...


HANDLE: Final = HandleType("Volume", FIELDS)
at = by_address(HANDLE)


class Memory(Arrays):
    """Room for so many patches of so many corners, points of loops and rows; arrays as in the table."""

    def __init__(self, patches: int, corners: int, loops: int, rows: int) -> None:
        variables = 6 * patches + 3 * loops + rows
        most = min(variables, MOST)
        counts = {
            "patches": patches,
            "corners": max(corners, 1),
            "variables": variables,
            "most": most,
            "slips": 3 * patches,
            "bounds": (most // 6 + 1) * (max(corners, 4) + 1) + 2 * most,
        }
        super().__init__(FIELDS, zeros(FIELDS_BY_NAME, counts))
