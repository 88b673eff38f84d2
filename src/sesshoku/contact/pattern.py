"""The pattern of an island's matrix: which nodes meet, in which order they are eliminated, and what that fills.

Nodes meet where points couple their bodies: those that bear, or may close within the step. Many others are near, but
bear nothing: with them the factor of a mound of 300 spheres would take three times as many products. Where a Newton
step lets more of them bear, the pattern is laid out again.

The node that meets fewest others goes first (minimum degree), the lowest number among equals; eliminating it makes all
that it met meet each other.
"""

from __future__ import annotations

import numpy as np

from sesshoku.constraint.problem import ENTRIES, Handle
from sesshoku.contact.coulomb import OPEN
from sesshoku.contact.flow import relative
from sesshoku.kernel import kernel
from sesshoku.spatial.row import load3
from sesshoku.spatial.vector import dot

__all__ = ["pattern", "widen"]


@kernel
def width(p: Handle, node: int) -> int:
    """Number of coordinates of a node."""
    return p.coordinate_begin[node + 1] - p.coordinate_begin[node]  # type: ignore[no-any-return]


@kernel
def join_all(p: Handle, i: int) -> None:
    """Fill joined of the pairs of island i, as if all of them bore something."""
    for k in range(p.pair_begin[i], p.pair_begin[i + 1]):
        p.joined[k] = 1


@kernel
def join_near(p: Handle, i: int) -> None:
    """Fill joined of the pairs of island i: loops and rows, what bears, and gaps less than what closes anywhere."""
    fastest = 0.0
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        fastest = max(fastest, -dot(load3(p.normal, k), relative(p, k, p.free)))
    for k in range(p.pair_begin[i], p.pair_begin[i + 1]):
        p.joined[k] = p.slot_node[p.pair_slots[k, 0]] == p.slot_node[p.pair_slots[k, 1]]  # their block is there anyway
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        n = load3(p.normal, k)
        near = p.friction[k] < 0.0 or dot(n, load3(p.impulse, k)) > 0.0 or dot(n, load3(p.bias, k)) < fastest
        if near and p.pair[k] >= 0:
            p.joined[p.pair[k]] = 1
    for k in range(p.row_begin[i], p.row_begin[i + 1]):
        if p.row_pair[k] >= 0:
            p.joined[p.row_pair[k]] = 1


@kernel
def lay_out(p: Handle, i: int) -> bool:
    """Lay out the blocks of the matrix of island i, and say where those of each pair begin; false: no room for them."""
    first, last = p.node_begin[i], p.node_begin[i + 1]
    eliminate(p, i, first, last)
    place_blocks(p, first, last)
    place_pairs(p, i)
    return p.count[ENTRIES] <= len(p.matrix)  # type: ignore[no-any-return]


@kernel
def pattern(p: Handle, i: int) -> bool:
    """Lay out the matrix of island i for the impulses as they are; false: no room for it, should all pairs bear."""
    first, last = p.node_begin[i], p.node_begin[i + 1]
    if last - first > 1:
        size = p.coordinate_begin[last] - p.coordinate_begin[first]
        if size * size > len(p.matrix):
            join_all(p, i)
            if not lay_out(p, i):
                return False
        join_near(p, i)
        return lay_out(p, i)
    p.sequence[first], p.rank[first] = first, 0
    p.fill_begin[first] = p.fill_begin[last] = 0
    p.diagonal_block[first] = 0
    p.count[ENTRIES] = width(p, first) ** 2
    join_all(p, i)
    for k in range(p.pair_begin[i], p.pair_begin[i + 1]):
        p.pair_block[k, 0] = p.pair_block[k, 1] = 0
    return True


