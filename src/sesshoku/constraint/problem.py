"""The memory of one constrained step: what touches or holds what, as points and rows on few coordinates.

Only bodies that are touched take part, each by the six coordinates of its motion, or the three of the only point that
it is touched at, and velocities of joints that are at a limit or have friction, by one. These *slots* of a tree of
bodies are its *node*; trees that touch each other make an *island*, a problem of its own. Slots, nodes, points and rows
stand in the order of the islands.

A point is a place where two bodies act on each other by a force of three components: a contact, or a place where a loop
is closed. A row acts on one joint velocity, or on two that are coupled. Impulses act on the second body (B) of a point,
in world axes.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import numpy as np

from sesshoku.handle import Arrays, HandleType, by_address, fields_of, zeros

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from sesshoku.model import Model

__all__ = [
    "COORDINATES",
    "ENTRIES",
    "HANDLE",
    "HEAP",
    "ISLANDS",
    "NODES",
    "PAIRS",
    "POINTS",
    "ROWS",
    "SLOTS",
    "TOLERANCE",
    "Handle",
    "Problem",
    "at",
]

ISLANDS, NODES, SLOTS, POINTS, ROWS, PAIRS, COORDINATES, ENTRIES = 0, 1, 2, 3, 4, 5, 6, 7  # of `count`
TOLERANCE: Final = 0  # of `options`
HEAP: Final = 20  # trees: more of them are a heap
ROOM: Final = 30_000_000  # most entries of the matrix of an island

# Shape by the counts of the model, and what it is; those of integers are marked by a star.
FIELDS_BY_NAME: Final[dict[str, tuple[int | str, ...]]] = {
    "count*": (8,),
    # islands: those of island i are start[i] .. start[i + 1] - 1
    "island*": ("n",),  # of each tree, by its first body; while they are being found, a link to another tree
    "node_begin*": ("n1",),
    "point_begin*": ("n1",),
    "row_begin*": ("n1",),
    "pair_begin*": ("n1",),
    "elastic*": ("n1",),  # 1: some point is, see contact/elastic.py
    "free_speed": ("n",),  # norm of the velocities of points and rows with no impulse
    "admitted": ("n",),  # residual up to which the step has converged
    "reference": ("n",),  # what residuals are relative to: that, or more [m/s]
    "steps*": ("n",),  # iterations of the solver; very many if it has missed the tolerance
    "fastest": ("n",),  # largest velocity by which depth is taken back
    "mean*": ("n",),  # 1: its trees move by mean velocities, see contact/separate.py
    "shifted": ("n",),  # largest velocity by which coordinates move besides, before it is
    # nodes: trees of bodies
    "node*": ("n",),  # of each tree, by its first body; -1: untouched
    "tree*": ("n1",),  # the first body of a node
    "slot_begin*": ("n1",),  # slots start[t] .. start[t + 1] - 1
    "coordinate_begin*": ("n1",),  # and so their coordinates
    "response_begin*": ("n1",),  # where their response begins
    "off": ("n1",),  # the largest residual of their points and rows, over the mean speed of these without impulses
    # slots: a body, or one velocity of a joint
    "body_slot*": ("n",),  # -1: not touched
    "touches*": ("n",),  # number of points that a body is touched at
    "touched": ("n", 3),  # the last of them, from the origin of its tree [m]
    "dof_slot*": ("nv",),  # -1: without rows
    "slot_node*": ("slots",),
    "slot_dof*": ("slots",),  # the velocity, or the last one of the body
    "slot_coordinate*": ("slots",),  # its first coordinate
    "slot_width*": ("slots",),  # 6 for a body, 3 for one that is touched at one point, 1 for a velocity
    "mobility": ("slots", 10),  # trace of its response at x: xx yy zz xy xz yz x y z 1 [1/kg]
    "slot_place": ("slots", 3),  # that point, from the origin of its tree [m]
    "slot_length*": ("slots",),  # number of velocities it depends on
    "chain*": ("slots", "depth"),  # these, from the root on
    "left": ("slots", "depth", 6),  # what a unit wrench leaves at each of them, see dynamics/test_force.py
    # coordinates: motions of bodies about the origin of their tree, angular part first; velocities of the only points
    # that bodies are touched at; velocities of joints
    "free": ("coordinates",),  # what they would be with no impulse
    "twist": ("coordinates",),
    "wrench": ("coordinates",),  # impulses on them
    "change": ("coordinates",),  # of the twist in one iteration
    "parting": ("coordinates",),  # impulses that take depth back, see contact/separate.py
    "response": ("entries",),  # Λ of each node: change of twist per wrench
    # points
    "taken*": ("known",),  # 1: a contact takes part in the step, see contact/near.py
    "wanted*": ("known",),  # 1: it does, however far it seems
    "source*": ("points",),  # which contact of the space; after all contacts come the points of loops
    "ends*": ("points", 2),  # slots of A and B, -1: fixed
    "pair*": ("points",),  # number of the pair of slots, -1: one end is fixed
    "arm_a": ("points", 3),  # from the origin of the tree of A to the point [m]; 0 if it is the only one of A
    "arm_b": ("points", 3),
    "normal": ("points", 3),  # from A to B
    "friction": ("points",),  # coefficient of this step; BOUND: the force is not limited
    "bias": ("points", 3),  # added to the velocity of B against A: for gaps, depth, restitution [m/s]
    "scale": ("points",),  # ρ: an impulse per velocity, three over the trace of the point's own response [kg]
    "give": ("points",),  # velocity by which an elastic point yields per impulse [1/kg], see contact/elastic.py
    "impulse": ("points", 3),  # [N s]
    "begun": ("points", 3),  # impulse that a phase of the solver has begun with
    "best": ("points", 3),  # impulse of the least residual so far
    "centre": ("points", 3),  # impulse at which a point that yields does not
    "step": ("points", 2),  # impulses per velocity, along the normal and across, see contact/relax.py
    "slide": ("points", 3),  # velocity of B against A, with bias and give [m/s]
    # points, linearised: see contact/coulomb.py
    "mode*": ("points",),
    "stiffness": ("points", 5),
    "direction": ("points", 3),
    "path": ("points", 7, 5),  # places and directions of points within their cones, see contact/within.py
    "returned*": ("known",),  # 1: it has been taken into the equations again, see contact/multipoint.py
    "caught*": ("known",),  # 1: it has been let stick again
    "target": ("known", 3),  # velocity, with bias, that a point is to have [m/s]
    "push": ("points", 3),
    # points, along axes of their own: see contact/axes.py
    "axes": ("known", 9),  # one after the other
    "jacobian": ("known", 6, 6),  # velocity of A, then of B along each axis per motion of its body
    "column": ("known", 6, "widest"),  # twist of the node of A, then of B, per impulse along each axis
    "delassus": ("known", 6),  # response of the point to itself, xx yy zz xy xz yz [1/kg], its diagonal inverted
    "axial_bias": ("known", 3),
    "axial_impulse": ("known", 3),
    # rows
    "row_dof*": ("rows",),  # the velocity it belongs to
    "row_kind*": ("rows",),
    "row_mode*": ("rows",),  # whether its impulse is unknown, see contact/minimum_norm.py
    "row_returned*": ("rows",),  # 1: it has been taken into the equations again, see contact/multipoint.py
    "reached*": ("nv",),  # 1: the joint came to a limit within this step, though it seemed far
    "row_slots*": ("rows", 2),
    "row_ratio": ("rows",),  # its velocity is that of the first slot less ratio times that of the second
    "row_pair*": ("rows",),  # number of the pair of slots, -1: they are one
    "row_bias": ("rows",),
    "row_lower": ("rows",),  # bounds of its impulse
    "row_upper": ("rows",),
    "row_scale": ("rows",),
    "row_impulse": ("rows",),
    "row_begun": ("rows",),
    "row_best": ("rows",),
    "row_centre": ("rows",),
    "row_slide": ("rows",),
    "row_stiffness": ("rows",),
    "row_push": ("rows",),
    "row_path": ("rows", 7, 3),  # places and directions within their bounds, see contact/within_row.py
    # kept from the last step, in the order of its contacts
    "kept_count*": (1,),
    "kept_shapes*": ("known", 2),
    "kept_feature*": ("known",),
    "kept_impulse": ("known", 3),
    "kept_shear": ("known", 3),
    "kept_mode*": ("known",),
    "kept_loop": ("loops", 3),
    "kept_row": ("nv", 4),  # impulses of the rows of each velocity, by kind
    "kept_steps*": ("n",),  # `steps` of the island of a tree, by its first body
    # loops and couplings of the model
    "loop_body*": ("loops", 2),
    "loop_place_a": ("loops", 3),  # in the kernel frames
    "loop_place_b": ("loops", 3),
    "leader*": ("nv",),  # the velocity that one follows, itself: a constant, -1: none
    "polynomial": ("nv", 5),  # of the leader's coordinate
    # materials of the shapes: coefficients[a, b] are static and kinetic friction, restitution, compliance [m/N]
    "material*": ("shapes",),
    "coefficients": ("materials", "materials", 4),
    # what the last step reports, in the order of the contacts of the space
    "force": ("known", 3),  # [N]
    "slip": ("known", 3),  # [m/s]
    "state*": ("known",),
    "shear": ("known", 3),  # elongation of elastic contacts along the surface at the start of the step [m]
    "statistics": (3,),  # residual; iterations; islands that missed the tolerance
    "outcome": (2,),  # of the island that was solved last: iterations; residual
    "law*": (1,),  # address of the law
    "companion*": (2,),  # addresses of what it needs besides
    "bouncing*": (1,),  # whether any surface has restitution
    "rigid*": (1,),  # whether depth is an error, and to be taken back
    "crowd*": (1,),  # whether the model has as many trees as make a heap
    "pointwise*": (1,),  # whether a body that is touched at one point takes part by three coordinates
    "compliance": (1,),  # by which points and rows yield, in units of their own response; 0 but on the way
    "options": (8,),  # of the law, its tolerance first
    "stage*": (3,),  # addresses of parts of it that are compiled on their own, see contact/law.py
    # pairs of slots that points couple, and the linear system of one iteration: see contact/linear.py
    "pair_slots*": ("pairs", 2),
    "pair_block*": ("pairs", 2),  # where their two blocks of the matrix begin
    "joined*": ("pairs",),  # 1: they have such blocks, 0: nothing has been borne between them yet
    "own": ("slots", 36),  # H of each slot with itself; of a velocity only the first number
    "masses": ("slots", 10),  # the part of it that is the inertia of point masses
    "across": ("pairs", 72),  # H between the slots of each pair, both ways
    "matrix": ("room",),  # 1 + Λ H, block by block
    "pivot*": ("coordinates",),
    # least impulses, see contact/minimum_norm.py
    "gram": ("room",),
    "force_span": ("room",),
    "rate_span": ("room",),
    "normal_span": ("room",),
    "inner": ("room",),
    "force_order*": ("coordinates",),
    "rate_order*": ("coordinates",),
    "normal_order*": ("coordinates",),
    "spare": ("coordinates",),
    # the pattern of the matrix: nodes in the order of their elimination, and the later ones that each meets
    "rank*": ("n",),  # of each node within its island
    "sequence*": ("n",),  # nodes of each island by rank
    "diagonal_block*": ("n",),
    "fill_begin*": ("n1",),
    "fill_node*": ("fill",),
    "fill_upper*": ("fill",),  # where the block of a node with the later one begins
    "fill_lower*": ("fill",),  # and the other way
}
FIELDS: Final = fields_of(FIELDS_BY_NAME)


class Handle:
    """How kernels see a `Problem`: the same arrays, as attributes."""

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> NDArray[Any]: ...


HANDLE: Final = HandleType("Problem", FIELDS)
at = by_address(HANDLE)


class Problem(Arrays):
    """Room for the constraints of a model; attributes are numpy arrays as in the table.

    Of its points those of contacts and loops are known at the start of a step; a law may put so many more in
    the place of contacts, with those of the loops once again.

    Attributes:
        companions: what the law needs besides.
    """

    companions: tuple[Arrays, ...]

    def __init__(
        self,
        model: Model,
        contacts: int,
        material: NDArray[np.int64],
        coefficients: NDArray[np.float64],
        more: int = 0,
    ) -> None:
        trees, loops = np.flatnonzero(model.parent < 0), model.loops
        followers = np.flatnonzero(loops.leader >= 0)
        rows = np.isfinite(model.lower) | np.isfinite(model.upper) | (model.friction > 0)
        rows[followers] = rows[loops.leader[followers]] = True
        known = contacts + len(loops.body)
        points = known + (more + len(loops.body) if more > 0 else 0)
        tree_of_dof = model.root[model.dof_body]
        sizes = [6 * int((model.root == t).sum()) + int(rows[tree_of_dof == t].sum()) for t in trees]
        counts = {
            "n": model.n,
            "n1": model.n + 1,
            "nv": model.nv,
            "slots": model.n + int(rows.sum()),
            "depth": int(model.dof_depth.max(initial=0)) + 1,
            "coordinates": sum(sizes),
            "entries": sum(size * size for size in sizes),
            "widest": max(sizes, default=0),
            "points": points,
            "known": known,
            "pairs": known + len(followers),
            "loops": len(loops.body),
            "rows": 4 * int(rows.sum()),
            "shapes": len(material),
            "materials": len(coefficients),
            "fill": len(trees) * (len(trees) - 1) // 2,
            "room": min(sum(sizes) ** 2, ROOM),  # of zeros that cost nothing before they are touched
        }
        super().__init__(FIELDS, zeros(FIELDS_BY_NAME, counts))
        self.material[:], self.coefficients[:] = material, coefficients
        self.bouncing[0] = coefficients[..., 2].any()
        self.crowd[0] = len(trees) > HEAP
        self.loop_body[:] = loops.body
        self.loop_place_a[:], self.loop_place_b[:] = loops.place[:, :3], loops.place[:, 3:]
        self.leader[:], self.polynomial[:] = loops.leader, loops.polynomial
