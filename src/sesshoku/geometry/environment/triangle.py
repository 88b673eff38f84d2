"""The triangles of a terrain or height field, one by one, in the frame of the surface.

A height field has two triangles for each cell, numbered 2 (i rows' + j) and one more, with rows' the number of cells
along y; the diagonal runs from the corner with the lowest x and y to the one with the highest.
"""

from __future__ import annotations

from math import floor
from typing import NamedTuple

from sesshoku.geometry.environment.memory import float_at, int_at
from sesshoku.geometry.kind import HEIGHTS
from sesshoku.geometry.space import Handle
from sesshoku.geometry.surface import LEAF
from sesshoku.kernel import kernel
from sesshoku.spatial.vector import Vec3, cross, norm, scale, subtract

__all__ = [
    "Ground",
    "across",
    "corner",
    "corner_place",
    "corners",
    "following",
    "ground_of",
    "normal_of",
    "numbers",
    "unit",
]


class Ground(NamedTuple):
    """The arrays and numbers of one surface; see the fields of the space."""

    heights: bool
    before: int  # the number one below that of the first triangle
    first: int  # triangle, or sample of a height field
    number: int  # of triangles, or of columns
    node: int  # first box, or rows
    leaves: int
    vertex: int  # addresses of the arrays of the space
    triangle: int
    beyond: int
    box: int
    height: int
    cell: tuple[float, float, float, float]  # extent of a cell along x and y; where the first one begins


@kernel
def ground_of(g: Handle, b: int) -> Ground:
    """The surface of shape b."""
    s, heights = g.solid[b], g.kind[b] == HEIGHTS
    table, cell = g.ground, g.ground_cell
    return Ground(
        heights, -1 if heights else table[s, 0] - 1, table[s, 0], table[s, 1], table[s, 2], table[s, 3],
        g.ground_vertex.ctypes.data, g.ground_triangle.ctypes.data, g.ground_beyond.ctypes.data,
        g.ground_box.ctypes.data, g.ground_height.ctypes.data,
        (cell[s, 0], cell[s, 1], cell[s, 2], cell[s, 3]),
    )  # fmt: skip


@kernel
def unit(a: Vec3) -> Vec3:
    """a / |a|."""
    return scale(1.0 / norm(a), a)


@kernel
def numbers(ground: Ground, t: int) -> tuple[int, int, int]:
    """The vertices of triangle t, anticlockwise seen from outside."""
    if not ground.heights:
        return int_at(ground.triangle, 3 * t), int_at(ground.triangle, 3 * t + 1), int_at(ground.triangle, 3 * t + 2)
    rows, cell, upper = ground.node, t >> 1, t & 1
    i, j = cell // (rows - 1), cell % (rows - 1)
    v = i * rows + j
    return v, v + rows + upper, v + 1 + (1 - upper) * rows


@kernel
def corner(ground: Ground, t: int, k: int) -> int:
    """Number of the vertex at corner k of triangle t."""
    a, b, c = numbers(ground, t)
    return a if k == 0 else (b if k == 1 else c)


@kernel
def place(ground: Ground, v: int) -> Vec3:
    """Position of a vertex."""
    if not ground.heights:
        return _three(ground.vertex, 3 * v)
    i, j = v // ground.node, v % ground.node
    dx, dy, x, y = ground.cell
    return (x + i * dx, y + j * dy, float_at(ground.height, ground.first + v))


@kernel
def corner_place(ground: Ground, t: int, k: int) -> Vec3:
    """Position of corner k of triangle t."""
    return place(ground, corner(ground, t, k))


@kernel
def corners(ground: Ground, t: int) -> tuple[Vec3, Vec3, Vec3]:
    """Positions of the corners of triangle t."""
    a, b, c = numbers(ground, t)
    return place(ground, a), place(ground, b), place(ground, c)


@kernel
def across(ground: Ground, t: int, k: int) -> int:
    """The triangle beyond edge k of triangle t, which runs from corner k to the next; -1 if there is none."""
    if not ground.heights:
        return int_at(ground.beyond, 3 * t + k)  # type: ignore[no-any-return]
    columns, rows = ground.number - 1, ground.node - 1
    cell, upper = t >> 1, t & 1
    i, j = cell // rows, cell % rows
    if k == 2 - 2 * upper:  # the diagonal
        return t ^ 1
    if upper == 0:
        if k == 0:
            return t - 1 if j > 0 else -1
        return t + 2 * rows + 1 if i + 1 < columns else -1
    if k == 1:
        return t + 1 if j + 1 < rows else -1
    return t - 2 * rows - 1 if i > 0 else -1


