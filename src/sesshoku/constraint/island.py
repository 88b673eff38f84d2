"""Which bodies and joints take part, and which of them hang together.

First every point and row names its bodies and velocities (`touch`, `link`); then `number` gives islands, nodes and
slots their places. Everything follows the numbers of the bodies, so the order never depends on the past.
"""

from __future__ import annotations

from sesshoku.constraint.problem import COORDINATES, HEAP, ISLANDS, NODES, PAIRS, SLOTS, Handle
from sesshoku.dynamics.system import Handle as SystemHandle
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3, store3
from sesshoku.spatial.vector import Vec3

__all__ = ["begin", "is_heap", "join", "link", "meet", "number", "touch_body", "touch_dof"]

UNTOUCHED = -1
TOUCHED = 0


@kernel
def begin(p: Handle) -> None:
    """Nothing takes part yet."""
    island, node, body_slot, dof_slot, touches = p.island, p.node, p.body_slot, p.dof_slot, p.touches
    for i in range(len(body_slot)):
        body_slot[i], island[i], node[i], touches[i] = UNTOUCHED, i, UNTOUCHED, 0
    for d in range(len(dof_slot)):
        dof_slot[d] = UNTOUCHED
    for k in range(len(p.count)):
        p.count[k] = 0


@kernel
def is_heap(p: Handle, i: int) -> bool:
    """Whether island i is of many trees, which lie on each other at more points than would hold them."""
    return p.node_begin[i + 1] - p.node_begin[i] > HEAP  # type: ignore[no-any-return]


@kernel
def touch_body(s: SystemHandle, p: Handle, i: int, x: Vec3) -> None:
    """Body i takes part, touched at x from the origin of its tree, and with it that tree."""
    p.body_slot[i] = p.node[s.root[i]] = TOUCHED
    p.touches[i] += 1
    store3(p.touched, i, x)


@kernel
def touch_dof(s: SystemHandle, p: Handle, d: int) -> None:
    """Velocity d takes part, and with it its tree."""
    p.dof_slot[d] = p.node[s.root[s.dof_body[d]]] = TOUCHED


@kernel
def first_of(p: Handle, tree: int) -> int:
    """The tree that stands for the island of a tree so far; the links on the way are shortened."""
    island = p.island
    while island[tree] != tree:
        island[tree] = island[island[tree]]
        tree = island[tree]
    return tree


@kernel
def link(s: SystemHandle, p: Handle, i: int, j: int) -> None:
    """Bodies i and j act on each other: their trees are in one island, named by the lower number."""
    a, b = first_of(p, s.root[i]), first_of(p, s.root[j])
    if a < b:
        p.island[b] = a
    else:
        p.island[a] = b


@kernel
def meet(s: SystemHandle, p: Handle, i: int, j: int, x: Vec3, y: Vec3) -> None:
    """Bodies i and j act on each other at x and y, from the origins of their trees; the world (-1) takes no part."""
    if i >= 0:
        touch_body(s, p, i, x)
    if j >= 0:
        touch_body(s, p, j, y)
    if i >= 0 and j >= 0:
        link(s, p, i, j)


@kernel
def number(s: SystemHandle, p: Handle) -> None:
    """Give islands, nodes, slots and coordinates their numbers."""
    number_islands(p)
    number_nodes(p)
    number_slots(s, p)
    number_coordinates(p)


@kernel
def number_islands(p: Handle) -> None:
    """From links to numbers; the tree that stands for an island comes before the others in it."""
    island, node, label = p.island, p.node, p.rank
    islands = 0
    for tree in range(len(island)):
        if node[tree] == UNTOUCHED:
            continue
        first = first_of(p, tree)
        if first == tree:
            label[tree] = islands
            islands += 1
        else:
            label[tree] = label[first]
    for tree in range(len(island)):
        island[tree] = label[tree] if node[tree] != UNTOUCHED else UNTOUCHED
    p.count[ISLANDS] = islands


@kernel
def number_nodes(p: Handle) -> None:
    """Nodes by island, then by tree."""
    island, node, begins, cursor = p.island, p.node, p.node_begin, p.rank
    islands, nodes = p.count[ISLANDS], 0
    for i in range(islands + 1):
        begins[i] = 0
    for tree in range(len(node)):
        if node[tree] != UNTOUCHED:
            begins[island[tree] + 1] += 1
            nodes += 1
    for i in range(islands):
        cursor[i] = begins[i]
        begins[i + 1] += begins[i]
    for tree in range(len(node)):
        if node[tree] != UNTOUCHED:
            node[tree] = cursor[island[tree]]
            p.tree[node[tree]] = tree
            cursor[island[tree]] += 1
    p.count[NODES] = nodes


@kernel
def number_slots(s: SystemHandle, p: Handle) -> None:
    """Slots by node: first its bodies, then its velocities."""
    node, root, body_slot, dof_slot, begins, cursor = p.node, s.root, p.body_slot, p.dof_slot, p.slot_begin, p.rank
    slot_node, slot_dof, dof_body = p.slot_node, p.slot_dof, s.dof_body
    nodes, slots = p.count[NODES], 0
    for t in range(nodes + 1):
        begins[t] = 0
    for i in range(len(body_slot)):
        if body_slot[i] != UNTOUCHED:
            begins[node[root[i]] + 1] += 1
    for d in range(len(dof_slot)):
        if dof_slot[d] != UNTOUCHED:
            begins[node[root[dof_body[d]]] + 1] += 1
    for t in range(nodes):
        cursor[t] = begins[t]
        begins[t + 1] += begins[t]
    for i in range(len(body_slot)):
        if body_slot[i] != UNTOUCHED:
            t = node[root[i]]
            k = body_slot[i] = cursor[t]
            slot_node[k], slot_dof[k] = t, s.v_end[i] - 1
            p.slot_width[k] = 3 if p.pointwise[0] != 0 and p.touches[i] == 1 else 6
            store3(p.slot_place, k, load3(p.touched, i))
            cursor[t] += 1
    for d in range(len(dof_slot)):
        if dof_slot[d] != UNTOUCHED:
            t = node[root[dof_body[d]]]
            k = dof_slot[d] = cursor[t]
            slot_node[k], slot_dof[k], p.slot_width[k] = t, d, 1
            cursor[t] += 1
    slots = begins[nodes]
    p.count[SLOTS] = slots


@kernel
def number_coordinates(p: Handle) -> None:
    """Coordinates by slot, and where the response of each node begins."""
    slot_begin, coordinate_begin, response_begin = p.slot_begin, p.coordinate_begin, p.response_begin
    coordinate, entry = 0, 0
    for t in range(p.count[NODES]):
        coordinate_begin[t], response_begin[t] = coordinate, entry
        for k in range(slot_begin[t], slot_begin[t + 1]):
            p.slot_coordinate[k] = coordinate
            coordinate += p.slot_width[k]
        entry += (coordinate - coordinate_begin[t]) ** 2
    coordinate_begin[p.count[NODES]], response_begin[p.count[NODES]] = coordinate, entry
    p.count[COORDINATES] = coordinate


@kernel
def join(p: Handle, a: int, b: int) -> int:
    """The number of a pair of slots that act on each other; points of one pair that follow each other share it."""
    pairs, slots = p.count[PAIRS], p.pair_slots
    if pairs == 0 or slots[pairs - 1, 0] != a or slots[pairs - 1, 1] != b:
        slots[pairs, 0], slots[pairs, 1] = a, b
        pairs += 1
        p.count[PAIRS] = pairs
    return pairs - 1  # type: ignore[no-any-return]