@kernel
def widen(p: Handle, i: int) -> None:
    """Lay out the matrix of island i again if points bear, as they are linearised, that it does not know of yet."""
    if p.node_begin[i + 1] - p.node_begin[i] == 1:
        return
    more = False
    for k in range(p.point_begin[i], p.point_begin[i + 1]):
        if p.mode[k] != OPEN and p.pair[k] >= 0 and p.joined[p.pair[k]] == 0:
            p.joined[p.pair[k]] = 1
            more = True
    if more:
        lay_out(p, i)


@kernel
def eliminate(p: Handle, i: int, first: int, last: int) -> None:
    """Fill sequence and rank, and for each node the later ones it meets, by rank."""
    n = last - first
    meets = np.zeros((n, n), dtype=np.int8)
    degree = np.zeros(n, dtype=np.int64)
    for k in range(p.pair_begin[i], p.pair_begin[i + 1]):
        a = p.slot_node[p.pair_slots[k, 0]] - first
        b = p.slot_node[p.pair_slots[k, 1]] - first
        if a != b and meets[a, b] == 0 and p.joined[k] != 0:
            meets[a, b] = meets[b, a] = 1
            degree[a] += 1
            degree[b] += 1
    around = np.empty(n, dtype=np.int64)
    gone = np.zeros(n, dtype=np.int8)
    filled = 0
    for rank in range(n):
        best = -1
        for a in range(n):
            if gone[a] == 0 and (best < 0 or degree[a] < degree[best]):
                best = a
        count = 0
        for b in range(n):
            if meets[best, b] != 0 and gone[b] == 0:
                around[count] = b
                count += 1
        gone[best] = 1
        p.sequence[first + rank], p.rank[first + best] = first + best, rank
        p.fill_begin[first + rank] = filled
        for k in range(count):
            a = around[k]
            p.fill_node[filled + k] = first + a
            degree[a] -= 1
            for j in range(k):
                b = around[j]
                if meets[a, b] == 0:
                    meets[a, b] = meets[b, a] = 1
                    degree[a] += 1
                    degree[b] += 1
        filled += count
    p.fill_begin[last] = filled
    for rank in range(n):
        sort_by_rank(p, p.fill_begin[first + rank], p.fill_begin[first + rank + 1])


@kernel
def sort_by_rank(p: Handle, begin: int, end: int) -> None:
    """Sort a list of nodes by their rank."""
    nodes, rank = p.fill_node, p.rank
    for k in range(begin + 1, end):
        node, j = nodes[k], k - 1
        while j >= begin and rank[nodes[j]] > rank[node]:
            nodes[j + 1] = nodes[j]
            j -= 1
        nodes[j + 1] = node


@kernel
def place_blocks(p: Handle, first: int, last: int) -> None:
    """Give every block its place in the matrix."""
    place = 0
    for node in range(first, last):
        p.diagonal_block[node] = place
        place += width(p, node) ** 2
    for row in range(first, last):
        height = width(p, p.sequence[row])
        for k in range(p.fill_begin[row], p.fill_begin[row + 1]):
            size = height * width(p, p.fill_node[k])
            p.fill_upper[k], p.fill_lower[k] = place, place + size
            place += 2 * size
    p.count[ENTRIES] = place


@kernel
def place_pairs(p: Handle, i: int) -> None:
    """Say for each pair of slots where its blocks begin: A with B, and B with A."""
    first = p.node_begin[i]
    for k in range(p.pair_begin[i], p.pair_begin[i + 1]):
        a, b = p.slot_node[p.pair_slots[k, 0]], p.slot_node[p.pair_slots[k, 1]]
        if a == b:
            p.pair_block[k, 0] = p.pair_block[k, 1] = p.diagonal_block[a]
            continue
        early, late = (a, b) if p.rank[a] < p.rank[b] else (b, a)
        row = first + p.rank[early]
        for j in range(p.fill_begin[row], p.fill_begin[row + 1]):
            if p.fill_node[j] == late:
                upper, lower = p.fill_upper[j], p.fill_lower[j]
                p.pair_block[k, 0], p.pair_block[k, 1] = (upper, lower) if early == a else (lower, upper)
                break