@kernel
def following(ground: Ground, t: int, low: Vec3, high: Vec3) -> int:
    """The next triangle after t whose bounding box meets the box from low to high; -1 at the end."""
    if ground.heights:
        return _following_cell(ground, t, low, high)
    return _following_leaf(ground, t, low, high)


@kernel
def _following_leaf(ground: Ground, t: int, low: Vec3, high: Vec3) -> int:
    """In the tree: a node without the box is passed over with all below it."""
    leaves = ground.leaves
    k = t + 1 - ground.first
    while k % LEAF != 0 and k < ground.number:
        if _meets(ground, ground.first + k, low, high):
            return ground.first + k
        k += 1
    if k >= ground.number:
        return -1
    node = leaves + k // LEAF
    while node & 1 == 0:  # the highest node that begins with this leaf
        node >>= 1
    while True:
        row = 6 * (ground.node + node)
        if _overlap(_three(ground.box, row), _three(ground.box, row + 3), low, high):
            if node < leaves:
                node *= 2
                continue
            k = (node - leaves) * LEAF
            for i in range(k, min(k + LEAF, ground.number)):
                if _meets(ground, ground.first + i, low, high):
                    return ground.first + i
        node += 1
        while node & 1 == 0:
            node >>= 1
        if node == 1:
            return -1


@kernel
def _following_cell(ground: Ground, t: int, low: Vec3, high: Vec3) -> int:
    """In the grid: only the cells under the box, one column after the other."""
    dx, dy, x, y = ground.cell
    columns, rows = ground.number - 1, ground.node - 1
    first_i, last_i = _span(low[0], high[0], x, dx, columns)
    first_j, last_j = _span(low[1], high[1], y, dy, rows)
    if first_i > last_i or first_j > last_j:
        return -1
    k = t + 1
    while True:
        i, j = (k >> 1) // rows, (k >> 1) % rows
        if i < first_i:
            i, j, k = first_i, first_j, 2 * (first_i * rows + first_j)
        elif j < first_j:
            j, k = first_j, 2 * (i * rows + first_j)
        elif j > last_j:
            i, j, k = i + 1, first_j, 2 * ((i + 1) * rows + first_j)
        if i > last_i:
            return -1
        if _meets(ground, k, low, high):
            return k
        k += 1


@kernel
def _span(low: float, high: float, start: float, step: float, cells: int) -> tuple[int, int]:
    """First and last cell that an interval meets."""
    first = min(max(floor((low - start) / step), 0.0), float(cells))
    last = max(min(floor((high - start) / step), cells - 1.0), -1.0)
    return int(first), int(last)


@kernel
def _meets(ground: Ground, t: int, low: Vec3, high: Vec3) -> bool:
    """Whether the bounding box of a triangle meets the box from low to high."""
    a, b, c = corners(ground, t)
    lowest = (min(a[0], b[0], c[0]), min(a[1], b[1], c[1]), min(a[2], b[2], c[2]))
    highest = (max(a[0], b[0], c[0]), max(a[1], b[1], c[1]), max(a[2], b[2], c[2]))
    return _overlap(lowest, highest, low, high)


@kernel
def _overlap(low: Vec3, high: Vec3, other_low: Vec3, other_high: Vec3) -> bool:
    """Whether two boxes meet."""
    return (
        low[0] <= other_high[0] and other_low[0] <= high[0]
        and low[1] <= other_high[1] and other_low[1] <= high[1]
        and low[2] <= other_high[2] and other_low[2] <= high[2]
    )  # fmt: skip


@kernel
def _three(address: int, i: int) -> Vec3:
    """Three floats from index i on."""
    return (float_at(address, i), float_at(address, i + 1), float_at(address, i + 2))


@kernel
def normal_of(a: Vec3, b: Vec3, c: Vec3) -> Vec3:
    """Outward unit normal of a triangle."""
    return unit(cross(subtract(b, a), subtract(c, a)))
